//! Dates and times in one person's language and formats.
//!
//! Knows no zone and reads no clock.

use jiff::Zoned;
use jiff::civil::{Date, Time};
use loquat_agent::toolbox::Circumstances;

use super::formats::{Formats, Locale};

/// The person's language and formats.
#[derive(Debug)]
pub struct Words {
    pub(super) locale: Option<&'static Locale>,
    pub(super) formats: Formats,
}

impl Words {
    /// Those of a language alone.
    pub(super) fn spoken(lang: &str) -> Self {
        let locale = Locale::of(lang);
        Self {
            locale,
            formats: Formats::new(locale, Some(lang), None, None),
        }
    }

    /// The person's.
    pub fn of(person: &Circumstances) -> Self {
        let locale = person
            .lang
            .as_deref()
            .and_then(Locale::of)
            .or_else(Locale::english);
        let formats = Formats::new(
            locale,
            person.lang.as_deref(),
            person.date_format.as_deref(),
            person.time_format.as_deref(),
        );
        Self { locale, formats }
    }

    /// A weekday as the person says it.
    pub fn weekday(&self, date: Date) -> String {
        self.locale.map_or_else(
            || date.strftime("%A").to_string(),
            |locale| locale.weekday(date).to_owned(),
        )
    }

    /// A month as the person says it.
    pub fn month(&self, date: Date) -> String {
        self.locale.map_or_else(
            || date.strftime("%B").to_string(),
            |locale| locale.month(date).to_owned(),
        )
    }

    /// A date as the person says it.
    pub fn date(&self, date: Date) -> String {
        self.locale
            .map_or_else(|| date.to_string(), |locale| locale.date(date, &self.formats))
    }

    /// A time of day as the person says it.
    pub fn time(&self, time: Time) -> String {
        let plain = || time.strftime("%H:%M").to_string();
        self.locale
            .map_or_else(plain, |locale| locale.time(time, &self.formats))
    }

    /// A moment as the person says it.
    pub fn moment(&self, moment: &Zoned) -> String {
        let plain = || moment.strftime("%Y-%m-%d %H:%M").to_string();
        self.locale
            .map_or_else(plain, |locale| locale.moment(moment, &self.formats))
    }

    /// A moment as the person says it on this day.
    pub fn moment_from(&self, moment: &Zoned, today: Date) -> String {
        let plain = || moment.strftime("%Y-%m-%d %H:%M").to_string();
        self.locale
            .map_or_else(plain, |locale| locale.moment_from(moment, today, &self.formats))
    }
}
