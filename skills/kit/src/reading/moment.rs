//! Moments as people say them: days, times of day, parts of the day, repetitions and lengths from now, in any order.
//!
//! Each is said once at most, and what contradicts is no moment.

use jiff::ToSpan;
use jiff::civil::Time;
use jiff::tz::TimeZone;

use crate::reading::clock::Clock;
use crate::reading::day::dated;
use crate::reading::language::{Part, Place, StretchRule, Table};
use crate::reading::length::Length;
use crate::reading::matching::Bound;
use crate::reading::repetition::{Repeat, Until};
use crate::reading::text::{Found, Text};
use crate::reading::when::{Day, Edge, Hour, Stretch, When};

/// So many steps are taken for what begins at one token.
const MOST_STEPS: u32 = 400;

/// What has been read of a moment.
#[derive(Debug, Clone, PartialEq, Default)]
struct Draft {
    day: Option<Day>,
    clock: Option<Clock>,
    /// Whether the time of day is a number with nothing in front of it that makes it a time.
    is_bare: bool,
    part: Option<(Part, Place)>,
    repeat: Option<Repeat>,
    until: Option<Until>,
    stretch: Option<Stretch>,
    ahead: Option<Length>,
}

impl Text<'_> {
    /// Every moment that begins here, the longest first.
    pub(crate) fn whens(&self, at: usize) -> Found<When> {
        let mut found = Vec::new();
        let mut steps = MOST_STEPS;
        self.go_on(&Draft::default(), at, &mut found, &mut steps);
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }

    /// Adds what stands here to what has been read.
    fn go_on(&self, draft: &Draft, at: usize, found: &mut Found<When>, steps: &mut u32) {
        let is_first = found.is_empty() && *draft == Draft::default();
        let start = if is_first { at } else { self.behind_comma(at) };
        let mut longer = Vec::new();
        self.with_day(draft, start, &mut longer);
        self.with_clock(draft, start, &mut longer);
        self.with_part(draft, start, &mut longer);
        self.with_repeat(draft, start, &mut longer);
        self.with_until(draft, start, &mut longer);
        // What may be both is the end of a repetition.
        self.with_stretch(draft, start, &mut longer);
        for (draft, end) in longer {
            *steps = steps.saturating_sub(1);
            if *steps == 0 {
                return;
            }
            found.extend(self.finished(&draft).map(|when| (when, end)));
            self.go_on(&draft, end, found, steps);
        }
    }

    fn with_day(&self, draft: &Draft, at: usize, longer: &mut Found<Draft>) {
        if draft.day.is_some() || draft.repeat.is_some() || draft.ahead.is_some() {
            return;
        }
        for start in self.starts(&self.language.before_day, at) {
            for (day, end) in self.find_days(start, true) {
                longer.push((
                    Draft {
                        day: Some(day),
                        ..draft.clone()
                    },
                    end,
                ));
                longer.extend(self.moment_of_programs(draft, day, end));
            }
            let told = self.fitting(&self.language.ahead, start, |()| true).into_iter();
            longer.extend(told.filter_map(|((), bound, end)| {
                let ahead = bound.length?;
                let is_free = draft.clock.is_none() && draft.part.is_none() || ahead.is_of_days();
                let date = self.now.date().checked_add(ahead.days(1)?).ok()?;
                let day = ahead.is_of_days().then_some(Day {
                    date,
                    has_year: false,
                });
                is_free.then_some((
                    Draft {
                        day,
                        ahead: Some(ahead),
                        ..draft.clone()
                    },
                    end,
                ))
            }));
        }
    }

    /// `2026-12-25T10:00:00Z`.
    fn moment_of_programs(&self, draft: &Draft, day: Day, at: usize) -> Option<(Draft, usize)> {
        let is_joined = self.word(at) == "t" && self.token(at)?.is_glued;
        let (clock, end) = self.clocks(at + 1).into_iter().find(|_| is_joined)?;
        let draft = |day, clock| Draft {
            day: Some(day),
            clock: Some(clock),
            ..draft.clone()
        };
        if self.word(end) != "z" {
            return Some((draft(day, clock), end));
        }
        let there = day.date.to_datetime(clock.time()).to_zoned(TimeZone::UTC).ok()?;
        let here = there.with_time_zone(self.now.time_zone().clone());
        let day = Day {
            date: here.date(),
            ..day
        };
        Some((draft(day, Clock::said(here.time(), true)), end + 1))
    }

    fn with_clock(&self, draft: &Draft, at: usize, longer: &mut Found<Draft>) {
        let has_time = draft.clock.is_some() || draft.stretch.is_some();
        if has_time || draft.ahead.is_some_and(|ahead| !ahead.is_of_days()) {
            return;
        }
        let is_one = self.language.ones.iter().any(|one| one == self.word(at));
        let alone = |end: &usize| is_one && *end == at + 1;
        for (clock, end) in self.clocks(at).into_iter().filter(|(_, end)| !alone(end)) {
            let is_bare = clock.is_bare;
            longer.push((
                Draft {
                    clock: Some(clock),
                    is_bare,
                    ..draft.clone()
                },
                end,
            ));
        }
        for (is_at, start) in self.named(&self.language.before_time, at) {
            let clocks = self.clocks(start).into_iter();
            let behind = clocks.map(|(clock, end)| (Some(clock.behind(is_at)), end));
            longer.extend(behind.map(|(clock, end)| {
                (
                    Draft {
                        clock,
                        is_bare: false,
                        ..draft.clone()
                    },
                    end,
                )
            }));
        }
    }

    fn with_part(&self, draft: &Draft, at: usize, longer: &mut Found<Draft>) {
        if draft.part.is_some() || draft.ahead.is_some_and(|ahead| !ahead.is_of_days()) {
            return;
        }
        let has_day = draft.day.is_some() || draft.repeat.is_some();
        let starts = self.starts(&self.language.before_day, at).into_iter();
        let parts = starts.flat_map(|start| {
            let named = self.named(&self.language.parts, start).into_iter();
            named.map(move |(part, end)| (part, end, start > at))
        });
        for ((part, place), end, is_behind) in parts {
            let day = match place {
                Place::Anywhere | Place::BehindDay if is_behind => continue,
                Place::Anywhere => draft.day,
                Place::BehindDay if has_day => draft.day,
                Place::WithDay(days) if !has_day => {
                    let date = self.now.date().checked_add(days.days()).ok();
                    date.map(|date| Day {
                        date,
                        has_year: false,
                    })
                }
                _ => continue,
            };
            longer.push((
                Draft {
                    day,
                    part: Some((part, place)),
                    ..draft.clone()
                },
                end,
            ));
        }
    }

    fn with_repeat(&self, draft: &Draft, at: usize, longer: &mut Found<Draft>) {
        if draft.day.is_some() || draft.repeat.is_some() || draft.ahead.is_some() {
            return;
        }
        for ((repeat, part), end) in self.repeats(at) {
            let part = part.map(|part| (part, Place::Anywhere));
            if part.is_some() && draft.part.is_some() {
                continue;
            }
            let part = part.or(draft.part);
            longer.push((
                Draft {
                    repeat: Some(repeat),
                    part,
                    ..draft.clone()
                },
                end,
            ));
        }
    }

    fn with_until(&self, draft: &Draft, at: usize, longer: &mut Found<Draft>) {
        if draft.until.is_some() || draft.day.is_some() || draft.ahead.is_some() {
            return;
        }
        let untils = self.untils(at).into_iter();
        longer.extend(untils.map(|(until, end)| {
            (
                Draft {
                    until: Some(until),
                    ..draft.clone()
                },
                end,
            )
        }));
    }

    fn with_stretch(&self, draft: &Draft, at: usize, longer: &mut Found<Draft>) {
        let has_time = draft.clock.is_some() || draft.stretch.is_some();
        if has_time || draft.ahead.is_some_and(|ahead| !ahead.is_of_days()) {
            return;
        }
        let told = self.fitting(&self.language.stretches, at, |_| true).into_iter();
        longer.extend(told.map(|(rule, bound, end)| {
            (
                Draft {
                    stretch: Some(self.stretch(rule, &bound)),
                    ..draft.clone()
                },
                end,
            )
        }));
    }

    fn stretch(&self, rule: StretchRule, bound: &Bound) -> Stretch {
        let last = self.edge(bound);
        let (from, until) = match rule {
            StretchRule::Between => (self.edge(&bound.of_first()), last),
            StretchRule::Before => (None, last.and_then(|day| day.moved(-1))),
            StretchRule::Until => (None, last),
            StretchRule::After => (last.and_then(|day| day.moved(1)), None),
            StretchRule::From => (last, None),
        };
        Stretch {
            is_clear: bound.clock.is_none_or(|clock| clock.is_clear),
            from,
            until,
        }
    }

    /// The time of day, the day or the day of a month that a stretch begins or ends with.
    fn edge(&self, bound: &Bound) -> Option<Edge> {
        let of_clock = bound.clock.map(|clock| Edge::Time(clock.hour(self.customs)));
        let of_day = || {
            let day = bound.day.or_else(|| dated(bound, self.now.date()));
            day.map(|day| Edge::Day(day.date))
        };
        of_clock.or_else(of_day)
    }

    /// Here, and behind the words that may stand in front of what follows.
    fn starts(&self, before: &Table<()>, at: usize) -> Vec<usize> {
        let mut starts: Vec<usize> = self.named(before, at).into_iter().map(|((), end)| end).collect();
        starts.push(at);
        starts
    }

    /// The moment, where its parts make one.
    fn finished(&self, draft: &Draft) -> Option<When> {
        let is_beside = draft.day.is_some() || draft.repeat.is_some();
        if draft.is_bare && is_beside && draft.part.is_none() {
            return None;
        }
        if draft.until.is_some() && draft.repeat.is_none() {
            return None;
        }
        let (clock, day) = match (draft.clock, draft.part) {
            (Some(clock), Some((part, place))) => {
                let clock = clock.within(part)?;
                let is_night = part.is_behind_midnight(clock.time()) && place != Place::Anywhere;
                let day = match draft.day {
                    Some(day) if is_night => Some(self.night(day, clock)?),
                    day => day,
                };
                (Some(clock), day)
            }
            (clock, _) => (clock, draft.day),
        };
        let of_part = draft.part.and_then(|(part, _)| Time::new(part.at, 0, 0, 0).ok());
        let of_part = of_part.map(|time| Hour {
            time,
            may_be_later: false,
            is_clear: true,
            has_half: true,
        });
        Some(When {
            day,
            hour: clock
                .map(|clock| clock.hour(self.customs))
                .or(of_part.filter(|_| draft.stretch.is_none())),
            part: draft.part.map(|(part, _)| part),
            has_clock: clock.is_some(),
            repeat: draft.repeat.clone(),
            until: draft.until,
            stretch: draft.stretch,
            ahead: draft.ahead,
        })
    }

    /// The hours of a night behind midnight are those of the next day: of "tonight" they are the next ones, and of any other
    /// night they may be meant or not.
    fn night(&self, day: Day, clock: Clock) -> Option<Day> {
        let is_today = day.date == self.now.date();
        let has_passed = clock.time() <= self.now.time();
        let date = if has_passed {
            day.date.checked_add(1.day()).ok()?
        } else {
            day.date
        };
        is_today.then_some(Day { date, ..day })
    }
}
