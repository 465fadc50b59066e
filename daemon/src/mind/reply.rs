//! What comes of an utterance: a turn's record as words for a person and as a result for programs. Never asks a brain.

use loquat_agent::brain::{ChatMessage, Role};
use loquat_agent::record::{Reason, Record};
use loquat_agent::result::TurnResult;
use loquat_agent::speakable;
use loquat_agent::turn::IntendedCall;
use loquat_wire::with;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Handler, ReadyPersona};
use crate::deed;
use crate::phrases::Phrases;

/// What comes of an utterance.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// What is spoken; empty where silence is meant.
    pub text: String,
    /// How the turn ended.
    pub reason: Reason,
    /// Whether the text is an answer of the brain, perhaps of a turn that a limit ended, and no sentence of ours.
    pub is_answer: bool,
    /// What the conversation remembers.
    pub history: Vec<ChatMessage>,
    /// How the turn came out, for others on the bus; nothing where none was begun.
    pub result: Option<Value>,
    /// Why none was begun, for the program that asked, where what it asked makes no sense.
    pub refusal: Option<String>,
    /// What was done last that can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undoable>,
    /// Which ones the last call may have meant, where the text asks which one it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// Something done that can be undone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Undoable {
    /// The call that takes it back.
    pub call: IntendedCall,
    /// What was done, in a few words.
    pub deed: String,
}

impl Undoable {
    /// The last deed of a turn that can be undone.
    fn of(record: &Record) -> Option<Self> {
        let deeds: Vec<_> = record.deeds().collect();
        let last = deeds.iter().rev().find(|call| call.undo.is_some())?;
        Some(Self {
            call: last.undo.as_deref()?.clone(),
            deed: speakable(&deed::deed(&last.tool, &last.arguments)),
        })
    }
}

impl Reply {
    /// A sentence of ours instead of an answer.
    pub fn instead(reason: Reason, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            reason,
            is_answer: false,
            history: Vec::new(),
            result: None,
            refusal: None,
            undo: None,
            choices: Vec::new(),
        }
    }

    /// A sentence of ours to the person, and the error to the program that asked.
    pub fn refused(error: &str, text: &str) -> Self {
        Self {
            refusal: Some(error.to_owned()),
            ..Self::instead(Reason::Noop, text)
        }
    }

    /// Nothing at all.
    pub fn silence(reason: Reason) -> Self {
        Self::instead(reason, "")
    }
}

/// The record's answer made speakable, or our own sentence where it has none.
pub(super) fn worded(record: Record, phrases: &Phrases) -> Reply {
    let done = deed::done(&record);
    let undo = Undoable::of(&record);
    let choices = record.last_choices().to_vec();
    // What a sentence called may have changed something, so no other handler began anew, and silence would leave the person
    // in doubt. A brain that keeps silent means it.
    let is_quiet = record.reason == Reason::Noop && record.brain_calls == 0;
    let has_failed = is_quiet && record.attempted().next().is_some();
    let Record {
        answer,
        reason,
        mut history,
        brain_error,
        ..
    } = record;
    let error = brain_error.as_ref();
    let spoken = speakable(&answer);
    let is_answer = !spoken.is_empty();
    let text = match (spoken.is_empty(), reason.is_success()) {
        (false, _) => spoken,
        (true, _) if !done.is_empty() => phrases.for_failure_after(&done, reason, error),
        (true, true) => phrases.for_failure(Reason::ParseError, None).to_owned(),
        (true, false) if has_failed => phrases.for_failure(Reason::DangerousTool, None).to_owned(),
        (true, false) => phrases.for_failure(reason, error).to_owned(),
    };
    // What the conversation remembers alternates: a question without an answer would melt into the next one.
    let is_answered = history.last().is_some_and(|last| last.role == Role::Assistant);
    match (is_answered, text.is_empty()) {
        (true, _) => {}
        (false, true) => history.clear(),
        (false, false) => history.push(ChatMessage::assistant(text.as_str())),
    }
    Reply {
        text,
        reason,
        is_answer,
        history,
        result: None,
        refusal: None,
        undo,
        choices,
    }
}

/// What comes of undoing: what the tool says itself, else that it was undone, or not.
pub(super) fn undone(record: Record, deed: &str, phrases: &Phrases) -> Reply {
    let has_worked = record.deeds().next().is_some();
    let is_over = matches!(
        record.reason,
        Reason::Stopped | Reason::BargeIn | Reason::ConfirmationDenied
    );
    let utterance = record.history.first().cloned();
    let said = worded(record, phrases);
    if said.is_answer || is_over {
        return said;
    }
    let text = if has_worked {
        phrases.undone(deed)
    } else {
        phrases.not_undone.clone()
    };
    let answer = ChatMessage::assistant(text.as_str());
    Reply {
        history: utterance.into_iter().chain([answer]).collect(),
        is_answer: true,
        reason: Reason::Answered,
        text,
        ..said
    }
}

/// The result of a turn and who answered.
pub(super) fn reported(persona: &ReadyPersona, handler: &Handler, record: &Record) -> Value {
    // Nothing in it can fail to become JSON.
    let result = serde_json::to_value(TurnResult::from(record)).unwrap_or_default();
    let result = with(result, "persona_id", persona.id.as_str());
    let result = with(result, "engine", handler.engine.id);
    with(result, "max_allowed_iterations", handler.budget.max_iterations)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::deed::tests::record;

    /// What is said of a turn that ended without words after one call that failed.
    fn said(changes: bool, brain_calls: u32) -> String {
        let failed = Record {
            reason: Reason::Noop,
            brain_calls,
            ..record(&[("open_door", json!({}), changes, false)])
        };
        worded(failed, Phrases::of("en")).text
    }

    #[test]
    fn a_sentence_whose_call_has_failed_is_not_left_without_a_word() {
        assert_eq!(
            said(true, 0),
            "Sorry, one of my tools broke, so I could not finish."
        );
        assert_eq!(said(false, 0), "", "another handler answers");
        assert_eq!(said(true, 1), "", "the brain keeps silent");
    }
}
