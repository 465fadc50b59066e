//! Names that whisper nearly understood: words that it doubts itself become the name of a thing of this device that
//! sounds or is spelled nearly so. A word that it is sure of stays, and so does every word that is a name already.

use std::collections::HashSet;
use std::ops::Range;

use rphonetic::{Cologne, DoubleMetaphone, Encoder};

/// Names beyond these are not looked at, so that a long list of a stranger costs no more than its share.
const MOST_NAMES: usize = 2_000;

/// A name has this many letters. Nothing longer is said in one breath, and shorter ones are too much like other
/// words.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=48;

/// Words of a name.
const MOST_WORDS: usize = 4;

/// Words of a text that is looked at.
const LONGEST_TEXT: usize = 40;

/// Spellings must be this alike, from 0 to 1: in names of up to seven letters one letter may be another.
const ALIKE: f64 = 0.8;

/// Spellings must be this alike where both sound the same.
const ALIKE_BY_SOUND: f64 = 0.6;

/// The name that is taken must be this much better than any other one.
const AHEAD: f64 = 0.05;

/// Names of things, ready to be compared.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Names(Vec<Name>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    written: String,
    words: usize,
    letters: String,
    sound: String,
}

impl Names {
    /// These names, of things that are spoken of in this language. Those that are too short, too long or too many are
    /// left out.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>, lang: &str) -> Self {
        let mut seen = HashSet::new();
        let read = |name: &'a str| {
            let written = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let words = written.split(' ').count();
            let letters = letters(&written);
            let fits = LETTERS.contains(&letters.chars().count()) && words <= MOST_WORDS;
            (fits && seen.insert(letters.clone())).then(|| Name {
                sound: sound(&letters, lang),
                written,
                words,
                letters,
            })
        };
        Self(names.into_iter().filter_map(read).take(MOST_NAMES).collect())
    }

    /// Tells whether this is one of them as it stands.
    pub fn has(&self, text: &str) -> bool {
        let said = letters(text);
        self.0.iter().any(|name| name.letters == said)
    }

    /// The text with names put right. `doubtful` are the words, in lower-case letters, that whisper is not sure of.
    pub(crate) fn put_right(&self, text: &str, doubtful: &HashSet<String>, lang: &str) -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if self.0.is_empty() || doubtful.is_empty() || words.len() > LONGEST_TEXT {
            return None;
        }
        let (mut right, mut at, mut changed) = (Vec::new(), 0, false);
        while at < words.len() {
            if let Some((span, name)) = self.best_at(&words, at, doubtful, lang) {
                let last = words.get(span.end - 1).copied().unwrap_or_default();
                right.push(format!("{name}{}", closing(last)));
                (at, changed) = (span.end, true);
                continue;
            }
            let kept = self.known_at(&words, at).max(1);
            right.extend(words.iter().skip(at).take(kept).map(ToString::to_string));
            at += kept;
        }
        changed.then(|| right.join(" "))
    }

    /// Counts how many words from here on are a name as they stand.
    fn known_at(&self, words: &[&str], at: usize) -> usize {
        let is_name = |count: &usize| {
            let span = words.get(at..at + count).map(|span| letters(&span.join(" ")));
            span.is_some_and(|span| self.0.iter().any(|name| name.letters == span))
        };
        (1..=MOST_WORDS).rev().find(is_name).unwrap_or_default()
    }

    /// Finds the name that was meant from here on, and the words that are to be it.
    fn best_at(
        &self,
        words: &[&str],
        at: usize,
        doubtful: &HashSet<String>,
        lang: &str,
    ) -> Option<(Range<usize>, &str)> {
        if self.known_at(words, at) > 0 {
            return None;
        }
        let mut best: Option<(f64, Range<usize>, &str)> = None;
        let mut second = 0.0_f64;
        for count in (1..=MOST_WORDS).rev() {
            let Some(span) = words.get(at..at + count) else {
                continue;
            };
            let words: Vec<String> = span.iter().map(|word| letters(word)).collect();
            if !words.iter().any(|word| doubtful.contains(word)) {
                continue;
            }
            let said = words.concat();
            let said_sound = sound(&said, lang);
            // Of the words that are not doubted each is one of the name.
            let may_be = |name: &&Name| {
                let stays = |word: &String| doubtful.contains(word) || name.has_word(word);
                name.words.abs_diff(count) <= 1 && words.iter().all(stays)
            };
            for name in self.0.iter().filter(may_be) {
                let Some(likeness) = name.likeness(&said, &said_sound) else {
                    continue;
                };
                match &best {
                    Some((most, _, written)) if *most >= likeness => {
                        if *written != name.written {
                            second = second.max(likeness);
                        }
                    }
                    _ => {
                        second = best.as_ref().map_or(0.0, |(most, _, _)| *most);
                        best = Some((likeness, at..at + count, &name.written));
                    }
                }
            }
        }
        let (likeness, span, name) = best?;
        (likeness >= second + AHEAD).then_some((span, name))
    }
}

