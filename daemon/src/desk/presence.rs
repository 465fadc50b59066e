//! Finds out whether an ovos-core orchestrates on this bus.
//!
//! No specification defines how; asking `mycroft.intents.is_ready` works with both generations. A core that answers,
//! or that is seen at work, makes us a guest; a core that misses two rounds is gone and we are solo again.

use std::time::Duration;

use loquat_bus::{Bus, Topics};
use loquat_wire::{Message, topic};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

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

/// Rounds without an answer after which a core is believed gone.
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
        let signs = [
            topic::SKILLS_INITIALIZED,
            topic::DEVICE_READY,
            topic::INTENT_MATCHED,
            topic::UTTERANCE_HANDLED,
            topic::FALLBACK_PING,
        ];
        let mut signs = self.bus.subscribe(Topics::of(signs));
        let mut tick = tokio::time::interval(self.interval);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                sign = signs.recv() => match sign {
                    Some(sign) => self.seen(&sign.canonical),
                    None => return,
                },
                _ = tick.tick() => tokio::select! {
                    () = cancel.cancelled() => return,
                    () = self.ask() => {}
                },
            }
        }
    }

    /// A core that has just come up has forgotten every registration.
    fn seen(&mut self, sign: &str) {
        self.found();
        if sign == topic::SKILLS_INITIALIZED || sign == topic::DEVICE_READY {
            self.bus.reannounce();
        }
    }

    async fn ask(&mut self) {
        if !self.bus.state().borrow().is_connected() {
            return;
        }
        let question = Message::new(topic::is_ready("intents"), json!({}));
        match self.bus.request(question, None, self.patience).await {
            Ok(_) => self.found(),
            Err(_) => self.missed(),
        }
    }

    fn found(&mut self) {
        self.misses = 0;
        self.set(Mode::Guest);
    }

    fn missed(&mut self) {
        self.misses = self.misses.saturating_add(1);
        if *self.mode.borrow() == Mode::Unknown || self.misses >= MISSES {
            self.set(Mode::Solo);
        }
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
