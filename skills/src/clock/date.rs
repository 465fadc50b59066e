//! Dates as people write them: `2026-12-25`, `25 December`, `Christmas`, `next Friday`, `in 90 days`.
//!
//! A date without a year is the next one there is. Refuses what it cannot read.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

use super::locale::{Formats, Locale};
use crate::numbers::with_figures;
use crate::spelling::folded;

/// The date that the text names, seen from `today`, in one of the languages.
pub(super) fn parse(
    text: &str,
    today: Date,
    locales: [Option<&Locale>; 2],
    formats: &Formats,
) -> Option<Date> {
    let text = text.trim();
    if text.len() > 100 {
        return None;
    }
    if let Some(date) = figures(text, today, formats) {
        return Some(date);
    }
    let plain = folded(text);
    let words: Vec<&str> = plain.split(' ').filter(|word| *word != "the").collect();
    let plain = words.join(" ");
    locales.into_iter().flatten().find_map(|locale| {
        relative_day(&plain, today, locale)
            .or_else(|| named_day(&plain, today, locale))
            .or_else(|| day_and_month(&words, today, locale))
            .or_else(|| span(&words, text, (today, locale)))
            .or_else(|| weekday(&words, today, locale))
    })
}

/// Words around the parts of a date that say nothing more.
const FILLERS: &[&str] = &[
    "the",
    "of",
    "on",
    "next",
    "last",
    "this",
    "coming",
    "de",
    "del",
    "di",
    "d",
    "du",
    "le",
    "la",
    "el",
    "il",
    "do",
    "da",
    "den",
    "dem",
    "der",
    "am",
    "zum",
    "des",
    "l",
    "st",
    "nd",
    "rd",
    "th",
    "er",
    "re",
    "\u{ba}",
    "nachsten",
    "nachste",
    "nachster",
    "kommenden",
    "prochain",
    "prochaine",
    "proximo",
    "proxima",
    "prossimo",
    "prossima",
];

/// Whether a folded word can stand in a date.
pub(super) fn may_hold(word: &str, locale: &Locale) -> bool {
    number(word).is_some()
        || FILLERS.contains(&word)
        || locale.names_days_with(word)
        || month_named(word, locale).is_some()
}

/// `2026-12-25`, `12-25`, `25.12.2026`, `12/25`.
fn figures(text: &str, today: Date, formats: &Formats) -> Option<Date> {
    let day_part = text.split(['T', ' ']).next().unwrap_or_default();
    let rest = text.get(day_part.len()..).unwrap_or_default();
    if rest.contains(|c: char| c.is_alphabetic() && c != 'T' && c != 'Z') {
        return None;
    }
    let numbers: Option<Vec<i16>> = day_part
        .split(['-', '/', '.'])
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().ok())
        .collect();
    match numbers?.as_slice() {
        [year, month, day] if *year > 99 => new(*year, *month, *day),
        [first, second, year] if *year > 99 => {
            let (month, day) = month_and_day(*first, *second, day_part, formats);
            new(*year, month, day)
        }
        [first, second] if day_part.contains('-') => next(*first, *second, today),
        [first, second] => {
            let (month, day) = month_and_day(*first, *second, day_part, formats);
            next(month, day, today)
        }
        _ => None,
    }
}

/// Points mean day first; otherwise the person's format decides, unless only one order makes a date.
fn month_and_day(first: i16, second: i16, text: &str, formats: &Formats) -> (i16, i16) {
    let month_first = formats.date != "DMY" && !text.contains('.');
    if (month_first && first <= 12) || second > 12 {
        (first, second)
    } else {
        (second, first)
    }
}

fn relative_day(plain: &str, today: Date, locale: &Locale) -> Option<Date> {
    let (_, days) = locale
        .relative_days
        .iter()
        .find(|(name, _)| folded(name) == plain)?;
    today.checked_add(days.days()).ok()
}

