//! Why a model could not be loaded.

use std::path::PathBuf;

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadModelError {
    /// The file is not there or cannot be read.
    #[error("failed to read the {kind} model {}; fetch it with `loquat models fetch {name}`", path.display())]
    Unreadable {
        /// What the model is for.
        kind: &'static str,
        /// The name that `loquat models fetch` takes.
        name: String,
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}
