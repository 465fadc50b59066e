//! Deeds: a sentence that is kept with the moment at which it is to be said for the person, as "turn off the fan in 20 minutes"
//! and "every morning at seven tell me the weather" ask for.
//!
//! What would ask before it is done is asked about when it is set, and the yes is kept for exactly those calls. Nothing here does
//! it: at its moment the daemon has it said in the conversation in which it was set, where all that asks and refuses counts as
//! always.

use loquat_agent::consent::AgreedCall;
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Gap, Telling};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::AlertTools;
use super::alert::Kind;
use super::deed::Deed;
use super::due::{Due, after};
use super::foreseen::Foreseen;
use super::length::{self, Numbers};
use super::moment::{self, Asking};
use super::setting::{self, Set, checked, said, unsaid};
use super::{spoken, triggers};

/// The tool that keeps one.
pub(super) const TOOL: &str = "do_later";

/// The argument with the calls that the person is asked about now.
pub(super) const AGREED: &str = "agreed";

/// The arguments of which a person is told when they are asked: when it is done, and what.
pub(super) const MOMENT: &str = "moment";
pub(super) const CALLS: &str = "calls";

#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Later {
    /// What to do then, as in "turn off the fan".
    #[serde(default)]
    command: Option<String>,
    /// As in "20 minutes".
    #[serde(default)]
    duration: Option<String>,
    /// As in "7 am" or "sunset".
    #[serde(default)]
    time: Option<String>,
    /// As in "tomorrow".
    #[serde(default)]
    date: Option<String>,
    /// "daily", "weekdays", "weekends" or a weekday.
    #[serde(default)]
    repeat: Option<String>,
    /// Whether to do it even when the device was off then.
    #[serde(default)]
    #[schemars(skip)]
    even_late: bool,
    /// Until when it is repeated; sentences say it.
    #[serde(default)]
    #[schemars(skip)]
    until: Option<String>,
    /// In how long, in numbers, as sentences bring it.
    #[serde(default)]
    #[schemars(skip)]
    hours: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    minutes: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    seconds: Option<f64>,
    /// The calls that the person was asked about. It counts only where the turn says that they agreed.
    #[serde(default)]
    #[schemars(skip)]
    agreed: Vec<AgreedCall>,
    /// What was answered to the question which day is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

/// A call whose meaning is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ToForesee {
    tool: String,
    pub(super) arguments: Map<String, Value>,
}

/// What a call means, as the turn takes it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Meaning {
    arguments: Map<String, Value>,
    asks: bool,
    told: Map<String, Value>,
}

impl loquat_kit::dialog::Tell for Meaning {}

impl Meaning {
    /// Makes the meaning of a call that needs no yes.
    pub(super) fn unasked(arguments: Map<String, Value>) -> Self {
        Self {
            told: arguments.clone(),
            arguments,
            asks: false,
        }
    }
}

impl From<Resolved> for Meaning {
    fn from(resolved: Resolved) -> Self {
        let Resolved {
            arguments,
            asks,
            told,
        } = resolved;
        Self {
            arguments,
            asks,
            told,
        }
    }
}

pub(super) async fn do_later(
    tools: AlertTools,
    later: Later,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let Some(command) = checked("command", said(later.command.clone()))? else {
        return Ok(unsaid(Kind::Deed, "ask_deed", "what shall be done then?"));
    };
    let due = match due(&tools, &later, person)? {
        Ok(due) => due,
        Err(asking) => return Ok(asking.set(Kind::Deed)),
    };
    let command = command.trim().to_owned();
    let foreseen = foreseen(&tools, &command, person).await?;
    if foreseen == Foreseen::Unkept {
        return Ok(unclear(command));
    }
    let deed = Deed::set_by(person, foreseen.harms(), later.even_late);
    let deed = deed.agreed_to(later.agreed, person);
    setting::set_deed(&tools, command, deed, due, person).await
}

