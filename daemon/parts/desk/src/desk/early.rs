//! Early speech: our own voice is given the sentences of an answer that stand while the rest is being written.
//!
//! What a person has asked aloud at the device is told so, where our voice is the one that speaks: any other would say it once
//! more with the one final message. What stands is up to the turn. Sentences that turn out not to be the answer are taken back,
//! which the voice says where they were heard; when the turn is stopped, no more comes, and the session remembers what was heard.
//!
//! Before the first sentence it is written down that the answer was begun. After a crash the next daemon cannot know how far it was
//! heard: it says that it begins anew, and then all of the answer.

use loquat_agent::brain::ChatMessage;
use loquat_agent::event::Event;
use loquat_agent::printable::printable;
use loquat_mind::Reply;
use loquat_orchestrator::frames;
use loquat_part::events::{Hub, News};
use loquat_part::own_voice::OwnVoice;
use loquat_phrases::Phrases;
use loquat_wire::{Message, speech, topic};
use serde_json::Value;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::Desk;
use super::consent::Questions;
use super::heard::cut_behind;
use super::job::{BegunBy, Job, Origin};

/// What is told of an answer before it is complete.
#[derive(Debug, Default)]
pub(super) struct EarlySpeech {
    voice: OwnVoice,
    /// What turns tell of their answers; absent where that is not heard.
    news: Option<broadcast::Receiver<News>>,
    begun: Option<Begun>,
    /// The last turn whose answer was begun, and what the voice was given of it in the end.
    ended: Option<(String, String)>,
}

/// A turn whose answer may be spoken while it is written.
#[derive(Debug)]
struct Begun {
    turn_id: String,
    cause: Message,
    lang: String,
    /// What stands of the answer, which the voice has.
    text: String,
    listens: Listens,
    /// The turn has read what strangers wrote.
    is_foreign: bool,
    /// As much as was heard, where the voice was silenced.
    heard: Option<String>,
}

/// Whether more of an answer is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listens {
    Yes,
    /// A piece was lost.
    NoMore,
    /// The turn is stopped.
    Stopped,
}

/// Of whose answer the voice was silenced.
enum Silenced {
    /// Of a turn that runs.
    Running,
    /// Of one that has ended, of whose answer the voice was given this.
    Ended(String),
    /// Of one whose answer was not begun early.
    Other,
}

/// What a turn tells of its answer.
#[derive(Debug)]
pub(super) enum Told {
    Piece(String),
    /// What was told is not the answer.
    Void,
}

impl EarlySpeech {
    /// Tells the voice of this hub, by what turns tell it.
    pub(super) fn of(hub: &Hub) -> Self {
        Self {
            voice: hub.voice(),
            news: Some(hub.subscribe()),
            ..Self::default()
        }
    }

    /// A turn begins that a person may hear early.
    pub(super) fn begins(&mut self, job: &Job) {
        let is_asked_aloud = job.origin != Origin::Query && job.channel() == "voice";
        let is_heard = is_asked_aloud && job.session.is_default() && self.voice.begins_early();
        if !is_heard || job.since.is_some() {
            return;
        }
        // What was told before is of no concern.
        self.news = self.news.as_ref().map(broadcast::Receiver::resubscribe);
        self.begun = Some(Begun {
            turn_id: job.turn_id.clone(),
            cause: job.cause.clone(),
            lang: job.lang.clone(),
            text: String::new(),
            listens: Listens::Yes,
            is_foreign: false,
            heard: None,
        });
    }

    /// Whatever is told from now on is not the answer.
    pub(super) fn stops(&mut self) {
        if let Some(begun) = &mut self.begun {
            begun.listens = Listens::Stopped;
        }
    }

    /// Waits for what the turn tells. Nothing is lost where this is dropped.
    pub(super) async fn next(&mut self) -> Told {
        loop {
            let begun = self.begun.as_mut().filter(|begun| begun.listens == Listens::Yes);
            let (Some(begun), Some(news)) = (begun, &mut self.news) else {
                return std::future::pending().await;
            };
            match news.recv().await {
                Ok(news) if *news.turn_id == *begun.turn_id => match news.event {
                    Event::AnswerDelta {
                        text,
                        is_whole: false,
                        ..
                    } => return Told::Piece(text),
                    Event::AnswerVoided { .. } => return Told::Void,
                    Event::Tainted { .. } => begun.is_foreign = true,
                    _ => {}
                },
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => begun.listens = Listens::NoMore,
                Err(RecvError::Closed) => self.news = None,
            }
        }
    }

