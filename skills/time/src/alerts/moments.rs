//! Moments in a sentence: by clock and calendar, by the sun, and "later", which is no moment yet. Each with the words that say it.
//!
//! Understands nothing else of the sentence.

use std::ops::Range;
use std::sync::Arc;

use loquat_kit::calendar::Calendar;
use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;
use loquat_kit::{Repeat, Things, When, folded};

use super::FOLDER;
use super::sun;

/// The lists of words for a moment that is not known yet, and of those that ask to be told something.
const LATER: &str = "later.value";
const TELLING: &str = "telling.value";

/// The most words of a moment by the sun: "two and a half hours before the sun goes down".
const LONGEST: usize = 12;

/// So many moments of one sentence are tried, since all sentences are compared for each.
const MOST_APART: usize = 3;

/// A moment as it was said.
#[derive(Debug, Clone, PartialEq)]
pub struct SaidMoment {
    time: Option<String>,
    repeat: Option<String>,
    is_repeated: bool,
}

/// The moments of a sentence, in their order.
#[derive(Debug, Clone, Default)]
pub struct Moments {
    found: Vec<Found>,
    lang: String,
}

/// A moment, and the words that say it.
#[derive(Debug, Clone)]
struct Found {
    words: Range<usize>,
    said: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A time of day, or so long from now.
    Moment,
    /// A time of day on several days.
    Repeated,
    /// Days on which it is repeated, or one day, without a time.
    Days {
        repeated: bool,
    },
    BySun,
    Later,
}

impl SaidMoment {
    /// Whether it comes again and again.
    pub fn is_repeated(&self) -> bool {
        self.is_repeated
    }

    /// What was said, by the arguments of the tool that keeps deeds.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, String)> {
        let said = [("time", &self.time), ("repeat", &self.repeat)];
        said.into_iter()
            .filter_map(|(name, said)| Some((name, said.clone()?)))
    }
}

impl Moments {
    /// Those of a sentence.
    pub fn in_words(words: &[&str], lang: &str, locales: &Arc<Locales>) -> Self {
        let mut found = of_lists(words, lang, locales);
        let calendar = Calendar::spoken(lang);
        for said in calendar.moments_in(&words.join(" ")) {
            let range = said.1;
            let taken = words_of(words, &range);
            let overlaps = |other: &Found| other.words.start < taken.end && taken.start < other.words.end;
            if found.iter().any(overlaps) {
                continue;
            }
            found.extend(kind(&said.0).map(|kind| Found {
                said: said_in(words, &taken),
                words: taken,
                kind,
            }));
        }
        found.sort_by_key(|found| found.words.start);
        Self {
            found,
            lang: lang.to_owned(),
        }
    }

    /// Whether an order begins with a word that asks to be told something.
    pub fn begins_with_telling(order: &str, lang: &str, locales: &Arc<Locales>) -> bool {
        let order = folded(order);
        let mut lists = locales.values(FOLDER, lang, TELLING);
        lists.any(|(_, forms)| {
            let mut forms = forms.split('|').map(|form| folded(form.trim()));
            forms.any(|form| {
                order
                    .strip_prefix(&form)
                    .is_some_and(|rest| rest.starts_with(' '))
            })
        })
    }

    /// All of them as one moment; nothing where they are none.
    pub fn together(&self) -> Option<(Vec<Range<usize>>, SaidMoment)> {
        let words = self.found.iter().map(|found| found.words.clone()).collect();
        let moment = match self.found.as_slice() {
            [] => return None,
            [one] => one.alone()?,
            [one, other] => one.with(other, &self.lang)?,
            _ => return None,
        };
        Some((words, moment))
    }

    /// Each of them that is a moment by itself, where there are several: the last one first.
    pub fn each(&self) -> impl Iterator<Item = (Range<usize>, SaidMoment)> {
        let several = self.found.iter().rev().filter(|_| self.found.len() > 1);
        let several = several.take(MOST_APART);
        several.filter_map(|found| Some((found.words.clone(), found.alone()?)))
    }
}

impl Found {
    fn alone(&self) -> Option<SaidMoment> {
        let time = Some(self.said.clone());
        match self.kind {
            Kind::Moment | Kind::BySun => Some(SaidMoment {
                time,
                repeat: None,
                is_repeated: false,
            }),
            Kind::Repeated => Some(SaidMoment {
                time,
                repeat: None,
                is_repeated: true,
            }),
            // A day without a time of day is no moment at which something can be done.
            Kind::Days { repeated: true } => Some(SaidMoment {
                time: None,
                repeat: time,
                is_repeated: true,
            }),
            Kind::Days { repeated: false } => None,
            Kind::Later => Some(SaidMoment {
                time: None,
                repeat: None,
                is_repeated: false,
            }),
        }
    }