/// What a call would do at its time: the person is asked about that now.
pub(super) async fn foresee(
    tools: AlertTools,
    asked: ToForesee,
    person: &Circumstances,
) -> Result<Meaning, ToolError> {
    if asked.tool == triggers::TOOL {
        return triggers::foresee(&tools, asked, person).await;
    }
    let mut arguments = asked.arguments;
    // What a caller writes there is no answer of the person.
    arguments.remove(AGREED);
    let Ok(later) = serde_json::from_value::<Later>(Value::Object(arguments.clone())) else {
        return Ok(Meaning::unasked(arguments));
    };
    let Some(command) = said(later.command.clone()) else {
        return Ok(Meaning::unasked(arguments));
    };
    let foreseen = foreseen(&tools, command.trim(), person).await?;
    let (calls, told): (Vec<&AgreedCall>, Vec<&str>) = foreseen
        .asking()
        .map(|call| (&call.call, call.told.as_str()))
        .unzip();
    let moment = match due(&tools, &later, person) {
        Ok(Ok(due)) if !calls.is_empty() => told_moment(&tools, &due, person),
        // What lacks something, or is wrong, sets nothing.
        _ => return Ok(Meaning::unasked(arguments)),
    };
    arguments.insert(AGREED.to_owned(), json!(calls));
    let told = [(MOMENT, json!(moment)), (CALLS, json!(told.join("; ")))];
    Ok(Resolved {
        arguments,
        asks: true,
        told: Map::from_iter(told.map(|(name, value)| (name.to_owned(), value))),
    }
    .into())
}

/// What is asked before it is set.
pub(super) fn question(told: &Map<String, Value>) -> Option<Telling> {
    let words = |name: &str| told.get(name)?.as_str().map(str::to_owned);
    Some(
        Telling::new("ask_ahead")
            .words(MOMENT, words(MOMENT)?)
            .words(CALLS, words(CALLS)?),
    )
}

/// When it is done, in words.
fn told_moment(tools: &AlertTools, due: &Due, person: &Circumstances) -> String {
    let repeated = due.repetition.as_ref();
    let told =
        repeated.map(|repetition| setting::told_repetition(tools, repetition, Telling::new("each"), person));
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let first = calendar.told_from_now(&due.at.to_zoned(spoken::zone(person)));
    let each =
        told.and_then(|told| super::sentence(&told.with("first", Gap::Words(first.clone())), tools, person));
    each.unwrap_or(first)
}

pub(super) async fn foreseen(
    tools: &AlertTools,
    command: &str,
    person: &Circumstances,
) -> Result<Foreseen, ToolError> {
    match &tools.neighbours.understands {
        Some(desk) => desk.foresee(command, person).await,
        None => Ok(Foreseen::Unkept),
    }
}

/// When it is due, or what has to be asked.
fn due(tools: &AlertTools, later: &Later, person: &Circumstances) -> Result<Result<Due, Asking>, ToolError> {
    let numbers = Numbers {
        hours: later.hours,
        minutes: later.minutes,
        seconds: later.seconds,
    };
    let told = moment::Told {
        time: said(later.time.clone()),
        date: said(later.date.clone()),
        repeat: said(later.repeat.clone()),
        until: said(later.until.clone()),
        choice: later.choice.clone(),
        is_by_day: false,
    };
    let duration = said(later.duration.clone());
    if numbers.is_said() {
        let seconds = length::span(tools, numbers, duration, person)?;
        return match seconds.filter(|_| told.is_nothing()) {
            Some(seconds) => Ok(Ok(Due::after(&tools.alerts.now(), seconds))),
            None => Err(moment::said_twice()),
        };
    }
    match duration {
        Some(duration) if told.is_nothing() => after(tools, &duration, person).map(Ok),
        Some(_) => Err(moment::said_twice()),
        None if told.is_nothing() => Ok(Err(Asking::When("ask_delay"))),
        None => moment::due(tools, told, person),
    }
}

pub(super) fn unclear(command: String) -> Set {
    let spoken = "nothing is set: the command lacks something, or cannot be kept for later".to_owned();
    Set::nothing(
        Kind::Deed,
        spoken,
        Telling::new("deed_unclear").words("text", command),
    )
}

#[cfg(test)]
mod tests;
