//! The time that a question about the weather means: now, an hour, a part of a day, a day, several days.
//!
//! Dates and times of day are the clock's to read; here are the words that only weather is asked with, out of
//! `when.value`. A text counts only as a whole.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::{SignedDuration, ToSpan};

use super::FOLDER;
use loquat_kit::Hour;
use loquat_kit::calendar::Calendar;
use loquat_kit::folded;
use loquat_kit::locale::Locales;

/// In bytes and in words; what is longer is no time.
const LONGEST: usize = 100;
const MOST_WORDS: usize = 10;

/// Days that are told one by one.
const WEEK: usize = 7;

/// In days, with today.
const LONGEST_FORECAST: usize = 16;

/// A person who says `at 5` of another day means the afternoon.
const FIRST_MORNING_HOUR: i8 = 7;

/// What is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: DateTime,
    /// This moment is not part of it.
    pub(super) until: DateTime,
    pub(super) kind: Kind,
}

/// What it was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Now,
    Hour,
    Part(Part),
    Day,
    Days(usize),
}

/// A part of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Morning,
    Afternoon,
    Evening,
    Night,
}

impl Part {
    const ALL: [Self; 4] = [Self::Morning, Self::Afternoon, Self::Evening, Self::Night];

    /// As the lists call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Morning => "morning",
            Self::Afternoon => "afternoon",
            Self::Evening => "evening",
            Self::Night => "night",
        }
    }

    /// When it begins, and how many hours it has.
    fn hours(self) -> (i8, i64) {
        match self {
            Self::Morning => (6, 6),
            Self::Afternoon => (12, 6),
            Self::Evening => (18, 6),
            Self::Night => (22, 8),
        }
    }
}

/// Reads for one person, seen from one moment.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    calendar: &'a Calendar,
    /// Names and folded phrases.
    phrases: Vec<(&'a str, String)>,
}

impl<'a> Reader<'a> {
    /// In the person's language and in English, which models fall back to.
    pub(super) fn new(locales: &'a Locales, lang: &str, calendar: &'a Calendar) -> Self {
        let langs = [lang, "en"];
        let lists = langs
            .iter()
            .flat_map(|lang| locales.values(FOLDER, lang, "when.value"));
        let phrases = lists.flat_map(|(name, said)| said.split('|').map(move |said| (name, folded(said))));
        Self {
            calendar,
            phrases: phrases.collect(),
        }
    }

