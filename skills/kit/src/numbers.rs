//! Numbers as people say and write them in their language: `2,450` and `2.450`, `three point five`, `fünfundzwanzig`.
//!
//! Reads whole texts or nothing, and never guesses which of two numbers is meant.

use std::sync::LazyLock;

use crate::reading::{Customs, Reader};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use loquat_agent::language::FILES;
use serde::Deserialize;

/// What a language file has for numbers; the other sections are read by others.
#[derive(Deserialize)]
struct File {
    numbers: Option<Marks>,
}

/// How a language writes numbers; how it says them is read by the agent.
#[derive(Deserialize)]
struct Marks {
    /// It stands before the decimals.
    decimal: char,
}

/// By primary subtag. A file that cannot be read is left out; a test reads them all.
static MARKS: LazyLock<Vec<(&str, Marks)>> = LazyLock::new(|| {
    let read =
        |(lang, text): &(&'static str, &str)| Some((*lang, toml::from_str::<File>(text).ok()?.numbers?));
    FILES.iter().filter_map(read).collect()
});

/// A text with each of its numbers, in words or in figures, as a program writes it: without marks between the thousands
/// and with a point before the decimals.
pub fn with_figures(text: &str, lang: &str) -> String {
    let figures = reader(lang).with_figures(text);
    let words: Vec<&str> = figures.split_whitespace().collect();
    words.join(" ")
}

/// The number that a text is, with its sign.
pub fn number(text: &str, lang: &str) -> Option<f64> {
    reader(lang).number(text).ok()
}

/// Numbers mean the same at every moment.
fn reader(lang: &str) -> Reader {
    Reader::new(
        lang,
        Customs::default(),
        Zoned::new(Timestamp::UNIX_EPOCH, TimeZone::UTC),
    )
}

/// A number with at most two decimals, or three digits of a small one, as it is written in this language.
pub fn written(value: f64, lang: &str) -> String {
    let decimal = marks(lang).map_or('.', |marks| marks.decimal);
    let text = if value == 0.0 {
        "0".to_owned()
    } else {
        value.to_string()
    };
    text.replace('.', decimal.encode_utf8(&mut [0; 4]))
}

/// A number with two decimals, as money is written in this language.
pub fn with_cents(value: f64, lang: &str) -> String {
    let decimal = marks(lang).map_or('.', |marks| marks.decimal);
    format!("{value:.2}").replace('.', decimal.encode_utf8(&mut [0; 4]))
}

fn marks(lang: &str) -> Option<&'static Marks> {
    let primary = lang.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    MARKS
        .iter()
        .find(|(known, _)| *known == primary)
        .map(|(_, marks)| marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_language_writes_and_says_them() {
        for (text, lang, value) in [
            ("2,450", "en-US", 2450.0),
            ("2.450", "de-DE", 2450.0),
            ("2.5", "de-DE", 2.5),
            ("3,5", "de", 3.5),
            ("1,234.5", "en", 1234.5),
            ("three point five", "en-GB", 3.5),
            ("twenty five", "en", 25.0),
            ("fünfundzwanzig", "de", 25.0),
            ("quatre-vingt-dix-sept", "fr-FR", 97.0),
            ("veinticinco", "es", 25.0),
            ("ventuno", "it", 21.0),
            ("vinte e cinco", "pt-BR", 25.0),
            ("17", "ca", 17.0),
        ] {
            assert_eq!(number(text, lang), Some(value), "{text} ({lang})");
        }
        for (text, lang) in [
            ("five apples", "en"),
            ("25th", "en"),
            ("", "en"),
            ("inf", "en"),
            ("1,2,3", "en"),
            ("3,5", "en"),
            ("1.2.3", "de"),
        ] {
            assert_eq!(number(text, lang), None, "{text} ({lang})");
        }
    }

    #[test]
    fn a_number_is_written_as_the_language_writes_it() {
        assert_eq!(written(2.5, "en-US"), "2.5");
        assert_eq!(written(2.5, "de-DE"), "2,5");
        assert_eq!(written(-0.0, "de-DE"), "0");
        assert_eq!(written(41650.0, "fr"), "41650");
    }

    #[test]
    fn every_language_says_how_it_writes_numbers() {
        assert_eq!(MARKS.len(), FILES.len());
        for (lang, _) in FILES {
            assert!(crate::reading::knows(lang), "{lang} is not read");
        }
    }
}
