//! Times of day as people write them: `15:30`, `3 pm`, `noon`, `15 h 30`, `15 Uhr`.
//!
//! Refuses rather than guesses: `25:00` and `tea time` are no times.

use jiff::ToSpan;
use jiff::civil::Time;

use super::locale::Locale;
use crate::spelling::folded;

/// Words around a time that say nothing more.
const FILLERS: &[&str] = &[
    "at", "um", "uhr", "uur", "o", "clock", "a", "las", "alle", "ore", "kl", "h", "heures", "horas", "hours",
    "le", "les", "as",
];

/// The hour with which the second half of the day begins.
const NOON: i8 = 12;

/// A part of the day that begins so late may last until the morning.
const LATE: i8 = 20;

/// A time as it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) time: Time,
    /// Whether the half of the day was said, or the time has a name.
    pub(super) has_half: bool,
    /// Whether it was said by the hour, as on a clock of twelve hours: `half past six`.
    pub(super) is_colloquial: bool,
}

/// The time that the text names in one of the languages.
pub(super) fn parse(text: &str, locales: [Option<&Locale>; 2]) -> Option<Time> {
    read(text, locales).map(|said| said.time)
}

/// The time that the text names, and how it was said.
pub(super) fn read(text: &str, locales: [Option<&Locale>; 2]) -> Option<Said> {
    if text.len() > 100 || text.trim_start().starts_with('-') {
        return None;
    }
    let plain = folded(text);
    let mut locales = locales.into_iter().flatten();
    let in_words = locales.find_map(|locale| {
        named(&plain, locale)
            .or_else(|| in_a_period(&plain, locale))
            .or_else(|| by_the_hour(&plain, locale))
    });
    in_words.or_else(|| figures(&plain))
}

/// `5 de la tarde`, `7 uhr abends`, `half past 7 in the evening`: of the two hours the one that the part of the day holds.
fn in_a_period(plain: &str, locale: &Locale) -> Option<Said> {
    let mut periods = locale.periods.iter().chain(&locale.further_periods);
    let (said, from) = periods.find_map(|period| {
        let name = folded(&period.name);
        // These are read with the figures.
        let name = Some(name).filter(|name| !["am", "pm"].contains(&name.as_str()))?;
        let time = plain.strip_suffix(&name)?.strip_suffix(' ')?;
        let said = by_the_hour(time, locale).or_else(|| figures(time))?;
        Some((said, period.from))
    })?;
    // Noon parts the day; a night ends in the morning.
    let is_early = said.time.hour() < 6 || said.time.hour() == 12;
    let is_late = from >= NOON && !(from >= LATE && is_early);
    let time = match (said.has_half, said.time.hour(), is_late) {
        (false, 12, false) => said.time.wrapping_sub(12.hours()),
        (false, 0..12, true) => said.time.wrapping_add(12.hours()),
        (false, _, _) => said.time,
        (true, _, _) => return None,
    };
    Some(Said {
        time,
        has_half: true,
        is_colloquial: said.is_colloquial,
    })
}

fn named(plain: &str, locale: &Locale) -> Option<Said> {
    let mut names = locale.named_times.iter();
    let (_, time) = names.find(|(name, _)| folded(name) == plain)?;
    figures(time).map(|said| Said {
        has_half: true,
        ..said
    })
}

/// `half past 6`, `halb 7`, `6 et demie`.
fn by_the_hour(plain: &str, locale: &Locale) -> Option<Said> {
    locale.hour_parts.iter().find_map(|(pattern, minutes)| {
        let (before, after) = pattern.split_once("{hour}")?;
        let hour = plain.strip_prefix(&folded(before))?;
        let hour = figures(hour.strip_suffix(&folded(after))?)?;
        let time = hour.time.wrapping_add(minutes.minutes());
        Some(Said {
            time,
            is_colloquial: true,
            ..hour
        })
    })
}

