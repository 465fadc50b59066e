//! How many words were heard wrongly. Spelling, marks and the way numbers are written are no words.

use strsim::generic_levenshtein;

use crate::answers::figures::in_digits;

/// Short for several words, or written in several ways, in English.
const ALIKE: [(&str, &str); 22] = [
    ("%", " percent "),
    ("°", " degrees "),
    ("p.m.", "pm"),
    ("a.m.", "am"),
    ("mr.", "mister"),
    ("what's", "what is"),
    ("who's", "who is"),
    ("it's", "it is"),
    ("that's", "that is"),
    ("how's", "how is"),
    ("where's", "where is"),
    ("let's", "let us"),
    ("i'm", "i am"),
    ("don't", "do not"),
    ("didn't", "did not"),
    ("can't", "cannot"),
    ("all right", "alright"),
    ("o'clock", "oclock"),
    ("living-room", "living room"),
    ("half way", "halfway"),
    ("any body", "anybody"),
    ("favour", "favor"),
];

/// What came of some recordings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Errors {
    /// Words that were left out, put in or heard as others.
    pub wrong: usize,
    /// Words that were said.
    pub said: usize,
}

impl Errors {
    /// Of one recording.
    pub fn of(said: &str, heard: &str, lang: &str) -> Self {
        let [said, heard] = [said, heard].map(|text| words(text, lang));
        Self {
            wrong: generic_levenshtein(&said, &heard),
            said: said.len(),
        }
    }

    /// Of a hundred words, those that were heard wrongly.
    pub fn percent(self) -> f64 {
        100.0 * self.wrong as f64 / self.said.max(1) as f64
    }
}

impl std::iter::Sum for Errors {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            wrong: sum.wrong + one.wrong,
            said: sum.said + one.said,
        })
    }
}

fn words(text: &str, lang: &str) -> Vec<String> {
    let mut text = text.to_lowercase().replace('\u{2019}', "'");
    if lang.starts_with("en") {
        for (one, other) in ALIKE {
            text = text.replace(one, other);
        }
    }
    let text = text.replace('-', " ");
    let digits = in_digits(&text, lang, 0.0);
    let words = digits.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &str, heard: &str, wrong: usize) {
        assert_eq!(Errors::of(said, heard, "en-US").wrong, wrong, "{said}: {heard}");
    }

    #[test]
    fn spelling_is_no_error_and_words_are() {
        check("what is the time", "What's the time?", 0);
        check(
            "how much is forty two times eighteen",
            "How much is 42 times 18?",
            0,
        );
        check("an ill disposed man", "an ill-disposed man.", 0);
        check("dim the lamp to twenty percent", "Dim the lamp to 20%.", 0);
        check("turn on the lights", "Turn the light on.", 3);
        check("stop", "", 1);
        check("stop", "Stop it now", 2);
    }

    #[test]
    fn errors_of_all_are_counted_by_words_and_not_by_recordings() {
        let all: Errors = [("stop", ""), ("one two three four", "one two three four")]
            .into_iter()
            .map(|(said, heard)| Errors::of(said, heard, "en-US"))
            .sum();
        assert!(all.said > 1 && all.wrong == 1);
        assert!((Errors { wrong: 1, said: 4 }.percent() - 25.0).abs() < 1e-9);
    }
}
