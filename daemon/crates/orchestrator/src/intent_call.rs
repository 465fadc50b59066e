//! An intent of a skill, called for what the skill says: dispatched as an utterance that matched it would be, in a session
//! of its own, and what the skill says there is collected.
//!
//! The session is what keeps the words from the loudspeaker. An audio service speaks for the sessions that it serves, a
//! satellite hears what is addressed to it (AUDIO-1 §4.1), and this session is of neither. It ends with the call; a skill
//! that is still at work then is told to stop. A call is sent once, and speaks nothing itself.

use std::time::Duration;

use loquat_bus::{Bus, EmitError, Received, Subscription, Topics};
use loquat_wire::{Message, Session, topic};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::frames::{self, Addressed, SKILL_ID};
use super::manifest::Worded;
use super::pipeline::Stage;
use super::poll::same_round;

/// What is kept of all that a skill says, in bytes: minutes of speech.
const LONGEST: usize = 4 * 1024;

/// A skill that asks something may be done all the same; one that waits for the answer says nothing for this long.
const SETTLE: Duration = Duration::from_millis(300);

/// What the id of the session of a call begins with.
pub const CALL: &str = "loquat-call-";

/// Fields of a session that say what is going on in it, and not how its person lives.
const GOING_ON: [&str; 8] = [
    "active_handlers",
    "converse_handlers",
    "active_skills",
    "response_mode",
    "utterance_states",
    "persona_id",
    "is_speaking",
    "is_recording",
];

/// An intent that is to be called.
#[derive(Debug)]
pub struct IntentCall {
    /// The intent is this skill's.
    pub skill_id: String,
    /// The skill calls the intent so.
    pub intent_name: String,
    /// What is said to it.
    pub worded: Worded,
    /// The one language of the call.
    pub lang: String,
    /// The session of the person for whom it is called.
    pub session: Session,
    /// The id of the session in which it is called, which nothing else may have.
    pub call_id: String,
    /// Whether the life of the dispatch is ours to tell; beside a core only the skill is told.
    pub is_orchestrated: bool,
    /// How long the skill may take.
    pub patience: Duration,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// What the skill said.
    pub said: Vec<String>,
    /// Whether it said more than is kept.
    pub is_cut: bool,
    /// How it ended.
    pub end: End,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The skill is done.
    Done,
    /// It is waiting for an answer to the last that it said; it was told to stop.
    Asked,
    /// It failed with this.
    Failed(String),
    /// It did not end in time; it was told to stop.
    Late,
    /// The call was given up; the skill was told to stop.
    Stopped,
    /// The bus broke, and it is not known whether the skill was reached.
    Unsure,
    /// It was not sent.
    Unsent,
}

/// What has been heard so far.
#[derive(Debug, Default)]
struct Collected {
    said: Vec<String>,
    bytes: usize,
    is_cut: bool,
    /// When the skill asked something.
    asked: Option<Instant>,
}

/// What comes back of a dispatch.
struct Return {
    /// What the skill says.
    frames: Subscription,
    /// Says that it is not known whether the skill was reached.
    unsure: oneshot::Receiver<()>,
}

impl IntentCall {
    /// Calls, and hears the skill out. Runs until the skill has ended, the patience is over, or the call is stopped.
    pub async fn run(self, bus: Bus, stopped: CancellationToken, now_unix: f64) -> Heard {
        let dispatch = self.frame(&self.intent_name, now_unix);
        let frames = bus.subscribe(Topics::of([
            topic::SPEAK,
            topic::SKILL_HANDLER_COMPLETE,
            topic::SKILL_HANDLER_ERROR,
            topic::UTTERANCE_HANDLED,
        ]));
        let mut collected = Collected::default();
        let end = match self.send(&bus, &dispatch).await {
            Ok(unsure) => {
                let back = Return { frames, unsure };
                self.hear_out(&bus, &dispatch, back, &mut collected, stopped)
                    .await
            }
            Err(error) => {
                tracing::warn!(skill_id = self.skill_id, %error, "failed to call an intent of a skill");
                End::Unsent
            }
        };
        if matches!(end, End::Asked | End::Late | End::Stopped) {
            emit(&bus, self.frame("stop", now_unix)).await;
        }
        if self.is_orchestrated && end != End::Unsent {
            self.tell_end(&bus, &dispatch, &end).await;
        }
        Heard {
            said: collected.said,
            is_cut: collected.is_cut,
            end,
        }
    }

