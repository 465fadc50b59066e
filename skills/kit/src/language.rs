//! The words of each language for numbers and times, out of the sections `spoken`, `numbers` and `dates` of the files in
//! `daemon/locale`, made ready to be compared once.
//!
//! Reads no clock and compares nothing. A file that cannot be read is left out; a test reads them all.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::folding::folded;
use crate::pattern::{Piece, first_words, pieces};

/// The languages that have a file, by primary subtag.
const FILES: [(&str, &str); 8] = [
    ("en", include_str!("../../../daemon/locale/en.toml")),
    ("de", include_str!("../../../daemon/locale/de.toml")),
    ("fr", include_str!("../../../daemon/locale/fr.toml")),
    ("es", include_str!("../../../daemon/locale/es.toml")),
    ("pt", include_str!("../../../daemon/locale/pt.toml")),
    ("it", include_str!("../../../daemon/locale/it.toml")),
    ("nl", include_str!("../../../daemon/locale/nl.toml")),
    ("ca", include_str!("../../../daemon/locale/ca.toml")),
];

/// What a language file has for numbers and times; the other sections are read by others.
#[derive(Deserialize)]
struct File {
    numbers: NumberFile,
    dates: DateFile,
    spoken: Spoken,
}

#[derive(Deserialize)]
struct NumberFile {
    decimal: char,
    thousands: char,
    words: BTreeMap<String, f64>,
    minus: Vec<String>,
    percent: Vec<String>,
}

#[derive(Deserialize)]
struct DateFile {
    weekdays: Vec<String>,
    months: Vec<String>,
}

/// The section `spoken`, whose lines are explained in the English file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Spoken {
    articles: Vec<String>,
    ones: Vec<String>,
    numbers: BTreeMap<String, f64>,
    stems: BTreeMap<String, f64>,
    order: Order,
    and: Vec<String>,
    point: Vec<String>,
    degrees: Vec<String>,
    of: Vec<String>,
    fractions: BTreeMap<String, f64>,
    couples: BTreeMap<String, f64>,
    ordinals: BTreeMap<String, f64>,
    ordinal_endings: Vec<String>,
    units: BTreeMap<String, String>,
    weekdays: BTreeMap<String, i8>,
    plurals: Vec<String>,
    through: Vec<String>,
    again: Vec<String>,
    hours: BTreeMap<String, String>,
    oclock: Vec<String>,
    oclock_too: Vec<String>,
    sharp: Vec<String>,
    clock: BTreeMap<String, Vec<String>>,
    parts: Vec<PartFile>,
    relative: BTreeMap<String, i64>,
    feasts: BTreeMap<String, String>,
    days: BTreeMap<DayRule, Vec<String>>,
    repeats: BTreeMap<RepeatRule, Vec<String>>,
    periods: Vec<String>,
    ahead: Vec<String>,
    before: Before,
}

/// In which order the words of numbers stand.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is true or false of any language"
)]
pub(crate) struct Order {
    /// `treinta y cinco`.
    pub(crate) and_behind_tens: bool,
    /// `fünfundzwanzig`.
    pub(crate) units_first: bool,
    /// `quatre-vingt-dix`.
    pub(crate) by_scores: bool,
    /// Whether several make one word.
    pub(crate) in_one_word: bool,
}

/// What stands in front of the parts of a moment.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Before {
    day: Vec<String>,
    /// These make a number a time.
    at: Vec<String>,
    time: Vec<String>,
}

/// A part of the day as a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile {
    hours: [i8; 2],
    at: i8,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    behind: Vec<String>,
    #[serde(default)]
    today: Vec<String>,
    #[serde(default)]
    yesterday: Vec<String>,
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
    Every,
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
    /// So many days from today.
    WithDay(i64),
}

/// Patterns with what each means, and where those are that begin with a word; those that begin with a gap stand at none.
#[derive(Debug)]
pub(crate) struct Table<T> {
    patterns: Vec<(Vec<Piece>, T)>,
    beginning: HashMap<String, Vec<usize>>,
}