    /// What a text means; `None` for what is no time.
    pub(super) fn read(&self, text: &str) -> Option<Span> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if text.len() > LONGEST || words.is_empty() || words.len() > MOST_WORDS {
            return None;
        }
        let text = words.join(" ");
        // "What is tomorrow's weather?"
        let possessor = text.strip_suffix("'s").or_else(|| text.strip_suffix("\u{2019}s"));
        if let Some(possessor) = possessor {
            return self.read(possessor);
        }
        self.bare(&text, &words).or_else(|| {
            let (first, rest) = words.split_first()?;
            self.is(first, "before").then_some(())?;
            self.bare(&rest.join(" "), rest)
        })
    }

    fn bare(&self, text: &str, words: &[&str]) -> Option<Span> {
        self.named(text)
            .or_else(|| self.ahead(text))
            .or_else(|| self.day(text).and_then(|date| self.whole_day(date)))
            .or_else(|| self.part(text).and_then(|part| self.next_part(part)))
            .or_else(|| self.hour(text).and_then(|hour| self.next_hour(hour)))
            .or_else(|| (1..words.len()).find_map(|at| self.day_and_rest(words, at)))
            .or_else(|| self.moment(text))
    }

    /// The present moment.
    pub(super) fn present(&self) -> Option<Span> {
        hour_from(self.now(), Kind::Now)
    }

    /// What is left of today, or the night where that is little.
    pub(super) fn rest_of_today(&self) -> Option<Span> {
        let now = self.now();
        if now.hour() >= Part::Night.hours().0 {
            return self.part_of(now.date(), Part::Night);
        }
        self.whole_day(now.date())
    }

    /// The moment it is seen from, at that place.
    pub(super) fn now(&self) -> DateTime {
        self.calendar.now().datetime()
    }

    fn named(&self, text: &str) -> Option<Span> {
        if self.is(text, "now") {
            return self.present();
        }
        let today = self.now().date();
        if self.is(text, "week") {
            return days(today, WEEK);
        }
        if self.is(text, "later") {
            return self.rest_of_today();
        }
        if let Some(count) = self.count_of_days(text) {
            return days(today, count);
        }
        if self.is(text, "weekend") {
            return match today.weekday() {
                Weekday::Sunday => days(today, 1),
                Weekday::Saturday => days(today, 2),
                _ => days(today.nth_weekday(1, Weekday::Saturday).ok()?, 2),
            };
        }
        None
    }

    /// How many days `the next 3 days` are; with today there are no more than the service looks ahead.
    fn count_of_days(&self, text: &str) -> Option<usize> {
        let text = folded(text);
        let words: Vec<&str> = text.split(' ').collect();
        let next = self.phrases.iter().filter(|(name, _)| *name == "next");
        let rest = next.filter_map(|(_, phrase)| without(&words, phrase));
        let mut lengths = rest.filter_map(|rest| self.calendar.length(&rest));
        let length = lengths.find(|length| length.is_of_days() && length.months == 0)?;
        usize::try_from(length.days)
            .ok()
            .map(|days| days.clamp(1, LONGEST_FORECAST))
    }

    /// `in 3 hours`.
    fn ahead(&self, text: &str) -> Option<Span> {
        let ahead = self.calendar.moment(text).ok()?.ahead;
        let seconds = ahead.filter(|ahead| !ahead.is_of_days())?.seconds()?;
        let is_near = seconds < 400.0 * 3600.0;
        let later = SignedDuration::try_from_secs_f64(seconds)
            .ok()
            .filter(|_| is_near)?;
        hour_from(self.now().checked_add(later).ok()?, Kind::Hour)
    }

    /// A day and a part of it, or a day and a time, in either order.
    fn day_and_rest(&self, words: &[&str], at: usize) -> Option<Span> {
        let (first, second) = words.split_at_checked(at)?;
        let (first, second) = (first.join(" "), second.join(" "));
        let either = [(&first, &second), (&second, &first)];
        either.into_iter().find_map(|(day, rest)| {
            let date = self.day(day)?;
            match self.part(rest) {
                Some(part) => self.part_of(date, part),
                None => self.hour_of(date, self.hour(rest)?),
            }
        })
    }

    /// `domani pomeriggio alle 2`: a time of a day, with all that tells which it is.
    fn moment(&self, text: &str) -> Option<Span> {
        let when = self.calendar.moment(text).ok()?;
        let is_one = when.has_clock && when.repeat.is_none();
        self.hour_of(when.day.filter(|_| is_one)?.date, when.hour?)
    }

    fn part(&self, text: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| self.is(text, part.name()))
    }

    fn is(&self, text: &str, name: &str) -> bool {
        let text = folded(text);
        self.phrases
            .iter()
            .any(|(known, said)| *known == name && *said == text)
    }

    fn day(&self, text: &str) -> Option<Date> {
        self.calendar.day(text).map(|day| day.date)
    }

    fn hour(&self, text: &str) -> Option<Hour> {
        // A number alone may be anything.
        let is_said = text.contains(|c: char| c.is_alphabetic() || c == ':');
        self.calendar.hour(text).filter(|_| is_said)
    }

    fn whole_day(&self, date: Date) -> Option<Span> {
        let end = midnight(date.tomorrow().ok()?);
        Some(self.without_past(midnight(date), end, Kind::Day))
    }

    fn next_part(&self, part: Part) -> Option<Span> {
        let today = self.now().date();
        let first = self.part_of(today, part)?;
        if first.until > self.now() {
            return Some(first);
        }
        self.part_of(today.tomorrow().ok()?, part)
    }

    fn part_of(&self, date: Date, part: Part) -> Option<Span> {
        let (hour, count) = part.hours();
        let from = date.to_datetime(Time::new(hour, 0, 0, 0).ok()?);
        let until = from.checked_add(count.hours()).ok()?;
        Some(self.without_past(from, until, Kind::Part(part)))
    }

    /// The next time that a clock shows it.
    fn next_hour(&self, hour: Hour) -> Option<Span> {
        let now = self.now();
        let first = now.date().to_datetime(hour.time);
        let step = if hour.may_be_later { 12 } else { 24 };
        let times = (0..=2).filter_map(|count: i64| first.checked_add((count * step).hours()).ok());
        let next = times.into_iter().find(|time| *time >= now)?;
        hour_from(next, Kind::Hour)
    }

    fn hour_of(&self, date: Date, hour: Hour) -> Option<Span> {
        if date == self.now().date() {
            return self.next_hour(hour).filter(|span| span.from.date() == date);
        }
        let is_afternoon = hour.may_be_later && hour.time.hour() < FIRST_MORNING_HOUR;
        let later = if is_afternoon { 12 } else { 0 };
        let time = date.to_datetime(hour.time).checked_add(later.hours()).ok()?;
        hour_from(time, Kind::Hour)
    }

    /// Without the hours that have passed.
    fn without_past(&self, from: DateTime, until: DateTime, kind: Kind) -> Span {
        let now = full_hour(self.now());
        let has_begun = from < now && now < until;
        Span {
            from: if has_begun { now } else { from },
            until,
            kind,
        }
    }
}

/// The words that are left without those of a phrase; nothing where it does not stand among them.
fn without(words: &[&str], phrase: &str) -> Option<String> {
    let sought: Vec<&str> = phrase.split(' ').collect();
    let at = words.windows(sought.len()).position(|window| window == sought)?;
    let (before, rest) = words.split_at_checked(at)?;
    let left = [before, rest.get(sought.len()..)?].concat();
    Some(left.join(" "))
}

fn hour_from(time: DateTime, kind: Kind) -> Option<Span> {
    let from = full_hour(time);
    let until = from.checked_add(1.hour()).ok()?;
    Some(Span { from, until, kind })
}

fn days(first: Date, count: usize) -> Option<Span> {
    let until = first.checked_add(i64::try_from(count).ok()?.days()).ok()?;
    Some(Span {
        from: midnight(first),
        until: midnight(until),
        kind: Kind::Days(count),
    })
}

fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
}

fn full_hour(time: DateTime) -> DateTime {
    let hour = Time::new(time.hour(), 0, 0, 0).unwrap_or_default();
    time.date().to_datetime(hour)
}

#[cfg(test)]
mod tests;
