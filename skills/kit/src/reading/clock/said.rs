//! Times of day as people say and write them: `half past six`, `fünf vor halb acht`, `836pm`, `0630`, `15 h 30`.
//!
//! Finds every time that begins at a token, without the part of the day, which may stand elsewhere.

use super::{Clock, DAY, HOUR, Hour};
use crate::reading::text::{Found, Text};

impl Text<'_> {
    /// Every time of day that begins here.
    pub(crate) fn clocks(&self, at: usize) -> Found<Clock> {
        let mut found = self.in_figures(at);
        let hours = self.hours(at).into_iter();
        found.extend(hours.map(|(hour, end)| (Clock::of(hour), end)));
        let said = self.fitting(&self.language.clock, at, |_| true).into_iter();
        found
            .extend(said.filter_map(|(offset, bound, end)| Some((Clock::by_the_hour(offset, &bound)?, end))));
        let mut longer: Found<Clock> = found
            .iter()
            .flat_map(|(clock, end)| self.with_half(*clock, *end))
            .collect();
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
    fn with_half(&self, clock: Clock, end: usize) -> Found<Clock> {
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

fn of_day(hour: i32, minute: i32) -> Option<i32> {
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute) || (hour, minute) == (24, 0);
    is_time.then(|| (hour * HOUR + minute) % DAY)
}
