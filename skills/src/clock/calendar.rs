//! Dates and times of day read out of longer texts, for one person at one moment.
//!
//! Unlike the tools of the clock it takes only what consists of such words and nothing else, since the text goes on
//! behind them. Reads no clock of its own.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use loquat_agent::toolbox::Circumstances;

use super::words::Words;
use super::{date, time_of_day, zone};
use crate::numbers::with_figures;
use crate::spelling::folded;

/// What is read and told for a person, seen from a moment.
#[derive(Debug)]
pub(crate) struct Calendar {
    now: Zoned,
    lang: String,
    words: Words,
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day {
    /// Without a year the next one there is.
    pub(crate) date: Date,
    /// Whether its year was said.
    pub(crate) has_year: bool,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hour {
    /// As it stands on a clock.
    pub(crate) time: Time,
    /// Whether it may be twelve hours later as well.
    pub(crate) may_be_later: bool,
    /// Whether its words say that it is a time, which a number alone does not.
    pub(crate) is_clear: bool,
}

impl Calendar {
    /// The person's.
    pub(crate) fn of(person: &Circumstances, now: Timestamp) -> Self {
        Self {
            now: now.to_zoned(zone::of_person(person)),
            lang: person.lang.clone().unwrap_or_else(|| "en".to_owned()),
            words: Words::of(person),
        }
    }

    /// That of a language alone.
    pub(crate) fn spoken(lang: &str) -> Self {
        Self {
            now: Timestamp::now().to_zoned(TimeZone::UTC),
            lang: lang.to_owned(),
            words: Words::spoken(lang),
        }
    }

    /// The moment, in the person's zone.
    pub(crate) fn now(&self) -> &Zoned {
        &self.now
    }

    /// Whether this word can stand in a date.
    pub(crate) fn is_of_dates(&self, word: &str) -> bool {
        let locales = self.words.locales();
        let is_known = |part: &str| locales.iter().flatten().any(|locale| date::may_hold(part, locale));
        folded(word).split(' ').all(is_known)
    }

    /// The day that a text names which consists of such words.
    pub(crate) fn day(&self, text: &str) -> Option<Day> {
        let date = date::parse(
            text,
            self.now.date(),
            self.words.locales(),
            &self.words.formats,
        )?;
        let is_year = |part: &str| part.parse::<i16>().is_ok_and(|number| number > 31);
        let has_year = folded(text).split([' ', '/']).any(is_year);
        Some(Day { date, has_year })
    }

    /// The time of day that a text names.
    pub(crate) fn hour(&self, text: &str) -> Option<Hour> {
        let figures = with_figures(&text.to_lowercase(), &self.lang);
        let read = time_of_day::read(&figures, self.words.locales())?;
        let is_half_day = read.is_colloquial || self.words.formats.is_half();
        Some(Hour {
            time: read.time,
            is_clear: read.has_half || read.is_colloquial,
            may_be_later: !read.has_half && is_half_day && (1..=12).contains(&read.time.hour()),
        })
    }

    /// As the person says it.
    pub(crate) fn told_date(&self, date: Date) -> String {
        self.words.date(date)
    }

    /// As the person says it.
    pub(crate) fn told_time(&self, time: Time) -> String {
        self.words.time(time)
    }

    /// As the person says it.
    pub(crate) fn told_moment(&self, moment: &Zoned) -> String {
        self.words.moment(moment)
    }
}