impl<T> Table<T> {
    fn of<'a>(entries: impl Iterator<Item = (&'a String, T)>) -> Option<Self> {
        let mut patterns = Vec::new();
        let mut beginning: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, (pattern, meaning)) in entries.enumerate() {
            let pieces = pieces(pattern)?;
            for word in first_words(&pieces) {
                let places = beginning.entry(word.to_owned()).or_default();
                places.push(place);
                places.dedup();
            }
            patterns.push((pieces, meaning));
        }
        Some(Self { patterns, beginning })
    }

    /// Those that may begin with this word.
    pub(crate) fn beginning(&self, word: &str) -> impl Iterator<Item = &(Vec<Piece>, T)> {
        let with_word = self.beginning.get(word).filter(|_| !word.is_empty());
        let with_gap = self.beginning.get("").into_iter().flatten();
        let with_gap = with_gap.filter(move |place| with_word.is_none_or(|places| !places.contains(place)));
        let places = with_word.into_iter().flatten().chain(with_gap);
        places.filter_map(|place| self.patterns.get(*place))
    }
}

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) decimal: char,
    pub(crate) thousands: char,
    pub(crate) numbers: HashMap<String, f64>,
    /// Further parts of words of several numbers.
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
    pub(crate) ordinals: HashMap<String, f64>,
    pub(crate) ordinal_endings: Vec<String>,
    /// How many of which unit.
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
    pub(crate) parts: Table<(Part, Place)>,
    pub(crate) relative: Table<i64>,
    pub(crate) feasts: Table<(i8, i8)>,
    pub(crate) days: Table<DayRule>,
    pub(crate) repeats: Table<RepeatRule>,
    pub(crate) periods: Table<()>,
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
    let read = |(tag, text): &(&'static str, &str)| Some((*tag, Language::read(text)?));
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

impl Language {
    fn read(text: &str) -> Option<Self> {
        let File {
            numbers,
            dates,
            spoken,
        } = toml::from_str(text).ok()?;
        let weekdays = (1..).zip(&dates.weekdays).map(|(day, name)| (name, day));
        let weekdays = weekdays.chain(spoken.weekdays.iter().map(|(name, day)| (name, *day)));
        let oclock = spoken.oclock.iter().map(|word| (word, true));
        let oclock = oclock.chain(spoken.oclock_too.iter().map(|word| (word, false)));
        let at = spoken.before.at.iter().map(|words| (words, true));
        let before = spoken.before.time.iter().map(|words| (words, false));
        Some(Self {
            decimal: numbers.decimal,
            thousands: numbers.thousands,
            numbers: by_word(numbers.words.iter().chain(&spoken.numbers)),
            stems: by_word(spoken.stems.iter()),
            order: spoken.order,
            articles: all_folded(&spoken.articles),
            ones: all_folded(&spoken.ones),
            and: all_folded(&spoken.and),
            point: all_folded(&spoken.point),
            of: all_folded(&spoken.of),
            minus: all_folded(&numbers.minus),
            percent: plain(&numbers.percent)?,
            degrees: plain(&spoken.degrees)?,
            fractions: by_word(spoken.fractions.iter()),
            couples: Table::of(spoken.couples.iter().map(|(words, number)| (words, *number)))?,
            ordinals: by_word(spoken.ordinals.iter()),
            ordinal_endings: all_folded(&spoken.ordinal_endings),
            units: units(&spoken.units)?,
            months: all_folded(&dates.months),
            weekdays: Table::of(weekdays)?,
            plurals: Table::of((1..).zip(&spoken.plurals).map(|(day, names)| (names, day)))?,
            through: all_folded(&spoken.through),
            again: all_folded(&spoken.again),
            hours: Table::of(minutes(&spoken.hours)?.into_iter())?,
            oclock: Table::of(oclock)?,
            sharp: plain(&spoken.sharp)?,
            clock: clock(&spoken.clock)?,
            parts: parts(&spoken.parts)?,
            relative: Table::of(spoken.relative.iter().map(|(name, days)| (name, *days)))?,
            feasts: Table::of(feasts(&spoken.feasts)?.into_iter())?,
            days: ruled(&spoken.days)?,
            repeats: ruled(&spoken.repeats)?,
            periods: plain(&spoken.periods)?,
            before_day: plain(&spoken.before.day)?,
            before_time: Table::of(at.chain(before))?,
            ahead: plain(&spoken.ahead)?,
        })
    }
}

fn all_folded(words: &[String]) -> Vec<String> {
    words.iter().map(|word| folded(word)).collect()
}

fn by_word<'a>(entries: impl Iterator<Item = (&'a String, &'a f64)>) -> HashMap<String, f64> {
    entries.map(|(word, value)| (folded(word), *value)).collect()
}

