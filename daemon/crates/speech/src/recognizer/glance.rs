//! What a glance at a sound tells: whether nothing but a few words were said. Whisper looks through so small a window that it
//! repeats what it hears, and is stopped after a few tokens; the words themselves it hears rightly. Pure text work.

use crate::names;

/// Tokens after which whisper is stopped: a few words, or one over and over.
pub(super) const TOKENS: i32 = 5;

/// Below this confidence nothing was heard.
const FLOOR: f32 = 0.3;

/// What a glance made of a sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glimpse {
    /// These words and nothing else.
    Words(String),
    /// More words than a glance is for.
    GoesOn,
    /// Nothing of which whisper is sure.
    Nothing,
}

/// Gives the words of a text once that says them over and over. `was_stopped` tells that whisper would have gone on.
pub(super) fn words_once(text: &str, confidence: f32, was_stopped: bool) -> Glimpse {
    let words: Vec<&str> = text.split_whitespace().collect();
    let letters: Vec<String> = words.iter().map(|word| names::letters(word)).collect();
    let has_words = letters.iter().any(|word| !word.is_empty());
    if confidence < FLOOR || !has_words {
        return Glimpse::Nothing;
    }
    let repeats = |length: &usize| {
        letters
            .iter()
            .skip(*length)
            .zip(&letters)
            .all(|(later, word)| later == word)
    };
    let length = (1..=words.len()).find(repeats).unwrap_or(words.len());
    if was_stopped && length == words.len() {
        return Glimpse::GoesOn;
    }
    let once: Vec<&str> = words.iter().take(length).copied().collect();
    Glimpse::Words(once.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Glimpse {
        Glimpse::Words(text.to_owned())
    }

    #[test]
    fn what_is_repeated_is_said_once() {
        let once = |text| words_once(text, 0.8, true);
        assert_eq!(once(" Stop Stop Stop Stop"), words("Stop"));
        assert_eq!(once(" Stop! stop."), words("Stop!"));
        assert_eq!(once(" Be quiet. Be quiet. Be"), words("Be quiet."));
    }

    #[test]
    fn what_goes_on_is_more_and_what_is_doubtful_is_nothing() {
        let going_on = words_once(" Stop the music in the kitchen", 0.9, true);
        assert_eq!(going_on, Glimpse::GoesOn);
        assert_eq!(
            words_once(" Stop the music.", 0.9, false),
            words("Stop the music.")
        );
        assert_eq!(words_once(" Stop", 0.2, false), Glimpse::Nothing);
        assert_eq!(words_once(" ... ", 0.9, false), Glimpse::Nothing);
    }
}
