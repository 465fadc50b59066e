//! What the hearing and the conductor tell each other about something that whisper is to look at: that there is one, and
//! what has come of it. A pause is judged by how whole its text is, a wake word by whether it was said.
//!
//! Each side may be the faster one. What is over takes no judgement any more, so a late one does no harm.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tokio_util::sync::CancellationToken;

/// A hearing that waits looks this often whether it is to end.
const LOOK: Duration = Duration::from_millis(50);

/// Hearing and conductor share one of these.
#[derive(Debug, Clone)]
pub(crate) struct Judged<T>(Arc<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    current: Mutex<Current<T>>,
    judged: Condvar,
}

#[derive(Debug)]
struct Current<T> {
    number: u64,
    judgement: Option<T>,
}

impl<T> Default for Judged<T> {
    fn default() -> Self {
        let (number, judgement) = (0, None);
        Self(Arc::new(Inner {
            current: Mutex::new(Current { number, judgement }),
            judged: Condvar::new(),
        }))
    }
}

impl<T: Copy> Judged<T> {
    /// Another one begins, with the number that is given.
    pub(crate) fn begin(&self) -> u64 {
        let mut current = self.0.current.lock();
        current.number += 1;
        current.judgement = None;
        current.number
    }

    /// Says what has come of it.
    pub(crate) fn judge(&self, number: u64, judgement: T) {
        let mut current = self.0.current.lock();
        if current.number == number {
            current.judgement = Some(judgement);
            self.0.judged.notify_all();
        }
    }

    /// Gives the judgement, as far as it is known.
    pub(crate) fn judgement(&self, number: u64) -> Option<T> {
        let current = self.0.current.lock();
        current.judgement.filter(|_| current.number == number)
    }

    /// Waits until that is known, or until the token is cancelled.
    pub(crate) fn wait(&self, done: &CancellationToken) {
        let mut current = self.0.current.lock();
        while current.judgement.is_none() && !done.is_cancelled() {
            self.0.judged.wait_for(&mut current, LOOK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::completeness::Completeness;

    type Pauses = Judged<Completeness>;

    #[test]
    fn a_word_about_an_earlier_pause_comes_too_late() {
        let pauses = Pauses::default();
        let first = pauses.begin();
        let second = pauses.begin();
        pauses.judge(first, Completeness::Whole);
        assert_eq!(pauses.judgement(second), None);
        pauses.judge(second, Completeness::Open);
        assert_eq!(pauses.judgement(second), Some(Completeness::Open));
        assert_eq!(pauses.judgement(first), None);
    }

    #[test]
    fn who_waits_is_woken_by_a_word_or_by_the_end() {
        let (pauses, done) = (Pauses::default(), CancellationToken::new());
        let number = pauses.begin();
        let other = pauses.clone();
        let judging = std::thread::spawn(move || other.judge(number, Completeness::Whole));
        pauses.wait(&done);
        judging.join().unwrap();
        assert_eq!(pauses.judgement(number), Some(Completeness::Whole));
        pauses.begin();
        done.cancel();
        pauses.wait(&done);
    }
}
