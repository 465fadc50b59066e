//! The words of a language that lists are made with: names of lists, words between items, endings of plurals.
//!
//! Out of the `*.value` files of the locale; a language without them gets the English ones.

use loquat_kit::locale::Locales;

use super::FOLDER;

/// The language of those that have no files.
const FALLBACK: &str = "en";

/// The words of one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    locales: &'a Locales,
    /// It is a BCP-47 tag.
    pub(super) lang: &'a str,
}

impl<'a> Words<'a> {
    /// Those of this language.
    pub(super) fn of(locales: &'a Locales, lang: Option<&'a str>) -> Self {
        let has_words = |lang: &&str| locales.file(FOLDER, lang, "words.value").is_some();
        Self {
            locales,
            lang: lang.filter(has_words).unwrap_or(FALLBACK),
        }
    }

    /// Those of the language that models know best.
    pub(super) fn fallback(&self) -> Self {
        Self {
            lang: FALLBACK,
            ..*self
        }
    }

    /// The lines of a file: a name and what stands for it.
    pub(super) fn lines(&self, file: &'static str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let lines = self.locales.values(FOLDER, self.lang, file);
        lines.map(|(name, value)| (name.trim(), value.trim()))
    }

    /// What stands for a name, one after the other.
    pub(super) fn forms(&self, file: &'static str, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let line = self.lines(file).find(|(known, _)| *known == name);
        let forms = line.map(|(_, forms)| forms.split('|').map(str::trim));
        forms.into_iter().flatten()
    }

    /// Whether a word is one of those that `words.value` has for this name.
    pub(super) fn is(&self, name: &str, word: &str) -> bool {
        let word = loquat_kit::folded(word);
        self.forms("words.value", name)
            .any(|known| loquat_kit::folded(known) == word)
    }
}

/// The words of a text, without the marks that separate them.
pub(super) fn apart(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |mark: char| mark.is_whitespace() || "_-,.'\u{2019}".contains(mark);
    text.split(is_mark).filter(|word| !word.is_empty())
}
