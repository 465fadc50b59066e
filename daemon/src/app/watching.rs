//! How the device fares is told here: to systemd, in the status line, and aloud where nothing can be written down.

use std::sync::Arc;

use loquat_part::reload::Reload as _;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::App;
use super::status_line::StatusLine;
use crate::disk_alarm;
use crate::health::{self, Health, Pulse};
use crate::state::{Condition, State};

impl App {
    /// Tells systemd that everything stands, and keeps telling it that it turns.
    /// The status line comes back.
    pub fn report_health(&self) -> watch::Receiver<String> {
        let (status, receiver) = watch::channel(String::new());
        let mut pulses = self.pulses.clone();
        pulses.push(Pulse::of(self.place.bus.pulse()));
        pulses.extend(self.state.as_ref().map(|state| Pulse::of(state.beats())));
        let health = Health::new(pulses, receiver.clone());
        self.place.support("health", |token| health.run(token));
        let condition = match &self.state {
            Some(state) => state.condition(),
            None => watch::channel(Condition::default()).1,
        };
        let line = StatusLine {
            bus: self.place.bus.state(),
            condition,
            ear: self.ear_news(),
            mcp: (self.resources.mcp.clone(), self.resources.mcp.changes()),
            settings: self.reloading.standing(),
            personas: (Arc::clone(&self.mind), self.mind.replacements()),
            parts: self.told.clone(),
        };
        self.place.support("status", |token| line.keep(status, token));
        self.watch_state();
        health::ready();
        receiver
    }

    /// Keeps the thread of the state turning, and tells the person when nothing can be written.
    fn watch_state(&self) {
        let Some(state) = self.state.clone() else {
            return;
        };
        let (bus, lang) = (self.place.bus.clone(), self.device.lang.clone());
        let (condition, rest) = (state.condition(), Arc::clone(&self.resources.rest));
        self.place.serve("disk alarm", |token| {
            disk_alarm::run(bus, lang, condition, rest, token)
        });
        self.place.support("state pulse", |token| prod(state, token));
    }
}

/// Has the thread of the state turn also when there is nothing to write.
async fn prod(state: State, cancel: CancellationToken) {
    let mut tick = tokio::time::interval(health::PULSE_INTERVAL);
    while cancel.run_until_cancelled(tick.tick()).await.is_some() {
        state.prod();
    }
}