fn named_day(plain: &str, today: Date, locale: &Locale) -> Option<Date> {
    let bare = plain.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let (_, day) = locale.named_days.iter().find(|(name, _)| folded(name) == bare)?;
    let (month, day) = day.split_once('-')?;
    let (month, day) = (month.parse().ok()?, day.parse().ok()?);
    match plain.get(bare.len()..).map(str::trim) {
        None | Some("") => next(month, day, today),
        Some(year) => new(year.parse().ok()?, month, day),
    }
}

/// `25 December 2026`, `December 25th`, `Friday, 25. Dezember`.
fn day_and_month(words: &[&str], today: Date, locale: &Locale) -> Option<Date> {
    let mut month = None;
    let mut day = None;
    let mut year = None;
    for word in words {
        if let Some(number) = number(word) {
            let slot = if number > 31 { &mut year } else { &mut day };
            if slot.replace(number).is_some() {
                return None;
            }
        } else if month.is_none() {
            month = month_named(word, locale);
        }
    }
    match year {
        Some(year) => new(year, month?, day?),
        None => next(month?, day?, today),
    }
}

/// `in 90 days`, `two weeks ago`.
fn span(words: &[&str], text: &str, (today, locale): (Date, &Locale)) -> Option<Date> {
    let unit = words.iter().find_map(|word| {
        locale
            .spans
            .iter()
            .find(|(name, _)| folded(name) == *word)
            .map(|(_, unit)| unit.as_str())
    })?;
    let said = format!(" {} ", words.join(" "));
    let says = |phrases: &[String]| {
        phrases
            .iter()
            .any(|phrase| said.contains(&format!(" {} ", folded(phrase))))
    };
    let ago = says(&locale.ago);
    if !(ago || says(&locale.within)) {
        return None;
    }
    let figures = with_figures(&text.to_lowercase(), locale.lang);
    let count = figures
        .split(' ')
        .find_map(|word| word.parse::<i64>().ok())
        .unwrap_or(1);
    let count = if ago { -count } else { count };
    let span = match unit {
        "week" => Span::new().try_weeks(count),
        "month" => Span::new().try_months(count),
        "year" => Span::new().try_years(count),
        _ => Span::new().try_days(count),
    };
    today.checked_add(span.ok()?).ok()
}

/// The next day of this name after today, or the one before with `last`.
fn weekday(words: &[&str], today: Date, locale: &Locale) -> Option<Date> {
    if words.len() > 3 {
        return None;
    }
    let is_day = |word: &str| locale.weekdays.iter().position(|day| folded(day) == word);
    let joined = words.join(" ");
    let index = is_day(&joined).or_else(|| words.iter().find_map(|word| is_day(word)))?;
    let day = Weekday::from_monday_zero_offset(i8::try_from(index).ok()?).ok()?;
    today
        .nth_weekday(if words.contains(&"last") { -1 } else { 1 }, day)
        .ok()
}

/// A day or year: `25`, `25th`, `1er`.
fn number(word: &str) -> Option<i16> {
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let (digits, suffix) = word.split_at_checked(end)?;
    let ordinal = matches!(
        suffix,
        "" | "st" | "nd" | "rd" | "th" | "er" | "re" | "e" | "\u{ba}" | "\u{b0}"
    );
    digits.parse().ok().filter(|_| ordinal)
}

/// A month by its name or by at least three letters of it.
fn month_named(word: &str, locale: &Locale) -> Option<i16> {
    let matches = |month: &String| {
        let month = folded(month);
        let name = month.rsplit(' ').next().unwrap_or_default();
        word.chars().count() >= 3 && name.starts_with(word)
    };
    let index = locale.months.iter().position(matches)?;
    i16::try_from(index + 1).ok()
}

