//! What the tools take and do. What holds then is the work of the state.
//!
//! A brain may choose sleep by itself, so three things are looked at before: the device does not sleep already, there is a
//! way back (a wake word, or a moment at which it wakes up), and it was asked for at the device itself, since sleep closes
//! the ear for every session.

use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::Rest;
use crate::alerts::{Alerts, moment_of};
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::locale::Locales;

/// The conversation at the device itself.
const AT_THE_DEVICE: [&str; 2] = ["", "default"];

/// What all tools work on.
#[derive(Debug, Clone)]
pub(super) struct Bed {
    pub(super) rest: Arc<Rest>,
    pub(super) alerts: Arc<Alerts>,
    pub(super) locales: Arc<Locales>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct While {
    /// As the person said it, as in "7 am"; default: until the person ends it.
    #[serde(default)]
    until: Option<String>,
    /// As in "2 hours".
    #[serde(default)]
    duration: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Rested {
    asleep: bool,
    quiet: bool,
    /// Why nothing was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'static str>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Rested {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn go_to_sleep(bed: Bed, asked: While, person: &Circumstances) -> Result<Rested, ToolError> {
    let until = bed.until(asked, person)?;
    if let Some((why_not, dialog)) = bed.why_not(until, person).await {
        return Ok(bed.rested(Some(why_not), Telling::new(dialog)).await);
    }
    bed.rest.sleep(until).await;
    let told = told("sleeping", "sleeping_until", until, person);
    Ok(bed.rested(None, told).await)
}

pub(super) async fn wake_up(bed: Bed, _: Nothing) -> Result<Rested, ToolError> {
    bed.rest.end().await;
    Ok(bed.rested(None, Telling::new("awake")).await)
}

pub(super) async fn do_not_disturb(
    bed: Bed,
    asked: While,
    person: &Circumstances,
) -> Result<Rested, ToolError> {
    let until = bed.until(asked, person)?;
    if !AT_THE_DEVICE.contains(&person.session_id.as_str()) {
        let told = Telling::new("elsewhere");
        return Ok(bed.rested(Some(ELSEWHERE), told).await);
    }
    bed.rest.be_quiet(until).await;
    let told = told("undisturbed", "undisturbed_until", until, person);
    Ok(bed.rested(None, told).await)
}

const ELSEWHERE: &str = "only a person at the device itself may ask for it";

impl Bed {
    fn until(&self, asked: While, person: &Circumstances) -> Result<Option<Timestamp>, ToolError> {
        moment_of(&self.alerts, &self.locales, asked.until, asked.duration, person)
    }

    /// Why the device is not sent to sleep, for the brain and as a dialog.
    async fn why_not(
        &self,
        until: Option<Timestamp>,
        person: &Circumstances,
    ) -> Option<(&'static str, &'static str)> {
        if self.rest.now().await.asleep {
            return Some(("it is asleep already", "asleep_already"));
        }
        if self.rest.is_deaf_asleep() && until.is_none() {
            let why = "no wake word could wake it; ask the person until when it shall sleep";
            return Some((why, "no_way_back"));
        }
        let is_here = AT_THE_DEVICE.contains(&person.session_id.as_str());
        (!is_here).then_some((ELSEWHERE, "elsewhere"))
    }

    async fn rested(&self, why_not: Option<&'static str>, told: Telling) -> Rested {
        let resting = self.rest.now().await;
        Rested {
            asleep: resting.asleep,
            quiet: resting.quiet,
            why_not,
            told,
        }
    }
}

fn told(
    endless: &'static str,
    until_then: &'static str,
    until: Option<Timestamp>,
    person: &Circumstances,
) -> Telling {
    let Some(until) = until else {
        return Telling::new(endless);
    };
    let moment = until.to_zoned(loquat_kit::calendar::zone_of(person));
    Telling::new(until_then).words("moment", Calendar::of(person, until).told_moment(&moment))
}
