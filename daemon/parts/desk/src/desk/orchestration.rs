//! Who orchestrates, as the desk knows it now. Looks for no core; `presence` does.

use tokio::sync::watch;
use tokio::time::Instant;

use super::presence::Mode;

/// We, or a core beside us.
#[derive(Debug)]
pub(super) struct Orchestration {
    pub(super) mode: watch::Receiver<Mode>,
    /// When skills that load at a word of their orchestrator are given it.
    pub(super) calls_at: Option<Instant>,
    /// Whether the core has our stages in its pipeline.
    pub(super) core_has_our_stages: bool,
}

impl Orchestration {
    /// As it is told there.
    pub(super) fn new(mode: watch::Receiver<Mode>) -> Self {
        Self {
            mode,
            calls_at: None,
            core_has_our_stages: false,
        }
    }
}
