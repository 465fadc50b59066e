//! Dates and times of day read out of longer texts, for one person at one moment.
//!
//! Tells which words can stand in a date, since such a text goes on behind it. Counts nothing: what lies between two
//! moments is for those who ask.

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

    /// The language that is read and told in.
    pub(crate) fn lang(&self) -> &str {
        &self.lang
    }

    /// The moment, in the person's zone.
    pub(crate) fn now(&self) -> &Zoned {
        &self.now
    }

    /// Whether this word can stand in a date.
    pub(crate) fn is_of_dates(&self, word: &str) -> bool {
        let locales = self.words.locales();
        let is_known = |part: &str| {
            locales
                .iter()
                .flatten()
                .any(|locale| date::may_hold(part, locale))
        };
        folded(word).split(' ').all(is_known)
    }

    /// The day that a text names which consists of such words.
    pub(crate) fn day(&self, text: &str) -> Option<Day> {
        let date = date::parse(text, self.now.date(), self.words.locales(), &self.words.formats)?;
        let is_year = |part: &str| part.parse::<i16>().is_ok_and(|number| number > 31);
        let has_year = folded(text).split([' ', '/']).any(is_year);
        Some(Day { date, has_year })
    }

    /// The time of day that a text names.
    pub(crate) fn hour(&self, text: &str) -> Option<Hour> {
        let figures = with_figures(&text.to_lowercase(), &self.lang);
        let read = time_of_day::read(&figures, self.words.locales())?;
        let is_half_day = read.is_colloquial || self.words.formats.is_half();
        // A quarter to one stands at 0:45; figures that begin with a zero are of a clock of 24 hours.
        let first = i8::from(!read.is_colloquial);
        Some(Hour {
            time: read.time,
            is_clear: read.has_half || read.is_colloquial,
            may_be_later: !read.has_half && is_half_day && (first..=12).contains(&read.time.hour()),
        })
    }

    /// As the person says it.
    pub(crate) fn told_weekday(&self, date: Date) -> String {
        self.words.weekday(date)
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use loquat_agent::toolbox::Circumstances;

    use super::Calendar;

    /// Seen from Saturday, 21 November 2026.
    fn calendar(lang: &str) -> Calendar {
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            time_zone: Some("UTC".to_owned()),
            ..Circumstances::default()
        };
        Calendar::of(&person, "2026-11-21T16:11:12Z".parse().expect("a timestamp"))
    }

    #[test]
    fn times_are_read_as_people_say_them() {
        for (lang, text, expected, may_be_later) in [
            ("en-US", "half past six", "06:30", true),
            ("en-US", "a quarter to one", "00:45", true),
            ("en-US", "0:45", "00:45", false),
            ("en-US", "6:30", "06:30", true),
            ("en-GB", "6:30", "06:30", false),
            ("en-US", "6:30 pm", "18:30", false),
            ("en-US", "noon", "12:00", false),
            ("de-DE", "halb sieben", "06:30", true),
            ("de-DE", "Viertel nach sechs", "06:15", true),
            ("de-DE", "18:30 Uhr", "18:30", false),
            ("fr-FR", "six heures et demie", "06:30", true),
            ("fr-FR", "7 heures moins le quart", "06:45", true),
            ("fr-FR", "18h30", "18:30", false),
            ("es-ES", "las seis y media", "06:30", true),
            ("it-IT", "le sei e mezza", "06:30", true),
            ("pt-PT", "seis e meia", "06:30", true),
        ] {
            let hour = calendar(lang)
                .hour(text)
                .unwrap_or_else(|| panic!("{text} ({lang})"));
            let found = (hour.time.strftime("%H:%M").to_string(), hour.may_be_later);
            assert_eq!(found, (expected.to_owned(), may_be_later), "{text} ({lang})");
        }
        assert_eq!(calendar("en").hour("half past dinner"), None);
    }

    #[test]
    fn words_of_dates_are_known_in_the_language_and_in_english() {
        let calendar = calendar("de-DE");
        for word in [
            "25",
            "25th",
            "Dezember",
            "dec",
            "Weihnachten",
            "christmas",
            "Friday",
            "n\u{e4}chsten",
        ] {
            assert!(calendar.is_of_dates(word), "{word}");
        }
        for word in ["party", "my", "cm", "and"] {
            assert!(!calendar.is_of_dates(word), "{word}");
        }
        let day = calendar.day("1. Juni").expect("a day");
        assert_eq!((day.date, day.has_year), (date(2027, 6, 1), false));
        let day = calendar.day("4 July 1976").expect("a day");
        assert_eq!((day.date, day.has_year), (date(1976, 7, 4), true));
    }
}
