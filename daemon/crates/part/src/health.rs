//! What systemd is told: readiness, a status line, and a watchdog that is fed by progress only.
//!
//! A pulse belongs to each loop that must keep turning. The watchdog is fed when every pulse has advanced since it
//! was last fed; a runtime that lives while the desk hangs is not enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// Advanced by a loop each time it turns.
#[derive(Debug, Clone, Default)]
pub struct Pulse(Arc<AtomicU64>);

impl Pulse {
    /// The loop has turned.
    pub fn beat(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Watches a counter that another task advances.
    pub fn of(counter: Arc<AtomicU64>) -> Self {
        Self(counter)
    }

    /// Tells how often the loop has turned; it begins anew after the largest number.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often a loop that has nothing to do still has to turn. A third of the shortest watchdog that the unit may set.
pub const PULSE_INTERVAL: Duration = Duration::from_secs(1);

/// Speaks to systemd over `NOTIFY_SOCKET`; without one every call does nothing.
#[derive(Debug)]
pub struct Health {
    pulses: Vec<Pulse>,
    status: watch::Receiver<String>,
}

impl Health {
    /// Watches these loops and shows this status line.
    pub fn new(pulses: Vec<Pulse>, status: watch::Receiver<String>) -> Self {
        Self { pulses, status }
    }

    /// Feeds the watchdog and keeps the status line until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        let period = sd_notify::watchdog_enabled().map_or(Duration::from_secs(10), |limit| limit / 3);
        let mut tick = tokio::time::interval(period);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut seen: Vec<Option<u64>> = vec![None; self.pulses.len()];
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                _ = tick.tick() => if self.have_all_turned(&mut seen) {
                    tell(&[NotifyState::Watchdog]);
                } else {
                    tracing::warn!("a loop has not turned since the watchdog was last fed");
                },
                Ok(()) = self.status.changed() => tell(&[NotifyState::Status(&self.status.borrow_and_update())]),
            }
        }
    }

    /// Tells whether every pulse has advanced since this was last true.
    fn have_all_turned(&self, seen: &mut Vec<Option<u64>>) -> bool {
        let now: Vec<Option<u64>> = self.pulses.iter().map(|pulse| Some(pulse.count())).collect();
        let all = now.iter().zip(seen.iter()).all(|(now, before)| now != before);
        if all {
            *seen = now;
        }
        all
    }
}

/// Everything stands; the bus may still be absent.
pub fn ready() {
    tell(&[NotifyState::Ready]);
}

/// Settings are read again, until [`ready`] is told.
pub fn reloading() {
    let now = NotifyState::monotonic_usec_now().ok();
    tell(
        &[Some(NotifyState::Reloading), now]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>(),
    );
}

/// We are going down.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::debug!(%error, "systemd did not take a notification");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_loop_that_stands_still_is_enough_to_starve_the_watchdog() {
        let pulses = [Pulse::default(), Pulse::default(), Pulse::default()];
        let (_status, receiver) = watch::channel(String::new());
        let health = Health::new(pulses.to_vec(), receiver);
        let mut seen = vec![None; pulses.len()];
        assert!(
            health.have_all_turned(&mut seen),
            "nobody has had time to turn before the first time"
        );
        for still in 0..pulses.len() {
            for (place, pulse) in pulses.iter().enumerate() {
                if place != still {
                    pulse.beat();
                }
            }
            assert!(!health.have_all_turned(&mut seen), "{still}");
            pulses[still].beat();
            assert!(health.have_all_turned(&mut seen), "{still}");
        }
    }
}
