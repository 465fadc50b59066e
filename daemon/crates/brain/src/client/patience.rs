//! How long the next part of a reply is waited for.
//!
//! A timer that is due before all others interrupts a thread of the runtime, which has to take note of it. So a call sets
//! one timer, as early as any of its usual waits can end, and a wait that is prolonged leaves it there: when it goes off it
//! looks at the clock. Nearly all calls end before it does.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Poll, ready};
use std::time::Duration;

use loquat_conversation::brain::WaitPhase;
use tokio::time::{Instant, Sleep, sleep_until};

/// The moment by which the next part of a reply has to be there.
#[derive(Debug)]
pub(super) struct Patience {
    pub(super) phase: WaitPhase,
    pub(super) limit: Duration,
    until: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Patience {
    /// Begins to wait for the first part; no usual wait of this call is shorter than `shortest`.
    pub(super) fn new(phase: WaitPhase, limit: Duration, shortest: Duration) -> Self {
        let now = Instant::now();
        Self {
            phase,
            limit,
            until: now + limit,
            timer: Box::pin(sleep_until(now + shortest.min(limit))),
        }
    }

    /// The part that was waited for has come; another one is next.
    pub(super) fn renew(&mut self, phase: WaitPhase, limit: Duration) {
        self.phase = phase;
        self.limit = limit;
        self.until = Instant::now() + limit;
    }

    /// The next part comes within this time or not at all.
    pub(super) fn shorten(&mut self, limit: Duration) {
        self.until = self.until.min(Instant::now() + limit);
    }

    /// Waits for something. Nothing comes if the time is over before.
    pub(super) async fn wait_for<T>(&mut self, coming: impl Future<Output = T>) -> Option<T> {
        let mut coming = pin!(coming);
        poll_fn(|context| {
            if let Poll::Ready(value) = coming.as_mut().poll(context) {
                return Poll::Ready(Some(value));
            }
            if self.timer.deadline() > self.until {
                self.timer.as_mut().reset(self.until);
            }
            loop {
                ready!(self.timer.as_mut().poll(context));
                if Instant::now() >= self.until {
                    return Poll::Ready(None);
                }
                self.timer.as_mut().reset(self.until);
            }
        })
        .await
    }
}

#[cfg(test)]
mod tests;