    /// Two that say one moment apart: the days, and the time.
    fn with(&self, other: &Self, lang: &str) -> Option<SaidMoment> {
        let (days, time) = match (self.kind, other.kind) {
            (Kind::Days { .. }, Kind::Moment | Kind::BySun) => (self, other),
            (Kind::Moment | Kind::BySun, Kind::Days { .. }) => (other, self),
            _ => return None,
        };
        let repeated = days.kind == Kind::Days { repeated: true };
        if time.kind == Kind::BySun {
            return repeated.then(|| SaidMoment {
                time: Some(time.said.clone()),
                repeat: Some(days.said.clone()),
                is_repeated: true,
            });
        }
        let said = format!("{} {}", days.said, time.said);
        let is_one = Calendar::spoken(lang).moment(&said).is_ok();
        is_one.then_some(SaidMoment {
            time: Some(said),
            repeat: None,
            is_repeated: repeated,
        })
    }
}

/// What kind of moment it is; nothing where it is none at which something can be done.
fn kind(when: &When) -> Option<Kind> {
    let is_exact = when.ahead.is_some_and(|ahead| !ahead.is_of_days());
    if when.stretch.is_some() {
        return None;
    }
    let repeated = matches!(when.repeat, Some(Repeat::Weekdays(_)));
    match (repeated, when.has_clock || is_exact) {
        (true, true) => Some(Kind::Repeated),
        (false, true) if when.repeat.is_none() => Some(Kind::Moment),
        (repeated, false) if repeated || when.day.is_some() => Some(Kind::Days { repeated }),
        _ => None,
    }
}

/// What no calendar reads: moments by the sun, and "later".
fn of_lists(words: &[&str], lang: &str, locales: &Arc<Locales>) -> Vec<Found> {
    let things = Things::default();
    let spoken = InLanguage {
        lang,
        locales,
        rooms: None,
        things: &things,
        said: "",
    };
    let plain: Vec<String> = words
        .iter()
        .map(|word| folded(word.trim_end_matches(',')))
        .collect();
    let by_sun = places_of(&plain, sun::LIST, lang, locales).into_iter();
    let by_sun = by_sun.map(|place| with_span(words, place, &spoken));
    let later = places_of(&plain, LATER, lang, locales).into_iter();
    let later = later.map(|place| Found {
        said: said_in(words, &place),
        words: place,
        kind: Kind::Later,
    });
    by_sun.chain(later).collect()
}

/// Where the words of a list stand: of those that overlap the longest.
fn places_of(plain: &[String], list: &str, lang: &str, locales: &Locales) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let forms = locales.values(FOLDER, lang, list);
    let forms = forms.flat_map(|(_, forms)| forms.split('|').map(|form| folded(form.trim())));
    for form in forms {
        let form: Vec<&str> = form.split(' ').collect();
        let starts = plain.windows(form.len()).enumerate();
        let starts = starts.filter(|(_, words)| words.iter().zip(&form).all(|(word, form)| word == form));
        places.extend(starts.map(|(start, _)| start..start + form.len()));
    }
    let longest = places.clone();
    let is_within = |place: &Range<usize>, other: &Range<usize>| {
        other.start <= place.start && place.end <= other.end && other.len() > place.len()
    };
    places.retain(|place| !longest.iter().any(|other| is_within(place, other)));
    places.dedup();
    places
}

/// A moment by the sun, with the span in front of it.
fn with_span(words: &[&str], place: Range<usize>, spoken: &InLanguage<'_>) -> Found {
    let first = place.end.saturating_sub(LONGEST);
    let start = (first..place.start).find(|start| {
        let said = said_in(words, &(*start..place.end));
        sun::Said::read(&said, spoken).is_some()
    });
    let words_of_it = start.unwrap_or(place.start)..place.end;
    Found {
        said: said_in(words, &words_of_it),
        words: words_of_it,
        kind: Kind::BySun,
    }
}

/// The words as they were said, without the comma behind them.
fn said_in(words: &[&str], range: &Range<usize>) -> String {
    let said = words.get(range.clone()).unwrap_or_default().join(" ");
    said.trim_end_matches(',').to_owned()
}

/// The words that have these bytes of the text which they make, joined by single spaces.
fn words_of(words: &[&str], bytes: &Range<usize>) -> Range<usize> {
    let mut at = 0;
    let mut taken: Option<Range<usize>> = None;
    for (number, word) in words.iter().enumerate() {
        let end = at + word.len();
        if at < bytes.end && bytes.start < end {
            let first = taken.map_or(number, |taken| taken.start);
            taken = Some(first..number + 1);
        }
        at = end + 1;
    }
    taken.unwrap_or(0..0)
}
