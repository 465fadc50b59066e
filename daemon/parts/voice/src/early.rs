//! The answer that is spoken while it is written, and those of which no more is to be heard. Speaks nothing itself.

use std::collections::VecDeque;

use loquat_wire::Message;
use serde_json::Value;

use super::script::{Reading, Script, Writing};

/// Turns of which no more is to be heard; of older ones nothing comes any more.
const KEPT: usize = 8;

/// What the desk tells of an answer before it is complete.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tidings {
    /// It is all of it so far.
    Written(String),
    /// It is not the answer after all; where it was heard, this is said.
    TakenBack(String),
    /// No more comes.
    BrokenOff,
}

impl Tidings {
    /// Reads them with the turn that they are of.
    pub(super) fn of(message: &Message) -> Option<(String, Self)> {
        let text = |key: &str| message.data.get(key).and_then(Value::as_str).map(str::to_owned);
        let written = text("utterance").map(Self::Written);
        let told = written.or_else(|| text("apology").map(Self::TakenBack));
        Some((text("turn_id")?, told.unwrap_or(Self::BrokenOff)))
    }
}

/// The answers that were begun.
#[derive(Debug, Default)]
pub(super) struct Early {
    /// The turn of which more may come.
    turn_id: Option<String>,
    /// Its answer, unless that was taken back.
    writing: Option<Writing>,
    /// The turns in whose answers the voice was silenced.
    silenced: VecDeque<String>,
}

impl Early {
    /// Begins the answer of a turn. To one that was open before nothing is added.
    pub(super) fn begin(&mut self, turn_id: &str, text: String) -> Reading {
        let writing = Writing::new(Script {
            text,
            is_whole: false,
        });
        let reading = writing.subscribe();
        (self.turn_id, self.writing) = (Some(turn_id.to_owned()), Some(writing));
        reading
    }

    /// Gives the answer of this turn, where it is open.
    pub(super) fn of(&self, turn_id: &str) -> Option<&Writing> {
        let is_it = self.turn_id.as_deref() == Some(turn_id);
        self.writing.as_ref().filter(|_| is_it)
    }

    /// Nothing is added to the open answer; its turn may begin another.
    pub(super) fn take_back(&mut self) {
        self.writing = None;
    }

    /// The turn is at its end, and so is its answer.
    pub(super) fn close(&mut self) -> Option<Writing> {
        self.turn_id = None;
        self.writing.take()
    }

    /// No more is to be heard of the turn of which more may come.
    pub(super) fn silence(&mut self) {
        self.writing = None;
        if let Some(turn_id) = self.turn_id.take() {
            if self.silenced.len() == KEPT {
                self.silenced.pop_front();
            }
            self.silenced.push_back(turn_id);
        }
    }

    /// Tells whether no more is to be heard of it.
    pub(super) fn is_silenced(&self, turn_id: &str) -> bool {
        self.silenced.iter().any(|silenced| silenced == turn_id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_turn_that_was_silenced_stays_so() {
        let mut early = Early::default();
        let reading = early.begin("one", "It rains.".to_owned());
        assert!(early.of("one").is_some() && early.of("two").is_none());
        early.take_back();
        assert!(early.of("one").is_none() && reading.has_changed().is_err());
        early.silence();
        assert!(early.is_silenced("one"));
        for turn in 0..KEPT {
            early.begin(&turn.to_string(), String::new());
            early.silence();
        }
        assert!(!early.is_silenced("one"), "long ago");
        early.begin("whole", String::new());
        early.close();
        early.silence();
        assert!(!early.is_silenced("whole"));
    }

    #[test]
    fn tidings_tell_more_or_another_or_nothing() {
        let read = |data| Tidings::of(&Message::new("loquat.speech.begun", data));
        let one = |tidings| Some(("one".to_owned(), tidings));
        assert_eq!(
            read(json!({"turn_id": "one", "utterance": "It rains."})),
            one(Tidings::Written("It rains.".to_owned()))
        );
        assert_eq!(
            read(json!({"turn_id": "one", "apology": "Sorry."})),
            one(Tidings::TakenBack("Sorry.".to_owned()))
        );
        assert_eq!(read(json!({"turn_id": "one"})), one(Tidings::BrokenOff));
        assert_eq!(read(json!({"utterance": "It rains."})), None);
    }
}
