//! What the tools ask logind, do and tell. Each looks first whether the device can do it and the user of Loquat may.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::logind::{ManagerProxy, NAME, PATH, SERVICE};
use crate::dbus::{DeviceBus, Problem, proxy, within};
use crate::dialog::{Tell, Telling};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

/// What came of a wish.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Left {
    done: bool,
    /// For how long the device is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    away: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Left {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

/// What the device is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Suspend,
    Restart,
    PowerOff,
}

impl Rest {
    fn away(self) -> &'static str {
        match self {
            Self::Suspend => "until it is woken",
            Self::Restart => "about a minute",
            Self::PowerOff => "until it is switched on",
        }
    }

    fn dialog(self) -> &'static str {
        match self {
            Self::Suspend => "suspended",
            Self::Restart => "restarted",
            Self::PowerOff => "powered_off",
        }
    }

    /// The question that logind answers, and the right that polkit gives.
    fn question(self) -> (&'static str, &'static str) {
        match self {
            Self::Suspend => ("CanSuspend", "org.freedesktop.login1.suspend"),
            Self::Restart => ("CanReboot", "org.freedesktop.login1.reboot"),
            Self::PowerOff => ("CanPowerOff", "org.freedesktop.login1.power-off"),
        }
    }
}

pub(super) fn suspend(
    bus: Arc<DeviceBus>,
    _: Nothing,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Left, ToolError>> {
    left(bus, Rest::Suspend)
}

pub(super) fn restart(
    bus: Arc<DeviceBus>,
    _: Nothing,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Left, ToolError>> {
    left(bus, Rest::Restart)
}

pub(super) fn power_off(
    bus: Arc<DeviceBus>,
    _: Nothing,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Left, ToolError>> {
    left(bus, Rest::PowerOff)
}

fn left(bus: Arc<DeviceBus>, rest: Rest) -> BoxFuture<'static, Result<Left, ToolError>> {
    async move {
        Ok(match go(&bus, rest).await {
            Ok(()) => Left {
                done: true,
                away: Some(rest.away()),
                problem: None,
                told: Telling::new(rest.dialog()),
            },
            Err(problem) => Left {
                done: false,
                away: None,
                problem: Some(problem.text),
                told: problem.told,
            },
        })
    }
    .boxed()
}

async fn go(bus: &DeviceBus, rest: Rest) -> Result<(), Problem> {
    let connection = bus.connection(SERVICE).await?;
    let logind: ManagerProxy<'_> = within(SERVICE, proxy(&connection, NAME, PATH)).await?;
    let answered = within(SERVICE, async {
        match rest {
            Rest::Suspend => logind.can_suspend().await,
            Rest::Restart => logind.can_reboot().await,
            Rest::PowerOff => logind.can_power_off().await,
        }
    });
    bar(rest, &answered.await?)?;
    let told = async {
        match rest {
            Rest::Suspend => logind.suspend(false).await,
            Rest::Restart => logind.reboot(false).await,
            Rest::PowerOff => logind.power_off(false).await,
        }
    };
    Ok(within(SERVICE, told).await?)
}

/// Why not, by what logind answers.
fn bar(rest: Rest, answer: &str) -> Result<(), Problem> {
    let (question, right) = rest.question();
    match answer {
        "yes" => Ok(()),
        "na" => {
            let text = format!("{question} of logind says na: this machine or its kernel cannot do it");
            Err(Problem::new(text, "cannot"))
        }
        _ => {
            let answer: String = answer.chars().take(20).collect();
            let text = format!(
                "{question} of logind says {answer}: give the user of Loquat the right {right} by a rule of polkit, \
                 and see with systemd-inhibit --list whether a program forbids it"
            );
            Err(Problem::new(text, "not_allowed"))
        }
    }
}
