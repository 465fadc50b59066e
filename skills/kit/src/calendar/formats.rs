//! Words for dates and times, out of the section `dates` of each language file in `daemon/locale`.
//!
//! Knows no zone and reads no clock; a language without a file gets the words of another or figures alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::reading::Customs;
use jiff::Zoned;
use jiff::civil::{Date, Time};
use loquat_agent::language::FILES;
use serde::Deserialize;

/// What a language file has for the clock; the other sections are the agent's and the daemon's.
#[derive(Deserialize)]
struct File {
    dates: Option<Locale>,
}

/// By the first part of their BCP-47 tag. A file that cannot be read is left out; a test reads them all.
static LOCALES: LazyLock<Vec<(&str, Locale)>> = LazyLock::new(|| {
    let read = |&(lang, text): &(&'static str, &str)| {
        let dates = toml::from_str::<File>(text).ok()?.dates?;
        Some((lang, dates))
    };
    FILES.iter().filter_map(read).collect()
});

/// The words and patterns of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Locale {
    /// They begin with Monday.
    pub(super) weekdays: Vec<String>,
    /// From January, as they stand in a date.
    pub(super) months: Vec<String>,
    /// Each date format (`MDY`, `DMY`, `YMD`) has a pattern.
    dates: BTreeMap<String, String>,
    /// A date is told so where the person chose nothing.
    date_format: String,
    /// Each time format (`half`, `full`) has a pattern.
    times: BTreeMap<String, String>,
    /// A time is told so where the person chose nothing.
    time_format: String,
    /// Some countries, by their ISO 3166 code, have another date and time format (Unicode CLDR).
    #[serde(default)]
    regions: BTreeMap<String, (String, String)>,
    /// What the parts of the day are called, from midnight.
    pub(super) periods: Vec<Period>,
    /// The pattern joins a time and a date.
    moment: String,
    /// Moments near now have patterns of their own.
    #[serde(default)]
    near: Option<Near>,
    /// The first day of a month, where it is not simply 1.
    #[serde(default)]
    first_day: Option<String>,
}

/// Patterns of moments on days that are called by their distance or their weekday alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Near {
    today: String,
    tomorrow: String,
    yesterday: String,
    /// A day of the coming week is told so.
    week: String,
}

impl Near {
    /// The pattern of a day so many days from today.
    fn pattern(&self, days: i32) -> Option<&String> {
        match days {
            0 => Some(&self.today),
            1 => Some(&self.tomorrow),
            -1 => Some(&self.yesterday),
            2..=6 => Some(&self.week),
            _ => None,
        }
    }
}

/// A part of the day.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Period {
    /// The hour it begins with.
    pub(super) from: i8,
    /// What it is called after a time.
    pub(super) name: String,
}

/// How a person writes dates and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formats {
    /// It is `MDY`, `DMY` or `YMD`.
    pub(super) date: String,
    /// It is `half` or `full`.
    time: String,
}

impl Formats {
    /// The person's formats; those of the language, as it is spoken in the country that its tag names, where they have none
    /// that is known.
    pub(super) fn new(
        locale: Option<&Locale>,
        lang: Option<&str>,
        date: Option<&str>,
        time: Option<&str>,
    ) -> Self {
        let known_date = date
            .map(str::to_uppercase)
            .filter(|date| matches!(date.as_str(), "MDY" | "DMY" | "YMD"));
        let known_time = time
            .map(str::to_lowercase)
            .filter(|time| matches!(time.as_str(), "half" | "full"));
        let (date, time) = locale.map_or(("YMD", "full"), |locale| locale.usual_formats(lang));
        Self {
            date: known_date.unwrap_or_else(|| date.to_owned()),
            time: known_time.unwrap_or_else(|| time.to_owned()),
        }
    }
}

impl Formats {
    /// What the person is used to when they read or say a date or a time.
    pub(super) fn customs(&self) -> Customs {
        Customs {
            month_first: self.date != "DMY",
            has_halves: self.time == "half",
        }
    }
}

