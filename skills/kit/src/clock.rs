//! Times of day as people say and write them: `half past six`, `fünf vor halb acht`, `836pm`, `0630`, `15 h 30`.
//!
//! Finds every time that begins at a token, without the part of the day, which may stand elsewhere.

use jiff::civil::Time;

use crate::Customs;
use crate::language::{Offset, Part};
use crate::matching::Bound;
use crate::text::{Found, Text};

const HOUR: i32 = 60;
const HALF_DAY: i32 = 12 * HOUR;
const DAY: i32 = 24 * HOUR;

/// An hour as it was said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hour {
    /// From midnight.
    minutes: i32,
    /// Noon and midnight.
    is_named: bool,
    /// Whether a word behind it tells that it is an hour, and whether that word tells nothing else.
    oclock: Option<bool>,
}

/// A time of day as it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is true or false of any time")]
pub(crate) struct Clock {
    /// From midnight.
    minutes: i32,
    /// Whether the half of the day was said, or cannot be another.
    has_half: bool,
    /// Whether it was said by the hour, as on a clock of twelve hours.
    is_colloquial: bool,
    /// Whether its words tell that it is a time and nothing else.
    is_clear: bool,
    /// Whether it consists of numbers alone.
    pub(crate) is_bare: bool,
}

impl Text<'_> {
    /// Every time of day that begins here.
    pub(crate) fn clocks(&self, at: usize) -> Found<Clock> {
        let mut found = self.in_figures(at);
        let hours = self.hours(at).into_iter();
        found.extend(hours.map(|(hour, end)| (Clock::of(hour), end)));
        let said = self.fitting(&self.language.clock, at, |_| true).into_iter();
        found
            .extend(said.filter_map(|(offset, bound, end)| Some((Clock::by_the_hour(offset, &bound)?, end))));
        let mut longer: Found<Clock> = found.iter().flat_map(|found| self.with_half(*found)).collect();
        longer.extend(found);
        let sharp: Found<Clock> = longer
            .iter()
            .flat_map(|(clock, end)| {
                let ends = self.named(&self.language.sharp, *end).into_iter();
                ends.map(|((), end)| {
                    (
                        Clock {
                            is_bare: false,
                            ..*clock
                        },
                        end,
                    )
                })
            })
            .collect();
        longer.extend(sharp);
        longer.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        longer
    }

    /// Hours by their number or name, with and without the word behind them.
    pub(crate) fn hours(&self, at: usize) -> Found<Hour> {
        let named = self.named(&self.language.hours, at).into_iter();
        let mut found: Found<Hour> = named
            .map(|(minutes, end)| {
                (
                    Hour {
                        minutes,
                        is_named: true,
                        oclock: None,
                    },
                    end,
                )
            })
            .collect();
        let numbers = self.numbers(at);
        let hours = numbers
            .iter()
            .filter(|(number, _)| number.fract() == 0.0 && (0.0..=24.0).contains(number));
        for (number, end) in hours {
            let hour = Hour {
                minutes: *number as i32 * HOUR,
                is_named: false,
                oclock: None,
            };
            let words = self.named(&self.language.oclock, *end).into_iter();
            found.extend(words.map(|(oclock, end)| {
                (
                    Hour {
                        oclock: Some(oclock),
                        ..hour
                    },
                    end,
                )
            }));
            found.push((hour, *end));
        }
        found
    }

    /// Minutes; as they stand in figures behind an hour, they have two.
    pub(crate) fn minutes(&self, at: usize, has_two_figures: bool) -> Found<i32> {
        let numbers = self.numbers(at);
        let written = self.figures(at).map(str::len);
        let fits = |number: f64| match (has_two_figures, written) {
            (true, Some(length)) => length == 2,
            (true, None) => number >= 10.0,
            (false, _) => true,
        };
        let numbers = numbers
            .iter()
            .filter(|(number, _)| number.fract() == 0.0 && *number < 60.0 && fits(*number));
        numbers.map(|(number, end)| (*number as i32, *end)).collect()
    }

    /// `15:30`, `9:05:00`, `15.30`, `15h30`, `0630`, `836`.
    fn in_figures(&self, at: usize) -> Found<Clock> {
        let Some(figures) = self.figures(at) else {
            return Vec::new();
        };
        let mut found: Found<Clock> = Self::without_colon(figures)
            .map(|clock| (clock, at + 1))
            .into_iter()
            .collect();
        let hour = figures.parse().ok().filter(|_| figures.len() <= 2);
        let is_parted = self.is_glued_sign(at + 1, ":") || self.is_glued_sign(at + 1, ".");
        let by_letter = self.word(at + 1) == "h";
        let minutes = self
            .glued_figures(at + 2)
            .or_else(|| self.figures(at + 2).filter(|_| by_letter));
        let minutes = minutes.filter(|minutes| minutes.len() == 2 && (is_parted || by_letter));
        let Some((hour, minute)) = hour.zip(minutes.and_then(|minutes| minutes.parse().ok())) else {
            return found;
        };
        let seconds = self
            .is_glued_sign(at + 3, ":")
            .then(|| self.glued_figures(at + 4))
            .flatten();
        let end = if seconds.is_some() { at + 5 } else { at + 3 };
        let min = usize::from(["min", "m"].contains(&self.word(end)) && by_letter);
        let is_clear = self.is_glued_sign(at + 1, ":");
        if let Some(minutes) = of_day(hour, minute).filter(|_| !self.goes_on(end)) {
            let clock = Clock {
                is_bare: !is_clear && !by_letter,
                ..Clock::at(minutes, is_clear)
            };
            found.push((clock, end + min));
        }
        found
    }

    /// Whether figures go on here, as they do in a date.
    fn goes_on(&self, at: usize) -> bool {
        let is_sign = [":", ".", "/", "-"]
            .iter()
            .any(|sign| self.is_glued_sign(at, sign));
        is_sign && self.glued_figures(at + 1).is_some()
    }

    fn without_colon(figures: &str) -> Option<Clock> {
        let (hour, minute) = figures.split_at_checked(figures.len().checked_sub(2)?)?;
        let minutes = of_day(hour.parse().ok()?, minute.parse().ok()?)?;
        let is_time = (1..=2).contains(&hour.len());
        is_time.then_some(Clock {
            has_half: hour.starts_with('0'),
            is_bare: true,
            ..Clock::at(minutes, false)
        })
    }

    /// With the word for the hour and the half of the day behind it.
    fn with_half(&self, (clock, end): (Clock, usize)) -> Found<Clock> {
        let mut found = Vec::new();
        for (is_clear, end) in self.named(&self.language.oclock, end) {
            let clock = Clock {
                is_bare: false,
                is_clear: clock.is_clear || is_clear,
                ..clock
            };
            found.push((clock, end));
            found.extend(
                self.half(end)
                    .and_then(|(is_late, end)| Some((clock.in_half(is_late)?, end))),
            );
        }
        found.extend(
            self.half(end)
                .and_then(|(is_late, end)| Some((clock.in_half(is_late)?, end))),
        );
        found
    }

    /// `am`, `p.m.`, `p m`.
    fn half(&self, at: usize) -> Option<(bool, usize)> {
        let point = |at: usize| at + usize::from(self.is_glued_sign(at, "."));
        match self.word(at) {
            "pm" => Some((true, at + 1)),
            "am" => self.is_half(at).then_some((false, at + 1)),
            word @ ("a" | "p") if self.word(point(at + 1)) == "m" => {
                Some((word == "p", point(point(at + 1) + 1)))
            }
            _ => None,
        }
    }

    /// Where "am" stands in front of a day, as in German, it is no half of the day.
    fn is_half(&self, at: usize) -> bool {
        let is_glued = self.token(at).is_some_and(|token| token.is_glued);
        let is_preposition = self
            .named(&self.language.before_day, at)
            .iter()
            .any(|((), end)| *end == at + 1);
        is_glued || !is_preposition || self.word(at + 1).is_empty()
    }
}

