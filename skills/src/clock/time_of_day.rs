//! Times of day as people write them: `15:30`, `3 pm`, `noon`, `15 h 30`, `15 Uhr`.
//!
//! Refuses rather than guesses: `25:00` and `tea time` are no times.

use jiff::civil::Time;

use super::locale::Locale;
use crate::spelling::folded;

/// Words around a time that say nothing more.
const FILLERS: &[&str] = &[
    "at", "um", "uhr", "uur", "o", "clock", "a", "las", "alle", "ore", "kl", "h", "heures", "horas",
];

/// The time that the text names in one of the languages.
pub(super) fn parse(text: &str, locales: [Option<&Locale>; 2]) -> Option<Time> {
    if text.len() > 100 || text.trim_start().starts_with('-') {
        return None;
    }
    let plain = folded(text);
    let named = locales.into_iter().flatten().find_map(|locale| {
        locale
            .named_times
            .iter()
            .find(|(name, _)| folded(name) == plain)
            .map(|(_, time)| time.as_str())
    });
    figures(named.unwrap_or(&plain))
}

fn figures(text: &str) -> Option<Time> {
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
    Time::new(hour, minute, 0, 0).ok()
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
        ];
        for (text, hour, minute) in cases {
            let found = parse(text, [Locale::of("de"), Locale::english()]);
            assert_eq!(found, Some(time(hour, minute, 0, 0)), "{text}");
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
