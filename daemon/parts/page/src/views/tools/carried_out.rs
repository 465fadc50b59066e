//! A call of a tool that a form of the page asks for: in a turn of its own, through the gate, as every other call. Decides
//! nothing about who may.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use loquat_agent::consent::Person;
use loquat_agent::record::{Reason, Record};
use loquat_agent::turn::{IntendedCall, stop_pair};
use loquat_part::tool_trials::Trial;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::consent::PagePerson;
use crate::answer::{answered, see};
use crate::change::Change;
use crate::page_state::PageState;
use crate::session::Session;
use crate::work::Busy;

/// A tool of this device is done by then; one that asks first is looked at meanwhile.
const PATIENCE: Duration = Duration::from_secs(3);

/// A call on its way.
#[derive(Debug)]
pub(in super::super) struct Begun {
    /// The turn, which can be looked at.
    pub(in super::super) turn_id: String,
    /// What comes of it, or why it was not made.
    ended: oneshot::Receiver<Result<Record, String>>,
}

/// Makes a call in a turn of its own.
pub(in super::super) fn begun(
    page: &Arc<PageState>,
    session: &Arc<Session>,
    call: IntendedCall,
) -> Result<Begun, Busy> {
    let turn_id = uuid::Uuid::new_v4().to_string();
    page.questions.begin(&turn_id, session);
    page.turns.expect(&turn_id);
    let trial = Trial {
        turn_id: turn_id.clone(),
        call,
    };
    let (own, asker, id) = (Arc::clone(page), Arc::clone(session), turn_id.clone());
    let (ends, ended) = oneshot::channel();
    let begun = page.work.begin(|ending| async move {
        let person: Arc<dyn Person> = Arc::new(PagePerson::new(Arc::clone(&own), asker));
        let (stopper, stop) = stop_pair();
        let ended = own.device.tool_trials.try_tool(trial, stop, person);
        tokio::pin!(ended);
        let ended = tokio::select! {
            biased;
            () = ending.cancelled() => {
                stopper.stop(Reason::Stopped);
                ended.await
            }
            ended = &mut ended => ended,
        };
        let ended = ended.map_err(|error| error.to_string());
        if let Err(why) = &ended {
            own.turns.fail(&id, why);
            own.tell(Change::Turn(id.into()));
        }
        // Who has asked may look at the turn instead.
        drop(ends.send(ended));
    });
    if let Err(busy) = begun {
        page.turns.fail(&turn_id, &busy.to_string());
        return Err(busy);
    }
    Ok(Begun { turn_id, ended })
}

/// Has a tool do what a form asks for, and tells its own sentence in the view behind. Where it asks first, or takes its time, the
/// turn is shown.
pub(in super::super) async fn carried_out(
    page: &Arc<PageState>,
    session: &Arc<Session>,
    back: &str,
    tool: (&str, &str),
    arguments: &[(&str, Value)],
) -> Response {
    match outcome(page, session, tool, arguments).await {
        Outcome::Ended(done) => answered(session, back, done.map(Some)),
        Outcome::UnderWay(turn) => see(&turn),
    }
}

/// What came of a call.
pub(in super::super) enum Outcome {
    /// What the tool says of what it did, or why it did nothing.
    Ended(Result<String, String>),
    /// It asks first, or takes its time: there its turn is shown.
    UnderWay(String),
}

/// Has a tool do what a form asks for, and waits for that for a while.
pub(in super::super) async fn outcome(
    page: &Arc<PageState>,
    session: &Arc<Session>,
    (toolbox, tool): (&str, &str),
    arguments: &[(&str, Value)],
) -> Outcome {
    let arguments = arguments
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let call = IntendedCall {
        toolbox_id: toolbox.to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.collect(),
        ..IntendedCall::default()
    };
    let Begun { turn_id, ended } = match begun(page, session, call) {
        Ok(begun) => begun,
        Err(busy) => return Outcome::Ended(Err(busy.to_string())),
    };
    match timeout(PATIENCE, ended).await {
        Ok(Ok(ended)) => Outcome::Ended(ended.and_then(|record| told(&record))),
        _ => Outcome::UnderWay(format!("/turns/{turn_id}")),
    }
}

/// Gives what a tool says of what it did, or why it did nothing.
fn told(record: &Record) -> Result<String, String> {
    let mut calls = record.steps.iter().flat_map(|step| &step.calls);
    if let Some(failed) = calls.rfind(|call| !call.ok) {
        return Err(why_failed(&failed.observation));
    }
    match record.answer.as_str() {
        "" => Err(record
            .fault
            .clone()
            .unwrap_or_else(|| "Nothing was done.".to_owned())),
        answer => Ok(answer.to_owned()),
    }
}

/// Gives the words of a failure: a tool tells it in a field of its own, and begins with the class of its exception.
fn why_failed(observation: &str) -> String {
    let told = serde_json::from_str::<Value>(observation).ok();
    let told = told.as_ref().and_then(|told| told.get("error")?.as_str());
    let why = told.unwrap_or(observation).trim();
    let (class, rest) = why.split_once(": ").unwrap_or_default();
    let is_class = class.ends_with("Error") && !class.contains(' ');
    if is_class { rest } else { why }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_in_the_words_of_the_tool() {
        for (observation, told) in [
            (
                r#"{"error": "ValueError: duration: cannot read 'purple'"}"#,
                "duration: cannot read 'purple'",
            ),
            ("OSError: the disk is full", "the disk is full"),
            (
                "The person said no: nothing was done",
                "The person said no: nothing was done",
            ),
        ] {
            assert_eq!(why_failed(observation), told);
        }
    }
}
