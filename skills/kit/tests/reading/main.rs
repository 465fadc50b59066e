//! Numbers and times read in six languages, seen from Wednesday, 25 November 2026, 10:00.
#![cfg(test)]

mod clocks;
mod days;
mod hostile;
mod lengths;
mod moments;
mod numbers;
mod repetitions;
mod sentences;
mod stretches;

use jiff::Zoned;
use jiff::civil::date;
use loquat_kit::{Customs, Kind, Length, Reader, Reading, Repeat, Until, When};

/// A table: the language, what is said, and what it means.
type Rows<'a> = &'a [(&'a str, &'a str, &'a str)];

fn now() -> Zoned {
    date(2026, 11, 25).at(10, 0, 0, 0).in_tz("UTC").unwrap()
}

/// With the customs of the country where most speak the language.
fn reader(lang: &str) -> Reader {
    let is_english = lang == "en";
    let customs = Customs {
        month_first: is_english,
        has_halves: is_english,
    };
    Reader::new(lang, customs, now())
}

/// Compares a whole table, and shows all that is wrong with it.
fn check(rows: Rows<'_>, kind: Kind) {
    let wrong = rows.iter().filter_map(|(lang, said, expected)| {
        let found = reader(lang).whole(said, kind);
        let found = found.map_or_else(|unread| format!("- {}", unread.left), |reading| told(&reading));
        let is_right = if *expected == "-" {
            found.starts_with("- ")
        } else {
            found == *expected
        };
        (!is_right).then(|| format!("{lang} '{said}': {found}, not {expected}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

/// `2027-01-02 08:00~ 1,4`: day, time (~ where it may be twelve hours later) and days of the week.
fn told(reading: &Reading) -> String {
    match reading {
        Reading::Number(number) => format!("{}", (number * 1e6).round() / 1e6),
        Reading::Length(length) => told_length(length),
        Reading::When(when) => told_when(when),
        Reading::Period => "period".to_owned(),
        Reading::Span => "span".to_owned(),
        Reading::Until(_) => "until".to_owned(),
        Reading::OfHour(minutes) => format!("{minutes:+} of an hour"),
    }
}

fn told_length(length: &Length) -> String {
    let parts = [
        (f64::from(length.months), "mo"),
        (f64::from(length.days), "d"),
        (length.seconds, "s"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count != 0.0);
    parts
        .map(|(count, unit)| format!("{count}{unit}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn told_when(when: &When) -> String {
    let ahead = when
        .ahead
        .filter(|_| when.day.is_none())
        .map(|length| format!("+{}", told_length(&length)));
    let day = when.day.map(|day| day.date.to_string());
    let hour = when.hour.map(|hour| {
        let later = if hour.may_be_later { "~" } else { "" };
        format!("{}{later}", hour.time.strftime("%H:%M"))
    });
    let repeat = when.repeat.as_ref().map(|repeat| match repeat {
        Repeat::Weekdays(days) => format!("{days:?}"),
        Repeat::Every(length) => format!("every {}", told_length(length)),
        Repeat::Other => "otherwise".to_owned(),
    });
    let until = when.until.map(|until| match until {
        Until::Day(day) => format!("until {}", day.date),
        Until::Lasting(length) => format!("for {}", told_length(&length)),
    });
    let stretch = when.stretch.map(|_| "stretch".to_owned());
    [ahead, day, hour, stretch, repeat, until]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}
