//! The conversation as it happens: what is heard, typed and said, what waits for its turn, what is being written, and what the
//! device is doing. Shows none of it.

mod waiting;

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;
use loquat_bus::{Received, Topics};
use loquat_part::owners_word::QUESTION;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::topic;
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;

use self::waiting::Waiting;
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
    /// The page itself tells that the conversation was begun anew, or goes on.
    Nobody,
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) at: Timestamp,
    pub(super) speaker: Speaker,
    /// It is empty for the device's own conversation.
    pub(super) session: String,
    pub(super) text: String,
    /// The persona that says it, where one answers.
    pub(super) by: Option<String>,
    /// The id of the question to which it belongs, where that was typed to us.
    pub(super) question: Option<String>,
}

/// An answer while it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Writing {
    turn_id: Arc<str>,
    pub(super) text: String,
    /// The id of the question that it answers, where that was typed to us.
    pub(super) question: Option<String>,
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
            Self::Idle => ("idle", "At rest"),
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
    waiting: Waiting,
    /// The line that tells of the conversation that was set aside last, and may be gone on with.
    pub(super) aside: Option<u64>,
    /// What is being written in the device's own conversation.
    pub(super) writing: Option<Writing>,
}

/// What a frame says, and of which conversation and question it is.
struct Said<'a> {
    speaker: Speaker,
    session: &'a str,
    question: Option<&'a str>,
    by: Option<&'a str>,
    text: &'a str,
}

impl Kept {
    fn say(&mut self, said: &Said<'_>) -> u64 {
        self.last += 1;
        let number = self.last;
        if self.lines.len() >= MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(Line {
            number,
            at: Timestamp::now(),
            speaker: said.speaker,
            session: if said.session == DEFAULT_SESSION_ID {
                String::new()
            } else {
                said.session.chars().take(64).collect()
            },
            text: shortened(said.text, LONGEST),
            by: said.by.map(|name| shortened(name, 64)),
            question: said.question.map(|id| shortened(id, 64)),
        });
        number
    }

    /// The page itself tells something.
    fn mark(&mut self, text: &str) -> u64 {
        self.say(&Said {
            speaker: Speaker::Nobody,
            session: DEFAULT_SESSION_ID,
            question: None,
            by: None,
            text,
        })
    }

    /// Tells whether that is news.
    fn does(&mut self, hearing: Hearing) -> bool {
        let is_news = self.hearing != hearing;
        self.hearing = hearing;
        is_news
    }

    /// Tells how many questions are answered before that of a line; nothing where it does not wait.
    pub(super) fn ahead_of(&self, line: u64) -> Option<usize> {
        self.waiting.ahead_of(line).filter(|ahead| *ahead > 0)
    }
}

