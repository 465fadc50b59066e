//! Whether the device can hear, for the status line, the terminal and the page.

/// Why the ear of this process hears nothing where another program listens on the device.
pub const ANOTHER_LISTENS: &str = "another listener is on the bus";

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

impl EarNews {
    /// Tells why no program listens here; nothing where one does, or may soon.
    pub fn why_nobody_listens(&self) -> Option<&str> {
        match self {
            Self::Deaf(reason) if reason != ANOTHER_LISTENS => Some(reason),
            _ => None,
        }
    }
}
