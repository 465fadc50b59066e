//! The port by which settings, personas and sentences are read again while the daemon runs, and what of the settings people
//! are shown. Knows none of them.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use loquat_models::ModelFile;
use loquat_settings::Complaints;
use tokio::sync::watch;

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// The settings are wrong.
    #[error("failed to read the settings again, so nothing is changed: {0}")]
    Settings(Complaints),
    /// Of all personas none can answer.
    #[error("failed to make a persona ready, so nothing is changed: {0}")]
    Nobody(Complaints),
    /// What reads them has panicked.
    #[error("failed to read the settings again: the reading thread ended; see the log")]
    Broken,
}

/// Who reads them again.
pub trait Reload: Debug + Send + Sync {
    /// Reads all of it again, and tells in lines for a person who answers now, what was wrong with persona files, and what
    /// counts after a restart only.
    fn reload(&self) -> BoxFuture<'_, Result<String, ReloadError>>;

    /// Shows what people are told of the settings, and changes with it.
    fn standing(&self) -> watch::Receiver<Standing>;
}

/// What of the settings is shown to people: it changes while the daemon runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The language model is expected in this file.
    pub language: ModelFile,
    /// What is wrong with the settings as the files have them now, and so does not count.
    pub mistake: Option<String>,
    /// What is wrong with persona files as they were read again, for which personas are left out.
    pub left_out: Option<String>,
}
