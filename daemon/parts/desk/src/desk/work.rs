//! What runs beside the desk and reports back to it.

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::Ended;

/// Searches, turns and dispatches.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) under_way: JoinSet<Ended>,
    /// Ends all dispatches.
    pub(super) dispatches: CancellationToken,
    /// Whether the daemon goes down.
    pub(super) closing_down: bool,
}
