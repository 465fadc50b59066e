//! Beginning a timer anew: one that runs or rings counts down its whole span again, and one that was cancelled or has rung is set
//! once more. An alarm or a reminder that was cancelled is there again.
//!
//! Never begins one of several that could be meant.

use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::alert::{Alert, Kind};
use super::altered::Altered;
use super::now::Now;
use super::pausing::{resumed, with_left};
use super::which::Which;
use super::{AlertTools, changing, setting, spoken, whom};
use loquat_kit::dialog::Telling;

/// The word for the one that was set last.
const LAST: &str = "last";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Restart {
    /// "timer", "alarm" or "reminder".
    #[serde(default)]
    kind: Option<String>,
    /// Its name, or "last".
    #[serde(default)]
    name: Option<String>,
    /// What it was set to, as in "1 hour".
    #[serde(default)]
    #[schemars(skip)]
    length: Option<String>,
    /// The room in which it was set.
    #[serde(default)]
    #[schemars(skip)]
    area: Option<String>,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
    /// From its beginning, also where it is only paused.
    #[serde(default)]
    over: bool,
}

pub(super) async fn restart(
    tools: AlertTools,
    wish: Restart,
    person: &Circumstances,
) -> Result<Altered, ToolError> {
    let kind = wish.kind.as_deref().unwrap_or(Kind::Timer.name());
    let which = Which::of(Some(kind), wish.name, None)?.narrowed(&tools, wish.length, wish.area, person)?;
    let which = which.chosen(&wish.choice, &tools, person);
    let meant = which.find(&tools, person).await;
    if which.is_named(spoken::GONE) {
        // Nothing is back until it is: an earlier one that was set again is not what is spoken of from now on.
        tools.alerts.note_back(None);
    }
    if let Some(gone) = gone(&tools, &which, &meant, person) {
        return Ok(set_again(&tools, gone, &which, person).await);
    }
    match meant.as_slice() {
        [] => Ok(Altered::nothing(which.none(&tools, person).await)),
        [one] if one.kind == Kind::Timer => Ok(begin_anew(&tools, one, wish.over, person).await),
        [one] => Ok(Altered::nothing(changing::told(&tools, one, person))),
        several => Ok(Altered::asking(several, &tools, person)),
    }
}

/// The one that was cancelled or has rung, where that is meant by its name, or as the last one with none set after it.
fn gone(tools: &AlertTools, which: &Which, meant: &[Alert], person: &Circumstances) -> Option<Alert> {
    let gone = tools.alerts.gone()?;
    let is_of_kind = which.kind.is_none_or(|kind| kind == gone.kind);
    let is_last = || which.is_named(LAST) && meant.iter().all(|alert| alert.id < gone.id);
    let is_named = || {
        let name = gone.name.as_deref().map(loquat_kit::folded);
        meant.is_empty() && name.is_some_and(|name| which.is_named(&name))
    };
    let is_meant = which.is_named(spoken::GONE) || is_last() || is_named();
    (is_of_kind && is_meant && whom::knows(tools, &gone, person)).then_some(gone)
}

/// A timer that is gone counts down its whole span; what has a time of its own is due then, if that is still to come.
async fn set_again(tools: &AlertTools, gone: Alert, which: &Which, person: &Circumstances) -> Altered {
    let Some(alert) = anew(&gone, &tools.alerts.now()) else {
        let (back, is_kept) = tools.alerts.restore(vec![gone]).await;
        tools.alerts.note_back(back.first());
        return match back.as_slice() {
            [one, ..] => Altered::set(one, changing::told(tools, one, person), is_kept, tools, person),
            [] => Altered::nothing(which.none(tools, person).await),
        };
    };
    let by = gone.by.clone().and(&Origin::of(person));
    match tools.alerts.add(|id| Alert { id, by, ..alert }).await {
        Some((alert, is_kept)) => {
            tools.alerts.note_back(Some(&alert));
            Altered::set(&alert, told(tools, &alert, person), is_kept, tools, person)
        }
        None => Altered::nothing(which.none(tools, person).await),
    }
}

/// A timer that is there counts down its whole span again; one that is paused goes on, unless it is to begin anew.
async fn begin_anew(tools: &AlertTools, timer: &Alert, over: bool, person: &Circumstances) -> Altered {
    let goes_on = timer.is_paused() && !over;
    let become_at = if goes_on { resumed } else { anew };
    let (turned, is_kept) = tools.alerts.alter(&[timer.id], become_at).await;
    let (were, are): (Vec<Alert>, Vec<Alert>) = turned.into_iter().unzip();
    let told = are.first().map(|one| {
        if goes_on {
            with_left("resumed_timer", one, tools, person)
        } else {
            told(tools, one, person)
        }
    });
    let unkept = (!is_kept).then(|| Telling::new("not_kept"));
    let told = told.unwrap_or_else(|| Telling::new("list_no_timers"));
    Altered::of(&were, &are, told, unkept, tools, person)
}

/// A timer that begins its whole span at this moment.
fn anew(timer: &Alert, now: &Now) -> Option<Alert> {
    let span = timer.set_to().filter(|_| timer.kind == Kind::Timer)?;
    let due = now.after(span);
    Some(Alert {
        due: due.wall,
        due_after_span: Some(due),
        span_seconds: Some(span),
        set_seconds: None,
        paused: None,
        ringing: None,
        ..timer.clone()
    })
}

fn told(tools: &AlertTools, timer: &Alert, person: &Circumstances) -> Telling {
    let dialog = match timer.name {
        Some(_) => "set_timer_named",
        None => "set_timer",
    };
    setting::telling(tools, timer, dialog, person)
}

#[cfg(test)]
mod tests;
