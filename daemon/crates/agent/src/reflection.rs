//! Looking back on a conversation between two of its turns: what may be needed later is written down before it leaves
//! the history.
//!
//! This words the request and reads the reply; when there is time for it, and where notes are kept, is the caller's.

use crate::brain::{Brain, BrainError, ChatMessage};
use crate::conversation::notes;

/// Has notes taken on these messages, which take the place of the notes so far; nothing when the brain wrote none.
///
/// Dropping the future closes the request.
pub async fn reflect(
    brain: &dyn Brain,
    notes: Option<&str>,
    messages: &[ChatMessage],
) -> Result<Option<String>, BrainError> {
    let window = brain.capabilities().context_tokens.map(u64::from);
    // What strangers had said would stay for good, and without its mark.
    let own: Vec<ChatMessage> = messages
        .iter()
        .filter(|message| !message.foreign)
        .cloned()
        .collect();
    let request = notes::reflection(notes, &own, window);
    let reply = brain.chat(&request, &()).await?;
    Ok(notes::notes_in(&reply))
}

/// Notes as they stand before the history that is left.
pub fn remembered(notes: &str) -> ChatMessage {
    notes::message(notes)
}
