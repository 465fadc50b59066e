//! Pausing timers, and having them go on.
//!
//! A timer that is paused keeps what is left of it, over restarts as well, and does not ring. Never pauses one of several that
//! could be meant.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::alert::Alert;
use super::altered::Altered;
use super::now::Now;
use super::which::Which;
use super::{AlertTools, span, spoken};
use loquat_kit::dialog::{Gap, Telling};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Pause {
    /// Its name or its duration; "all" for all of them.
    #[serde(default)]
    name: Option<String>,
    /// What it was set to, as in "1 hour"; sentences say it, and a brain has the name.
    #[serde(default)]
    #[schemars(skip)]
    length: Option<String>,
    /// The room in which it was set.
    #[serde(default)]
    #[schemars(skip)]
    area: Option<String>,
    /// Its id; who sees them all has it, and a brain has the name.
    #[serde(default)]
    #[schemars(skip)]
    id: Option<u64>,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

/// What is done to a timer, with the dialogs that tell it.
struct Way {
    /// What becomes of a timer; nothing of one that this cannot be done to.
    of: fn(&Alert, &Now) -> Option<Alert>,
    one: &'static str,
    several: &'static str,
    /// It is so already.
    already: &'static str,
    /// There is no timer that this can be done to.
    none: &'static str,
}

const PAUSE: Way = Way {
    of: paused,
    one: "paused_timer",
    several: "paused_several",
    already: "pause_already",
    none: "list_no_timers",
};

const RESUME: Way = Way {
    of: resumed,
    one: "resumed_timer",
    several: "resumed_several",
    already: "resume_running",
    none: "resume_none",
};

pub(super) async fn pause(
    tools: AlertTools,
    timer: Pause,
    person: &Circumstances,
) -> Result<Altered, ToolError> {
    turn(&tools, timer, &PAUSE, person).await
}

pub(super) async fn resume(
    tools: AlertTools,
    timer: Pause,
    person: &Circumstances,
) -> Result<Altered, ToolError> {
    turn(&tools, timer, &RESUME, person).await
}

async fn turn(
    tools: &AlertTools,
    timer: Pause,
    way: &Way,
    person: &Circumstances,
) -> Result<Altered, ToolError> {
    let which = Which::of(Some("timer"), timer.name, None)?
        .narrowed(tools, timer.length, timer.area, person)?
        .only(timer.id);
    let which = which.chosen(&timer.choice, tools, person);
    let found = which.possible(tools, person).await;
    let now = tools.alerts.now();
    let able = found.iter().filter(|alert| (way.of)(alert, &now).is_some());
    // An answer chooses of those that this can be done to, since only these were told.
    let meant = which.choose(able.cloned().collect(), tools, person);
    if meant.len() > 1 && !which.is_clear(&meant) {
        return Ok(Altered::asking(&meant, tools, person));
    }
    let ids: Vec<u64> = meant.iter().map(|alert| alert.id).collect();
    let (turned, is_kept) = tools.alerts.alter(&ids, way.of).await;
    if turned.is_empty() {
        let found = which.choose(found, tools, person);
        let told = told_of_none(&which, &found, way, tools, person).await;
        return Ok(Altered::nothing(told));
    }
    Ok(told(turned, is_kept, way, tools, person))
}

/// A timer that runs stands still from now on.
pub(super) fn paused(timer: &Alert, now: &Now) -> Option<Alert> {
    timer.is_running(now).then(|| Alert {
        paused: Some(timer.left(now)),
        ..timer.clone()
    })
}

/// A timer that is paused is due when what is left of it has passed.
pub(super) fn resumed(timer: &Alert, now: &Now) -> Option<Alert> {
    let due = now.after(timer.paused?);
    Some(Alert {
        due: due.wall,
        due_after_span: Some(due),
        paused: None,
        ..timer.clone()
    })
}

fn told(
    turned: Vec<(Alert, Alert)>,
    is_kept: bool,
    way: &Way,
    tools: &AlertTools,
    person: &Circumstances,
) -> Altered {
    let (were, are): (Vec<Alert>, Vec<Alert>) = turned.into_iter().unzip();
    let told = match are.as_slice() {
        [one] => with_left(way.one, one, tools, person),
        several => Telling::new(way.several).with("count", Gap::Number(several.len() as f64)),
    };
    let unkept = (!is_kept).then(|| Telling::new("not_kept"));
    Altered::of(&were, &are, told, unkept, tools, person)
}

/// What is told where there was nothing to do: that it is so already, that there is no such timer, or that there is none.
async fn told_of_none(
    which: &Which,
    found: &[Alert],
    way: &Way,
    tools: &AlertTools,
    person: &Circumstances,
) -> Telling {
    match found {
        [one] if !one.is_ringing() => with_left(way.already, one, tools, person),
        [] if which.names_one() => which.none(tools, person).await,
        _ => which.told_here(Telling::new(way.none), tools, person).await,
    }
}

pub(super) fn with_left(
    dialog: &'static str,
    timer: &Alert,
    tools: &AlertTools,
    person: &Circumstances,
) -> Telling {
    let left = timer.left(&tools.alerts.now());
    spoken::telling(dialog, timer, person, None).with("left", Gap::Amounts(span::told(left)))
}

#[cfg(test)]
mod tests;
