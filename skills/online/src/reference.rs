//! What works of reference have in common: how one is asked, what may stand in the gaps of questions to them, and their prose.
//!
//! Knows no single work.

use std::time::Duration;

use tokio::time::timeout;

use crate::net::Fault;

pub(crate) mod gap;
pub(crate) mod prose;
pub(crate) mod source;

/// The folder of sentences with the words that are no topic of any work: that of the encyclopedia.
pub(crate) const FOLDER: &str = "wikipedia";

/// All that a question may take, with every server that is asked for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// For how long an answer is as good as new, in seconds.
pub(crate) const FRESH: i64 = 24 * 60 * 60;

/// What a call gets within the patience for it.
pub(crate) async fn soon<T>(answer: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    timeout(PATIENCE, answer).await.unwrap_or(Err(Fault::Slow))
}
