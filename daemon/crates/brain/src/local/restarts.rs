//! How soon a worker that died may be started again.

use std::time::Duration;

use loquat_failure::Backoff;
use tokio::time::Instant;

/// The very first restart needs no pause, since most deaths are single; a worker that keeps dying costs a start each half
/// minute at most.
const PAUSES: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));

/// A worker that served this long was sound.
const SOUND_AFTER: Duration = Duration::from_secs(60);

/// Deaths in a row and the pause they cost.
#[derive(Debug, Default)]
pub(crate) struct Restarts {
    deaths: u32,
    not_before: Option<Instant>,
}

impl Restarts {
    pub(crate) fn died(&mut self, served: Duration) {
        self.deaths = if served >= SOUND_AFTER {
            1
        } else {
            self.deaths.saturating_add(1)
        };
        let pauses = self.deaths.checked_sub(2);
        let pause = pauses.map_or(Duration::ZERO, |pauses| PAUSES.after(pauses));
        self.not_before = Some(Instant::now() + pause);
    }

    /// A worker ended as it should.
    pub(crate) fn ended_well(&mut self) {
        *self = Self::default();
    }

    /// The next start has to wait this long.
    pub(crate) fn pause(&self) -> Duration {
        self.not_before.map_or(Duration::ZERO, |until| {
            until.saturating_duration_since(Instant::now())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_with_each_death_and_pass() {
        let mut restarts = Restarts::default();
        assert_eq!(restarts.pause(), Duration::ZERO);
        for millis in [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
            restarts.died(Duration::from_secs(59));
            assert_eq!(restarts.pause(), Duration::from_millis(millis));
        }
        tokio::time::advance(Duration::from_secs(29)).await;
        assert_eq!(restarts.pause(), Duration::from_secs(1));

        restarts.died(SOUND_AFTER);
        assert_eq!(restarts.pause(), Duration::ZERO);
        restarts.died(Duration::ZERO);
        restarts.ended_well();
        assert_eq!(restarts.pause(), Duration::ZERO);
    }
}
