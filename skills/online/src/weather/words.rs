//! What is said of times, places and weather, in one person's language, out of the lists.
//!
//! A language without lists gets the English words.

use jiff::civil::{Date, DateTime};

use super::FOLDER;
use super::when::{Kind, Span};
use loquat_kit::calendar::Calendar;
use loquat_kit::locale::Locales;

/// Days ahead that are called by their weekday.
const NEAR: i32 = 6;

/// The words for one person, seen from one moment.
#[derive(Debug)]
pub(super) struct Words<'a> {
    pub(super) locales: &'a Locales,
    pub(super) lang: &'a str,
    pub(super) calendar: &'a Calendar,
}

impl Words<'_> {
    pub(super) fn listed(&self, list: &str, name: &str) -> String {
        let file = format!("{list}.value");
        let langs = [self.lang, "en"].into_iter();
        let mut values = langs.flat_map(|lang| self.locales.values(FOLDER, lang, &file));
        let found = values.find(|(known, _)| known.trim() == name);
        found.map_or_else(String::new, |(_, words)| words.trim().to_owned())
    }

    /// When and where, as a sentence begins: `Tomorrow in Paris`.
    pub(super) fn label(&self, span: &Span, place: Option<&str>) -> String {
        self.begun(self.when(span), place)
    }

    /// A day and where, as a sentence begins.
    pub(super) fn day(&self, date: Date, place: Option<&str>) -> String {
        self.begun(self.called(date), place)
    }

    /// A time today, or a moment.
    pub(super) fn moment(&self, moment: DateTime) -> String {
        if moment.date() == self.today() {
            return self.calendar.told_time(moment.time());
        }
        format!(
            "{}, {}",
            self.called(moment.date()),
            self.calendar.told_time(moment.time())
        )
    }

    fn begun(&self, when: String, place: Option<&str>) -> String {
        let label = match place {
            Some(place) => format!("{when} {} {place}", self.listed("place", "in")),
            None => when,
        };
        capitalised(&label)
    }

    fn when(&self, span: &Span) -> String {
        let date = span.from.date();
        match span.kind {
            Kind::Now => self.listed("day", "now"),
            Kind::Hour => self.moment(span.from),
            Kind::Part(part) if date == self.today() => self.listed("part", &format!("this {}", part.name())),
            Kind::Part(part) => format!("{} {}", self.called(date), self.listed("part", part.name())),
            Kind::Days(2..) => {
                let last = span.until.date().yesterday().unwrap_or(date);
                format!(
                    "{} {} {}",
                    self.called(date),
                    self.listed("place", "to"),
                    self.called(last)
                )
            }
            Kind::Day | Kind::Days(_) => self.called(date),
        }
    }

    fn called(&self, date: Date) -> String {
        let days = self.today().until(date).map_or(-1, |ahead| ahead.get_days());
        match days {
            0 => self.listed("day", "today"),
            1 => self.listed("day", "tomorrow"),
            2..=NEAR => self.calendar.told_weekday(date),
            _ => self.calendar.told_date(date),
        }
    }

    fn today(&self) -> Date {
        self.calendar.now().date()
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
