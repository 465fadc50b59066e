//! One utterance and all that it caused on the bus.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::frame::{Frame, heard_once};
use crate::probe::BusProbe;
use crate::recording::Recording;
use crate::wait::PATIENCE;

/// The context key by which the frames of one utterance are told from those of others: peers carry unknown keys on.
const MARK: &str = "probe_turn";

/// The end of every utterance.
pub const HANDLED: &str = "ovos.utterance.handled";

/// How long the answer to the question behind an utterance's end is waited for.
const BARRIER: Duration = Duration::from_secs(2);

static NEXT: AtomicU64 = AtomicU64::new(1);

/// An utterance to be put on the bus.
#[derive(Debug, Clone)]
pub struct Utterance {
    text: String,
    topic: String,
    session: Value,
    /// What else stands in the context.
    more: Map<String, Value>,
    number: u64,
    patience: Duration,
}

/// What an utterance caused, from its entry to its end.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Every frame, the entry first.
    pub frames: Vec<Frame>,
}

impl Utterance {
    /// Begins one for the default persona in the session `probe`.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            topic: "recognizer_loop:utterance".into(),
            session: json!({"session_id": "probe", "lang": "en-US"}),
            more: Map::new(),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            patience: PATIENCE,
        }
    }

    /// Says it to this persona.
    #[must_use]
    pub fn to(self, persona: &str) -> Self {
        self.session("persona_id", json!(persona))
    }

    /// Says it in this session.
    #[must_use]
    pub fn in_session(self, id: &str) -> Self {
        self.session("session_id", json!(id))
    }

    /// Sets another field of the session.
    #[must_use]
    pub fn session(mut self, key: &str, value: Value) -> Self {
        self.session[key] = value;
        self
    }

    /// Sets another key in the context.
    #[must_use]
    pub fn context(mut self, key: &str, value: Value) -> Self {
        self.more.insert(key.to_owned(), value);
        self
    }

    /// Sends it under the canonical topic instead of the older one.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        self.topic = "ovos.utterance.handle".into();
        self
    }

    /// Waits this long for its end.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Makes the frame that enters it.
    pub fn frame(&self) -> Value {
        let mut frame = json!({
            "type": self.topic,
            "data": {"utterances": [self.text], "lang": self.session["lang"]},
            "context": {"source": "audio", "destination": ["skills"], "session": self.session, MARK: self.number},
        });
        for (key, value) in &self.more {
            frame["context"][key] = value.clone();
        }
        frame
    }

    /// Gives the number that its frames carry.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Gives the number of the utterance that a frame belongs to.
    pub fn number_of(frame: &Frame) -> Option<u64> {
        frame.context[MARK].as_u64()
    }

    /// Tells whether a frame belongs to it.
    pub fn owns(&self, frame: &Frame) -> bool {
        Self::number_of(frame) == Some(self.number)
    }

    /// Puts it on the bus and waits for its end.
    pub async fn ask(self, probe: &BusProbe) -> Turn {
        let mark = self.enter(probe).await;
        self.end(probe, mark).await
    }

    /// Puts it on the bus; gives where the recording stood before.
    pub async fn enter(&self, probe: &BusProbe) -> usize {
        let mark = probe.mark();
        probe.send(&self.frame()).await;
        mark
    }

    /// Waits for its end, and for whatever was on its way behind it.
    pub async fn end(&self, probe: &BusProbe, mark: usize) -> Turn {
        let Some(turn) = self.try_end(probe, mark).await else {
            let seen = self.seen(&probe.recording(), mark).frames;
            panic!(
                "waited {:?} in vain for the end of `{}`; seen: {seen:#?}",
                self.patience, self.text
            )
        };
        turn
    }

    /// Gathers what it has caused so far, as a client hears it that knows the mark of frames that are sent again.
    pub fn seen(&self, recording: &Recording, mark: usize) -> Turn {
        let frames = recording.since(mark).into_iter();
        let frames = heard_once(frames.filter(|frame| self.owns(frame)));
        Turn { frames }
    }

    /// Waits for its end; nothing when the end does not come.
    pub async fn try_end(&self, probe: &BusProbe, mark: usize) -> Option<Turn> {
        let is_end = |frame: &Frame| frame.topic == HANDLED && self.owns(frame);
        probe.try_wait(mark, self.patience, is_end).await?;
        // What was sent before this is answered is in the recording when the answer is. A core that is not ours
        // answers too, and an answer may not come at all.
        let alive = json!({"type": "mycroft.loquat.all_loaded", "data": {}, "context": {"source": "probe"}});
        let asked = probe.mark();
        probe.send(&alive).await;
        probe
            .try_wait(asked, BARRIER, |frame| {
                frame.topic == "mycroft.loquat.all_loaded.response"
            })
            .await;
        Some(self.seen(&probe.recording(), mark))
    }
}

impl Turn {
    /// Lists the topics in order, without the repetitions for older peers and without the entry.
    pub fn topics(&self) -> Vec<&str> {
        let own = self
            .frames
            .iter()
            .filter(|frame| !frame.is_twin() && !frame.is_entry());
        own.map(|frame| frame.topic.as_str()).collect()
    }

    /// Lists the frames that ask for speech, without the repetitions for older peers. Older skills copy the
    /// mark of a repetition into what they say, so a marked frame that repeats nothing counts.
    pub fn spoken(&self) -> Vec<&Frame> {
        let speech = || self.frames.iter().filter(|frame| frame.is_speak());
        let repeats = |frame: &Frame| {
            let first = |other: &&Frame| !other.is_twin() && other.utterance() == frame.utterance();
            frame.is_twin() && speech().any(|other| first(&other))
        };
        speech().filter(|frame| !repeats(frame)).collect()
    }

    /// Counts the end markers.
    pub fn ends(&self) -> usize {
        self.frames.iter().filter(|frame| frame.topic == HANDLED).count()
    }

    /// Gives the one answer.
    ///
    /// # Panics
    /// When there is not exactly one answer before exactly one end.
    pub fn answer(&self) -> &str {
        self.assert_ended_once();
        let [only] = self.spoken()[..] else {
            panic!(
                "{} answers instead of one: {:#?}",
                self.spoken().len(),
                self.frames
            )
        };
        only.utterance()
    }

    /// # Panics
    /// When there is not exactly one end, or when anything is spoken after it.
    pub fn assert_ended_once(&self) {
        assert_eq!(self.ends(), 1, "ends of one utterance: {:#?}", self.frames);
        let end = self.frames.iter().position(|frame| frame.topic == HANDLED);
        let last_word = self.frames.iter().rposition(Frame::is_speak);
        assert!(last_word < end, "spoken after the end: {:#?}", self.frames);
    }

    /// Finds the first frame with this topic that is no repetition.
    pub fn frame(&self, topic: &str) -> &Frame {
        let found = self
            .frames
            .iter()
            .find(|frame| frame.topic == topic && !frame.is_twin());
        found.unwrap_or_else(|| panic!("no {topic} among {:?}", self.topics()))
    }
}