    /// Makes a dispatch to the skill, in the session of the call. Nothing that is derived from it goes to a
    /// loudspeaker.
    fn frame(&self, intent: &str, now_unix: f64) -> Message {
        let mut entry = Message::new(topic::UTTERANCE_HANDLE, json!({}));
        entry.context.set_source(SKILL_ID);
        entry.context.set_destination("skills");
        entry.context.set_utterance_id(&self.call_id);
        let slots = match intent {
            "stop" => Map::new(),
            _ => self.worded.slots.clone(),
        };
        let to = Addressed {
            skill_id: &self.skill_id,
            intent,
            pipeline_id: Stage::Intents.id(),
            lang: &self.lang,
            utterance: &self.worded.utterance,
            slots: &slots,
            session: &self.own_session(),
        };
        let mut frame = frames::dispatch(&entry, &to, now_unix);
        // Cores and the stock skills under them have slots beside the utterance in both generations.
        if self.worded.is_older || !self.is_orchestrated {
            for (name, words) in slots {
                frame.data.entry(name).or_insert(words);
            }
        }
        frame
            .data
            .insert("utterances".to_owned(), json!([self.worded.utterance]));
        frame
    }

    /// As the person's session, under a name of its own and without what goes on there.
    fn own_session(&self) -> Session {
        let mut session = self.session.clone();
        for field in GOING_ON {
            session.remove(field);
        }
        session.insert("session_id", json!(self.call_id));
        session.insert("lang", json!(self.lang));
        session
    }

    async fn send(&self, bus: &Bus, dispatch: &Message) -> Result<oneshot::Receiver<()>, EmitError> {
        if !self.is_orchestrated {
            return bus.emit_once(dispatch.clone()).await;
        }
        let [matched, begins, dispatch] = frames::announcement(dispatch);
        emit(bus, matched).await;
        emit(bus, begins).await;
        bus.emit_once(dispatch).await
    }

    async fn hear_out(
        &self,
        bus: &Bus,
        dispatch: &Message,
        mut back: Return,
        collected: &mut Collected,
        stopped: CancellationToken,
    ) -> End {
        let deadline = Instant::now() + self.patience;
        let mut may_be_unsure = true;
        loop {
            let asked_until = collected.asked.map(|asked| asked + SETTLE);
            let until = asked_until.map_or(deadline, |until| until.min(deadline));
            let frame = tokio::select! {
                biased;
                () = stopped.cancelled() => return End::Stopped,
                lost = &mut back.unsure, if may_be_unsure => {
                    may_be_unsure = false;
                    if lost.is_ok() {
                        return End::Unsure;
                    }
                    continue;
                }
                frame = back.frames.recv_by(until) => frame,
            };
            let Some(frame) = frame else {
                return if collected.asked.is_some() {
                    End::Asked
                } else {
                    End::Late
                };
            };
            if !self.is_of_the_call(&frame.message, dispatch) {
                continue;
            }
            if let Some(end) = collected.take(&frame) {
                return end;
            }
            // A skill may wait until its sentence has been spoken. It is not, and has been heard.
            if frame.canonical == topic::SPEAK {
                emit(bus, dispatch.forward(topic::AUDIO_OUTPUT_ENDED, json!({}))).await;
            }
        }
    }

    /// Tells whether a frame is one of the skill's in the session of the call.
    fn is_of_the_call(&self, message: &Message, dispatch: &Message) -> bool {
        let by = message.context.skill_id();
        message.context.session_id() == self.call_id
            && same_round(message, dispatch)
            && by.is_none_or(|by| by == self.skill_id)
    }

