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
    /// That this call, which only looks, is answered with a yes, or tells that it has happened once more.
    So(AgreedCall),
    /// A message of the bus.
    Message(Expected),
    /// That a resource of an MCP server has changed.
    Resource(Resource),
}

/// A resource of an MCP server that the owner's settings name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// The server, as the owner calls it.
    pub server: String,
    /// Its URI.
    pub uri: String,
}

impl Condition {
    /// Whether it is a message, which another program sends as it likes.
    pub(super) fn is_message(&self) -> bool {
        match self {
            Self::Message(_) | Self::Resource(_) => true,
            Self::So(_) => false,
        }
    }
}

/// What a look at it brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Look {
    /// Whether it is so.
    So(bool),
    /// How often it has happened; it is counted anew where what counts was begun anew.
    Times(u64),
}

/// A look, and whether words of strangers are in what was looked at: who has written them may have brought it about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glance {
    /// How it is.
    pub look: Look,
    /// Whether such words are there.
    pub is_foreign: bool,
}

impl From<Look> for Glance {
    fn from(look: Look) -> Self {
        let is_foreign = false;
        Self { look, is_foreign }
    }
}

impl Look {
    /// Whether it has become so, or happened, since the look before.
    fn is_new_since(self, before: Option<Self>) -> bool {
        match (before, self) {
            (Some(Self::So(was)), Self::So(is)) => is && !was,
            (Some(Self::Times(then)), Self::Times(now)) => now != then && now > 0,
            // It may have been so before.
            _ => false,
        }
    }
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
    /// How it was when it was looked at last.
    #[serde(default)]
    was: Option<Look>,
    /// When something was done for it last.
    #[serde(default)]
    last: Option<Timestamp>,
    /// Whether strangers may have brought it about then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_foreign: bool,
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
    /// One that is waited for from now on; `was` tells how it is now.
    pub(super) fn new(words: &str, condition: Condition, always: bool, was: Option<Look>) -> Self {
        Self {
            words: words.to_owned(),
            condition,
            always,
            was,
            last: None,
            is_foreign: false,
        }
    }

    fn is_message(&self) -> bool {
        self.condition.is_message()
    }

    /// Whether strangers may have brought it about: another program sends messages as it likes, and anybody who is let in puts
    /// something on a list.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign || self.is_message()
    }

    /// What comes of a look at this moment.
    pub(super) fn seen(&self, Glance { look, is_foreign }: Glance, now: Timestamp) -> Seen {
        if self.was == Some(look) && !self.is_message() {
            return Seen::Nothing;
        }
        let since = self.last.map(|last| seconds_between(last, now));
        // A clock that was set back rests no longer than that.
        let rests = since.is_some_and(|seconds| (0.0..REST_SECONDS).contains(&seconds));
        let is_new = self.is_message() || look.is_new_since(self.was);
        if is_new && !rests {
            return Seen::Happened(Self {
                was: Some(look),
                last: Some(now),
                is_foreign,
                ..self.clone()
            });
        }
        if self.is_message() {
            return Seen::Nothing;
        }
        Seen::Noted(Self {
            was: Some(look),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(condition: Condition) -> Event {
        Event::new("the door is open", condition, true, Some(Look::So(false)))
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
            match event.seen(Look::So(is_so).into(), at(second)) {
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
            matches!(unknown.seen(Look::So(true).into(), at(900)), Seen::Noted(_)),
            "it may have been so before"
        );
    }

    #[test]
    fn what_is_counted_counts_when_it_happens_once_more_and_when_it_is_counted_anew() {
        let mut event = Event {
            was: Some(Look::Times(3)),
            ..event(Condition::So(AgreedCall::default()))
        };
        let mut happened = Vec::new();
        for (second, times) in [
            (0, 3),
            (1, 4),
            (100, 4),
            (101, 0),
            (200, 1),
            (201, 3),
            (300, 3),
            (400, 1),
        ] {
            match event.seen(Look::Times(times).into(), at(second)) {
                Seen::Happened(next) => {
                    happened.push(second);
                    event = next;
                }
                Seen::Noted(next) => event = next,
                Seen::Nothing => {}
            }
        }
        assert_eq!(happened, [1, 200, 400]);
        let kept = serde_json::to_value(&event).expect("an event");
        assert_eq!(kept["was"], 1);
        let before: Event =
            serde_json::from_value(json!({"words": "x", "condition": kept["condition"], "was": true}))
                .expect("an event of an earlier version");
        assert_eq!(before.was, Some(Look::So(true)));
    }

    #[test]
    fn a_flood_of_messages_counts_once_a_minute() {
        let mut event = event(Condition::Message(Expected::default()));
        let mut happened = 0;
        for second in 0..121 {
            if let Seen::Happened(next) = event.seen(Look::So(true).into(), at(second)) {
                happened += 1;
                event = next;
            }
        }
        assert_eq!(happened, 3);
    }
}
