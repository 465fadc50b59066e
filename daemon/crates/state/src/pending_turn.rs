//! A turn that is owed an end: what has to be known of it to go on with it after a crash. Says nothing of how it is kept.

use loquat_agent::journal::Entry;
use serde::{Deserialize, Serialize};

use super::moment::Moment;

/// A turn that has begun and has no end yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingTurn {
    /// The id of the turn.
    pub turn_id: String,
    /// It belongs to this session.
    pub session_id: String,
    /// The words that were said.
    pub utterance: String,
    /// Whatever the desk needs to go on with it, as JSON.
    pub cause: String,
    /// The moment at which they were said.
    pub since: Moment,
    /// Says whether its beginning has been announced.
    pub opened: bool,
    /// The number of times that it was gone on with after a crash.
    pub attempts: u32,
    /// Says whether all that happened to it is written; what is not cannot be gone on with.
    pub is_whole: bool,
    /// The words that were about to be said at its end, as JSON, once they may have been heard. They are empty when
    /// they could not be written.
    pub closing: Option<String>,
}

/// A pending turn, and what was written of it by attempt.
pub(super) type Interrupted = (PendingTurn, Vec<Vec<Entry>>);