impl Clock {
    fn at(minutes: i32, is_clear: bool) -> Self {
        Self {
            minutes,
            has_half: false,
            is_colloquial: false,
            is_clear,
            is_bare: false,
        }
    }

    /// As it stands on a clock.
    pub(crate) fn said(time: Time, has_half: bool) -> Self {
        let minutes = i32::from(time.hour()) * HOUR + i32::from(time.minute());
        Self {
            has_half,
            ..Self::at(minutes, true)
        }
    }

    /// Behind words in front of a time, which may make one of a number.
    pub(crate) fn behind(self, is_at: bool) -> Self {
        Self {
            is_clear: self.is_clear || is_at || !self.is_bare,
            ..self
        }
    }

    fn of(hour: Hour) -> Self {
        Self {
            minutes: hour.minutes % DAY,
            has_half: hour.is_named,
            is_colloquial: false,
            is_clear: hour.is_named || hour.oclock == Some(true),
            is_bare: !hour.is_named && hour.oclock.is_none(),
        }
    }

    /// So many minutes from the hour.
    fn by_the_hour(offset: Offset, bound: &Bound) -> Option<Self> {
        let hour = bound.hour?;
        let minutes = offset.minutes + offset.sign * bound.minute.unwrap_or_default();
        let is_bare = offset.is_pair && hour.oclock.is_none() && !hour.is_named;
        Some(Self {
            minutes: (hour.minutes + minutes).rem_euclid(DAY),
            has_half: hour.is_named,
            is_colloquial: !offset.is_pair && hour.minutes <= HALF_DAY,
            is_clear: !is_bare && (!offset.is_pair || hour.oclock == Some(true) || hour.is_named),
            is_bare,
        })
    }

