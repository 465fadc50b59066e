//! Which of several things that were told an answer means: by its place, all of them, or by words that only one of them has.
//! Asks nothing, and knows no thing.

use crate::home::words::{Choice, Words};
use crate::locale::Locales;

/// What an answer chooses of what was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// One, by its place from nought.
    One(usize),
    /// All of them.
    All,
}

/// What these words choose of what was told; nothing where they are no answer.
pub(crate) fn chosen(told: &[String], said: &str, (locales, lang): (&Locales, &str)) -> Option<Chosen> {
    let words = Words::of(locales, lang);
    match words.choice(&words.plain(said)) {
        Ok(Choice::Nth(place)) => (place < told.len()).then_some(Chosen::One(place)),
        Ok(Choice::Last) => told.len().checked_sub(1).map(Chosen::One),
        Ok(Choice::All) => Some(Chosen::All),
        Err(_) => named(told, said, &words).map(Chosen::One),
    }
}

/// The place of the only one of which all words of an answer are that say which one.
pub(crate) fn named(told: &[String], said: &str, words: &Words) -> Option<usize> {
    let plain = words.plain(said);
    let saying: Vec<&str> = words.telling(&plain).collect();
    if saying.is_empty() || words.choice(&plain).is_ok() {
        return None;
    }
    let has_all = |told: &String| {
        let told = crate::folded(told);
        let known: Vec<&str> = told.split(|c: char| !c.is_alphanumeric()).collect();
        saying.iter().all(|word| known.contains(word))
    };
    let mut places = (0..).zip(told).filter(|(_, told)| has_all(told));
    let (place, _) = places.next()?;
    places.next().is_none().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_told_is_an_answer() {
        let words = Words::of(&Locales::embedded(), "en");
        let told = ["Lamp (Kitchen)", "Lamp (Bedroom)"].map(str::to_owned);
        for (said, place) in [
            ("the kitchen one", Some(0)),
            ("the bedroom lamp", Some(1)),
            ("the first one", None),
            ("the lamp", None),
            ("both", None),
            ("what is the weather in the kitchen", None),
            ("the hall", None),
            ("", None),
        ] {
            assert_eq!(named(&told, said, &words), place, "{said}");
        }
    }

    #[test]
    fn answers_count_name_and_take_all_in_six_languages() {
        let locales = Locales::embedded();
        for (lang, told, said, meant) in [
            (
                "en",
                ["Pasta (timer)", "Pasta (list)"],
                "the timer",
                Chosen::One(0),
            ),
            (
                "en",
                ["Pasta (timer)", "Pasta (list)"],
                "the second one",
                Chosen::One(1),
            ),
            (
                "en",
                ["Pasta (timer)", "Pasta (list)"],
                "the last",
                Chosen::One(1),
            ),
            ("en", ["Pasta (timer)", "Pasta (list)"], "both", Chosen::All),
            (
                "de",
                ["Nudeln (Timer)", "Nudeln (Liste)"],
                "die Liste",
                Chosen::One(1),
            ),
            ("de", ["Nudeln (Timer)", "Nudeln (Liste)"], "beide", Chosen::All),
            (
                "fr",
                ["Pâtes (minuteur)", "Pâtes (liste)"],
                "le minuteur",
                Chosen::One(0),
            ),
            (
                "es",
                ["Pasta (temporizador)", "Pasta (lista)"],
                "la segunda",
                Chosen::One(1),
            ),
            (
                "it",
                ["Pasta (timer)", "Pasta (lista)"],
                "la lista",
                Chosen::One(1),
            ),
            (
                "pt",
                ["Massa (temporizador)", "Massa (lista)"],
                "a lista",
                Chosen::One(1),
            ),
        ] {
            let told = told.map(str::to_owned);
            assert_eq!(
                chosen(&told, said, (&locales, lang)),
                Some(meant),
                "{lang}: {said}"
            );
        }
    }
}
