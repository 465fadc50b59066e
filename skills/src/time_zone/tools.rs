//! What the tools ask timedate1, set and tell.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::zone_name;
use crate::dbus::{DeviceBus, Problem, plain, proxy, within};
use crate::dialog::{Tell, Telling};

/// As people call it.
const SERVICE: &str = "timedate1";

const NAME: &str = "org.freedesktop.timedate1";
const PATH: &str = "/org/freedesktop/timedate1";

#[zbus::proxy(interface = "org.freedesktop.timedate1")]
trait TimeDate {
    fn set_timezone(&self, zone: &str, interactive: bool) -> zbus::Result<()>;
    #[zbus(property)]
    fn timezone(&self) -> zbus::Result<String>;
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// A city, or an IANA zone such as Europe/Berlin.
    place: String,
}

/// What the device is set to.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Setting {
    done: bool,
    /// IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Setting {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

impl Setting {
    fn now(zone: &str, dialog: &'static str) -> Self {
        let zone = plain(zone).unwrap_or_default();
        let (_, city) = zone.rsplit_once('/').unwrap_or(("", &zone));
        Self {
            done: true,
            told: Telling::new(dialog).words("city", city.replace('_', " ")),
            zone: Some(zone),
            problem: None,
        }
    }
}

impl From<Problem> for Setting {
    fn from(problem: Problem) -> Self {
        Self {
            done: false,
            zone: None,
            problem: Some(problem.text),
            told: problem.told,
        }
    }
}

pub(super) fn get(
    bus: Arc<DeviceBus>,
    _: Nothing,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Setting, ToolError>> {
    async move { Ok(current(&bus).await.unwrap_or_else(Setting::from)) }.boxed()
}

async fn current(bus: &DeviceBus) -> Result<Setting, Problem> {
    let set = within(SERVICE, reached(bus).await?.timezone()).await?;
    Ok(Setting::now(&set, "zone"))
}

pub(super) fn set(
    bus: Arc<DeviceBus>,
    asked: Wanted,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Setting, ToolError>> {
    async move {
        let Some(zone) = zone_name(&asked.place) else {
            let complaint = "place: write a city, or an IANA zone such as Europe/Berlin";
            return Err(ToolError::reply("ValueError", complaint));
        };
        Ok(changed(&bus, &zone).await.unwrap_or_else(Setting::from))
    }
    .boxed()
}

async fn changed(bus: &DeviceBus, zone: &str) -> Result<Setting, Problem> {
    let service = reached(bus).await?;
    within(SERVICE, service.set_timezone(zone, false)).await?;
    let set = within(SERVICE, service.timezone()).await?;
    if set == zone {
        return Ok(Setting::now(zone, "now_set"));
    }
    let text = "timedate1 did not set the zone and does not say why; see `journalctl -u systemd-timedated`";
    Err(Problem::new(text, "refused"))
}

async fn reached(bus: &DeviceBus) -> Result<TimeDateProxy<'static>, Problem> {
    let connection = bus.connection(SERVICE).await?;
    Ok(within(SERVICE, proxy(&connection, NAME, PATH)).await?)
}
