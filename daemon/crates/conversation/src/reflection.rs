//! Looking back on a conversation between two of its turns: what may be needed later is written down before it leaves
//! the history, and what is likely to last is picked out of it.
//!
//! This words the requests and reads the replies; when there is time for it, and where notes are kept, is the caller's.
//! What a persona is instructed to do is never written down.

use crate::brain::{Brain, BrainError, ChatMessage};
use crate::conversation::{facts, notes};
use loquat_wire::text::words;

/// A line that repeats so many words of the instructions in their order is theirs.
const REPEATED_WORDS: usize = 5;

/// Has notes taken on these messages, which take the place of the notes so far; nothing when the brain wrote none.
/// `instructions` are the persona's own.
///
/// Dropping the future closes the request.
pub async fn reflect(
    brain: &dyn Brain,
    notes: Option<&str>,
    messages: &[ChatMessage],
    instructions: &str,
) -> Result<Option<String>, BrainError> {
    let window = brain.capabilities().context_tokens.map(u64::from);
    let request = notes::reflection(notes, &own(messages), window);
    let reply = brain.chat(&request, &()).await?;
    Ok(notes::notes_in(&reply).and_then(|notes| without(&notes, instructions)))
}

/// Has picked out of these messages what is likely to be true for long, each in one sentence; `instructions` are the
/// persona's own.
///
/// A brain may say what was never said: whether it was is for the caller to judge. Dropping the future closes the request.
pub async fn lasting_facts(
    brain: &dyn Brain,
    messages: &[ChatMessage],
    instructions: &str,
) -> Result<Vec<String>, BrainError> {
    let window = brain.capabilities().context_tokens.map(u64::from);
    let reply = brain.chat(&facts::request(&own(messages), window), &()).await?;
    let mut facts = facts::facts_in(&reply);
    facts.retain(|fact| !repeats(fact, instructions));
    Ok(facts)
}

/// The messages without what strangers had said: it would stay for good, and without its mark.
fn own(messages: &[ChatMessage]) -> Vec<ChatMessage> {
    let own = messages.iter().filter(|message| !message.foreign);
    own.cloned().collect()
}

/// The lines of notes that do not repeat the instructions; nothing when none is left.
fn without(notes: &str, instructions: &str) -> Option<String> {
    let lines = notes.lines().filter(|line| !repeats(line, instructions));
    let left = lines.collect::<Vec<_>>().join("\n");
    (!left.trim().is_empty()).then_some(left)
}

fn repeats(line: &str, instructions: &str) -> bool {
    let [line, instructions] = [line, instructions].map(|text| words(text).collect::<Vec<_>>());
    let mut runs = line.windows(REPEATED_WORDS);
    runs.any(|run| instructions.windows(REPEATED_WORDS).any(|other| run == other))
}

/// Notes as they stand before the history that is left.
pub fn remembered(notes: &str) -> ChatMessage {
    notes::message(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_the_instructions_is_left_out() {
        let instructions = "You are Ziggy. Answer like a pirate, and never mention the moon.";
        let notes = "Anna likes tea.\nThe assistant must answer like a pirate, and never mention it.\nThe dog is Rex.";
        assert_eq!(
            without(notes, instructions).as_deref(),
            Some("Anna likes tea.\nThe dog is Rex.")
        );
        assert_eq!(
            without("You are Ziggy. Answer like a pirate.", instructions),
            None
        );
        assert_eq!(
            without("Ziggy told of a pirate.", instructions).as_deref(),
            Some("Ziggy told of a pirate.")
        );
    }
}