impl Locale {
    /// The words of a language, by its BCP-47 tag.
    pub(super) fn of(lang: &str) -> Option<&'static Self> {
        let language = lang.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        LOCALES
            .iter()
            .find(|(known, _)| *known == language)
            .map(|(_, locale)| locale)
    }

    /// How dates and times are written where the language is spoken.
    fn usual_formats(&self, lang: Option<&str>) -> (&str, &str) {
        let parts = lang.unwrap_or_default().split(['-', '_']).skip(1);
        let mut regions = parts.filter_map(|part| self.regions.get(&part.to_uppercase()));
        regions
            .next()
            .map_or((&self.date_format, &self.time_format), |(date, time)| {
                (date, time)
            })
    }

    pub(super) fn english() -> Option<&'static Self> {
        Self::of("en")
    }

    pub(super) fn weekday(&self, date: Date) -> &str {
        word(&self.weekdays, date.weekday().to_monday_zero_offset())
    }

    pub(super) fn month(&self, date: Date) -> &str {
        word(&self.months, date.month() - 1)
    }

    /// For example `Saturday, November 21, 2026`.
    pub(super) fn date(&self, date: Date, formats: &Formats) -> String {
        self.date_in(self.dates.get(&formats.date), date)
    }

    fn date_in(&self, pattern: Option<&String>, date: Date) -> String {
        let day = match (&self.first_day, date.day()) {
            (Some(first), 1) => first.clone(),
            (_, day) => day.to_string(),
        };
        filled(
            pattern,
            &[
                ("{weekday}", self.weekday(date)),
                ("{month}", word(&self.months, date.month() - 1)),
                ("{day}", &day),
                ("{year}", &date.year().to_string()),
            ],
        )
    }

    /// For example `1:15 PM`, or `13:15`.
    pub(super) fn time(&self, time: Time, formats: &Formats) -> String {
        let hour = match (formats.time.as_str(), time.hour()) {
            ("half", 0 | 12) => 12,
            ("half", hour) => hour % 12,
            (_, hour) => hour,
        };
        let period = self.periods.iter().rfind(|period| period.from <= time.hour());
        filled(
            self.times.get(&formats.time),
            &[
                ("{hour}", &hour.to_string()),
                ("{minute}", &format!("{:02}", time.minute())),
                ("{period}", period.map_or("", |period| &period.name)),
            ],
        )
    }

    /// For example `1:15 PM on Saturday, November 21, 2026`.
    pub(super) fn moment(&self, moment: &Zoned, formats: &Formats) -> String {
        filled(
            Some(&self.moment),
            &[
                ("{time}", &self.time(moment.time(), formats)),
                ("{date}", &self.date(moment.date(), formats)),
            ],
        )
    }

    /// As it is said on a day that is near: `1:15 PM tomorrow`, `1:15 PM on Saturday`; without the year where no other one can
    /// be meant.
    pub(super) fn moment_from(&self, moment: &Zoned, today: Date, formats: &Formats) -> String {
        let date = moment.date();
        let days = (date - today).get_days();
        let time = self.time(moment.time(), formats);
        let near = self.near.as_ref().and_then(|near| near.pattern(days));
        if near.is_some() {
            return filled(near, &[("{time}", &time), ("{weekday}", self.weekday(date))]);
        }
        if days.abs() > SAME_YEAR {
            return self.moment(moment, formats);
        }
        let pattern = self.dates.get(&formats.date).map(|pattern| without_year(pattern));
        let date = self.date_in(pattern.as_ref(), date);
        filled(Some(&self.moment), &[("{time}", &time), ("{date}", &date)])
    }
}

/// Days within which a date without a year is clear.
const SAME_YEAR: i32 = 300;

/// A pattern of dates without the year and what joins it to the rest.
fn without_year(pattern: &str) -> String {
    let Some((before, after)) = pattern.split_once("{year}") else {
        return pattern.to_owned();
    };
    if let Some(next) = after.find('{') {
        return format!("{before}{}", after.get(next..).unwrap_or_default());
    }
    let end = before.rfind('}').map_or(0, |end| end + 1);
    before.get(..end).unwrap_or_default().to_owned()
}

fn word(words: &[String], index: i8) -> &str {
    let index = usize::try_from(index).unwrap_or_default();
    words.get(index).map_or("", String::as_str)
}