    async fn tell_end(&self, bus: &Bus, dispatch: &Message, end: &End) {
        let exception = match end {
            End::Done | End::Asked => None,
            End::Failed(text) => Some(text.as_str()),
            End::Stopped => Some(frames::STOPPED),
            End::Late | End::Unsure | End::Unsent => Some("timeout: the skill did not end in time"),
        };
        emit(bus, frames::outcome(dispatch, exception)).await;
        if !self.worded.may_end_itself || *end != End::Done {
            emit(bus, frames::handled(dispatch)).await;
        }
    }
}

impl Collected {
    /// Takes a frame of the skill in; tells the end if it is one.
    fn take(&mut self, frame: &Received) -> Option<End> {
        let data = &frame.message.data;
        let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default();
        match frame.canonical.as_str() {
            topic::SPEAK => {
                self.keep(text("utterance"));
                let asks = |key: &str| data.get(key) == Some(&Value::Bool(true));
                if asks("expect_response") || asks("listen") {
                    self.asked = Some(Instant::now());
                }
                None
            }
            topic::SKILL_HANDLER_ERROR => {
                let text: String = text("exception").chars().take(200).collect();
                Some(End::Failed(text))
            }
            // Of a skill that says nothing else the end marker is the end. A question that is not waited for is one all
            // the same.
            _ if self.asked.is_some() => Some(End::Asked),
            _ => Some(End::Done),
        }
    }

    fn keep(&mut self, sentence: &str) {
        let sentence = sentence.trim();
        if sentence.is_empty() {
            return;
        }
        if self.bytes + sentence.len() > LONGEST {
            self.is_cut = true;
            return;
        }
        self.bytes += sentence.len();
        self.said.push(sentence.to_owned());
    }
}

async fn emit(bus: &Bus, message: Message) {
    let name = message.topic.clone();
    if let Err(error) = bus.emit(message).await {
        tracing::warn!(topic = name, %error, "failed to emit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> IntentCall {
        let mut session = Session::default();
        session.insert("system_unit", json!("metric"));
        session.insert("response_mode", json!({"skill_id": "other"}));
        IntentCall {
            skill_id: "kettle".into(),
            intent_name: "on".into(),
            worded: Worded {
                utterance: "put the kettle on".into(),
                slots: Map::from_iter([("minutes".to_owned(), json!("5"))]),
                is_older: true,
                may_end_itself: true,
            },
            lang: "en-US".into(),
            session,
            call_id: "loquat-call-1".into(),
            is_orchestrated: true,
            patience: Duration::from_secs(1),
        }
    }

    #[test]
    fn nothing_that_is_derived_from_the_dispatch_is_for_the_person() {
        let call = call();
        let dispatch = call.frame("on", 1.0);
        assert_eq!(dispatch.topic, "kettle:on");
        let session = dispatch.context.session();
        assert_eq!(
            (session.id(), session.system_unit()),
            ("loquat-call-1", Some("metric"))
        );
        assert!(session.get("response_mode").is_none());
        let speak = dispatch.forward(topic::SPEAK, json!({}));
        assert_eq!(speak.context.destination(), Some(SKILL_ID));
        assert_eq!(dispatch.data["minutes"], "5", "older skills read slots here");
        assert_eq!(call.frame("stop", 1.0).topic, "kettle:stop");
    }

    #[test]
    fn a_flood_of_sentences_is_cut() {
        let mut collected = Collected::default();
        let data = json!({"utterance": "x".repeat(100)});
        let frame = Received {
            message: Message::new(topic::SPEAK, data),
            canonical: topic::SPEAK.into(),
            own: false,
            cut: None,
        };
        for _ in 0..1000 {
            assert_eq!(collected.take(&frame), None);
        }
        assert!(collected.is_cut && collected.bytes <= LONGEST);
    }
}
