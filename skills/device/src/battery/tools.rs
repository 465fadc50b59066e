//! What the tool asks `UPower`, and tells.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dbus::{DeviceBus, proxy, within};
use loquat_kit::dialog::{Amount, Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, YesOrNo, reporting};

/// As people call it.
const SERVICE: &str = "UPower";

const NAME: &str = "org.freedesktop.UPower";

/// All batteries of the device taken together.
const PATH: &str = "/org/freedesktop/UPower/devices/DisplayDevice";

/// In minutes; `UPower` tells more than this where it knows nothing.
const LONGEST: u32 = 60 * 24 * 7;

#[zbus::proxy(interface = "org.freedesktop.UPower.Device")]
trait Battery {
    #[zbus(property)]
    fn is_present(&self) -> zbus::Result<bool>;
    #[zbus(property)]
    fn percentage(&self) -> zbus::Result<f64>;
    #[zbus(property)]
    fn state(&self) -> zbus::Result<u32>;
    #[zbus(property)]
    fn time_to_empty(&self) -> zbus::Result<i64>;
    #[zbus(property)]
    fn time_to_full(&self) -> zbus::Result<i64>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    Charging,
    Discharging,
    Full,
    /// Neither.
    Idle,
}

/// How full it is.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Charge {
    present: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<State>,
    /// Until it is full or empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    minutes: Option<u32>,
}

/// What the battery may have become. What is left out does not count.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Expected {
    /// Fewer percent than these.
    #[serde(default)]
    below: Option<f64>,
    /// So many percent or fewer.
    #[serde(default)]
    at_most: Option<f64>,
    /// So many percent or more.
    #[serde(default)]
    at_least: Option<f64>,
    /// Whether it is being charged, or full with the power on.
    #[serde(default)]
    charging: Option<bool>,
}

impl Expected {
    fn is_so(self, percent: f64, state: State) -> bool {
        let has_power = state != State::Discharging;
        self.below.is_none_or(|below| percent < below)
            && self.at_most.is_none_or(|most| percent <= most)
            && self.at_least.is_none_or(|least| percent >= least)
            && self.charging.is_none_or(|charging| charging == has_power)
    }
}

/// Whether it is so.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Checked {
    /// Absent where there is no battery.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<YesOrNo>,
    #[serde(flatten)]
    charge: Charge,
}

pub(super) fn check(bus: Arc<DeviceBus>, asked: Expected, _: &Circumstances) -> Reporting<'_, Checked> {
    reporting(async move {
        let (charge, told) = charge(&bus).await?;
        let known = charge.percent.zip(charge.state);
        let is_so = known.map(|(percent, state)| asked.is_so(f64::from(percent), state));
        let answer = is_so.map(YesOrNo::from);
        Ok::<_, Problem>(Report::new(Checked { answer, charge }, told))
    })
}

pub(super) fn get(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Charge> {
    reporting(async move {
        let (charge, told) = charge(&bus).await?;
        Ok::<_, Problem>(Report::new(charge, told))
    })
}

async fn charge(bus: &DeviceBus) -> Result<(Charge, Telling), Problem> {
    let connection = bus.connection(SERVICE).await?;
    let battery: BatteryProxy<'_> = within(SERVICE, proxy(&connection, NAME, PATH)).await?;
    if !within(SERVICE, battery.is_present()).await? {
        return Ok((Charge::default(), Telling::new("none")));
    }
    let percent = within(SERVICE, battery.percentage()).await?;
    let percent = percent.clamp(0.0, 100.0).round() as u8;
    let (state, seconds) = match within(SERVICE, battery.state()).await? {
        1 => (State::Charging, within(SERVICE, battery.time_to_full()).await?),
        2 => (
            State::Discharging,
            within(SERVICE, battery.time_to_empty()).await?,
        ),
        4 => (State::Full, 0),
        _ => (State::Idle, 0),
    };
    let minutes = u32::try_from(seconds / 60).unwrap_or_default();
    let minutes = Some(minutes).filter(|minutes| (1..=LONGEST).contains(minutes));
    let told = Telling::new(dialog(state, minutes.is_some()))
        .with("percent", Gap::Number(f64::from(percent)))
        .with("time", Gap::Amounts(amounts(minutes.unwrap_or_default())));
    let charge = Charge {
        present: true,
        percent: Some(percent),
        state: Some(state),
        minutes,
    };
    Ok((charge, told))
}

fn dialog(state: State, has_end: bool) -> &'static str {
    match (state, has_end) {
        (State::Charging, true) => "charging_until",
        (State::Charging, false) => "charging",
        (State::Discharging, true) => "discharging_until",
        (State::Discharging, false) => "discharging",
        (State::Full, _) => "full",
        (State::Idle, _) => "idle",
    }
}

/// `2 hours, 5 minutes`.
fn amounts(minutes: u32) -> Vec<Amount> {
    let parts = [(minutes / 60, "hours"), (minutes % 60, "minutes")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts
        .map(|(number, unit)| Amount::of(f64::from(number), "units", unit))
        .collect()
}
