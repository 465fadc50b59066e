//! Whether the device can hear, for the status line, the terminal and the page.

/// How it fares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EarNews {
    /// It is not known yet.
    #[default]
    Unknown,
    /// It does.
    Hears {
        /// The device hears through this microphone.
        device: String,
        /// It listens after this word.
        wake_word: Option<String>,
    },
    /// It does not, for this reason.
    Deaf(String),
}
