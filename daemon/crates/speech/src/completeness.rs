//! Whether what was said until a pause is a whole sentence, by rules on its text. Each language has a file of words in
//! `endings/`; of another one only the marks are looked at. Never looks at sound, and never changes a text.

use std::sync::LazyLock;

use serde::Deserialize;

/// From this probability on that its last word is one with which no sentence ends, a text is taken to go on. Of recorded commands
/// that were broken off behind such a word, half have it where another word was written; of whole ones, one in twenty.
const OPEN_END: f32 = 0.05;

/// Says how whole a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// Nothing is missing in it: the device knows it as something that people say to it.
    Whole,
    /// It may be all, or not.
    Unsure,
    /// No sentence ends so, or something is missing in it.
    Open,
}

/// The words with which sentences of one language go on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Endings {
    /// Words that no sentence ends with.
    open: Vec<String>,
    /// Words that end a sentence, and also stand where it goes on or sound like a word that does: they count where the device
    /// does not know the sentence.
    #[serde(default)]
    may_go_on: Vec<String>,
    /// Words behind which a number wants a unit.
    wants_unit: Vec<String>,
    /// Numbers as they are dictated.
    numbers: Vec<String>,
}

/// The files by language.
const FILES: [(&str, &str); 6] = [
    ("en", include_str!("../endings/en.toml")),
    ("de", include_str!("../endings/de.toml")),
    ("fr", include_str!("../endings/fr.toml")),
    ("es", include_str!("../endings/es.toml")),
    ("it", include_str!("../endings/it.toml")),
    ("pt", include_str!("../endings/pt.toml")),
];

static ENDINGS: LazyLock<Vec<(&str, Endings)>> = LazyLock::new(|| {
    let read = |(lang, file): (&'static str, &str)| match toml::from_str(file) {
        Ok(endings) => Some((lang, endings)),
        Err(error) => {
            tracing::error!(lang, %error, "the endings of a language cannot be read");
            None
        }
    };
    FILES.into_iter().filter_map(read).collect()
});

/// Finds the file for a tag such as `en-US`.
fn endings(lang: &str) -> Option<&'static Endings> {
    let primary = lang.split(['-', '_']).next().unwrap_or_default();
    let of_lang = |(known, _): &&(&str, Endings)| known.eq_ignore_ascii_case(primary);
    ENDINGS.iter().find(of_lang).map(|(_, endings)| endings)
}

/// Lists the words with which no sentence of this language ends, in lower case.
pub(crate) fn open_words(lang: &str) -> &'static [String] {
    endings(lang).map_or(&[], |endings| &endings.open)
}

/// Judges how whole a text is. `open_end` is the probability that no sentence ends with its last word, as the recogniser weighed it,
/// and `known` is what the device knows of it.
pub(crate) fn of(text: &str, lang: &str, open_end: f32, known: Completeness) -> Completeness {
    let (words, endings) = (words(text), endings(lang));
    // A single word that is an order stays one, whatever else it may begin.
    let is_order = known == Completeness::Whole && words.len() == 1;
    if !is_order && (breaks_off(text) || endings.is_some_and(|endings| endings.leave_open(&words))) {
        return Completeness::Open;
    }
    let may_go_on = open_end >= OPEN_END || endings.is_some_and(|endings| endings.may_go_on(&words));
    if known == Completeness::Unsure && may_go_on {
        Completeness::Open
    } else {
        known
    }
}

/// Tells whether the text is a number and nothing else, in figures or in words of this language.
pub fn is_number(text: &str, lang: &str) -> bool {
    let words = words(text);
    let numbers = endings(lang);
    !words.is_empty()
        && words.iter().all(|word| {
            word.parse::<f64>().is_ok() || numbers.is_some_and(|endings| endings.numbers.contains(word))
        })
}

/// Tells whether the marks say that the text goes on.
fn breaks_off(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with("...") || text.ends_with(['…', ',', '-', '–', '—', ':'])
}

