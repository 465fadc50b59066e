//! Waiting for something with a deadline; never for a fixed time.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

/// Long enough for a loaded machine with two cores; a test that needs it in full has failed.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How often a condition that announces itself in no other way is looked at again.
const GLANCE: Duration = Duration::from_millis(10);

/// Looks again and again until `look` gives something. Only for what has no event of its own, such as a port that opens.
///
/// # Panics
/// When the deadline passes; `what` names what was waited for.
pub async fn wait_for<T, F, Fut>(what: &str, deadline: Duration, mut look: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    let end = Instant::now() + deadline;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < end, "waited {deadline:?} in vain for {what}");
        sleep(GLANCE).await;
    }
}

/// Awaits `future`, but not for ever.
///
/// # Panics
/// When the deadline passes; `what` names what was waited for.
pub async fn within<T>(what: &str, deadline: Duration, future: impl Future<Output = T>) -> T {
    timeout(deadline, future)
        .await
        .unwrap_or_else(|_| panic!("waited {deadline:?} in vain for {what}"))
}
