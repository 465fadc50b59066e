//! What becomes of what is in the queue, as it is told to what speaks.

/// News of an answer or of a sound in the queue.
#[derive(Debug)]
pub(super) enum Told {
    /// Its first sound is heard.
    Sounds,
    /// Its last sound was heard, if it had any.
    Ended,
    /// The player was stopped.
    Silenced,
    /// It, or a part of it, was not heard.
    Failed(String),
}

/// The number of the answer or sound, and its news.
pub(super) type News = (u64, Told);
