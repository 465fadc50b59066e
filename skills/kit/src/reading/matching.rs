//! Patterns of the language files compared with a text, and what fills their gaps.

use crate::reading::clock::{Clock, Hour};
use crate::reading::language::{Part, Place, Table};
use crate::reading::length::Length;
use crate::reading::pattern::{Gap, Piece};
use crate::reading::text::{Found, Text};
use crate::reading::when::Day;

/// So many ways to fill the gaps of one pattern are followed.
const MOST_WAYS: usize = 12;

/// So many days stand in one list.
const MOST_DAYS: usize = 7;

/// What fills the gaps of a pattern.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bound {
    pub(crate) hour: Option<Hour>,
    pub(crate) minute: Option<i32>,
    pub(crate) clock: Option<Clock>,
    pub(crate) nth: Option<i8>,
    pub(crate) year: Option<i16>,
    pub(crate) month: Option<i8>,
    /// From Monday, which is 1.
    pub(crate) weekday: Option<i8>,
    /// Each day has one bit, and Monday the lowest.
    pub(crate) weekdays: u8,
    pub(crate) length: Option<Length>,
    pub(crate) day: Option<Day>,
    pub(crate) part: Option<Part>,
    /// What fills the first of two gaps of one kind.
    first: First,
}

/// What was said first of two.
#[derive(Debug, Clone, Copy, Default)]
struct First {
    clock: Option<Clock>,
    nth: Option<i8>,
    day: Option<Day>,
}

impl Bound {
    /// With what was said first in the place of what was said last.
    pub(crate) fn of_first(&self) -> Self {
        let First { clock, nth, day } = self.first;
        Self {
            clock,
            nth,
            day,
            ..*self
        }
    }
}

