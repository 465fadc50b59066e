//! Sentences of satellites on the bus: each enters as an utterance of its conversation's session, and what the bus says to
//! it becomes its answer. Nothing is answered here, and nothing of it is spoken at this device: the session is not the
//! device's own, and the answer is addressed to the satellite.

use std::net::IpAddr;
use std::time::Duration;

use loquat_bus::{Bus, EmitError, Received, Subscription, Topics};
use loquat_part::STOP_US;
use loquat_part::satellite::{self, SATELLITES, is_of_satellite};
use loquat_wire::speech::is_question;
use loquat_wire::text::primary_subtag;
use loquat_wire::{Message, Session, topic};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::late::{Late, Whose};
use super::sessions::Sessions;
use super::talks::{Answer, Busy, Talks};

/// Our own key in the context, which comes back on everything that the utterance causes (MSG-1 §2.3).
const KEY: &str = "loquat_wyoming";

/// The conversation of a sentence that belongs to none begins with this.
const ALONE: &str = "alone-";

/// No turn may take this long.
const PATIENCE: Duration = Duration::from_secs(300);

/// Conversations that are given up and not stopped yet; what one more is told goes on to its end.
const GIVEN_UP: usize = 64;

/// A sentence has at most this many bytes, as the desk takes it.
const LONGEST_SENTENCE: usize = 8 * 1024;

/// The ids of conversations and devices have at most this many bytes. Those of Home Assistant have 32.
const LONGEST_ID: usize = 96;

/// A sentence that a satellite was told.
#[derive(Debug)]
pub(super) struct Sentence {
    /// The machine that tells it, which shares no conversation with another.
    pub(super) peer: IpAddr,
    pub(super) text: String,
    /// The language that the satellite names for it, if it does.
    pub(super) language: Option<String>,
    /// The id of the conversation, where an earlier sentence belongs to it.
    pub(super) conversation: Option<String>,
    pub(super) device: Option<String>,
}

/// Says why a sentence has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum AskError {
    #[error("failed to take the sentence: it has no words")]
    Empty,
    #[error("failed to take the sentence: it has more than {LONGEST_SENTENCE} bytes")]
    TooLong,
    /// An id is none.
    #[error("failed to take the sentence: {0} is no text of 1 to {LONGEST_ID} visible characters of ASCII")]
    Id(&'static str),
    /// Something else is being answered.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The bus did not take it.
    #[error("failed to put the sentence on the bus: {0}")]
    Bus(EmitError),
    /// It did not end in time, or was given up.
    #[error("failed to answer within {} s", PATIENCE.as_secs())]
    TooLate,
}

impl Sentence {
    /// Names the session in which it is said. One without a conversation has one of its own.
    fn session(&self) -> Result<String, AskError> {
        let conversation = match &self.conversation {
            Some(id) => checked("conversation_id", id)?.to_owned(),
            None => format!("{ALONE}{}", uuid::Uuid::new_v4()),
        };
        Ok(satellite::session(self.peer, &conversation))
    }
}

