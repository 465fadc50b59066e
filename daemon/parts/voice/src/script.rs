//! The text of an answer, which may still be written while it is spoken: what is spoken follows what was written so far.

use tokio::sync::watch;

/// How far an answer is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) text: String,
    /// Says whether nothing more comes.
    pub(super) is_whole: bool,
}

pub(super) type Reading = watch::Receiver<Script>;

pub(super) type Writing = watch::Sender<Script>;

impl Script {
    /// A text to which nothing is added.
    pub(super) fn whole(text: String) -> Self {
        Self { text, is_whole: true }
    }

    pub(super) fn reading(self) -> Reading {
        watch::channel(self).1
    }
}
