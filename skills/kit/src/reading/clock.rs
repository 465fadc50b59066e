//! Times of day as they were said, before it is known which of two hours is meant.
//!
//! Reads no text; how they are said is in `clock/said.rs`.

mod said;

use jiff::civil::Time;

use crate::reading::Customs;
use crate::reading::language::{Offset, Part};
use crate::reading::matching::Bound;

const HOUR: i32 = 60;
const HALF_DAY: i32 = 12 * HOUR;
const DAY: i32 = 24 * HOUR;

/// An hour as it was said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hour {
    /// They are counted from midnight.
    minutes: i32,
    /// Says whether it is noon or midnight.
    is_named: bool,
    /// Whether a word behind it tells that it is an hour, and whether that word tells nothing else.
    oclock: Option<bool>,
}

/// A time of day as it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is true or false of any time")]
pub(crate) struct Clock {
    /// They are counted from midnight.
    minutes: i32,
    /// Whether the half of the day was said, or cannot be another.
    has_half: bool,
    /// Whether it was said by the hour, as on a clock of twelve hours.
    is_colloquial: bool,
    /// Whether its words tell that it is a time and nothing else.
    pub(crate) is_clear: bool,
    /// Says whether it consists of numbers alone.
    pub(crate) is_bare: bool,
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
    pub(crate) fn hour(self, customs: Customs) -> crate::reading::Hour {
        let is_of_half = self.is_colloquial || customs.has_halves;
        let hour = self.minutes / HOUR;
        // A quarter to one stands at 0:45; figures that begin with a zero are of a clock of 24 hours.
        let first = i32::from(!self.is_colloquial);
        crate::reading::Hour {
            time: self.time(),
            may_be_later: !self.has_half && is_of_half && (first..=12).contains(&hour),
            is_clear: self.is_clear,
            has_half: self.has_half,
        }
    }
}

impl Part {
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