    /// In the first or the second half of the day; nothing where it is in none.
    fn in_half(self, is_late: bool) -> Option<Self> {
        let hour = self.minutes / HOUR;
        let is_of_half = (1..=12).contains(&hour) || self.is_colloquial && hour == 0;
        let minutes = self.minutes % HALF_DAY + if is_late { HALF_DAY } else { 0 };
        let named = Self {
            minutes,
            has_half: true,
            is_clear: true,
            is_bare: false,
            ..self
        };
        (is_of_half && !self.has_half).then_some(named)
    }

    /// In a part of the day; nothing where that holds none or two of the times that may be meant.
    pub(crate) fn within(self, part: Part) -> Option<Self> {
        let other = (self.minutes + HALF_DAY) % DAY;
        let may_be_other = !self.has_half && self.minutes < HALF_DAY + HOUR;
        let meant = [Some(self.minutes), may_be_other.then_some(other)];
        let mut meant = meant
            .into_iter()
            .flatten()
            .filter(|minutes| part.holds(*minutes / HOUR));
        let minutes = meant.next().filter(|_| meant.next().is_none())?;
        Some(Self {
            minutes,
            has_half: true,
            is_clear: true,
            is_bare: false,
            ..self
        })
    }

    /// As a program tells it.
    pub(crate) fn time(self) -> Time {
        let (hour, minute) = (self.minutes / HOUR, self.minutes % HOUR);
        Time::new(hour as i8, minute as i8, 0, 0).unwrap_or_default()
    }

    /// What it means where the person is.
    pub(crate) fn hour(self, customs: Customs) -> crate::Hour {
        let is_of_half = self.is_colloquial || customs.has_halves;
        let hour = self.minutes / HOUR;
        // A quarter to one stands at 0:45; figures that begin with a zero are of a clock of 24 hours.
        let first = i32::from(!self.is_colloquial);
        crate::Hour {
            time: self.time(),
            may_be_later: !self.has_half && is_of_half && (first..=12).contains(&hour),
            is_clear: self.is_clear,
            has_half: self.has_half,
        }
    }
}

impl Part {
    /// Whether an hour is one of it.
    pub(crate) fn holds(self, hour: i32) -> bool {
        let [first, last] = self.hours.map(i32::from);
        if first <= last {
            (first..=last).contains(&hour)
        } else {
            hour >= first || hour <= last
        }
    }

    /// Whether a time is one of the next day, until which it lasts.
    pub(crate) fn is_behind_midnight(self, time: Time) -> bool {
        let [first, last] = self.hours;
        first > last && time.hour() <= last
    }
}

fn of_day(hour: i32, minute: i32) -> Option<i32> {
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute) || (hour, minute) == (24, 0);
    is_time.then(|| (hour * HOUR + minute) % DAY)
}
