//! Stretches of time that people name, as their first and last moments: a day, a part of one, what lies between two times.
//!
//! A moment is none, nor is what is repeated. What lies behind is not left out.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};

use super::Calendar;
use crate::reading::{Edge, Hour, Part, Stretch, When};

/// What has no end lasts for so long, in days.
const ENDLESS: i64 = 366;

/// A stretch of time on the clocks of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// It begins at this moment.
    pub from: DateTime,
    /// It ends just before this moment.
    pub until: DateTime,
}

impl Window {
    /// So many days from this one on.
    pub fn of_days(first: Date, count: i64) -> Option<Self> {
        Some(Self {
            from: midnight(first),
            until: midnight(first.checked_add(count.days()).ok()?),
        })
    }

    fn of_part(date: Date, part: Part) -> Option<Self> {
        let [first, last] = part.hours;
        let from = date.at(first, 0, 0, 0);
        let hours = i64::from((last - first).rem_euclid(24)) + 1;
        let until = from.checked_add(hours.hours()).ok()?;
        Some(Self { from, until })
    }
}

impl Calendar {
    /// The stretches that a whole text may mean: several where it is open which half of the day is meant, and none where it
    /// is another thing.
    pub fn windows(&self, text: &str) -> Vec<Window> {
        let moment = self.moment(text).ok();
        let is_stretch = |when: &When| when.repeat.is_none() && !when.has_clock;
        let Some(when) = moment.filter(is_stretch) else {
            return Vec::new();
        };
        let day = when.day.map(|day| day.date);
        if let Some(stretch) = when.stretch {
            return self.of_stretch(stretch, day, when.part);
        }
        let window = match (when.part, day) {
            (Some(part), Some(day)) => Window::of_part(day, part),
            (Some(part), None) => self.next(|day| Window::of_part(day, part)),
            (None, Some(day)) => Window::of_days(day, 1),
            (None, None) => None,
        };
        window.into_iter().collect()
    }

    /// That of today, or where it is over that of tomorrow.
    fn next(&self, of_day: impl Fn(Date) -> Option<Window>) -> Option<Window> {
        let now = self.now().datetime();
        let today = of_day(now.date()).filter(|window| window.until > now);
        today.or_else(|| of_day(now.date().tomorrow().ok()?))
    }

