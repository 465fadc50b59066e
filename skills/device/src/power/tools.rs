//! What the tools ask logind, do and tell. Each looks first whether the device can do it and the user of Loquat may.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::Serialize;

use super::logind::{ManagerProxy, NAME, PATH, SERVICE};
use crate::dbus::{DeviceBus, proxy, within};
use loquat_kit::dialog::Telling;
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

/// What came of a wish.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Left {
    done: bool,
    /// For how long the device is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    away: Option<&'static str>,
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

pub(super) fn suspend(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Left> {
    left(bus, Rest::Suspend)
}

pub(super) fn restart(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Left> {
    left(bus, Rest::Restart)
}

pub(super) fn power_off(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Left> {
    left(bus, Rest::PowerOff)
}

fn left(bus: Arc<DeviceBus>, rest: Rest) -> Reporting<'static, Left> {
    reporting(async move {
        go(&bus, rest).await?;
        let away = Some(rest.away());
        Ok::<_, Problem>(Report::new(
            Left { done: true, away },
            Telling::new(rest.dialog()),
        ))
    })
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
