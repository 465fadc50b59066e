//! What a trigger waits for: that something is so, or a message of the bus; and when it counts.
//!
//! It counts when it becomes so, and not again right behind what was done for it: a trigger never fires itself. Looks at nothing
//! itself.

use jiff::Timestamp;
use loquat_agent::consent::AgreedCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::now::seconds_between;

/// What becomes so within so many seconds behind what was done for it may be the deed's own doing, and a flood.
const REST_SECONDS: f64 = 60.0;

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// That this call, which only looks, is answered with a yes.
    So(AgreedCall),
    /// A message of the bus.
    Message(Expected),
}

/// A message of the bus that the owner's settings name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// Its topic.
    pub topic: String,
    /// A member of its data that has to be there, perhaps with this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<(String, Option<String>)>,
}

impl Expected {
    /// Whether a message is one of these.
    pub fn is(&self, topic: &str, data: &serde_json::Map<String, Value>) -> bool {
        let has_field = |(name, wanted): &(String, Option<String>)| {
            let value = data.get(name)?;
            let said = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Some(wanted.as_ref().is_none_or(|wanted| *wanted == said))
        };
        let is_there = self
            .field
            .as_ref()
            .is_none_or(|field| has_field(field) == Some(true));
        self.topic == topic && is_there
    }
}

/// What a trigger waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// In the words of the person.
    pub words: String,
    /// What that is.
    pub condition: Condition,
    /// Whether it counts every time.
    #[serde(default)]
    pub(super) always: bool,
    /// Whether it was so when it was looked at last.
    #[serde(default)]
    was: Option<bool>,
    /// When something was done for it last.
    #[serde(default)]
    last: Option<Timestamp>,
}

/// What comes of a look.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Seen {
    /// Nothing has changed.
    Nothing,
    /// It is to be remembered.
    Noted(Event),
    /// It has happened.
    Happened(Event),
}

impl Event {
    /// One that is waited for from now on; `was` tells whether it is so already.
    pub(super) fn new(words: &str, condition: Condition, always: bool, was: Option<bool>) -> Self {
        Self {
            words: words.to_owned(),
            condition,
            always,
            was,
            last: None,
        }
    }

    /// Whether it is a message of the bus, which any program can send.
    pub fn is_message(&self) -> bool {
        matches!(self.condition, Condition::Message(_))
    }

    /// What comes of a look at this moment.
    pub(super) fn seen(&self, is_so: bool, now: Timestamp) -> Seen {
        if self.was == Some(is_so) && !self.is_message() {
            return Seen::Nothing;
        }
        let since = self.last.map(|last| seconds_between(last, now));
        // A clock that was set back rests no longer than that.
        let rests = since.is_some_and(|seconds| (0.0..REST_SECONDS).contains(&seconds));
        let is_new = self.is_message() || self.was == Some(false);
        if is_so && is_new && !rests {
            return Seen::Happened(Self {
                was: Some(true),
                last: Some(now),
                ..self.clone()
            });
        }
        if self.is_message() {
            return Seen::Nothing;
        }
        Seen::Noted(Self {
            was: Some(is_so),
            ..self.clone()
        })
    }
}

/// Messages of the bus that may be waited for, by what people call them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages {
    lines: Vec<String>,
    known: Vec<(String, Expected)>,
}

/// A line of the settings that names no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no message; write it as \"the laundry is done = laundry.state state=done\"")]
pub struct MessagesError(String);

impl TryFrom<Vec<String>> for Messages {
    type Error = MessagesError;

    /// Those that lines name: `NAME = TOPIC`, `NAME = TOPIC FIELD` or `NAME = TOPIC FIELD=VALUE`.
    fn try_from(lines: Vec<String>) -> Result<Self, MessagesError> {
        let known = lines
            .iter()
            .map(|line| one(line).ok_or_else(|| MessagesError(line.clone())));
        Ok(Self {
            known: known.collect::<Result<_, _>>()?,
            lines,
        })
    }
}

impl From<Messages> for Vec<String> {
    fn from(messages: Messages) -> Self {
        messages.lines
    }
}

impl Messages {
    /// The message that is called so.
    pub fn called(&self, name: &str) -> Option<&Expected> {
        let name = loquat_kit::folded(name);
        let mut known = self.known.iter();
        known
            .find(|(known, _)| *known == name)
            .map(|(_, expected)| expected)
    }

    /// Their topics.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|(_, expected)| expected.topic.as_str())
    }
}

fn one(line: &str) -> Option<(String, Expected)> {
    let (name, message) = line.split_once('=')?;
    let mut parts = message.split_whitespace();
    let topic = parts.next()?.to_owned();
    let field = parts.next().map(|field| match field.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (field.to_owned(), None),
    });
    let name = loquat_kit::folded(name);
    let is_whole = parts.next().is_none() && !name.is_empty();
    is_whole.then_some((name, Expected { topic, field }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(condition: Condition) -> Event {
        Event::new("the door is open", condition, true, Some(false))
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).expect("a moment")
    }

    #[test]
    fn it_counts_when_it_becomes_so_and_not_right_behind_what_was_done_for_it() {
        let mut event = event(Condition::So(AgreedCall::default()));
        let mut happened = Vec::new();
        for (second, is_so) in [
            (0, false),
            (1, true),
            (2, true),
            (3, false),
            (10, true),
            (11, false),
            (70, true),
            (71, true),
        ] {
            match event.seen(is_so, at(second)) {
                Seen::Happened(next) => {
                    happened.push(second);
                    event = next;
                }
                Seen::Noted(next) => event = next,
                Seen::Nothing => {}
            }
        }
        assert_eq!(happened, [1, 70]);
        let unknown = Event { was: None, ..event };
        assert!(
            matches!(unknown.seen(true, at(900)), Seen::Noted(_)),
            "it may have been so before"
        );
    }

    #[test]
    fn a_flood_of_messages_counts_once_a_minute() {
        let mut event = event(Condition::Message(Expected::default()));
        let mut happened = 0;
        for second in 0..121 {
            if let Seen::Happened(next) = event.seen(true, at(second)) {
                happened += 1;
                event = next;
            }
        }
        assert_eq!(happened, 3);
    }

    #[test]
    fn messages_are_known_by_their_names_topics_and_members() {
        let lines = [
            "The laundry = laundry.state state=done",
            "a parcel = door.parcel",
            "nothing",
            "x = ",
        ];
        let [laundry, parcel, wrong @ ..] = lines.map(str::to_owned);
        for line in wrong {
            assert!(Messages::try_from(vec![laundry.clone(), line]).is_err());
        }
        let messages = Messages::try_from(vec![laundry, parcel]).expect("messages");
        let laundry = messages.called("the Laundry").expect("a message");
        let data = |value: Value| value.as_object().cloned().unwrap_or_default();
        assert!(laundry.is("laundry.state", &data(json!({"state": "done"}))));
        for (topic, members) in [
            ("laundry.state", json!({"state": "on"})),
            ("laundry.state", json!({})),
            ("other", json!({"state": "done"})),
        ] {
            assert!(!laundry.is(topic, &data(members)), "{topic}");
        }
        assert!(messages.called("a letter").is_none());
    }
}
