//! Words that a language makes of two, such as `Nudeltimer`: what the second one may be, and where such a word comes apart, so
//! that a sentence with a gap in front of the second one can hold the first.
//!
//! Compares no sentence. The words of a language are given.

use crate::words::{LONGEST, Word, plain};

/// A shorter first part is an ending, an article or half of another word.
const SHORTEST: usize = 3;

/// The words of one language of which others consist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compounds {
    /// In lower case: what the last part may be.
    pub heads: Vec<String>,
    /// In lower case: words that end so and are names of something else.
    pub whole: Vec<String>,
    /// In lower case: ends of first parts whose last letter only joins them to the head, as in `Übungstimer`.
    pub joined: Vec<String>,
}

impl Compounds {
    /// The words with each that consists of others apart; nothing where there is none.
    pub fn apart(&self, words: &[Word]) -> Option<Vec<Word>> {
        let apart = words.iter().flat_map(|word| match self.parts(word) {
            Some(parts) => parts,
            None => vec![word.clone()],
        });
        let apart: Vec<Word> = apart.take(LONGEST).collect();
        (apart.len() > words.len()).then_some(apart)
    }

    /// The parts of one word: what stands in front of its head, at hyphens too, and the head.
    fn parts(&self, word: &Word) -> Option<Vec<Word>> {
        let said = word.said.trim_end_matches(',');
        let comma = word.said.get(said.len()..).unwrap_or_default();
        if self.whole.contains(&said.to_lowercase()) {
            return None;
        }
        let (first, head) = self.heads.iter().find_map(|head| {
            let (first, last) = said.split_at_checked(said.len().checked_sub(head.len())?)?;
            (last.to_lowercase() == *head).then_some((first, last))
        })?;
        let first = self.without_joint(first.trim_end_matches('-'));
        if first.chars().filter(|letter| letter.is_alphanumeric()).count() < SHORTEST {
            return None;
        }
        let parts = first.split('-').filter(|part| !part.is_empty());
        let parts = parts.map(str::to_owned).chain([format!("{head}{comma}")]);
        Some(
            parts
                .map(|said| Word {
                    plain: plain(&said),
                    said,
                })
                .collect(),
        )
    }

    fn without_joint<'a>(&self, first: &'a str) -> &'a str {
        let folded = first.to_lowercase();
        let is_joined = self.joined.iter().any(|end| folded.ends_with(end.as_str()));
        let bare = first
            .char_indices()
            .next_back()
            .and_then(|(last, _)| first.get(..last));
        bare.filter(|_| is_joined).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words_and_figures;

    fn apart(text: &str) -> Option<String> {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let compounds = Compounds {
            heads: words(&["timer", "wecker"]),
            whole: words(&["oldtimer", "kurzzeitwecker"]),
            joined: words(&["ungs", "arbeits"]),
        };
        let apart = compounds.apart(&words_and_figures(text))?;
        let said: Vec<&str> = apart.iter().map(|word| word.said.as_str()).collect();
        Some(said.join(" "))
    }

    #[test]
    fn a_word_comes_apart_in_front_of_its_head() {
        for (text, expected) in [
            ("Starte den Brottimer!", "Starte den Brot timer"),
            ("Nudeltimer, bitte", "Nudel timer, bitte"),
            ("der Frühwecker", "der Früh wecker"),
            ("der Übungstimer", "der Übung timer"),
            ("der Arbeitstimer", "der Arbeit timer"),
            ("der Eistimer", "der Eis timer"),
            ("der TEETIMER", "der TEE TIMER"),
            ("ein Nudel-Timer", "ein Nudel Timer"),
            ("ein 10-Minuten-Timer", "ein 10 Minuten Timer"),
            ("Käsekuchentimer und Teetimer", "Käsekuchen timer und Tee timer"),
        ] {
            assert_eq!(apart(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_words_stay_whole() {
        for text in [
            "der Timer",
            "mein Oldtimer",
            "Kurzzeitwecker, bitte",
            "die Timerfunktion",
            "zu-timer",
            "der Dimmer",
            "-timer",
            "ßtimer",
            "",
        ] {
            assert_eq!(apart(text), None, "{text}");
        }
    }
}