fn plain(patterns: &[String]) -> Option<Table<()>> {
    Table::of(patterns.iter().map(|pattern| (pattern, ())))
}

fn ruled<R: Copy + Ord>(rules: &BTreeMap<R, Vec<String>>) -> Option<Table<R>> {
    let patterns = rules
        .iter()
        .flat_map(|(rule, patterns)| patterns.iter().map(move |pattern| (pattern, *rule)));
    Table::of(patterns)
}

/// `"15 minute" = "viertelstunde"`: how many of which unit each of the names is.
fn units(file: &BTreeMap<String, String>) -> Option<HashMap<String, Measure>> {
    let mut units = HashMap::new();
    for (length, names) in file {
        let (count, name) = length.split_once(' ')?;
        let (factor, unit) = match name {
            "second" => (1.0, Unit::Second),
            "minute" => (60.0, Unit::Second),
            "hour" => (3600.0, Unit::Second),
            "day" => (1.0, Unit::Day),
            "week" => (7.0, Unit::Day),
            "month" => (1.0, Unit::Month),
            "year" => (12.0, Unit::Month),
            _ => return None,
        };
        let measure = Measure {
            factor: count.parse::<f64>().ok()? * factor,
            unit,
            is_amount: count != "1",
        };
        units.extend(names.split('|').map(|name| (folded(name), measure)));
    }
    Some(units)
}

/// `"noon" = "12:00"`.
fn minutes(hours: &BTreeMap<String, String>) -> Option<Vec<(&String, i32)>> {
    let read = |(name, time)| {
        let (hour, minute) = str::split_once(time, ':')?;
        Some((name, hour.parse::<i32>().ok()? * 60 + minute.parse::<i32>().ok()?))
    };
    hours
        .iter()
        .map(|(name, time)| read((name, time.as_str())))
        .collect()
}

/// `"christmas" = "12-25"`.
fn feasts(feasts: &BTreeMap<String, String>) -> Option<Vec<(&String, (i8, i8))>> {
    let read = |day: &str| {
        let (month, day) = day.split_once('-')?;
        Some((month.parse().ok()?, day.parse().ok()?))
    };
    feasts
        .iter()
        .map(|(name, day)| Some((name, read(day)?)))
        .collect()
}

/// `"-30-"`: thirty minutes before the hour, and so many less.
fn clock(file: &BTreeMap<String, Vec<String>>) -> Option<Table<Offset>> {
    let read = |offset: &str| {
        let is_pair = offset == "pair";
        let offset = if is_pair { "+" } else { offset };
        let bare = offset.strip_suffix(['+', '-']).unwrap_or(offset);
        let sign = match offset.strip_prefix(bare)? {
            "+" => 1,
            "-" => -1,
            _ => 0,
        };
        let minutes = if bare.is_empty() { 0 } else { bare.parse().ok()? };
        Some(Offset {
            minutes,
            sign,
            is_pair,
        })
    };
    let mut patterns = Vec::new();
    for (offset, lines) in file {
        let offset = read(offset)?;
        patterns.extend(lines.iter().map(|line| (line, offset)));
    }
    Table::of(patterns.into_iter())
}

fn parts(parts: &[PartFile]) -> Option<Table<(Part, Place)>> {
    let all = parts.iter().flat_map(|file| {
        let part = Part {
            hours: file.hours,
            at: file.at,
        };
        let lists = [
            (&file.names, Place::Anywhere),
            (&file.behind, Place::BehindDay),
            (&file.today, Place::WithDay(0)),
            (&file.yesterday, Place::WithDay(-1)),
        ];
        lists
            .into_iter()
            .flat_map(move |(names, place)| names.iter().map(move |name| (name, (part, place))))
    });
    Table::of(all)
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