fn filled(pattern: Option<&String>, slots: &[(&str, &str)]) -> String {
    let pattern = pattern.cloned().unwrap_or_default();
    slots
        .iter()
        .fold(pattern, |text, (slot, value)| text.replace(slot, value))
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, datetime, time};

    use loquat_agent::language::FILES;

    use super::{Formats, LOCALES, Locale};

    fn told(lang: &str, date_format: Option<&str>, time_format: Option<&str>) -> String {
        let locale = Locale::of(lang).expect(lang);
        let formats = Formats::new(Some(locale), Some(lang), date_format, time_format);
        let moment = datetime(2026, 3, 1, 14, 5, 0, 0)
            .in_tz("Asia/Tokyo")
            .expect("a zone");
        locale.moment(&moment, &formats)
    }

    #[test]
    fn every_file_is_complete() {
        assert_eq!(LOCALES.len(), FILES.len(), "a file cannot be read");
        for (lang, locale) in LOCALES.iter() {
            assert_eq!((locale.weekdays.len(), locale.months.len()), (7, 12), "{lang}");
            for format in ["MDY", "DMY", "YMD"] {
                assert!(locale.dates.contains_key(format), "{lang} lacks {format}");
            }
            assert!(
                locale.times.contains_key("half") && locale.times.contains_key("full"),
                "{lang}"
            );
            assert!(locale.dates.contains_key(&locale.date_format), "{lang}");
            assert!(locale.times.contains_key(&locale.time_format), "{lang}");
            assert_eq!(
                locale.periods.first().map(|period| period.from),
                Some(0),
                "{lang}"
            );
        }
    }

    #[test]
    fn a_day_that_is_near_is_said_as_people_say_it() {
        let told = |lang: &str, day: i8| {
            let locale = Locale::of(lang).unwrap();
            let formats = Formats::new(Some(locale), Some(lang), None, None);
            let moment = datetime(2026, 3, day, 7, 15, 0, 0).in_tz("UTC").unwrap();
            locale.moment_from(&moment, date(2026, 3, 10), &formats)
        };
        for (lang, day, expected) in [
            ("en-US", 10, "7:15 AM today"),
            ("en-US", 11, "7:15 AM tomorrow"),
            ("en-US", 9, "7:15 AM yesterday"),
            ("en-US", 14, "7:15 AM on Saturday"),
            ("en-US", 28, "7:15 AM on Saturday, March 28"),
            ("en-US", 2, "7:15 AM on Monday, March 2"),
            ("de-DE", 11, "morgen um 7:15 Uhr"),
            ("de-DE", 14, "am Samstag um 7:15 Uhr"),
            ("fr-FR", 11, "demain \u{e0} 7 h 15"),
            ("es-ES", 11, "ma\u{f1}ana, 7:15"),
            ("es-ES", 28, "7:15 del s\u{e1}bado, 28 de marzo"),
            ("it-IT", 11, "domani, ore 7:15"),
            ("pt-PT", 11, "amanh\u{e3}, 7h15"),
        ] {
            assert_eq!(told(lang, day), expected, "{lang}, {day}");
        }
        assert_eq!(
            super::without_year("{weekday}, {year} {month} {day}"),
            "{weekday}, {month} {day}"
        );
    }

    #[test]
    fn dates_and_times_are_said_in_every_language() {
        assert_eq!(told("en-US", None, None), "2:05 PM on Sunday, March 1, 2026");
        assert_eq!(
            told("en-GB", Some("DMY"), Some("full")),
            "14:05 on Sunday, 1 March 2026"
        );
        assert_eq!(
            told("en", Some("YMD"), Some("full")),
            "14:05 on Sunday, 2026 March 1"
        );
        assert_eq!(
            told("de-DE", None, None),
            "14:05 Uhr am Sonntag, 1. M\u{e4}rz 2026"
        );
        assert_eq!(
            told("de", None, Some("half")),
            "2:05 Uhr nachmittags am Sonntag, 1. M\u{e4}rz 2026"
        );
        assert_eq!(told("fr_FR", None, None), "14 h 05, dimanche 1er mars 2026");
        assert_eq!(
            told("es", None, Some("half")),
            "2:05 de la tarde del domingo, 1 de marzo de 2026"
        );
        assert_eq!(
            told("pt-BR", None, None),
            "14h05 de domingo, 1\u{ba} de mar\u{e7}o de 2026"
        );
        assert_eq!(told("it-IT", None, None), "14:05 di domenica 1\u{ba} marzo 2026");
        assert_eq!(told("nl", None, None), "14:05 uur op zondag 1 maart 2026");
        assert_eq!(
            told("ca", None, None),
            "14:05 de diumenge, 1 de mar\u{e7} de 2026"
        );
    }

    #[test]
    fn twelve_hour_clocks_have_no_hour_zero() {
        let english = Locale::english().expect("English");
        let formats = Formats::new(Some(english), None, None, Some("half"));
        let told = |hour| english.time(time(hour, 30, 0, 0), &formats);
        assert_eq!(
            [0, 1, 11, 12, 13, 23].map(told),
            [
                "12:30 AM", "1:30 AM", "11:30 AM", "12:30 PM", "1:30 PM", "11:30 PM"
            ]
        );
    }

    #[test]
    fn a_country_has_its_own_formats() {
        let told = |lang| told(lang, None, None);
        assert_eq!(told("en"), "2:05 PM on Sunday, March 1, 2026");
        assert_eq!(told("en-US"), told("en"));
        assert_eq!(told("en-CA"), told("en"));
        assert_eq!(told("en-GB"), "14:05 on Sunday, 1 March 2026");
        assert_eq!(told("en_gb"), told("en-GB"));
        assert_eq!(told("en-Latn-AU"), "2:05 PM on Sunday, 1 March 2026");
    }

    #[test]
    fn unknown_formats_fall_back_to_the_language() {
        let formats = Formats::new(Locale::of("de"), Some("de-DE"), Some("sideways"), Some(""));
        assert_eq!(
            formats,
            Formats {
                date: "DMY".to_owned(),
                time: "full".to_owned()
            }
        );
        assert!(Locale::of("tlh").is_none());
        let german = Locale::of("de").expect("German");
        assert_eq!(german.weekday(date(2026, 11, 21)), "Samstag");
    }
}
