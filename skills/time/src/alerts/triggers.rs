//! Triggers: a sentence that is kept until something is so, as "when the front door is open, turn on the hall light" and "tell me
//! when the window is closed" ask for.
//!
//! What would ask is asked about when it is set, as with deeds. Nothing here waits or does it.

use loquat_agent::consent::AgreedCall;
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::AlertTools;
use super::alert::Kind;
use super::deed::Deed;
use super::event::{Condition, Event};
use super::foreseen::{Asked, Foreseen};
use super::later::{AGREED, CALLS, MOMENT, Meaning, ToForesee, foreseen};
use super::setting::{self, Set, checked, complaint, said};
use loquat_kit::dialog::Telling;

/// The tool that keeps one.
pub(super) const TOOL: &str = "do_when";

/// Each is looked at twice a second.
const MOST: usize = 50;

#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Waiting {
    /// What to wait for, as in "the front door is open".
    event: String,
    /// What to do then, as the person would say it; nothing to tell them that it is so.
    #[serde(default)]
    command: Option<String>,
    /// Whether to do it every time, and not only the next time.
    #[serde(default)]
    always: bool,
    /// The calls that the person was asked about. It counts only where the turn says that they agreed.
    #[serde(default)]
    #[schemars(skip)]
    agreed: Vec<AgreedCall>,
}

pub(super) async fn do_when(
    tools: AlertTools,
    waiting: Waiting,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let event = checked("event", said(Some(waiting.event)))?.unwrap_or_default();
    let Some(Asked { condition, now }) = question(&tools, &event, person).await? else {
        let spoken = "nothing is set: that is nothing of which it is known whether it is so".to_owned();
        let dialog = match &tools.neighbours.rooms {
            Some(_) => "event_unknown",
            None => "event_without_home",
        };
        let told = Telling::new(dialog).words("event", event);
        return Ok(Set::nothing(Kind::Trigger, spoken, told));
    };
    has_room(&tools).await?;
    let command = checked("command", said(waiting.command))?.unwrap_or_default();
    let mut deed = Deed::set_by(person, true, false);
    if !command.is_empty() {
        if foreseen(&tools, &command, person).await? == Foreseen::Unkept {
            return Ok(super::later::unclear(command));
        }
        // Any program can send a message: what it brings asks when it comes.
        if !condition.is_message() {
            deed = deed.agreed_to(waiting.agreed, person);
        }
    }
    let event = Event::new(&event, condition, waiting.always, now);
    setting::set_trigger(&tools, command, deed, event, person).await
}

/// That one more can be waited for.
pub(super) async fn has_room(tools: &AlertTools) -> Result<(), ToolError> {
    let all = tools.alerts.all().await;
    let waiting = all.iter().filter(|alert| alert.kind == Kind::Trigger).count();
    if waiting < MOST {
        return Ok(());
    }
    let rule = format!("{MOST} are waited for already; cancel some first");
    Err(complaint(&rule))
}

/// What a call of [`do_when`] would do: the person is asked about that now.
pub(super) async fn foresee(
    tools: &AlertTools,
    asked: ToForesee,
    person: &Circumstances,
) -> Result<Meaning, ToolError> {
    let mut arguments = asked.arguments;
    arguments.remove(AGREED);
    let words = |name: &str, arguments: &Map<String, Value>| {
        let words = arguments.get(name).and_then(Value::as_str);
        said(words.map(str::to_owned))
    };
    let (event, command) = (words("event", &arguments), words("command", &arguments));
    let asked = question(tools, event.as_deref().unwrap_or_default(), person).await?;
    let is_state = asked.is_some_and(|asked| matches!(asked.condition, Condition::So(_)));
    let foreseen = match &command {
        Some(command) if is_state => foreseen(tools, command, person).await?,
        _ => Foreseen::Words,
    };
    let (calls, told): (Vec<&AgreedCall>, Vec<&str>) = foreseen
        .asking()
        .map(|call| (&call.call, call.told.as_str()))
        .unzip();
    if calls.is_empty() {
        return Ok(Meaning::unasked(arguments));
    }
    let when = Telling::new("when").words("event", event.unwrap_or_default());
    let when = super::sentence(&when, tools, person).unwrap_or_default();
    arguments.insert(AGREED.to_owned(), json!(calls));
    let told = [(MOMENT, json!(when)), (CALLS, json!(told.join("; ")))];
    Ok(Resolved {
        arguments,
        asks: true,
        told: Map::from_iter(told.map(|(name, value)| (name.to_owned(), value))),
    }
    .into())
}

async fn question(
    tools: &AlertTools,
    event: &str,
    person: &Circumstances,
) -> Result<Option<Asked>, ToolError> {
    match &tools.neighbours.understands {
        Some(desk) if !event.is_empty() => desk.question(event, person).await,
        _ => Ok(None),
    }
}
