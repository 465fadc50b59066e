//! The conversation as it happens: what is heard, typed and said, and what the device is doing. Shows none of it.

use std::collections::VecDeque;

use jiff::Timestamp;
use loquat_bus::{Received, Topics};
use loquat_wire::topic;
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;

use super::change::Change;
use super::excerpt::shortened;

/// Lines that are kept.
const MOST_LINES: usize = 200;

/// Bytes of a line; the rest is not kept.
pub(super) const LONGEST: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Person,
    Device,
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) at: Timestamp,
    pub(super) speaker: Speaker,
    /// It is empty for the device's own conversation.
    pub(super) session: String,
    pub(super) text: String,
}

/// What the device is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Hearing {
    #[default]
    Idle,
    Called,
    /// It records what is said.
    Listening,
    /// It makes words of that.
    Understanding,
    Thinking,
    Speaking,
}

impl Hearing {
    /// Gives a class of the stylesheet, and words.
    pub(super) fn told(&self) -> (&'static str, &'static str) {
        match self {
            Self::Idle => ("idle", "Waiting"),
            Self::Called => ("listening", "It heard its name"),
            Self::Listening => ("listening", "Listening"),
            Self::Understanding => ("thinking", "Making words of what it heard"),
            Self::Thinking => ("thinking", "Thinking"),
            Self::Speaking => ("speaking", "Speaking"),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Conversation(Mutex<Kept>);

#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) lines: VecDeque<Line>,
    last: u64,
    pub(super) hearing: Hearing,
    /// The last thing that the microphone heard.
    heard: Option<String>,
}

impl Conversation {
    fn say(&self, speaker: Speaker, session: &str, text: &str) -> u64 {
        let mut kept = self.0.lock();
        kept.last += 1;
        let number = kept.last;
        if kept.lines.len() >= MOST_LINES {
            kept.lines.pop_front();
        }
        kept.lines.push_back(Line {
            number,
            at: Timestamp::now(),
            speaker,
            session: if session == "default" {
                String::new()
            } else {
                session.chars().take(64).collect()
            },
            text: shortened(text, LONGEST),
        });
        number
    }

    /// Tells whether that is news.
    fn does(&self, hearing: Hearing) -> bool {
        let mut kept = self.0.lock();
        let is_news = kept.hearing != hearing;
        kept.hearing = hearing;
        is_news
    }

    /// Locks what is kept, which nothing can change meanwhile.
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock()
    }

    /// Takes a frame of the bus, and says what that changes.
    pub(super) fn take(
        &self,
        Received {
            message, canonical, ..
        }: &Received,
    ) -> Vec<Change> {
        let session = message.context.session();
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut changes = Vec::new();
        let does = match canonical.as_str() {
            topic::UTTERANCE_HANDLE => {
                let said = text(message.data.get("utterances").and_then(|all| all.get(0)));
                if message.context.source() == Some("audio") {
                    self.0.lock().heard = Some(shortened(&said, LONGEST));
                }
                changes.push(Change::Line(self.say(Speaker::Person, session.id(), &said)));
                Hearing::Thinking
            }
            topic::SPEAK => {
                let said = text(message.data.get("utterance"));
                return vec![Change::Line(self.say(Speaker::Device, session.id(), &said))];
            }
            // What happens in other conversations is not of this device's ear.
            _ if !session.is_default() => return changes,
            topic::WAKEWORD => Hearing::Called,
            topic::RECORD_STARTED => Hearing::Listening,
            topic::RECORD_ENDED => Hearing::Understanding,
            topic::AUDIO_OUTPUT_STARTED => Hearing::Speaking,
            topic::STT_FAILED => {
                self.0.lock().heard = Some(String::new());
                changes.push(Change::Line(0));
                Hearing::Idle
            }
            _ => Hearing::Idle,
        };
        if self.does(does) {
            changes.push(Change::Hearing);
        }
        changes
    }

    /// Gives what the microphone heard last.
    pub(super) fn heard(&self) -> Option<String> {
        self.0.lock().heard.clone()
    }
}

/// The reader listens to these.
pub(super) fn topics() -> Topics {
    Topics::of([
        topic::UTTERANCE_HANDLE,
        topic::UTTERANCE_HANDLED,
        topic::SPEAK,
        topic::WAKEWORD,
        topic::RECORD_STARTED,
        topic::RECORD_ENDED,
        topic::STT_FAILED,
        topic::AUDIO_OUTPUT_STARTED,
        topic::AUDIO_OUTPUT_ENDED,
    ])
    .including_own()
}
