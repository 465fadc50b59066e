//! What a language file has for numbers and times, made ready to be compared.
//!
//! Names the keys of the sections that are read; a key that is not known makes the file unreadable.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::{DayRule, Language, Measure, Offset, Order, Part, Place, RepeatRule, StretchRule, Table, Unit};
use crate::reading::feast::Feast;
use crate::reading::folding::folded;

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
    further: Vec<String>,
    full: Vec<String>,
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
    of_hour: BTreeMap<String, Vec<String>>,
    parts: Vec<PartFile>,
    relative: BTreeMap<String, i64>,
    feasts: BTreeMap<String, String>,
    days: BTreeMap<DayRule, Vec<String>>,
    repeats: BTreeMap<RepeatRule, Vec<String>>,
    last_day: Vec<String>,
    stretches: BTreeMap<StretchRule, Vec<String>>,
    periods: Vec<String>,
    spans: Vec<String>,
    unfinished: Vec<String>,
    ahead: Vec<String>,
    before: Before,
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

/// The words of a language, out of the text of its file; nothing where that cannot be read.
pub(super) fn read(text: &str) -> Option<Language> {
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
    Some(Language {
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
        further: all_folded(&spoken.further),
        full: all_folded(&spoken.full),
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
        of_hour: clock(&spoken.of_hour)?,
        parts: parts(&spoken.parts)?,
        relative: Table::of(spoken.relative.iter().map(|(name, days)| (name, *days)))?,
        feasts: Table::of(feasts(&spoken.feasts)?.into_iter())?,
        days: ruled(&spoken.days)?,
        repeats: ruled(&spoken.repeats)?,
        last_day: plain(&spoken.last_day)?,
        stretches: ruled(&spoken.stretches)?,
        periods: plain(&spoken.periods)?,
        spans: plain(&spoken.spans)?,
        unfinished: all_folded(&spoken.unfinished),
        before_day: plain(&spoken.before.day)?,
        before_time: Table::of(at.chain(before))?,
        ahead: plain(&spoken.ahead)?,
    })
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

/// `"christmas" = "12-25"`, `"good friday" = "easter-2"`.
fn feasts(feasts: &BTreeMap<String, String>) -> Option<Vec<(&String, Feast)>> {
    let read = |day: &str| {
        if let Some(behind) = day.strip_prefix("easter") {
            let days = if behind.is_empty() {
                0
            } else {
                behind.parse().ok()?
            };
            return Some(Feast::ByEaster(days));
        }
        let (month, day) = day.split_once('-')?;
        Some(Feast::On(month.parse().ok()?, day.parse().ok()?))
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
