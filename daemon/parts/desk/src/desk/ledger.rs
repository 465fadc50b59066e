//! Where it is written what has to be answered, and how far that was gone on with after a restart.

use loquat_state::State;
use tokio::time::Instant;

use super::recovery::RETURN;

/// The ledger; empty where nothing is written down.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Where it is written.
    pub(super) state: Option<State>,
    /// Whether what was said before the last restart is known again.
    pub(super) recalled: bool,
    /// When turns that a crash cut off are gone on with; they are only once.
    pub(super) resumes_at: Option<Instant>,
}

impl Ledger {
    /// Kept there, where that is wanted.
    pub(super) fn of(state: Option<State>) -> Self {
        Self {
            resumes_at: state.is_some().then(|| Instant::now() + RETURN),
            state,
            recalled: false,
        }
    }
}
