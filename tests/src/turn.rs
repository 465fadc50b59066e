//! One utterance and all that it caused on the bus.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::wait::PATIENCE;

/// The context key by which the frames of one utterance are told from those of others: peers carry unknown keys on.
const MARK: &str = "probe_turn";

/// The end of every utterance.
pub const HANDLED: &str = "ovos.utterance.handled";

static NEXT: AtomicU64 = AtomicU64::new(1);

/// An utterance to be put on the bus.
#[derive(Debug, Clone)]
pub struct Utterance {
    text: String,
    topic: String,
    session: Value,
    number: u64,
    patience: Duration,
}

/// What an utterance caused, from its entry to its end.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Every frame, the entry first.
    pub frames: Vec<Frame>,
    /// Where the recording stood at the entry.
    pub mark: usize,
    number: u64,
}

impl Utterance {
    /// For the default persona in the session `probe`.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            topic: "recognizer_loop:utterance".into(),
            session: json!({"session_id": "probe", "lang": "en-US"}),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            patience: PATIENCE,
        }
    }

    /// For this persona.
    #[must_use]
    pub fn to(self, persona: &str) -> Self {
        self.session("persona_id", json!(persona))
    }

    /// In this session.
    #[must_use]
    pub fn in_session(self, id: &str) -> Self {
        self.session("session_id", json!(id))
    }

    /// With another field of the session.
    #[must_use]
    pub fn session(mut self, key: &str, value: Value) -> Self {
        self.session[key] = value;
        self
    }

    /// Under the canonical topic instead of the older one.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        self.topic = "ovos.utterance.handle".into();
        self
    }

    /// Waiting this long for its end.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The frame that enters it.
    pub fn frame(&self) -> Value {
        json!({
            "type": self.topic,
            "data": {"utterances": [self.text], "lang": self.session["lang"]},
            "context": {"source": "audio", "destination": ["skills"], "session": self.session, MARK: self.number},
        })
    }

    /// Whether a frame belongs to it.
    pub fn owns(&self, frame: &Frame) -> bool {
        frame.context[MARK] == self.number
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
    pub async fn end(self, probe: &BusProbe, mark: usize) -> Turn {
        let what = format!("the end of `{}`", self.text);
        probe
            .wait(&what, mark, self.patience, |frame| {
                frame.topic == HANDLED && self.owns(frame)
            })
            .await;
        // What the daemon sent before it answers this is in the recording when the answer is.
        probe.request("mycroft.loquat.is_alive", &json!({})).await;
        Turn::so_far(probe, mark, self.number)
    }
}

impl Turn {
    fn so_far(probe: &BusProbe, mark: usize, number: u64) -> Self {
        let mut frames = probe.since(mark);
        frames.retain(|frame| frame.context[MARK] == number);
        Self { frames, mark, number }
    }

    /// Looks at the recording again: what came after the end belongs to the turn too.
    #[must_use]
    pub fn again(&self, probe: &BusProbe) -> Self {
        Self::so_far(probe, self.mark, self.number)
    }

    /// The topics in order, without the repetitions for older peers and without the entry.
    pub fn topics(&self) -> Vec<&str> {
        let own = self
            .frames
            .iter()
            .filter(|frame| !frame.is_twin() && !frame.is_entry());
        own.map(|frame| frame.topic.as_str()).collect()
    }

    /// The frames that ask for speech, without the repetitions for older peers.
    pub fn spoken(&self) -> Vec<&Frame> {
        self.frames
            .iter()
            .filter(|frame| frame.is_speak() && !frame.is_twin())
            .collect()
    }

    /// How many end markers there are.
    pub fn ends(&self) -> usize {
        self.frames.iter().filter(|frame| frame.topic == HANDLED).count()
    }

    /// The one answer.
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

    /// The first frame with this topic that is no repetition.
    ///
    /// # Panics
    /// When there is none.
    pub fn frame(&self, topic: &str) -> &Frame {
        let found = self
            .frames
            .iter()
            .find(|frame| frame.topic == topic && !frame.is_twin());
        found.unwrap_or_else(|| panic!("no {topic} among {:?}", self.topics()))
    }
}