impl Name {
    fn has_word(&self, word: &str) -> bool {
        self.written.split(' ').any(|own| letters(own) == word)
    }

    /// Tells how alike this name and some words are, if they are alike enough.
    fn likeness(&self, said: &str, said_sound: &str) -> Option<f64> {
        let lengths = (self.letters.chars().count(), said.chars().count());
        if lengths.0.abs_diff(lengths.1) > 3 {
            return None;
        }
        let spelled = strsim::normalized_damerau_levenshtein(&self.letters, said);
        let same_sound = !self.sound.is_empty() && self.sound == said_sound;
        let least = if same_sound { ALIKE_BY_SOUND } else { ALIKE };
        (spelled >= least).then_some(if same_sound { spelled + 0.2 } else { spelled })
    }
}

/// Keeps letters and digits in lower case and without spaces, for comparing.
pub(crate) fn letters(text: &str) -> String {
    text.chars()
        .filter(|sign| sign.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Writes how letters sound: in German by its own rules, and elsewhere by those of the languages that English took
/// its words from.
pub(crate) fn sound(letters: &str, lang: &str) -> String {
    if lang.starts_with("de") {
        Cologne.encode(letters)
    } else {
        DoubleMetaphone::default().encode(letters)
    }
}

/// Gives the marks behind a word.
fn closing(word: &str) -> &str {
    let end = word.trim_end_matches(|sign: char| !sign.is_alphanumeric()).len();
    word.get(end..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_right(names: &[&str], text: &str, doubtful: &[&str], lang: &str) -> String {
        let doubtful = doubtful.iter().map(ToString::to_string).collect();
        let names = Names::new(names.iter().copied(), lang);
        names
            .put_right(text, &doubtful, lang)
            .unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn a_doubted_word_becomes_the_name_that_it_nearly_is() {
        let names = ["Loquat", "Kitchen speaker", "Siobhan", "Wohnzimmer"];
        for (text, doubtful, right) in [
            ("Ask locate.", vec!["locate"], "Ask locate."),
            ("Ask Lokwat, please.", vec!["lokwat"], "Ask Loquat, please."),
            (
                "Play it on the kitchin speaker!",
                vec!["kitchin"],
                "Play it on the Kitchen speaker!",
            ),
            (
                "Play it on kit chin speaker.",
                vec!["kit", "chin", "speaker"],
                "Play it on Kitchen speaker.",
            ),
            (
                "Turn on the kitchen lights",
                vec!["kitchen", "lights"],
                "Turn on the kitchen lights",
            ),
        ] {
            assert_eq!(put_right(&names, text, &doubtful, "en-US"), right);
        }
        assert_eq!(
            put_right(&names, "Licht im Wonzimmer an", &["wonzimmer"], "de-DE"),
            "Licht im Wohnzimmer an"
        );
    }

    #[test]
    fn what_whisper_is_sure_of_stays() {
        assert_eq!(put_right(&["Loquat"], "Ask Lokwat.", &[], "en-US"), "Ask Lokwat.");
        assert_eq!(
            put_right(
                &["Kitchen speaker"],
                "the kitchin speakers",
                &["kitchin"],
                "en-US"
            ),
            "the kitchin speakers"
        );
    }

    #[test]
    fn a_name_stays_what_it_is_and_between_two_nothing_is_chosen() {
        assert_eq!(
            put_right(&["Marina", "Martina"], "Call Marina.", &["marina"], "en-US"),
            "Call Marina."
        );
        assert_eq!(
            put_right(&["Kellner", "Kellber"], "Call Kellxer.", &["kellxer"], "en-US"),
            "Call Kellxer."
        );
    }

    #[test]
    fn names_of_strangers_are_bounded() {
        let many: Vec<String> = (0..5_000).map(|number| format!("lamp number {number}")).collect();
        let names = Names::new(many.iter().map(String::as_str), "en-US");
        assert_eq!(names.0.len(), MOST_NAMES);
        let long = "x".repeat(1_000);
        assert!(
            Names::new([long.as_str(), "a", "one two three four five"], "en")
                .0
                .is_empty()
        );
        let text = vec!["word"; 5_000].join(" ");
        assert_eq!(
            names.put_right(&text, &HashSet::from(["word".to_owned()]), "en"),
            None
        );
    }
}