impl Text<'_> {
    /// The patterns of a table that fit here, with what fills their gaps.
    pub(crate) fn fitting<T: Clone>(
        &self,
        table: &Table<T>,
        at: usize,
        is_meant: impl Fn(&T) -> bool,
    ) -> Vec<(T, Bound, usize)> {
        let mut found = Vec::new();
        for (line, meaning) in table
            .beginning(self.word(at))
            .filter(|(_, meaning)| is_meant(meaning))
        {
            let ends = self.behind(line, Bound::default(), at, at);
            found.extend(ends.into_iter().map(|(bound, end)| (meaning.clone(), bound, end)));
        }
        found
    }

    /// Behind parts of a pattern that began at `start`.
    fn behind(&self, pieces: &[Piece], bound: Bound, start: usize, at: usize) -> Found<Bound> {
        let mut ways = vec![(bound, at)];
        for piece in pieces {
            let further = ways
                .into_iter()
                .flat_map(|(bound, end)| self.further(piece, bound, start, end));
            ways = further.take(MOST_WAYS).collect();
        }
        ways
    }

    /// Behind one part; inside of a pattern a comma may stand in front of it.
    fn further(&self, piece: &Piece, bound: Bound, start: usize, at: usize) -> Found<Bound> {
        let here = if at == start { at } else { self.behind_comma(at) };
        match piece {
            Piece::Word(word) if self.token(here).is_some_and(|token| token.text == *word) => {
                vec![(bound, here + 1)]
            }
            Piece::Word(_) => Vec::new(),
            Piece::Gap(gap) => self.filled(*gap, bound, here),
            Piece::OneOf(branches) => {
                let ways = branches
                    .iter()
                    .flat_map(|branch| self.behind(branch, bound, start, at));
                ways.take(MOST_WAYS).collect()
            }
        }
    }

    fn filled(&self, gap: Gap, bound: Bound, at: usize) -> Found<Bound> {
        match gap {
            Gap::Hour => ways(self.hours(at), |hour| Bound {
                hour: Some(hour),
                ..bound
            }),
            Gap::Minute => ways(self.minutes(at, false), |minute| Bound {
                minute: Some(minute),
                ..bound
            }),
            Gap::Minutes => ways(self.minutes(at, true), |minute| Bound {
                minute: Some(minute),
                ..bound
            }),
            Gap::Time => ways(self.times(at), |clock| Bound {
                clock: Some(clock),
                first: First {
                    clock: bound.clock,
                    ..bound.first
                },
                ..bound
            }),
            Gap::Nth => ways(self.nths(at), |nth| Bound {
                nth: Some(nth),
                first: First {
                    nth: bound.nth,
                    ..bound.first
                },
                ..bound
            }),
            Gap::Year => ways(self.years(at), |year| Bound {
                year: Some(year),
                ..bound
            }),
            Gap::Month => ways(self.month(at), |month| Bound {
                month: Some(month),
                ..bound
            }),
            Gap::Weekday => ways(self.named(&self.language.weekdays, at), |day| Bound {
                weekday: Some(day),
                ..bound
            }),
            Gap::Weekdays => ways(self.several(&self.language.weekdays, at), |weekdays| Bound {
                weekdays,
                ..bound
            }),
            Gap::Plurals => ways(self.several(&self.language.plurals, at), |weekdays| Bound {
                weekdays,
                ..bound
            }),
            Gap::Range => ways(self.range(at), |weekdays| Bound { weekdays, ..bound }),
            Gap::Length => ways(self.lengths(at).to_vec(), |length| Bound {
                length: Some(length),
                ..bound
            }),
            Gap::Day => ways(self.days(at).to_vec(), |day| Bound {
                day: Some(day),
                first: First {
                    day: bound.day,
                    ..bound.first
                },
                ..bound
            }),
            Gap::Part => ways(self.part_names(at), |part| Bound {
                part: Some(part),
                ..bound
            }),
        }
    }

    /// Times of day with the words in front of them. The article that is one too is no hour by itself.
    fn times(&self, at: usize) -> Found<Clock> {
        let behind = self.named(&self.language.before_time, at).into_iter();
        let starts = behind.map(|(is_at, start)| (start, is_at)).chain([(at, false)]);
        let found = starts.flat_map(|(start, is_at)| {
            let is_one = self.language.ones.iter().any(|one| one == self.word(start));
            let clocks = self.clocks(start).into_iter();
            let meant = clocks.filter(move |(_, end)| !is_one || is_at || *end > start + 1);
            meant.map(move |(clock, end)| (if is_at { clock.behind(true) } else { clock }, end))
        });
        found.collect()
    }

    /// The parts of the day that stand here as behind the name of a day.
    fn part_names(&self, at: usize) -> Found<Part> {
        let named = self.named(&self.language.parts, at).into_iter();
        let behind = named.filter(|((_, place), _)| *place == Place::BehindDay);
        behind.map(|((part, _), end)| (part, end)).collect()
    }

    /// `monday`, `monday and friday`, `monday, every tuesday and friday`.
    fn several(&self, table: &Table<i8>, at: usize) -> Found<u8> {
        let mut found: Found<u8> = Vec::new();
        let mut open = bits(self.named(table, at));
        for _ in 0..MOST_DAYS {
            let longer = open.iter().flat_map(|(days, end)| {
                let next = self.behind_joint(*end).map(|next| bits(self.named(table, next)));
                let next = next.unwrap_or_default().into_iter();
                next.map(move |(day, end)| (days | day, end))
            });
            let longer = longer.collect();
            found.append(&mut open);
            open = longer;
        }
        found
    }

    /// Behind a comma or an "and", and the words of a list that are said again.
    fn behind_joint(&self, at: usize) -> Option<usize> {
        let behind = self.behind_comma(at);
        let behind = self.behind_one_of(&self.language.and, behind).unwrap_or(behind);
        let again = self.behind_one_of(&self.language.again, behind).unwrap_or(behind);
        (behind > at).then_some(again)
    }

    /// `monday to friday`.
    fn range(&self, at: usize) -> Found<u8> {
        let mut found = Vec::new();
        for (first, end) in self.named(&self.language.weekdays, at) {
            let Some(through) = self.behind_one_of(&self.language.through, end) else {
                continue;
            };
            for (last, end) in self.named(&self.language.weekdays, through) {
                let days = (0..7).map(|count| (first - 1 + count) % 7);
                let days = days.scan(false, |is_over, day| {
                    let is_in = !std::mem::replace(is_over, *is_over || day == last - 1);
                    is_in.then_some(1u8 << day)
                });
                found.push((days.fold(0, |all, day| all | day), end));
            }
        }
        found
    }
}

fn bits(days: Found<i8>) -> Found<u8> {
    days.into_iter().map(|(day, end)| (1 << (day - 1), end)).collect()
}

fn ways<T>(found: Found<T>, bind: impl Fn(T) -> Bound) -> Found<Bound> {
    found.into_iter().map(|(value, end)| (bind(value), end)).collect()
}
