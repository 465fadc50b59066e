//! Days, times of day and lengths of time read for one person at one moment, and told in their words.
//!
//! Reads in the person's language and in English, which models fall back to. Counts nothing: what lies between two moments is
//! for those who ask.

use std::ops::Range;
use std::sync::Arc;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use loquat_agent::toolbox::Circumstances;

use crate::reading::{Day, Hour, Kind, Length, Reader, Reading, Unread, Until, When};

mod formats;
mod place;
mod quoted;
mod window;
mod words;
mod zone;

pub use quoted::AsSaid;
pub use window::Window;
pub use words::Words;
pub use zone::{Found, UnknownPlace, find as find_zone, is_here, name_of as zone_name, of_person as zone_of};

/// Tells the time; tests stop it.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// In bytes; what is longer is no time and is not looked at.
const LONGEST: usize = 400;

/// What is read and told for a person, seen from a moment.
#[derive(Debug)]
pub struct Calendar {
    now: Zoned,
    lang: String,
    words: Words,
}

impl Calendar {
    /// The person's.
    pub fn of(person: &Circumstances, now: Timestamp) -> Self {
        Self {
            now: now.to_zoned(zone::of_person(person)),
            lang: person.lang.clone().unwrap_or_else(|| "en".to_owned()),
            words: Words::of(person),
        }
    }

    /// That of a language alone.
    pub fn spoken(lang: &str) -> Self {
        Self {
            now: Timestamp::now().to_zoned(TimeZone::UTC),
            lang: lang.to_owned(),
            words: Words::spoken(lang),
        }
    }

    /// Seen from the beginning of another day; from the same moment where the zone does not have that one.
    #[must_use]
    pub fn seen_from(self, day: Date) -> Self {
        let there = day.to_zoned(self.now.time_zone().clone());
        Self {
            now: there.unwrap_or_else(|_| self.now.clone()),
            ..self
        }
    }

    /// The moment, in the person's zone.
    pub fn now(&self) -> &Zoned {
        &self.now
    }

    /// The day that a whole text names.
    pub fn day(&self, text: &str) -> Option<Day> {
        match self.whole(text, Kind::Day) {
            Ok(Reading::When(when)) => when.day,
            _ => None,
        }
    }

    /// The time of day that a whole text names.
    pub fn hour(&self, text: &str) -> Option<Hour> {
        match self.whole(text, Kind::Time) {
            Ok(Reading::When(when)) => when.hour,
            _ => None,
        }
    }

    /// The length of time that a whole text names.
    pub fn length(&self, text: &str) -> Option<Length> {
        match self.whole(text, Kind::Length) {
            Ok(Reading::Length(length)) => Some(length),
            _ => None,
        }
    }

    /// The moment that a whole text names.
    pub fn moment(&self, text: &str) -> Result<When, Unread> {
        match self.whole(text, Kind::Moment)? {
            Reading::When(when) => Ok(when),
            _ => Err(Unread {
                left: text.to_owned(),
            }),
        }
    }

    /// Whether a text holds a moment, in the person's language.
    pub fn is_in(&self, text: &str) -> bool {
        let found = self.reader(&self.lang).find_in(text);
        found
            .iter()
            .any(|(reading, _)| matches!(reading, Reading::When(_)))
    }

    /// The moments that a text holds, in the person's language, with the bytes that say them.
    pub fn moments_in(&self, text: &str) -> Vec<(When, Range<usize>)> {
        let found = self.reader(&self.lang).find_in(text).into_iter();
        let moments = found.filter_map(|(reading, range)| match reading {
            Reading::When(when) => Some((when, range)),
            _ => None,
        });
        moments.collect()
    }

    /// The end of a repetition that a whole text names.
    pub fn until(&self, text: &str) -> Option<Until> {
        match self.whole(text, Kind::Until) {
            Ok(Reading::Until(until)) => Some(until),
            _ => None,
        }
    }

    /// Whether a text ends in a word that calls for what is not there.
    pub fn is_unfinished(&self, text: &str) -> bool {
        self.reader(&self.lang).is_unfinished(text)
    }

    /// Whether a text has the word between a number and what is counted by which that comes on top: `six more minutes`.
    pub fn is_further(&self, text: &str) -> bool {
        self.reader(&self.lang).is_further(text)
    }

    /// How many minutes from an hour a whole text names that does not say which: `ten past`.
    pub fn minutes_of_hour(&self, text: &str) -> Option<i32> {
        match self.whole(text, Kind::OfHour) {
            Ok(Reading::OfHour(minutes)) => Some(minutes),
            _ => None,
        }
    }

    /// Whether a whole text names lengths of time of which one is meant.
    pub fn is_span(&self, text: &str) -> bool {
        self.whole(text, Kind::Span).is_ok()
    }

    /// Whether a whole text names a stretch of days.
    pub fn is_period(&self, text: &str) -> bool {
        self.whole(text, Kind::Period).is_ok()
    }

    fn whole(&self, text: &str, kind: Kind) -> Result<Reading, Unread> {
        if text.len() > LONGEST {
            return Err(Unread {
                left: text.chars().take(LONGEST).collect(),
            });
        }
        let read = self.reader(&self.lang).whole(text, kind);
        read.or_else(|unread| self.reader("en").whole(text, kind).map_err(|_| unread))
    }

    fn reader(&self, lang: &str) -> Reader {
        Reader::new(lang, self.words.formats.customs(), self.now.clone())
    }

    /// A weekday as the person says it.
    pub fn told_weekday(&self, date: Date) -> String {
        self.words.weekday(date)
    }

    /// A date as the person says it.
    pub fn told_date(&self, date: Date) -> String {
        self.words.date(date)
    }

    /// A time of day as the person says it.
    pub fn told_time(&self, time: Time) -> String {
        self.words.time(time)
    }

    /// A moment as the person says it now: tomorrow, or a weekday, where that tells the day.
    pub fn told_from_now(&self, moment: &Zoned) -> String {
        self.words.moment_from(moment, self.now.date())
    }

    /// A moment as the person says it.
    pub fn told_moment(&self, moment: &Zoned) -> String {
        self.words.moment(moment)
    }
}