fn figures(text: &str) -> Option<Said> {
    let spaced = separated(text);
    // `3pm` and `3 p m` alike, after the dots of `p.m.` have become spaces.
    let spaced = spaced
        .replace("am", " am")
        .replace("pm", " pm")
        .replace("a m", "am")
        .replace("p m", "pm");
    let mut numbers = Vec::new();
    let mut afternoon = None;
    for word in spaced.split_whitespace() {
        match word {
            "am" => afternoon = Some(false),
            "pm" => afternoon = Some(true),
            word if FILLERS.contains(&word) => {}
            word => numbers.push(word.parse::<i8>().ok()?),
        }
    }
    let (hour, minute) = match numbers.as_slice() {
        [hour] => (*hour, 0),
        [hour, minute] | [hour, minute, _] => (*hour, *minute),
        _ => return None,
    };
    let hour = match (afternoon, hour) {
        (None, 24) if minute == 0 => 0,
        (None, hour) => hour,
        (Some(afternoon), 1..=12) => hour % 12 + if afternoon { 12 } else { 0 },
        (Some(_), _) => return None,
    };
    Some(Said {
        time: Time::new(hour, minute, 0, 0).ok()?,
        has_half: afternoon.is_some(),
        is_colloquial: false,
    })
}

/// `15:30` and `15h30` as two numbers.
fn separated(text: &str) -> String {
    let mut after_digit = false;
    let separate = |c: char| {
        let separator = c == ':' || (c == 'h' && after_digit);
        after_digit = c.is_ascii_digit();
        if separator { ' ' } else { c }
    };
    text.chars().map(separate).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::time;

    use super::{Locale, parse};

    #[test]
    fn times_are_read_as_people_write_them() {
        let cases = [
            ("15:30", 15, 30),
            ("3 pm", 15, 0),
            ("3PM", 15, 0),
            ("3:30 p.m.", 15, 30),
            ("12 am", 0, 0),
            ("12:15 pm", 12, 15),
            ("noon", 12, 0),
            ("Mitternacht", 0, 0),
            ("15 Uhr", 15, 0),
            ("15h30", 15, 30),
            ("15 h 30", 15, 30),
            ("15.30 Uhr", 15, 30),
            ("3 o'clock", 3, 0),
            ("09:05:00", 9, 5),
            ("24:00", 0, 0),
            ("7", 7, 0),
            ("half past 6", 6, 30),
            ("quarter to 1", 0, 45),
            ("halb 7", 6, 30),
            ("viertel nach 18 Uhr", 18, 15),
        ];
        for (text, hour, minute) in cases {
            let found = parse(text, [Locale::of("de"), Locale::english()]);
            assert_eq!(found, Some(time(hour, minute, 0, 0)), "{text}");
        }
    }

    #[test]
    fn the_part_of_the_day_decides_which_hour_is_meant() {
        for (lang, text, hour, minute) in [
            ("es", "5 de la tarde", 17, 0),
            ("es", "las 8:30 de la noche", 20, 30),
            ("es", "12 de la noche", 0, 0),
            ("es", "2 de la noche", 2, 0),
            ("es", "7 de la mañana", 7, 0),
            ("pt", "3 da tarde", 15, 0),
            ("it", "6 di sera", 18, 0),
            ("it", "8 del mattino", 8, 0),
            ("fr", "7 heures du soir", 19, 0),
            ("fr", "2 h 30 de l'après-midi", 14, 30),
            ("de", "8 Uhr abends", 20, 0),
            ("de", "halb 7 morgens", 6, 30),
            ("de", "7 Uhr früh", 7, 0),
            ("en", "half past 7 in the evening", 19, 30),
            ("en", "7 in the morning", 7, 0),
            ("en", "11 at night", 23, 0),
            ("en", "12 in the afternoon", 12, 0),
        ] {
            let found = parse(text, [Locale::of(lang), Locale::english()]);
            assert_eq!(found, Some(time(hour, minute, 0, 0)), "{text}");
        }
        for text in [
            "tea in the morning",
            "25 in the morning",
            "3 pm in the morning",
            "in the morning",
        ] {
            assert_eq!(parse(text, [None, Locale::english()]), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "25:00",
            "13 pm",
            "0 am",
            "12:60",
            "tea time",
            "1:2:3:4",
            "-3",
            "\u{1f553}",
        ] {
            assert_eq!(parse(text, [None, Locale::english()]), None, "{text}");
        }
    }
}
