//! Finds out whether an ovos-core orchestrates on this bus.
//!
//! No specification defines how; asking `mycroft.intents.is_ready` works with both generations. A core that answers makes
//! us a guest; a core that misses two questions is gone and we are solo again. It is asked every few seconds, at once when
//! a person speaks, since one who speaks to a device whose core has just died must not wait for the next round, and when
//! something is seen that only a core does. Such a frame alone proves nothing: anybody on the bus can send it.

use std::time::Duration;

use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_orchestrator::frames;
use loquat_wire::topic;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;

/// Who answers on this bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It is not known yet.
    Unknown,
    /// No ovos-core is there, so we orchestrate.
    Solo,
    /// An ovos-core orchestrates and asks us.
    Guest,
}

/// Questions without an answer after which a core is believed gone.
const MISSES: u32 = 2;

/// What others send has a core asked once in this time at most.
const PAUSE: Duration = Duration::from_secs(1);

/// The key by which an answer is known to be one to our question.
const KEY: &str = "loquat_presence";

/// Watches for a core.
#[derive(Debug)]
pub struct Presence {
    bus: Bus,
    mode: watch::Sender<Mode>,
    patience: Duration,
    interval: Duration,
    misses: u32,
    /// Whether a core may have come up, and have forgotten every registration.
    reborn: bool,
    /// When a core is asked next because of what others sent, and when it was asked last.
    doubt: Option<Instant>,
    asked: Option<Instant>,
}

/// What a frame says about a core.
#[derive(Debug, PartialEq, Eq)]
enum Sign {
    /// A person speaks to the core: it is asked at once.
    Spoken,
    /// A core may have just come up.
    Reborn,
    /// A core may be at work.
    AtWork,
    None,
}

impl Presence {
    /// Begins with `initial`, waits `patience` for an answer, and asks again every `interval`.
    pub fn new(
        bus: Bus,
        initial: Mode,
        patience: Duration,
        interval: Duration,
    ) -> (Self, watch::Receiver<Mode>) {
        let (mode, receiver) = watch::channel(initial);
        (
            Self {
                bus,
                mode,
                patience,
                interval,
                misses: 0,
                reborn: false,
                doubt: None,
                asked: None,
            },
            receiver,
        )
    }

    /// Keeps the initial mode until cancelled; what the settings fix is not looked for.
    pub async fn hold(self, cancel: CancellationToken) {
        cancel.cancelled().await;
    }

    /// Watches until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        let topics = [
            topic::SKILLS_INITIALIZED,
            topic::DEVICE_READY,
            topic::INTENT_MATCHED,
            topic::FALLBACK_PING,
            topic::LOQUAT_MATCH,
            topic::UTTERANCE_HANDLED,
        ];
        let answer = topic::response_to(&topic::is_ready("intents"));
        let topics =
            Topics::of(topics.into_iter().chain([answer.as_str()])).or_own([topic::UTTERANCE_HANDLE]);
        let mut frames = self.bus.subscribe(topics);
        let mut tick = tokio::time::interval(self.interval);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let ask = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                () = sleep_until(self.doubt.unwrap_or_else(Instant::now)), if self.doubt.is_some() => true,
                frame = frames.recv() => match frame {
                    Some(frame) => self.seen(&frame) == Sign::Spoken,
                    None => return,
                },
                _ = tick.tick() => true,
            };
            if ask {
                tokio::select! {
                    () = cancel.cancelled() => return,
                    () = self.ask(&mut frames) => {}
                }
                (self.doubt, self.asked) = (None, Some(Instant::now()));
            }
        }
    }

    fn seen(&mut self, frame: &Received) -> Sign {
        let sign = self.sign(frame);
        self.reborn |= sign == Sign::Reborn;
        if matches!(sign, Sign::Reborn | Sign::AtWork) {
            let now = Instant::now();
            let next = self.asked.map_or(now, |asked| now.max(asked + PAUSE));
            self.doubt.get_or_insert(next);
        }
        sign
    }

    fn sign(&self, Received { canonical, own, .. }: &Received) -> Sign {
        let guest = *self.mode.borrow() == Mode::Guest;
        match canonical.as_str() {
            topic::UTTERANCE_HANDLE if guest => Sign::Spoken,
            _ if *own => Sign::None,
            topic::SKILLS_INITIALIZED | topic::DEVICE_READY => Sign::Reborn,
            _ if guest => Sign::None,
            topic::INTENT_MATCHED | topic::FALLBACK_PING | topic::LOQUAT_MATCH | topic::UTTERANCE_HANDLED => {
                Sign::AtWork
            }
            _ => Sign::None,
        }
    }

    /// Asks until a core shows itself, or has missed as often as is needed to believe it gone. The questions share a key, so that
    /// a core on a busy machine that answers the first while the second waits is there.
    async fn ask(&mut self, frames: &mut Subscription) {
        if !self.bus.state().borrow().is_connected() {
            return;
        }
        let key = super::new_id();
        loop {
            if self.answers(&key, frames).await {
                return self.found();
            }
            self.misses = self.misses.saturating_add(1);
            if *self.mode.borrow() != Mode::Guest || self.misses >= MISSES {
                return self.set(Mode::Solo);
            }
        }
    }

    /// Whether a core answers one question: with the key that the question carried, and as a service does. A client that only
    /// sends such an answer has not heard the question.
    async fn answers(&mut self, key: &str, frames: &mut Subscription) -> bool {
        let deadline = Instant::now() + self.patience;
        let mut question = frames::originated(&topic::is_ready("intents"), json!({}));
        question.context.insert(KEY, key);
        if !matches!(timeout_at(deadline, self.bus.emit(question)).await, Ok(Ok(()))) {
            return false;
        }
        while let Ok(Some(frame)) = timeout_at(deadline, frames.recv()).await {
            if is_answer(&frame, key) {
                return true;
            }
            self.seen(&frame);
        }
        false
    }

    fn found(&mut self) {
        self.misses = 0;
        if std::mem::take(&mut self.reborn) {
            self.bus.reannounce();
        }
        self.set(Mode::Guest);
    }

    fn set(&self, mode: Mode) {
        let changed = self
            .mode
            .send_if_modified(|current| std::mem::replace(current, mode) != mode);
        if changed {
            tracing::info!(?mode, "who answers on this bus has changed");
        }
    }
}

/// Whether a frame answers the question with this key. Other frames of that topic have no status, or another key.
fn is_answer(frame: &Received, key: &str) -> bool {
    let Received { message, own, .. } = frame;
    !own && message.context.text(KEY) == Some(key)
        && message.data.get("status").is_some_and(Value::is_boolean)
}