/// Cuts a text into lower-case words. What stands between letters or digits belongs to the word, but for an
/// apostrophe.
fn words(text: &str) -> Vec<String> {
    text.split(|sign: char| sign.is_whitespace() || ['\'', '’'].contains(&sign))
        .map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '%'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

impl Endings {
    fn may_go_on(&self, words: &[String]) -> bool {
        let last = words.last().filter(|_| words.len() > 1);
        last.is_some_and(|last| self.may_go_on.contains(last))
    }

    fn leave_open(&self, words: &[String]) -> bool {
        let Some((last, before)) = words.split_last() else {
            return false;
        };
        let is_digits = |word: &String| word.chars().all(|sign| sign.is_ascii_digit() || sign == '-');
        let is_number = |word: &String| is_digits(word) || self.numbers.contains(word);
        let wants_unit = |word: &String| self.wants_unit.contains(word);
        let before = before.last();
        // One number behind the other is being dictated; one behind "for" wants its unit.
        let goes_on = |before: &String| is_number(last) && (is_number(before) || wants_unit(before));
        before.map_or(self.open.contains(last), |before| {
            goes_on(before) || (self.open.contains(last) && !is_number(last))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Completeness::{Open, Unsure, Whole};
    use super::*;

    #[test]
    fn every_language_has_its_file() {
        assert_eq!(ENDINGS.len(), FILES.len());
        for (lang, endings) in ENDINGS.iter() {
            let lists = [&endings.open, &endings.wants_unit, &endings.numbers];
            for word in lists.into_iter().flatten().chain(&endings.may_go_on) {
                assert_eq!(&words(word), std::slice::from_ref(word), "{lang}");
            }
            assert!(lists.iter().all(|list| !list.is_empty()), "{lang}");
        }
    }

    #[test]
    fn no_sentence_ends_so() {
        for (lang, text) in [
            ("en-US", "Set a timer for"),
            ("en-US", "Set a timer for 10."),
            ("en-US", "Set a timer for ten."),
            ("en-US", "Add bread and..."),
            ("en-US", "Turn on the"),
            ("en-US", "My number is 5 5 5"),
            ("en-US", "It is one seven"),
            ("en-US", "Turn on the kit-"),
            ("de-DE", "Stell einen Timer auf zehn"),
            ("de-DE", "Wie wird das Wetter in der"),
            ("fr-FR", "Mets un minuteur de dix"),
            ("fr-FR", "Éteins l'"),
            ("es-ES", "Pon una alarma para"),
            ("it-IT", "Accendi la luce in"),
            ("pt-PT", "Liga a luz da"),
            ("nl-NL", "Zet het licht,"),
        ] {
            assert_eq!(of(text, lang, 0.0, Unsure), Open, "{lang}: {text}");
            assert_eq!(of(text, lang, 0.0, Whole), Open, "known, {lang}: {text}");
        }
    }

    #[test]
    fn these_may_be_all() {
        for (lang, text) in [
            ("en-US", "Set a timer for 10 minutes."),
            ("en-US", "Wake me at 7:30."),
            ("en-US", "Set the volume to 5"),
            ("en-US", "Turn the radio louder"),
            ("en-US", "42"),
            ("de-DE", "Mach das Licht an"),
            ("de-DE", "Mach das Fenster zu"),
            ("de-DE", "Stell den Timer auf zehn Minuten"),
            ("fr-FR", "Allume la lumière"),
            ("es-ES", "Pon una alarma para las siete"),
            ("it-IT", "Che ore sono?"),
            ("pt-PT", "Apaga a luz"),
            ("nl-NL", "Zet het licht aan"),
            ("en-US", ""),
        ] {
            assert_eq!(of(text, lang, 0.0, Unsure), Unsure, "{lang}: {text}");
        }
    }

    #[test]
    fn an_order_of_one_word_is_whole_although_it_may_begin_more() {
        assert_eq!(of("Para.", "es-ES", 0.0, Whole), Whole);
        assert_eq!(of("Para", "es-ES", 0.0, Unsure), Open);
        assert_eq!(of("Turn on the kitchen lights.", "en-US", 0.0, Whole), Whole);
    }

    #[test]
    fn what_may_go_on_is_open_unless_the_device_knows_the_sentence() {
        for (text, open_end) in [
            ("Turn the lights on", 0.0),
            ("Remind me too.", 0.0),
            ("Set a timer for it.", 0.2),
        ] {
            assert_eq!(of(text, "en-US", open_end, Unsure), Open, "{text}");
            assert_eq!(of(text, "en-US", open_end, Whole), Whole, "{text}");
        }
        assert_eq!(of("Too.", "en-US", 0.0, Unsure), Unsure);
        assert_eq!(of("Set a timer for it.", "en-US", 0.01, Unsure), Unsure);
    }

    #[test]
    fn what_lacks_something_is_open_whatever_it_ends_in() {
        assert_eq!(of("Set a timer.", "en-US", 0.0, Open), Open);
        assert_eq!(of("Stop.", "en-US", 0.0, Whole), Whole);
    }

    #[test]
    fn numbers_are_known_in_figures_and_in_words() {
        for text in ["42", "7.5", "Twenty one.", "1, 2, 3"] {
            assert!(is_number(text, "en-GB"), "{text}");
        }
        for text in ["", "ten minutes", "no", "zehn"] {
            assert!(!is_number(text, "en-GB"), "{text}");
        }
        assert!(is_number("zehn", "de"));
    }
}
