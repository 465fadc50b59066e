//! What fills the gaps of sentences about alerts, and what stands in those of their dialogs.
//!
//! Decides nothing.

use jiff::tz::TimeZone;
use loquat_agent::toolbox::Circumstances;
use serde_json::Value;

use super::alert::{Alert, Kind};
use super::{repeat, span};
use crate::clock::calendar::Calendar;
use crate::dialog::{Gap, Telling};
use crate::intent::InLanguage;

/// The most words of a name.
const LONGEST_NAME: usize = 3;

/// The most words of what a reminder says.
const LONGEST_TEXT: usize = 25;

/// A span of time.
pub(crate) fn read_span(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    span::seconds(said, spoken).map(|_| Value::from(said))
}

/// A span of time by which something is earlier.
pub(super) fn read_less(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    span::seconds(said, spoken).map(|_| Value::from(format!("-{said}")))
}

/// A few words that are neither a number nor a span.
pub(super) fn read_name(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_name = (1..=LONGEST_NAME).contains(&said.split_whitespace().count())
        && !crate::numbers::with_figures(said, spoken.lang).contains(|c: char| c.is_ascii_digit())
        && span::seconds(said, spoken).is_none()
        && super::names::is_name(said, spoken);
    is_name.then(|| Value::from(said))
}

/// What is to be remembered.
pub(super) fn read_text(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    let is_text = (1..=LONGEST_TEXT).contains(&said.split_whitespace().count());
    is_text.then(|| Value::from(said))
}

/// A time of day.
pub(crate) fn read_time(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    Calendar::spoken(spoken.lang)
        .hour(said)
        .map(|_| Value::from(said))
}

/// A time of day that is no mere number.
pub(super) fn read_clear_time(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let hour = Calendar::spoken(spoken.lang).hour(said);
    hour.filter(|hour| hour.is_clear).map(|_| Value::from(said))
}

/// A day; "every monday" is more than one.
pub(super) fn read_date(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_repeated = repeat::days(said, spoken).is_some();
    let day = Calendar::spoken(spoken.lang).day(said);
    day.filter(|_| !is_repeated).map(|_| Value::from(said))
}

/// Days on which something is repeated.
pub(super) fn read_repeat(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    repeat::days(said, spoken).map(|_| Value::from(said))
}

/// What can be told of an alert.
pub(super) fn telling(dialog: &'static str, alert: &Alert, person: &Circumstances) -> Telling {
    let calendar = Calendar::of(person, alert.due);
    let zone = crate::clock::zone_of(person);
    let due = alert.due.to_zoned(zone);
    let told = Telling::new(dialog)
        .words("moment", calendar.told_moment(&due))
        .words("time", calendar.told_time(due.time()))
        .of_strangers(alert.is_foreign_to(person));
    let told = match alert.span_seconds {
        Some(seconds) => told.with("span", Gap::Amounts(span::told(seconds))),
        None => told,
    };
    match (&alert.name, alert.kind) {
        (Some(text), Kind::Reminder | Kind::Deed) => told.words("text", text),
        (Some(name), _) => told.words("name", name),
        (None, _) => told,
    }
}

/// The zone in which a time of day is meant.
pub(super) fn zone(person: &Circumstances) -> TimeZone {
    crate::clock::zone_of(person)
}