    fn of_stretch(&self, stretch: Stretch, day: Option<Date>, part: Option<Part>) -> Vec<Window> {
        let today = self.now().date();
        let first = day.unwrap_or(today);
        let times = |hour: Hour| times(hour, part);
        match (stretch.from, stretch.until) {
            (Some(Edge::Time(from)), Some(Edge::Time(until))) => {
                self.between(&times(from), &times(until), day)
            }
            (Some(Edge::Time(from)), None) => {
                let from = self.soonest(times(from), day);
                from.and_then(|from| {
                    Some(Window {
                        from,
                        until: midnight(from.date().tomorrow().ok()?),
                    })
                })
                .into_iter()
                .collect()
            }
            (None, Some(Edge::Time(until))) => {
                let from = if first == today {
                    self.now().datetime()
                } else {
                    midnight(first)
                };
                let until = self.soonest(times(until), day);
                until.map(|until| Window { from, until }).into_iter().collect()
            }
            (Some(Edge::Day(from)), None) => Window::of_days(from, ENDLESS).into_iter().collect(),
            (from, Some(Edge::Day(until))) => {
                let from = match from {
                    Some(Edge::Day(from)) => from,
                    _ => today,
                };
                let window = Window::of_days(until, 1).map(|last| Window {
                    from: midnight(from),
                    ..last
                });
                window.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Between two times of which either may be of another half of the day: the shortest of these stretches.
    fn between(&self, from: &[Time], until: &[Time], day: Option<Date>) -> Vec<Window> {
        let pairs = from
            .iter()
            .flat_map(|from| until.iter().map(move |until| (*from, *until)));
        let of_day = |(from, until): (Time, Time), day: Date| {
            let last = if until > from { day } else { day.tomorrow().ok()? };
            Some(Window {
                from: day.to_datetime(from),
                until: last.to_datetime(until),
            })
        };
        let windows = pairs.filter_map(|pair| match day {
            Some(day) => of_day(pair, day),
            None => self.next(|day| of_day(pair, day)),
        });
        let windows: Vec<Window> = windows.collect();
        let length = |window: &Window| window.from.duration_until(window.until);
        let shortest = windows.iter().map(length).min();
        let is_shortest = |window: &Window| Some(length(window)) == shortest;
        windows.into_iter().filter(is_shortest).collect()
    }

    /// The first of these times of a day; without a day the next one, or where all have passed the last one of today.
    fn soonest(&self, times: Vec<Time>, day: Option<Date>) -> Option<DateTime> {
        let now = self.now().datetime();
        let mut of_day = times
            .into_iter()
            .map(|time| day.unwrap_or(now.date()).to_datetime(time));
        if day.is_some_and(|day| day != now.date()) {
            return of_day.next();
        }
        let of_day: Vec<DateTime> = of_day.collect();
        let next = of_day.iter().find(|moment| **moment > now);
        next.or(of_day.last()).copied()
    }
}

/// The times of day that may be meant by one, in a part of the day.
fn times(hour: Hour, part: Option<Part>) -> Vec<Time> {
    let later = hour.may_be_later.then(|| hour.time.wrapping_add(12.hours()));
    let all: Vec<Time> = [Some(hour.time), later].into_iter().flatten().collect();
    let of_part = |time: &&Time| part.is_none_or(|part| part.holds(i32::from(time.hour())));
    let meant: Vec<Time> = all.iter().filter(of_part).copied().collect();
    if meant.is_empty() { all } else { meant }
}

fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
}

#[cfg(test)]
mod tests {
    use loquat_agent::toolbox::Circumstances;

    use super::*;

    /// Seen from Tuesday, 24 November 2026, 10:00.
    fn windows(lang: &str, text: &str) -> String {
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            time_zone: Some("UTC".to_owned()),
            ..Circumstances::default()
        };
        let now = "2026-11-24T10:00:00Z".parse().expect("a moment");
        let windows = Calendar::of(&person, now).windows(text);
        let told = windows.iter().map(|window| {
            let told = |moment: DateTime| moment.strftime("%d %H:%M").to_string();
            format!("{} to {}", told(window.from), told(window.until))
        });
        told.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn days_and_parts_of_days_have_a_beginning_and_an_end() {
        for (lang, text, expected) in [
            ("en-US", "tomorrow", "25 00:00 to 26 00:00"),
            ("en-US", "for tomorrow", "25 00:00 to 26 00:00"),
            ("en-US", "on Saturday", "28 00:00 to 29 00:00"),
            ("en-US", "tomorrow morning", "25 00:00 to 25 12:00"),
            ("en-US", "tonight", "24 17:00 to 25 04:00"),
            ("en-US", "on December 3rd", "03 00:00 to 04 00:00"),
            ("de-DE", "am Montag", "30 00:00 to 01 00:00"),
            ("de-DE", "morgen Abend", "25 16:00 to 26 00:00"),
            ("fr-FR", "demain", "25 00:00 to 26 00:00"),
            ("es-ES", "el lunes", "30 00:00 to 01 00:00"),
            ("it-IT", "domani", "25 00:00 to 26 00:00"),
            ("pt-PT", "amanhã", "25 00:00 to 26 00:00"),
        ] {
            assert_eq!(windows(lang, text), expected, "{text}");
        }
    }

    #[test]
    fn a_stretch_lies_between_its_ends() {
        for (lang, text, expected) in [
            ("en-US", "between 4 and 5 pm", "24 16:00 to 24 17:00"),
            ("en-US", "between 9 and 9:30 am", "25 09:00 to 25 09:30"),
            ("en-US", "tomorrow between 10 and 2 pm", "25 10:00 to 25 14:00"),
            (
                "en-US",
                "tomorrow between 5 and 7",
                "25 05:00 to 25 07:00, 25 17:00 to 25 19:00",
            ),
            ("en-US", "between 10 pm and 6 am", "24 22:00 to 25 06:00"),
            ("en-US", "before 8 pm", "24 10:00 to 24 20:00"),
            ("en-US", "tomorrow before 8", "25 00:00 to 25 08:00"),
            ("en-US", "after 6", "24 18:00 to 25 00:00"),
            ("en-US", "after 6 pm tomorrow", "25 18:00 to 26 00:00"),
            ("en-US", "until Friday", "24 00:00 to 28 00:00"),
            ("en-US", "before Friday", "24 00:00 to 27 00:00"),
            ("en-US", "between Thursday and Saturday", "26 00:00 to 29 00:00"),
            (
                "en-US",
                "from the 1st to the 5th of December",
                "01 00:00 to 06 00:00",
            ),
            ("de-DE", "zwischen 16 und 17 Uhr", "24 16:00 to 24 17:00"),
            ("de-DE", "morgen nach 18 Uhr", "25 18:00 to 26 00:00"),
            ("fr-FR", "entre 16 heures et 17 heures", "24 16:00 to 24 17:00"),
            ("es-ES", "antes del viernes", "24 00:00 to 27 00:00"),
            ("it-IT", "tra le 16 e le 17", "24 16:00 to 24 17:00"),
            ("pt-PT", "até sexta", "24 00:00 to 28 00:00"),
        ] {
            assert_eq!(windows(lang, text), expected, "{text}");
        }
    }

    #[test]
    fn a_moment_and_a_repetition_are_no_stretch() {
        for text in [
            "at 7",
            "tomorrow at 7",
            "every day",
            "in 10 minutes",
            "soon",
            "two hours",
            "",
        ] {
            assert_eq!(windows("en-US", text), "", "{text}");
        }
    }
}
