//! How people answer the question which of several things that were told they mean: by its place, all of them, or by words
//! that only one of them has. Asks nothing, and knows no thing.

use include_dir::{Dir, include_dir};

use crate::locale::Locales;
use crate::reading::folded;

/// The section of these words in a person's file.
pub(crate) const FOLDER: &str = "answers";

/// The words beside this code, one file for each language.
pub(crate) static SENTENCES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/sentences");

/// The list of words that are no names.
const WORDS: &str = "words.value";

/// The list of words that choose of several.
const CHOICES: &str = "choices.value";

/// What an answer chooses of what was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// It is one of them, by its place from nought.
    One(usize),
    /// It is all of them.
    All,
}

/// What words choose by themselves, whatever was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Counted from nought.
    Nth(usize),
    /// The last one.
    Last,
    /// It is all of them.
    All,
}

impl Choice {
    fn named(name: &str) -> Option<Self> {
        match name {
            "last" => Some(Self::Last),
            "all" => Some(Self::All),
            number => number.parse::<usize>().ok()?.checked_sub(1).map(Self::Nth),
        }
    }
}

/// The words of one language.
#[derive(Debug)]
pub struct Words {
    articles: Vec<String>,
    joiners: Vec<String>,
    /// Words that choose, and those that stand before a choice.
    choices: Vec<(String, Choice)>,
    leads: Vec<String>,
}

impl Words {
    /// Those of a language.
    pub fn of(locales: &Locales, lang: &str) -> Self {
        let listed = |name: &str| forms(locales, FOLDER, lang, WORDS, name);
        let (mut choices, mut leads) = (Vec::new(), Vec::new());
        for (name, forms) in locales.values(FOLDER, lang, CHOICES) {
            match Choice::named(name.trim()) {
                Some(choice) => choices.extend(forms_of(forms).map(|form| (form, choice))),
                None => leads.extend(forms_of(forms)),
            }
        }
        Self {
            articles: listed("articles"),
            joiners: listed("in"),
            choices,
            leads,
        }
    }

    /// What was said without case, accents and the articles in front.
    pub fn plain(&self, said: &str) -> String {
        self.without_articles(&folded(said)).to_owned()
    }

    /// The words without the articles in front.
    pub fn without_articles<'a>(&self, plain: &'a str) -> &'a str {
        without_leading(plain, &self.articles)
    }

    /// The words without those in front that join a place.
    pub fn without_joiners<'a>(&self, plain: &'a str) -> &'a str {
        without_leading(plain, &self.joiners)
    }

    /// What these words choose of several, or else the words that say which, without those that stand before it.
    pub fn choice<'a>(&self, plain: &'a str) -> Result<Choice, &'a str> {
        let chosen = |said: &str| {
            let found = self.choices.iter().find(|(form, _)| form == said);
            found.map(|(_, choice)| *choice)
        };
        let bare = self.without_joiners(without_leading(plain, &self.leads));
        let bare = self.without_articles(bare);
        chosen(plain).or_else(|| chosen(bare)).ok_or(bare)
    }

    /// The words of an answer that say which one, without those that any answer may have.
    pub fn telling<'a>(&'a self, plain: &'a str) -> impl Iterator<Item = &'a str> {
        let lists = [&self.leads, &self.articles, &self.joiners];
        let says_nothing = move |word: &str| lists.iter().any(|list| list.iter().any(|known| known == word));
        plain
            .split(' ')
            .filter(move |word| !word.is_empty() && !says_nothing(word))
    }

    /// The place of the only one of which all words of an answer are that say which one.
    pub fn named(&self, told: &[String], said: &str) -> Option<usize> {
        let plain = self.plain(said);
        let saying: Vec<&str> = self.telling(&plain).collect();
        if saying.is_empty() || self.choice(&plain).is_ok() {
            return None;
        }
        let has_all = |told: &String| {
            let told = folded(told);
            let known: Vec<&str> = told.split(|c: char| !c.is_alphanumeric()).collect();
            saying.iter().all(|word| known.contains(word))
        };
        let mut places = (0..).zip(told).filter(|(_, told)| has_all(told));
        let (place, _) = places.next()?;
        places.next().is_none().then_some(place)
    }
}

/// What these words choose of what was told; nothing where they are no answer.
pub fn chosen(told: &[String], said: &str, locales: &Locales, lang: &str) -> Option<Chosen> {
    let words = Words::of(locales, lang);
    match words.choice(&words.plain(said)) {
        Ok(Choice::Nth(place)) => (place < told.len()).then_some(Chosen::One(place)),
        Ok(Choice::Last) => told.len().checked_sub(1).map(Chosen::One),
        Ok(Choice::All) => Some(Chosen::All),
        Err(_) => words.named(told, said).map(Chosen::One),
    }
}

/// The forms that a list has for a name, folded.
pub fn forms(locales: &Locales, folder: &str, lang: &str, list: &str, name: &str) -> Vec<String> {
    let mut values = locales.values(folder, lang, list);
    let found = values.find(|(known, _)| known.trim() == name);
    found
        .map(|(_, forms)| forms_of(forms).collect())
        .unwrap_or_default()
}

/// The forms of a line of a list, folded.
pub fn forms_of(forms: &str) -> impl Iterator<Item = String> + '_ {
    forms.split('|').map(folded).filter(|form| !form.is_empty())
}

/// The text without words of the list that stand in front of others.
pub fn without_leading<'a>(text: &'a str, words: &[String]) -> &'a str {
    let mut rest = text;
    while let Some(shorter) = words
        .iter()
        .find_map(|word| rest.strip_prefix(word.as_str())?.strip_prefix(' '))
    {
        rest = shorter;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::Skill;

    #[test]
    fn a_name_that_was_told_is_an_answer() {
        let words = Words::of(&Skill::locales([]), "en");
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
            assert_eq!(words.named(&told, said), place, "{said}");
        }
    }

    #[test]
    fn answers_count_name_and_take_all_in_six_languages() {
        let locales = Skill::locales([]);
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
            assert_eq!(chosen(&told, said, &locales, lang), Some(meant), "{lang}: {said}");
        }
    }
}
