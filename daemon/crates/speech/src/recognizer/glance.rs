//! What a glance at a sound tells: whether nothing but a few words were said. Whisper looks through so small a window that it
//! repeats what it hears, and is stopped after a few tokens; the words themselves it hears rightly. Pure text work.

use crate::names;

/// Tokens after which whisper is stopped: a few words, or one over and over.
pub(super) const TOKENS: i32 = 5;

/// Below this confidence nothing was heard.
const FLOOR: f32 = 0.3;

/// Gives the words of a text once that says them over and over. `None` where whisper is not sure, or was stopped while it went on
/// with other words.
pub(super) fn words_once(text: &str, confidence: f32, was_stopped: bool) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let letters: Vec<String> = words.iter().map(|word| names::letters(word)).collect();
    let has_words = letters.iter().any(|word| !word.is_empty());
    if confidence < FLOOR || !has_words {
        return None;
    }
    let repeats = |length: &usize| {
        letters
            .iter()
            .skip(*length)
            .zip(&letters)
            .all(|(later, word)| later == word)
    };
    let length = (1..=words.len()).find(repeats)?;
    let went_on = was_stopped && length == words.len();
    (!went_on).then(|| words.iter().take(length).copied().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_is_said_once() {
        let once = |text| words_once(text, 0.8, true);
        assert_eq!(once(" Stop Stop Stop Stop").as_deref(), Some("Stop"));
        assert_eq!(once(" Stop! stop.").as_deref(), Some("Stop!"));
        assert_eq!(once(" Be quiet. Be quiet. Be").as_deref(), Some("Be quiet."));
    }

    #[test]
    fn what_goes_on_and_what_is_doubtful_is_nothing() {
        assert_eq!(words_once(" Stop the music in the kitchen", 0.9, true), None);
        assert_eq!(
            words_once(" Stop the music.", 0.9, false).as_deref(),
            Some("Stop the music.")
        );
        assert_eq!(words_once(" Stop", 0.2, false), None);
        assert_eq!(words_once(" ... ", 0.9, false), None);
    }
}
