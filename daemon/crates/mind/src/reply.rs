//! What comes of an utterance: a turn's record as words for a person. Never asks a brain.

use loquat_agent::brain::{ChatMessage, Role};
use loquat_agent::record::{Reason, Record};
use loquat_agent::speakable;
use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::deed;

/// What comes of an utterance.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// What is spoken; empty where silence is meant.
    pub text: String,
    /// How the turn ended.
    pub reason: Reason,
    /// Whether the text is an answer of the brain, perhaps of a turn that a limit ended, and no sentence of ours.
    pub is_answer: bool,
    /// The conversation remembers these messages.
    pub history: Vec<ChatMessage>,
    /// How the turn came out, for others on the bus; nothing where none was begun.
    pub result: Option<Value>,
    /// Why none was begun, for the program that asked, where what it asked makes no sense.
    pub refusal: Option<String>,
    /// The sentence of the device in which a brain said again what was wanted, where that was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restated: Option<String>,
    /// What was done last that can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undoable>,
    /// The call of the sentence that may have meant several things, where the text asks which one it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<Asking>,
}

/// A call that asks which of several it means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asking {
    /// Its place among the calls of its sentence.
    place: usize,
    tool: String,
    /// Which ones it may mean.
    pub choices: Vec<String>,
}

impl Asking {
    fn of(record: &Record) -> Option<Self> {
        let (place, call) = record.asking()?;
        Some(Self {
            place,
            tool: call.tool.clone(),
            choices: call.choices.clone(),
        })
    }

    /// The call that asks, among those of this sentence; nothing where another was made than the sentence asks for.
    pub fn among(&self, sentence: &IntendedCall) -> Option<IntendedCall> {
        let call = sentence.all().nth(self.place)?;
        (call.tool == self.tool).then(|| IntendedCall {
            further: Vec::new(),
            ..call.clone()
        })
    }
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
    /// The last deed of a turn that can be undone. What one sentence asked for is undone as one, the last deed first.
    fn of(record: &Record) -> Option<Self> {
        let deeds: Vec<_> = record.deeds().collect();
        let mut undone = deeds.iter().rev().filter(|call| call.undo.is_some());
        let last = undone.next()?;
        let is_of_sentence = record.is_of_sentence();
        let further = undone.filter(|_| is_of_sentence);
        let further: Vec<IntendedCall> = further.filter_map(|call| call.undo.as_deref().cloned()).collect();
        let told = deeds.iter().filter(|call| call.undo.is_some() && is_of_sentence);
        let told: Vec<String> = told.map(|call| deed::deed(&call.tool, &call.arguments)).collect();
        let deed = match told.as_slice() {
            [] | [_] => deed::deed(&last.tool, &last.arguments),
            several => several.join("; "),
        };
        Some(Self {
            call: IntendedCall {
                further,
                ..last.undo.as_deref()?.clone()
            },
            deed: speakable(&deed),
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
            restated: None,
            undo: None,
            asking: None,
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
pub(crate) fn worded(record: Record, phrases: &Phrases) -> Reply {
    let done = deed::done(&record);
    let undo = Undoable::of(&record);
    let asking = Asking::of(&record);
    // What a sentence called may have changed something, so no other handler began anew, and silence would leave the person
    // in doubt. A brain that keeps silent means it.
    let is_quiet = record.reason == Reason::Noop && record.is_of_sentence();
    let has_failed = is_quiet && record.attempted().next().is_some();
    let Record {
        answer,
        reason,
        mut history,
        brain_error,
        restated,
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
        restated,
        undo,
        asking,
    }
}

/// What comes of undoing: what the tool says itself, else that it was undone, or not.
pub(crate) fn undone(record: Record, deed: &str, phrases: &Phrases) -> Reply {
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

    /// Which call of a sentence with these choices asks, by its place and what it is called with.
    fn asking(choices: &[&[&str]], brain_calls: u32) -> Option<(usize, IntendedCall)> {
        let steps = choices.iter().enumerate().map(|(place, choices)| {
            let mut steps = record(&[("control", json!({"thing": place}), false, true)]).steps;
            steps[0].calls[0].choices = choices.iter().map(|&choice| choice.to_owned()).collect();
            steps.remove(0)
        });
        let asked = Asking::of(&Record {
            brain_calls,
            steps: steps.collect(),
            ..record(&[])
        })?;
        let call = |thing: &str| IntendedCall {
            tool: "control".to_owned(),
            arguments: serde_json::Map::from_iter([("thing".to_owned(), json!(thing))]),
            ..IntendedCall::default()
        };
        let sentence = IntendedCall {
            further: vec![call("gate")],
            ..call("lamp")
        };
        let other = IntendedCall {
            tool: "read".to_owned(),
            ..IntendedCall::default()
        };
        assert_eq!(asked.among(&other), None, "another call was made");
        Some((asked.place, asked.among(&sentence)?))
    }

    #[test]
    fn the_call_that_asks_is_the_one_that_is_open() {
        let which: &[&str] = &["Kitchen", "Bedroom"];
        let (place, first) = asking(&[which, &[]], 0).unwrap();
        assert_eq!((place, &first.arguments["thing"]), (0, &json!("lamp")));
        assert_eq!(first.further, Vec::new(), "the others are done");
        let (place, second) = asking(&[&[], which], 0).unwrap();
        assert_eq!((place, &second.arguments["thing"]), (1, &json!("gate")));
        assert_eq!(asking(&[which, which], 0), None, "an answer would be to either");
        assert_eq!(asking(&[which], 1), None, "the brain asks");
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