    /// The voice was silenced in the answer of this turn, of which so much was heard.
    fn silenced(&mut self, turn_id: &str, heard: &str) -> Silenced {
        let running = self.begun.as_mut().filter(|begun| begun.turn_id == turn_id);
        if let Some(begun) = running {
            begun.heard = Some(heard.to_owned());
            return Silenced::Running;
        }
        match self.ended.take_if(|(ended, _)| ended == turn_id) {
            Some((_, text)) => Silenced::Ended(text),
            None => Silenced::Other,
        }
    }
}

impl Begun {
    fn take_back(&mut self) -> Message {
        self.text.clear();
        // Where the voice was silenced, nothing is heard of the answer that follows.
        if let Some(heard) = &mut self.heard {
            heard.clear();
        }
        let apology = &Phrases::of(&self.lang).anew;
        frames::taken_back(&self.cause, &self.turn_id, apology, &self.lang)
    }

    /// What a person has heard of an answer that was stopped.
    fn remembered(&self, utterance: &str) -> Vec<ChatMessage> {
        let heard = self.heard.as_deref().unwrap_or(&self.text);
        if heard.is_empty() {
            return Vec::new();
        }
        let answer = ChatMessage::assistant(cut_behind(heard)).with_foreign_text(self.is_foreign);
        vec![ChatMessage::user(utterance), answer]
    }
}

impl Desk {
    /// Adds our own voice, what turns tell it, and what gives answers beside it.
    #[must_use]
    pub fn with_voice(mut self, hub: &Hub) -> Self {
        self.early = EarlySpeech::of(hub);
        self.body = Some(hub.body());
        self
    }

    /// The voice is given what stands of an answer, or told that it is none.
    pub(super) async fn tell_voice(&mut self, told: Told) {
        let Some(begun) = &mut self.early.begun else {
            return;
        };
        let frame = match told {
            Told::Void if begun.text.is_empty() => return,
            Told::Void => begun.take_back(),
            Told::Piece(piece) => {
                if begun.text.is_empty() {
                    self.silence.ends();
                    self.ledger.note_begun(&begun.turn_id).await;
                }
                begun.text.push_str(&piece);
                frames::begun(&begun.cause, &begun.turn_id, &printable(&begun.text), &begun.lang)
            }
        };
        self.emit(frame).await;
    }

    /// A turn has ended of which the voice may have begun to speak the answer. Where no answer comes, it falls silent, and the session
    /// remembers what was heard. Gives as much as was heard of an answer in which it was silenced.
    pub(super) async fn end_early_speech(&mut self, job: &mut Job, said: &mut Reply) -> Option<String> {
        let is_it = |begun: &mut Begun| begun.turn_id == job.turn_id && !begun.text.is_empty();
        let mut begun = self.early.begun.take_if(is_it)?;
        if said.text.is_empty() {
            said.history = begun.remembered(&job.utterance);
            self.emit(frames::broken_off(&begun.cause, &begun.turn_id)).await;
            self.early.ended = begun.heard.is_none().then_some((begun.turn_id, begun.text));
            return None;
        }
        job.begun = BegunBy::OurVoice;
        self.early.ended = begun
            .heard
            .is_none()
            .then(|| (begun.turn_id.clone(), said.text.clone()));
        if !said.text.starts_with(&begun.text) && begun.listens != Listens::Stopped {
            self.emit(begun.take_back()).await;
        }
        begun.heard
    }

    /// What was to be spoken was not heard to its end: the session remembers as much of it as was.
    pub(super) async fn speech_interrupted(&mut self, message: &Message) {
        let text = |key: &str| message.data.get(key).and_then(Value::as_str);
        let session_id = message.context.session_id();
        let (Some(said), Some(heard)) = (text("utterance"), text("heard")) else {
            return;
        };
        Questions::speech_interrupted(&mut self.utterances, session_id, said);
        let turn_id = text("turn_id").unwrap_or_default();
        let given = match self.early.silenced(turn_id, heard) {
            Silenced::Running => return,
            Silenced::Ended(given) => Some(given),
            Silenced::Other => None,
        };
        let said = given.as_deref().unwrap_or(said);
        if self.conversations.cut_short(session_id, said, heard) {
            self.keep(session_id).await;
        }
    }
}

impl Job {
    /// A frame of its end, marked where our voice has the beginning of what it says.
    pub(super) fn as_begun(&self, frame: Message) -> Message {
        if frame.topic == topic::SPEAK && self.begun == BegunBy::OurVoice {
            speech::mark_begun(frame, &self.turn_id)
        } else {
            frame
        }
    }

    /// What is said before an answer with which a process that was cut off had begun.
    pub(super) fn excuse(&self, said: &Reply) -> Option<Message> {
        let is_said = self.begun == BegunBy::Earlier && !said.text.is_empty();
        let anew = &Phrases::of(&self.lang).anew;
        is_said.then(|| frames::aside(&self.cause, anew, &self.lang))
    }
}
