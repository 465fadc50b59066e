//! The words of each language for numbers and times, out of the sections `spoken`, `numbers` and `dates` of the files in
//! `daemon/locale`, made ready to be compared once.
//!
//! Reads no clock and compares nothing. A file that cannot be read is left out; a test reads them all.

mod file;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

use loquat_agent::language::FILES;
use serde::Deserialize;

pub(crate) use table::Table;

use crate::reading::feast::Feast;

/// In which order the words of numbers stand.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is true or false of any language"
)]
pub(crate) struct Order {
    /// The language says `treinta y cinco`.
    pub(crate) and_behind_tens: bool,
    /// The language says `fünfundzwanzig`.
    pub(crate) units_first: bool,
    /// The language says `quatre-vingt-dix`.
    pub(crate) by_scores: bool,
    /// Whether several make one word.
    pub(crate) in_one_word: bool,
}

/// How a day is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DayRule {
    This,
    Next,
    Last,
    OfThisWeek,
    OfNextWeek,
    OfLastWeek,
    InWeeks,
    Date,
    Ago,
    After,
    Before,
}

/// How a repetition is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RepeatRule {
    Daily,
    Weekdays,
    Weekends,
    Days,
    /// All days but these are meant.
    Except,
    Every,
    Other,
}

/// Which end of a stretch of time is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StretchRule {
    Between,
    Before,
    /// With the day that is named.
    Until,
    After,
    /// With the day that is named.
    From,
}

/// A part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The first and the last hour that it can hold; the last may be of the next day.
    pub hours: [i8; 2],
    /// The hour that is meant where none is said.
    pub at: i8,
}

/// Where the name of a part of the day may stand, and whether it tells the day too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    BehindDay,
    /// The day is so many days from today.
    WithDay(i64),
}

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) decimal: char,
    pub(crate) thousands: char,
    pub(crate) numbers: HashMap<String, f64>,
    /// These are further parts of words of several numbers.
    pub(crate) stems: HashMap<String, f64>,
    pub(crate) order: Order,
    /// One, in front of what is counted.
    pub(crate) articles: Vec<String>,
    /// One, and no number where it stands alone.
    pub(crate) ones: Vec<String>,
    pub(crate) and: Vec<String>,
    pub(crate) point: Vec<String>,
    pub(crate) of: Vec<String>,
    pub(crate) minus: Vec<String>,
    pub(crate) percent: Table<()>,
    pub(crate) degrees: Table<()>,
    pub(crate) fractions: HashMap<String, f64>,
    pub(crate) couples: Table<f64>,
    /// Between a number and what is counted, which comes on top of what there is: `six more minutes`.
    pub(crate) further: Vec<String>,
    /// Between a number and what is counted, of which they say nothing: `six full minutes`.
    pub(crate) full: Vec<String>,
    pub(crate) ordinals: HashMap<String, f64>,
    pub(crate) ordinal_endings: Vec<String>,
    /// Each word means so many of a unit.
    pub(crate) units: HashMap<String, Measure>,
    pub(crate) months: Vec<String>,
    pub(crate) weekdays: Table<i8>,
    pub(crate) plurals: Table<i8>,
    pub(crate) through: Vec<String>,
    pub(crate) again: Vec<String>,
    /// Hours with a name, in minutes.
    pub(crate) hours: Table<i32>,
    /// Behind an hour; what tells that it is one.
    pub(crate) oclock: Table<bool>,
    pub(crate) sharp: Table<()>,
    pub(crate) clock: Table<Offset>,
    /// Minutes from an hour that was not said.
    pub(crate) of_hour: Table<Offset>,
    pub(crate) parts: Table<(Part, Place)>,
    pub(crate) relative: Table<i64>,
    pub(crate) feasts: Table<Feast>,
    pub(crate) days: Table<DayRule>,
    pub(crate) repeats: Table<RepeatRule>,
    /// The last day of a repetition, or how long it lasts.
    pub(crate) last_day: Table<()>,
    /// Times that are no one moment: `before five`, `between 5 and 6`.
    pub(crate) stretches: Table<StretchRule>,
    pub(crate) periods: Table<()>,
    /// Lengths of time that are no one length: `5 to 10 minutes`.
    pub(crate) spans: Table<()>,
    /// Words that nothing ends with, since what follows belongs to them.
    pub(crate) unfinished: Vec<String>,
    pub(crate) before_day: Table<()>,
    /// Whether they make a number a time.
    pub(crate) before_time: Table<bool>,
    pub(crate) ahead: Table<()>,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Second,
    Day,
    Month,
}

/// So many of a unit of time that have one name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) factor: f64,
    pub(crate) unit: Unit,
    /// Whether the name tells how many it is and needs no number: `mezzora`.
    pub(crate) is_amount: bool,
}

/// How far a time is from the hour: so many minutes, and more or fewer by those that are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) minutes: i32,
    pub(crate) sign: i32,
    /// Whether these are the hour and the minutes as a clock in figures has them.
    pub(crate) is_pair: bool,
}

/// By the first part of their BCP-47 tag.
static LANGUAGES: LazyLock<HashMap<&str, Language>> = LazyLock::new(|| {
    let read = |(tag, text): &(&'static str, &str)| Some((*tag, file::read(text)?));
    FILES.iter().filter_map(read).collect()
});

/// Whether a language can be read, by the primary subtag of its BCP-47 tag.
pub fn knows(tag: &str) -> bool {
    language(tag).is_some()
}

/// The words of a language, by its BCP-47 tag.
pub(crate) fn language(tag: &str) -> Option<&'static Language> {
    let primary = tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    LANGUAGES.get(primary.as_str())
}

#[cfg(test)]
mod tests {
    use super::{FILES, LANGUAGES};

    #[test]
    fn every_language_file_can_be_read() {
        for (tag, _) in FILES {
            assert!(LANGUAGES.contains_key(tag), "the section spoken of {tag}.toml");
        }
        for (tag, language) in LANGUAGES.iter() {
            assert_eq!(language.months.len(), 12, "{tag}");
        }
    }
}
