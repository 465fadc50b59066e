//! How a turn came out, in the words of the bus: whether it failed, of what, and what a query is answered. It builds the
//! closing frames and never sends them.

use loquat_agent::printable::printable;
use loquat_agent::record::Reason;
use loquat_mind::Reply;
use loquat_orchestrator::frames::{self, Closing, STOPPED};
use loquat_wire::Message;
use serde_json::Value;

use super::job::Job;

/// What is sent when a turn has ended.
pub(super) fn closing(job: &Job, said: &Reply, result: Option<Value>) -> Vec<Message> {
    let failure = failure(said);
    let error = said.refusal.clone().unwrap_or_else(|| wire_name(said.reason));
    let is_answer = said.is_answer || said.reason.is_success();
    let closing = Closing {
        speech: printable(&said.text),
        lang: &job.lang,
        result,
        failure: failure.as_deref(),
        response: if is_answer { Ok(&said.text) } else { Err(&error) },
    };
    frames::closing(job.origin, &job.cause, closing)
}

/// Why a turn that has no proper answer ended. Silence that was meant is no failure.
fn failure(said: &Reply) -> Option<String> {
    if said.refusal.is_some() {
        return said.refusal.clone();
    }
    let kept_silent = said.reason == Reason::Noop && said.text.is_empty();
    match said.reason {
        reason if reason.is_success() || kept_silent => None,
        Reason::Stopped => Some(STOPPED.to_owned()),
        reason => Some(format!("turn ended: {}", wire_name(reason))),
    }
}

/// The reason as DESIGN and the journal spell it.
fn wire_name(reason: Reason) -> String {
    match serde_json::to_value(reason) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}
