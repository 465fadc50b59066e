//! Timers in figures, for programs and for sentences that are not ours.
//!
//! Says nothing itself.

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Serialize;

use super::AlertTools;
use super::alert::{Alert, Kind};
use super::now::Now;

/// A sentence tells of no more.
const MOST: usize = 20;

/// What there is to know of a timer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Figures {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The room in which it was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<String>,
    /// False while it is paused.
    is_active: bool,
    seconds_left: i64,
    /// What it was set to.
    seconds_at_start: i64,
}

/// Those of the timers among these.
pub(super) fn of(alerts: &[Alert], tools: &AlertTools) -> Vec<Figures> {
    let now = tools.alerts.now();
    let timers = alerts.iter().filter(|alert| alert.kind == Kind::Timer);
    timers.take(MOST).map(|timer| of_timer(timer, &now)).collect()
}

fn of_timer(timer: &Alert, now: &Now) -> Figures {
    Figures {
        name: timer.name.clone(),
        room: timer.room.clone(),
        is_active: !timer.is_paused(),
        seconds_left: whole(timer.left(now)),
        seconds_at_start: whole(timer.set_to().unwrap_or_default()),
    }
}

fn whole(seconds: f64) -> i64 {
    let span = SignedDuration::try_from_secs_f64(seconds.round()).unwrap_or_default();
    span.as_secs()
}
