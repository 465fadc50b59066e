//! Answers that are kept for a while, the latest of each question.
//!
//! Knows no network and reads no clock.

use std::collections::BTreeMap;

use jiff::Timestamp;
use parking_lot::Mutex;

/// A household asks about fewer things.
const MOST: usize = 64;

/// Old enough to be worth nothing, in seconds.
const LONGEST: i64 = 24 * 60 * 60;

/// What is kept.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    /// Young enough to be used without a question, in seconds.
    fresh: i64,
    kept: Mutex<BTreeMap<String, Kept<T>>>,
}

/// An answer, and when it came.
#[derive(Debug, Clone)]
pub(crate) struct Kept<T> {
    pub(crate) answer: T,
    pub(crate) since: Timestamp,
}

impl<T: Clone> Shelf<T> {
    /// Of answers that are as good as new for so many seconds.
    pub(crate) fn fresh_for(seconds: i64) -> Self {
        Self {
            fresh: seconds,
            kept: Mutex::default(),
        }
    }

    /// An answer that is as good as a new one.
    pub(crate) fn fresh(&self, question: &str, now: Timestamp) -> Option<Kept<T>> {
        self.younger_than(self.fresh, question, now)
    }

    /// An answer that is better than none.
    pub(crate) fn usable(&self, question: &str, now: Timestamp) -> Option<Kept<T>> {
        self.younger_than(LONGEST, question, now)
    }

    /// Keeps an answer; of too many the oldest goes.
    pub(crate) fn put(&self, question: String, answer: T, since: Timestamp) -> Kept<T> {
        let kept = Kept { answer, since };
        let mut all = self.kept.lock();
        all.insert(question, kept.clone());
        if all.len() > MOST {
            let oldest = all.iter().min_by_key(|(_, kept)| kept.since);
            if let Some(oldest) = oldest.map(|(question, _)| question.clone()) {
                all.remove(&oldest);
            }
        }
        kept
    }

    fn younger_than(&self, seconds: i64, question: &str, now: Timestamp) -> Option<Kept<T>> {
        let kept = self.kept.lock().get(question).cloned()?;
        let age = now.as_second() - kept.since.as_second();
        (0..=seconds).contains(&age).then_some(kept)
    }
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, ToSpan};

    use super::{MOST, Shelf};

    #[test]
    fn answers_age() {
        let shelf = Shelf::fresh_for(10 * 60);
        let then: Timestamp = "2026-11-24T09:00:00Z".parse().expect("a moment");
        shelf.put("Paris".to_owned(), 7, then);
        for (minutes, is_fresh, is_usable) in [
            (-1, false, false),
            (0, true, true),
            (10, true, true),
            (11, false, true),
            (24 * 60, false, true),
            (24 * 60 + 1, false, false),
        ] {
            let now = then + minutes.minutes();
            let found = (
                shelf.fresh("Paris", now).is_some(),
                shelf.usable("Paris", now).is_some(),
            );
            assert_eq!(found, (is_fresh, is_usable), "after {minutes} minutes");
        }
        assert!(shelf.fresh("Rome", then).is_none());
    }

    #[test]
    fn the_oldest_of_too_many_goes() {
        let shelf = Shelf::fresh_for(10 * 60);
        let then: Timestamp = "2026-11-24T09:00:00Z".parse().expect("a moment");
        for index in 0..=MOST {
            let since = then + i64::try_from(index).expect("a number").seconds();
            shelf.put(index.to_string(), index, since);
        }
        let now = then + 2.minutes();
        assert!(shelf.fresh("0", now).is_none());
        assert!(shelf.fresh("1", now).is_some());
    }
}
