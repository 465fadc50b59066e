//! What opens a capture. Knows nothing of what becomes of one.

use serde::Serialize;

/// Says what opened a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// `listen()` was called.
    Asked,
    /// A wake word was heard.
    WakeWord,
    /// A person spoke while the ear listens continuously.
    Voice,
    /// A person spoke on while a follow-up was waited for.
    FollowUp,
    /// A person spoke unasked while the device spoke.
    Interruption,
    /// A WAV file is being heard.
    File,
}

impl Trigger {
    /// Tells whether a voice alone opened the capture, with nothing that says that the device was meant.
    pub fn is_unasked(self) -> bool {
        matches!(self, Self::Voice | Self::FollowUp | Self::Interruption)
    }
}
