//! Moments as they were said: a day, a time of day, a part of the day, a repetition or a length from now.
//!
//! Reads no text.

use jiff::ToSpan;
use jiff::civil::{Date, Time};

use crate::reading::clock::Clock;
use crate::reading::language::Part;
use crate::reading::length::Length;
use crate::reading::repetition::{Repeat, Until};

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Without a year the next one there is.
    pub date: Date,
    /// Whether its year was said.
    pub has_year: bool,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hour {
    /// As it stands on a clock.
    pub time: Time,
    /// Whether it may be twelve hours later as well.
    pub may_be_later: bool,
    /// Whether its words say that it is a time, which a number alone does not.
    pub is_clear: bool,
    /// Whether its half of the day was said, or is the only one.
    pub has_half: bool,
}

/// A time that is no one moment: `before five`, `between 5 and 6`, `until Friday`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stretch {
    /// Whether its words say that it is a time, which numbers alone do not.
    pub is_clear: bool,
    /// Where it begins, if that was said.
    pub from: Option<Edge>,
    /// Where it ends, if that was said.
    pub until: Option<Edge>,
}

/// An end of a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// A time of day is said.
    Time(Hour),
    /// A day, which belongs to it.
    Day(Date),
}

impl Edge {
    /// Moves a day by so many days. A time stays as it is.
    pub(crate) fn moved(self, days: i64) -> Option<Self> {
        match self {
            Self::Time(_) => Some(self),
            Self::Day(date) => date.checked_add(days.days()).ok().map(Self::Day),
        }
    }
}

/// A moment as it was said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct When {
    /// The day is said or left open.
    pub day: Option<Day>,
    /// The time of day; of a part of the day the hour that is meant by it.
    pub hour: Option<Hour>,
    /// The part of the day is said or left open.
    pub part: Option<Part>,
    /// Whether a time of day was said and not only a part of the day.
    pub has_clock: bool,
    /// On which days it is repeated.
    pub repeat: Option<Repeat>,
    /// Until when it is repeated.
    pub until: Option<Until>,
    /// Whether it is no one moment.
    pub stretch: Option<Stretch>,
    /// How far from now it is; where that is days, [`day`](Self::day) tells which.
    pub ahead: Option<Length>,
}

impl Hour {
    /// In a part of the day; nothing where that holds none or two of the times that may be meant.
    fn within(self, part: Part) -> Option<Self> {
        let time = Clock::said(self.time, self.has_half).within(part)?.time();
        if part.is_behind_midnight(time) {
            return None;
        }
        Some(Self {
            time,
            may_be_later: false,
            is_clear: true,
            has_half: true,
        })
    }
}

impl When {
    /// Whether it is a time of day and no more.
    pub fn is_time(&self) -> bool {
        let has_day = self.day.is_some() || self.repeat.is_some() || self.ahead.is_some();
        self.has_clock && !has_day && self.until.is_none()
    }

    /// Whether it is a day and no more.
    pub fn is_day(&self) -> bool {
        self.day.is_some() && self.hour.is_none() && self.repeat.is_none() && self.stretch.is_none()
    }

    /// Whether it is a repetition and no more.
    pub fn is_repeat(&self) -> bool {
        self.repeat.is_some() && self.hour.is_none() && self.stretch.is_none()
    }

    /// With what was said of it apart; nothing where both say the same thing or they contradict each other.
    pub fn and(self, other: Self) -> Option<Self> {
        if self == Self::default() || other == Self::default() {
            return Some(if self == Self::default() { other } else { self });
        }
        let is_twice =
            self.day.is_some() && other.day.is_some() || self.repeat.is_some() && other.repeat.is_some();
        let is_twice = is_twice || self.until.is_some() && other.until.is_some();
        let days =
            self.day.or(other.day).is_some() && self.repeat.as_ref().or(other.repeat.as_ref()).is_some();
        let aheads = [self.ahead, other.ahead].into_iter().flatten();
        let is_exact = aheads.clone().any(|ahead| !ahead.is_of_days());
        let clocks = [&self, &other].into_iter();
        let clocks = clocks.map(|when| usize::from(when.has_clock) + usize::from(when.stretch.is_some()));
        let clocks: usize = clocks.sum();
        let parts = usize::from(self.part.is_some()) + usize::from(other.part.is_some());
        if is_twice || days || is_exact || clocks > 1 || parts > 1 {
            return None;
        }
        let part = self.part.or(other.part);
        let clock = [&self, &other]
            .into_iter()
            .find(|when| when.has_clock)
            .and_then(|when| when.hour);
        let has_clock = self.has_clock || other.has_clock;
        let is_apart = has_clock
            && [&self, &other]
                .iter()
                .all(|when| when.has_clock != when.part.is_some());
        let hour = match (clock, part) {
            (Some(hour), Some(part)) if is_apart => Some(hour.within(part)?),
            (clock, _) => clock.or(self.hour).or(other.hour),
        };
        Some(Self {
            day: self.day.or(other.day),
            hour,
            part,
            has_clock,
            repeat: self.repeat.or(other.repeat),
            until: self.until.or(other.until),
            stretch: self.stretch.or(other.stretch),
            ahead: self.ahead.or(other.ahead),
        })
    }

    /// Whether its words say that it is a moment, which a number alone does not.
    pub fn is_clear(&self) -> bool {
        let is_bare_stretch = self.stretch.is_some_and(|stretch| !stretch.is_clear);
        let is_bare_time = self.is_time() && !self.hour.is_some_and(|hour| hour.is_clear);
        !(is_bare_time || is_bare_stretch && self.day.is_none() && self.repeat.is_none())
    }
}