impl Conversation {
    /// Locks what is kept, which nothing can change meanwhile.
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock()
    }

    /// The conversation begins anew; says what that changes.
    pub(super) fn begins_anew(&self) -> Vec<Change> {
        let mut kept = self.0.lock();
        let is_new = kept
            .lines
            .back()
            .is_some_and(|line| Some(line.number) == kept.aside);
        if is_new {
            return Vec::new();
        }
        let line = kept.mark("A new conversation begins.");
        let before = kept.aside.replace(line);
        before.into_iter().chain([line]).map(Change::Line).collect()
    }

    /// The conversation before goes on; says what that changes.
    pub(super) fn goes_on(&self) -> Vec<Change> {
        let mut kept = self.0.lock();
        let before = kept.aside.take();
        let line = kept.mark("The conversation before it goes on.");
        before.into_iter().chain([line]).map(Change::Line).collect()
    }

    /// The conversation is forgotten; says what that changes.
    pub(super) fn is_forgotten(&self) -> Vec<Change> {
        let mut kept = self.0.lock();
        let before = kept.aside.take();
        let line = kept.mark("The device has forgotten what stands above.");
        before.into_iter().chain([line]).map(Change::Line).collect()
    }

    /// Takes a frame of the bus, and says what that changes. What it says is said by the persona of this name, where one answers.
    pub(super) fn take(
        &self,
        Received {
            message, canonical, ..
        }: &Received,
        answers: Option<&str>,
    ) -> Vec<Change> {
        let session = message.context.session();
        let question = message.context.text(QUESTION);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut kept = self.0.lock();
        let mut changes = Vec::new();
        let does = match canonical.as_str() {
            topic::UTTERANCE_HANDLE => {
                let said = text(message.data.get("utterances").and_then(|all| all.get(0)));
                if message.context.source() == Some("audio") {
                    kept.heard = Some(shortened(&said, LONGEST));
                }
                let line = kept.say(&Said {
                    speaker: Speaker::Person,
                    session: session.id(),
                    question,
                    by: None,
                    text: &said,
                });
                kept.waiting.comes(session.id(), question, line);
                changes.push(Change::Line(line));
                Hearing::Thinking
            }
            topic::SPEAK => {
                let said = text(message.data.get("utterance"));
                // What is said of its own accord is the device's.
                let by = answers.filter(|_| kept.waiting.is_waiting(session.id()));
                let line = kept.say(&Said {
                    speaker: Speaker::Device,
                    session: session.id(),
                    question,
                    by,
                    text: &said,
                });
                changes.push(Change::Line(line));
                if session.is_default() && kept.writing.take().is_some() {
                    changes.push(Change::Writing);
                }
                return changes;
            }
            topic::UTTERANCE_HANDLED => {
                let moved = kept.waiting.ends(session.id(), question);
                changes.extend(moved.into_iter().map(Change::Line));
                if !session.is_default() {
                    return changes;
                }
                if kept.writing.take().is_some() {
                    changes.push(Change::Writing);
                }
                if kept.waiting.is_waiting(session.id()) {
                    Hearing::Thinking
                } else {
                    Hearing::Idle
                }
            }
            // What happens in other conversations is not of this device's ear.
            _ if !session.is_default() => return changes,
            topic::WAKEWORD => Hearing::Called,
            topic::RECORD_STARTED => Hearing::Listening,
            topic::RECORD_ENDED => Hearing::Understanding,
            topic::AUDIO_OUTPUT_STARTED => Hearing::Speaking,
            topic::STT_FAILED => {
                kept.heard = Some(String::new());
                changes.push(Change::Line(0));
                Hearing::Idle
            }
            _ => Hearing::Idle,
        };
        if kept.does(does) {
            changes.push(Change::Hearing);
        }
        changes
    }

    /// Takes a piece of an answer while it is written. A turn without a question, as of a tool that is tried, is no part of a
    /// conversation.
    pub(super) fn write(&self, session: &str, turn_id: &Arc<str>, piece: &str) {
        let mut kept = self.0.lock();
        if !kept.waiting.is_waiting(session) {
            return;
        }
        let question = kept.waiting.first(session).map(str::to_owned);
        let before = kept.writing.take().filter(|writing| writing.turn_id == *turn_id);
        let mut writing = before.unwrap_or_else(|| Writing {
            turn_id: Arc::clone(turn_id),
            text: String::new(),
            question,
        });
        if writing.text.len() < LONGEST {
            writing.text.push_str(piece);
        }
        kept.writing = Some(writing);
    }

    /// What was written in this turn is not the answer, or is whole; false where nothing was.
    pub(super) fn unwrite(&self, turn_id: &str) -> bool {
        let mut kept = self.0.lock();
        let written = kept.writing.take_if(|writing| &*writing.turn_id == turn_id);
        written.is_some()
    }

    /// Gives the id of the question that was typed to us in these words and is answered now in a conversation.
    pub(super) fn answered_now(&self, session: &str, utterance: &str) -> Option<String> {
        let kept = self.0.lock();
        let question = kept.waiting.first(session)?;
        let is_it = |line: &&Line| line.question.as_deref() == Some(question) && line.text == utterance;
        kept.lines.iter().rev().find(is_it)?;
        Some(question.to_owned())
    }

    /// Lists the lines of a question.
    pub(super) fn of_question(&self, question: &str) -> Vec<u64> {
        let kept = self.0.lock();
        let own = kept
            .lines
            .iter()
            .filter(|line| line.question.as_deref() == Some(question));
        own.map(|line| line.number).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_begins_once_and_only_the_last_is_gone_on_with() {
        let conversation = Conversation::default();
        let aside = || conversation.kept().aside;
        assert_eq!(conversation.begins_anew(), [Change::Line(1)]);
        assert_eq!(conversation.begins_anew(), [], "nothing was said since");
        conversation.kept().mark("something");
        assert_eq!(conversation.begins_anew(), [Change::Line(1), Change::Line(3)]);
        assert_eq!(aside(), Some(3));
        assert_eq!(conversation.goes_on(), [Change::Line(3), Change::Line(4)]);
        assert_eq!(aside(), None);
        conversation.begins_anew();
        conversation.is_forgotten();
        assert_eq!(aside(), None, "what is forgotten is not gone on with");
    }
}
