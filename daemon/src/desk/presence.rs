//! Finds out whether an ovos-core orchestrates on this bus.
//!
//! No specification defines how; asking `mycroft.intents.is_ready` works with both generations. A core that answers,
//! or that is seen at work, makes us a guest; a core that misses two questions is gone and we are solo again. It is asked
//! every few seconds, and at once when somebody speaks: whoever speaks to a device whose core has just died must not
//! wait for the next round.

use std::time::Duration;

use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_wire::topic;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::lifecycle;

/// Who answers on this bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Not known yet.
    Unknown,
    /// No ovos-core: we orchestrate.
    Solo,
    /// An ovos-core orchestrates and asks us.
    Guest,
}

/// Questions without an answer after which a core is believed gone.
const MISSES: u32 = 2;

/// Watches for a core.
#[derive(Debug)]
pub struct Presence {
    bus: Bus,
    mode: watch::Sender<Mode>,
    patience: Duration,
    interval: Duration,
    misses: u32,
}

/// What a frame says about a core.
#[derive(Debug, PartialEq, Eq)]
enum Sign {
    /// It has just come up, and has forgotten every registration.
    Reborn,
    /// It is at work.
    AtWork,
    /// Somebody speaks, or an utterance was ended by somebody else: worth a question.
    Doubt,
    /// Nothing.
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
        let topics = Topics::of(topics).or_own([topic::UTTERANCE_HANDLE]);
        let mut frames = self.bus.subscribe(topics);
        let mut tick = tokio::time::interval(self.interval);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let doubtful = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                frame = frames.recv() => match frame {
                    Some(frame) => self.seen(&frame) == Sign::Doubt,
                    None => return,
                },
                _ = tick.tick() => true,
            };
            if doubtful {
                tokio::select! {
                    () = cancel.cancelled() => return,
                    () = self.ask(&mut frames) => {}
                }
            }
        }
    }

    fn seen(&mut self, frame: &Received) -> Sign {
        let sign = self.sign(frame);
        match sign {
            Sign::Reborn => {
                self.found();
                self.bus.reannounce();
            }
            Sign::AtWork => self.found(),
            Sign::Doubt | Sign::None => {}
        }
        sign
    }

    fn sign(&self, Received { canonical, own, .. }: &Received) -> Sign {
        let guest = *self.mode.borrow() == Mode::Guest;
        match canonical.as_str() {
            topic::UTTERANCE_HANDLE if guest => Sign::Doubt,
            _ if *own => Sign::None,
            topic::SKILLS_INITIALIZED | topic::DEVICE_READY => Sign::Reborn,
            topic::INTENT_MATCHED | topic::FALLBACK_PING | topic::LOQUAT_MATCH => Sign::AtWork,
            // Old skills end utterances themselves, so beside us alone this is no proof.
            topic::UTTERANCE_HANDLED if guest => Sign::AtWork,
            topic::UTTERANCE_HANDLED => Sign::Doubt,
            _ => Sign::None,
        }
    }

    /// Asks until a core shows itself, or has missed as often as is needed to believe it gone.
    async fn ask(&mut self, frames: &mut Subscription) {
        if !self.bus.state().borrow().is_connected() {
            return;
        }
        loop {
            if self.answers(frames).await {
                return self.found();
            }
            self.misses = self.misses.saturating_add(1);
            if *self.mode.borrow() != Mode::Guest || self.misses >= MISSES {
                return self.set(Mode::Solo);
            }
        }
    }

    /// Whether a core answers one question, or is seen at work meanwhile.
    async fn answers(&mut self, frames: &mut Subscription) -> bool {
        let bus = self.bus.clone();
        let question = lifecycle::originated(&topic::is_ready("intents"), json!({}));
        let answer = bus.request(question, None, self.patience);
        tokio::pin!(answer);
        loop {
            tokio::select! {
                answer = &mut answer => return answer.is_ok(),
                Some(frame) = frames.recv() => {
                    if matches!(self.seen(&frame), Sign::Reborn | Sign::AtWork) {
                        return true;
                    }
                }
            }
        }
    }

    fn found(&mut self) {
        self.misses = 0;
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
