//! Deeds: a sentence that is kept with the moment at which it is to be said for the person, as "turn off the fan in 20 minutes"
//! asks for.
//!
//! It is kept only where it is understood now. Nothing here does it: at its moment the daemon has it said in the conversation in
//! which it was set, where all that asks and refuses counts as always.

use std::fmt;

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::AlertTools;
use super::alert::Kind;
use super::due::Due;
use super::length::{self, Numbers};
use super::setting::{self, Set, checked, said, unsaid};
use loquat_kit::dialog::Telling;

/// Tells which sentences are understood.
pub trait Understands: Send + Sync + fmt::Debug {
    /// Whether a sentence asks for something that can be done, and lacks nothing.
    fn understands(&self, text: &str, lang: &str) -> bool;
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Later {
    /// What to do then, as the person would say it at that time.
    #[serde(default)]
    command: Option<String>,
    /// In how long, as in "20 minutes".
    #[serde(default)]
    duration: Option<String>,
    /// In how long, in numbers.
    #[serde(default)]
    hours: Option<f64>,
    #[serde(default)]
    minutes: Option<f64>,
    #[serde(default)]
    seconds: Option<f64>,
}

pub(super) async fn do_later(
    tools: AlertTools,
    later: Later,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let Some(command) = checked("command", said(later.command))? else {
        return Ok(unsaid(Kind::Deed, "ask_deed", "what shall be done then?"));
    };
    let numbers = Numbers {
        hours: later.hours,
        minutes: later.minutes,
        seconds: later.seconds,
    };
    let Some(seconds) = length::span(&tools, numbers, later.duration, person)? else {
        return Ok(unsaid(Kind::Deed, "ask_delay", "in how long?"));
    };
    let command = command.trim().to_owned();
    if !is_understood(&tools, &command, person) {
        return Ok(unclear(command));
    }
    let due = Due::after(&tools.alerts.now(), seconds);
    setting::set(&tools, Kind::Deed, Some(command), due, "set_deed", person).await
}

fn is_understood(tools: &AlertTools, command: &str, person: &Circumstances) -> bool {
    let lang = person.lang.as_deref().unwrap_or("en");
    let understands = tools.neighbours.understands.as_ref();
    understands.is_some_and(|desk| desk.understands(command, lang))
}

fn unclear(command: String) -> Set {
    let spoken = "nothing is set: the command is no sentence that is understood here".to_owned();
    Set::nothing(
        Kind::Deed,
        spoken,
        Telling::new("deed_unclear").words("text", command),
    )
}

#[cfg(test)]
mod tests;