fn new(year: i16, month: i16, day: i16) -> Option<Date> {
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Today or the next such day; the 29th of February may be years away.
fn next(month: i16, day: i16, today: Date) -> Option<Date> {
    (0..=8)
        .filter_map(|years| new(today.year().checked_add(years)?, month, day))
        .find(|date| *date >= today)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{Formats, Locale, parse};

    /// Seen from Saturday, 21 November 2026.
    fn read(text: &str, lang: &str) -> Option<String> {
        let locale = Locale::of(lang);
        let formats = Formats::new(locale, Some(lang), None, None);
        let found = parse(text, date(2026, 11, 21), [locale, Locale::english()], &formats);
        found.map(|date| date.to_string())
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        let cases = [
            ("2026-12-25", "en", "2026-12-25"),
            ("2026-12-25T10:00:00Z", "en", "2026-12-25"),
            ("2025/1/2", "en", "2025-01-02"),
            ("12-25", "en", "2026-12-25"),
            ("01-01", "en", "2027-01-01"),
            ("11-21", "en", "2026-11-21"),
            ("12/25/2026", "en", "2026-12-25"),
            ("25/12/2026", "en", "2026-12-25"),
            ("3/4/2027", "en", "2027-03-04"),
            ("3/4/2027", "fr", "2027-04-03"),
            ("25.12.2026", "en", "2026-12-25"),
            ("3.4.", "de", "2027-04-03"),
            ("25 December 2026", "en", "2026-12-25"),
            ("December 25th, 2026", "en", "2026-12-25"),
            ("the 25th of December", "en", "2026-12-25"),
            ("Dec 25", "en", "2026-12-25"),
            ("Friday, 25. Dezember", "de", "2026-12-25"),
            ("3. M\u{e4}rz", "de", "2027-03-03"),
            ("1er janvier", "fr", "2027-01-01"),
            ("14 f\u{e9}vrier 2028", "fr", "2028-02-14"),
            ("6 de enero", "es", "2027-01-06"),
            ("7 de setembro de 2027", "pt", "2027-09-07"),
            ("25 aprile", "it", "2027-04-25"),
            ("11 d'agost", "ca", "2027-08-11"),
            ("5 mei", "nl", "2027-05-05"),
            ("29 February", "en", "2028-02-29"),
        ];
        for (text, lang, expected) in cases {
            assert_eq!(read(text, lang).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn days_have_names() {
        let cases = [
            ("today", "en", "2026-11-21"),
            ("now", "de", "2026-11-21"),
            ("Tomorrow", "de", "2026-11-22"),
            ("\u{fc}bermorgen", "de", "2026-11-23"),
            ("hier", "fr", "2026-11-20"),
            ("pasado ma\u{f1}ana", "es", "2026-11-23"),
            ("Christmas", "en", "2026-12-25"),
            ("Christmas 2027", "en", "2027-12-25"),
            ("New Year's Eve", "en", "2026-12-31"),
            ("Weihnachten", "de", "2026-12-25"),
            ("No\u{eb}l", "fr", "2026-12-25"),
            ("Friday", "en", "2026-11-27"),
            ("next Saturday", "en", "2026-11-28"),
            ("last friday", "en", "2026-11-20"),
            ("n\u{e4}chsten Montag", "de", "2026-11-23"),
            ("sexta-feira", "pt", "2026-11-27"),
        ];
        for (text, lang, expected) in cases {
            assert_eq!(read(text, lang).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn spans_count_from_today() {
        let cases = [
            ("in 90 days", "en", "2027-02-19"),
            ("2 weeks from now", "en", "2026-12-05"),
            ("3 months ago", "en", "2026-08-21"),
            ("in a week", "en", "2026-11-28"),
            ("in two weeks", "en", "2026-12-05"),
            ("ten days ago", "en", "2026-11-11"),
            ("in f\u{fc}nf Tagen", "de", "2026-11-26"),
            ("dans trois semaines", "fr", "2026-12-12"),
            ("dentro de dos meses", "es", "2027-01-21"),
            ("in einer Woche", "de", "2026-11-28"),
            ("in 2 Jahren", "de", "2028-11-21"),
            ("vor 3 Tagen", "de", "2026-11-18"),
            ("il y a 2 semaines", "fr", "2026-11-07"),
            ("dentro de 10 d\u{ed}as", "es", "2026-12-01"),
        ];
        for (text, lang, expected) in cases {
            assert_eq!(read(text, lang).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        let nonsense = [
            "",
            "2026-13-01",
            "2026-02-30",
            "31 April",
            "someday",
            "in 9999999 years",
            "12",
            "1/2/3/4",
        ];
        for text in nonsense {
            assert_eq!(read(text, "en"), None, "{text}");
        }
    }
}
