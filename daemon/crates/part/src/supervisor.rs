//! Owns every task of the daemon and the order in which they end.
//!
//! Two circles: the *front* hears and answers people, the *back* carries what the front needs (bus, brains). On the
//! way out the front ends first, so that the last sentences and end markers still reach the bus. Nothing is spawned
//! that nothing waits for, and a task that ends on its own brings the daemon down for systemd to restart.

pub mod last_end;

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::company::Company;

/// How long the front may take to end. A turn needs a moment to say that it is being cut short. All in all a signal
/// ends the process within the three seconds of [`last_end`].
const FRONT_GRACE: Duration = Duration::from_millis(2_300);

/// How long the back may take.
const BACK_GRACE: Duration = Duration::from_millis(500);

/// Spawns tasks and ends them.
#[derive(Debug, Clone)]
pub struct Supervisor {
    /// Tasks that serve people.
    pub front: Circle,
    /// Tasks that serve the front.
    pub back: Circle,
    broken: Arc<Mutex<Option<&'static str>>>,
    is_to_begin_again: Arc<AtomicBool>,
    company: Company,
}

/// Tasks that end together.
#[derive(Debug, Clone, Default)]
pub struct Circle {
    tracker: TaskTracker,
    token: CancellationToken,
}

impl Circle {
    /// Gives a token that is cancelled when the circle ends.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }
}

impl Default for Supervisor {
    fn default() -> Self {
        Self::new()
    }
}

impl Supervisor {
    /// Begins without tasks.
    pub fn new() -> Self {
        Self {
            front: Circle::default(),
            back: Circle::default(),
            broken: Arc::default(),
            is_to_begin_again: Arc::default(),
            company: Company::default(),
        }
    }

    /// Runs an essential task: it ends when its circle is cancelled, and any other end stops the daemon.
    pub fn spawn(
        &self,
        circle: &Circle,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        let (token, front, broken) = (circle.token(), self.front.token(), Arc::clone(&self.broken));
        circle.tracker.spawn(async move {
            let outcome = AssertUnwindSafe(task).catch_unwind().await;
            if outcome.is_ok() && token.is_cancelled() {
                return;
            }
            tracing::error!(
                task = name,
                panicked = outcome.is_err(),
                "an essential task ended"
            );
            broken.lock().get_or_insert(name);
            front.cancel();
        });
    }

    /// Runs a task that may end at any time.
    pub fn spawn_optional(
        &self,
        circle: &Circle,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        circle.tracker.spawn(async move {
            if AssertUnwindSafe(task).catch_unwind().await.is_err() {
                tracing::error!(task = name, "a task panicked");
            }
        });
    }

    /// Gives who else is on the bus that its tasks serve.
    pub fn company(&self) -> &Company {
        &self.company
    }

    /// Ends the front and waits for it, at most 2.3 seconds.
    pub async fn end_front(&self) {
        end(&self.front, "front", FRONT_GRACE).await;
    }

    /// Ends the back and waits for it, at most half a second.
    pub async fn end_back(&self) {
        end(&self.back, "back", BACK_GRACE).await;
    }

    /// Ends the front after this time, in which the request can be answered. Systemd is to start the process anew.
    pub fn begin_again(&self, after: Duration) {
        let (front, is_to_begin_again) = (self.front.token(), Arc::clone(&self.is_to_begin_again));
        self.spawn_optional(&self.front, "new beginning", async move {
            let ended = front.run_until_cancelled(tokio::time::sleep(after)).await;
            if ended.is_some() {
                is_to_begin_again.store(true, Ordering::Relaxed);
                front.cancel();
            }
        });
    }

    /// Tells whether it ended to be started anew.
    pub fn begins_again(&self) -> bool {
        self.is_to_begin_again.load(Ordering::Relaxed)
    }

    /// Names the essential task that ended on its own, if one did.
    pub fn broken(&self) -> Option<&'static str> {
        *self.broken.lock()
    }
}

async fn end(circle: &Circle, name: &str, grace: Duration) {
    circle.token.cancel();
    circle.tracker.close();
    if tokio::time::timeout(grace, circle.tracker.wait()).await.is_err() {
        tracing::warn!(
            circle = name,
            left = circle.tracker.len(),
            "tasks did not end in time"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_essential_task_that_panics_stops_the_front() {
        let supervisor = Supervisor::new();
        supervisor.spawn(&supervisor.back, "glass", async { panic!("broken on purpose") });
        tokio::time::timeout(FRONT_GRACE, supervisor.front.token().cancelled())
            .await
            .unwrap();
        assert_eq!(supervisor.broken(), Some("glass"));
    }

    #[tokio::test]
    async fn a_task_that_ends_when_told_breaks_nothing() {
        let supervisor = Supervisor::new();
        let token = supervisor.front.token();
        supervisor.spawn(
            &supervisor.front,
            "obedient",
            async move { token.cancelled().await },
        );
        supervisor.end_front().await;
        assert_eq!(supervisor.broken(), None);
    }
}
