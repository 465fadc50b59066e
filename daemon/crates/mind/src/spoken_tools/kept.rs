//! Things that are made of a language of the pack when it is first spoken, and kept. A person who speaks another language
//! meanwhile does not wait for them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

/// Languages that are kept at once. One more takes the place of all that were spoken before.
const MOST: usize = 8;

/// What is made of a language; nothing where that failed.
type Made<T> = Arc<OnceLock<Option<Arc<T>>>>;

/// One thing for each language.
#[derive(Debug)]
pub(super) struct Kept<T>(Mutex<BTreeMap<String, Made<T>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// That of this language, made now where it is not there. What failed is tried once more when it is wanted next.
    pub(super) fn of(&self, code: &str, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let place = self.place(code);
        let made = place.get_or_init(|| make().map(Arc::new)).clone();
        if made.is_none() {
            self.forget(code, &place);
        }
        made
    }

    /// Where that of a language is or will be. Nothing is made while others wait for it.
    fn place(&self, code: &str) -> Made<T> {
        let mut kept = self.0.lock();
        if let Some(place) = kept.get(code) {
            return Arc::clone(place);
        }
        if kept.len() >= MOST {
            kept.clear();
        }
        Arc::clone(kept.entry(code.to_owned()).or_default())
    }

    fn forget(&self, code: &str, place: &Made<T>) {
        let mut kept = self.0.lock();
        if kept.get(code).is_some_and(|known| Arc::ptr_eq(known, place)) {
            kept.remove(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn one_language_does_not_wait_for_another_and_each_is_made_once() {
        let kept: Kept<u8> = Kept::default();
        let (begun, may_end) = (Barrier::new(2), Barrier::new(2));
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| {
                kept.of("de", || {
                    begun.wait();
                    may_end.wait();
                    Some(1)
                })
            });
            begun.wait();
            assert_eq!(kept.of("en", || Some(2)).as_deref(), Some(&2));
            may_end.wait();
            assert_eq!(slow.join().unwrap().as_deref(), Some(&1));
        });
        assert_eq!(kept.of("de", || panic!("it is there")).as_deref(), Some(&1));
    }

    #[test]
    fn what_failed_is_tried_again_and_no_more_than_a_few_are_kept() {
        let kept: Kept<usize> = Kept::default();
        assert_eq!(kept.of("de", || None), None);
        assert_eq!(kept.of("de", || Some(1)).as_deref(), Some(&1));
        for number in 0..MOST {
            kept.of(&number.to_string(), || Some(number));
        }
        assert!(kept.0.lock().len() <= MOST);
        assert_eq!(kept.of("de", || Some(2)).as_deref(), Some(&2));
    }
}