fn checked<'a>(name: &'static str, id: &'a str) -> Result<&'a str, AskError> {
    let is_id = (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    if is_id { Ok(id) } else { Err(AskError::Id(name)) }
}

#[derive(Debug)]
pub(super) struct Conversations {
    bus: Bus,
    lang: String,
    talks: Mutex<Talks>,
    sessions: Mutex<Sessions>,
    late: Mutex<Late>,
    /// Sessions in which an answer is no longer wanted.
    given_up: mpsc::Sender<String>,
}

impl Conversations {
    /// `lang` is the device's language. [`hear`](Self::hear) takes the receiver, by which it learns of sentences that
    /// were given up.
    pub(super) fn new(bus: Bus, lang: &str) -> (Self, mpsc::Receiver<String>) {
        let (given_up, receiver) = mpsc::channel(GIVEN_UP);
        let conversations = Self {
            bus,
            lang: lang.to_owned(),
            talks: Mutex::default(),
            sessions: Mutex::default(),
            late: Mutex::default(),
            given_up,
        };
        (conversations, receiver)
    }

    /// Subscribes to the frames that make the answers.
    pub(super) fn subscribe(&self) -> Subscription {
        let topics = [topic::SPEAK, topic::INTENT_UNMATCHED, topic::UTTERANCE_HANDLED];
        self.bus.subscribe(Topics::of(topics).including_own())
    }

    /// Hears what is said, and stops what is given up, until cancelled.
    pub(super) async fn hear(
        &self,
        mut frames: Subscription,
        mut given_up: mpsc::Receiver<String>,
        cancel: CancellationToken,
    ) {
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                frame = frames.recv() => match frame {
                    Some(frame) => self.heard(&frame),
                    None => return cancel.cancelled().await,
                },
                Some(session) = given_up.recv() => self.stop(&session).await,
            }
        }
    }

    fn heard(&self, frame: &Received) {
        let message = &frame.message;
        let Some(utterance) = message.context.text(KEY) else {
            return self.heard_late(frame);
        };
        let mut talks = self.talks.lock();
        if talks.session_of(utterance) == Some(message.context.session_id()) {
            self.sessions.lock().keep(message.context.session());
        }
        match frame.canonical.as_str() {
            topic::SPEAK => {
                let text = message.data.get("utterance").and_then(Value::as_str);
                talks.said(utterance, text.unwrap_or_default(), is_question(message));
            }
            topic::INTENT_UNMATCHED => talks.unmatched(utterance),
            _ => talks.ended(utterance),
        }
    }

    /// Keeps what came of something that went on after its answer; such a frame belongs to no utterance.
    fn heard_late(&self, frame: &Received) {
        let message = &frame.message;
        let session = message.context.session_id();
        if frame.canonical == topic::SPEAK && is_of_satellite(session) {
            let text = message.data.get("utterance").and_then(Value::as_str);
            let whose = self.whose(session);
            self.late.lock().keep(whose, text.unwrap_or_default());
        }
    }

    /// Finds the satellite whose session this is.
    fn whose(&self, session: &str) -> Whose {
        let known = self.sessions.lock().of(session);
        // Of one machine; another may call its devices the same.
        let (machine, conversation) = satellite::of_session(session).unwrap_or((session, ""));
        let device = known.as_map().get("site_id").and_then(Value::as_str);
        // What tells neither conversation nor device is one that tells neither.
        let device = device.or(conversation.starts_with(ALONE).then_some(""));
        Whose {
            session: session.to_owned(),
            device: device.map(|device| format!("{machine}:{device}")),
        }
    }

    /// An answer, behind what was still to be said there.
    fn after_what_was_late(&self, session: &str, answer: Answer) -> Answer {
        let whose = self.whose(session);
        let mut said = self.late.lock().take(&whose);
        if said.is_empty() {
            return answer;
        }
        said.extend(Some(answer.text).filter(|text| !text.is_empty()));
        Answer {
            text: said.join("\n"),
            ..answer
        }
    }

    /// Has a sentence answered. When the future is dropped the answer is waited for no more, and its turn ends: nothing
    /// would hear it.
    pub(super) async fn ask(&self, sentence: &Sentence) -> Result<Answer, AskError> {
        let text = sentence.text.trim();
        if text.is_empty() {
            return Err(AskError::Empty);
        }
        if text.len() > LONGEST_SENTENCE {
            return Err(AskError::TooLong);
        }
        let session = sentence.session()?;
        let utterance = uuid::Uuid::new_v4().to_string();
        let frame = self.frame(sentence, &session, &utterance)?;
        let answer = self.talks.lock().begin(&session, &utterance)?;
        let mut waiting = Waiting {
            conversations: self,
            session: Some(session),
        };
        self.bus.emit(frame).await.map_err(AskError::Bus)?;
        match timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => {
                let session = waiting.session.take().unwrap_or_default();
                Ok(self.after_what_was_late(&session, answer))
            }
            _ => Err(AskError::TooLate),
        }
    }

    fn frame(&self, sentence: &Sentence, session: &str, utterance: &str) -> Result<Message, AskError> {
        let mut data = json!({"utterances": [sentence.text.trim()]});
        let mut session = self.sessions.lock().of(session);
        if let Some(lang) = sentence.language.as_deref().map(|lang| self.tag(lang)) {
            data = loquat_wire::with(data, "lang", lang.as_str());
            session.insert("lang", json!(lang));
        }
        if let Some(device) = &sentence.device {
            session.insert("site_id", json!(checked("device_id", device)?));
        }
        let mut frame = Message::new(topic::UTTERANCE_HANDLE, data);
        frame.context.set_session(&session);
        frame.context.set_source(SATELLITES);
        frame.context.set_destination("skills");
        frame.context.insert(KEY, json!(utterance));
        Ok(frame)
    }

    /// Home Assistant often names a language alone; the device's own tag says more about the same language.
    fn tag(&self, lang: &str) -> String {
        let is_own = !lang.contains(['-', '_']) && primary_subtag(lang) == primary_subtag(&self.lang);
        if is_own {
            self.lang.clone()
        } else {
            lang.to_owned()
        }
    }

    /// Gives a conversation up, and has what is being answered in it stopped.
    fn give_up(&self, session: String) {
        self.talks.lock().abandon(&session);
        if self.given_up.try_send(session).is_err() {
            tracing::debug!("too many satellites have gone at once; what is answered to this one goes on");
        }
    }

    async fn stop(&self, session: &str) {
        let mut stop = Message::new(STOP_US, json!({}));
        stop.context.set_session(&Session::named(session));
        stop.context.set_source(SATELLITES);
        if let Err(error) = self.bus.emit(stop).await {
            tracing::debug!(%error, "failed to stop what is answered to a satellite that has gone");
        }
    }
}

/// Gives the conversation up when it is dropped before there is an answer.
struct Waiting<'a> {
    conversations: &'a Conversations,
    session: Option<String>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.conversations.give_up(session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(conversation: Option<&str>) -> Sentence {
        Sentence {
            peer: "192.168.1.20".parse().unwrap(),
            text: "What time is it?".to_owned(),
            language: None,
            conversation: conversation.map(str::to_owned),
            device: None,
        }
    }

    #[test]
    fn a_conversation_is_a_session_of_its_own_for_each_machine() {
        let session = sentence(Some("default")).session().unwrap();
        assert_eq!(session, "wyoming:192.168.1.20:default");
        let first = sentence(None).session().unwrap();
        assert_ne!(first, sentence(None).session().unwrap());
        for wrong in ["", "a b", "ä", &"x".repeat(LONGEST_ID + 1), "a\nb"] {
            assert!(
                matches!(sentence(Some(wrong)).session(), Err(AskError::Id(_))),
                "{wrong:?}"
            );
        }
    }
}
