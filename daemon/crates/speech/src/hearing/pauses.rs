//! What the hearing and the conductor tell each other about a pause: that there is one, and how whole its text is.
//!
//! Each side may be the faster one. A pause that is over takes no word any more, so a late one does no harm.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tokio_util::sync::CancellationToken;

use crate::completeness::Completeness;

/// How often a hearing that waits looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);

/// Shared by both.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pauses(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    current: Mutex<Current>,
    judged: Condvar,
}

#[derive(Debug, Default)]
struct Current {
    number: u64,
    judgement: Option<Completeness>,
}

impl Pauses {
    /// A pause begins; gives its number.
    pub(crate) fn begin(&self) -> u64 {
        let mut current = self.0.current.lock();
        current.number += 1;
        current.judgement = None;
        current.number
    }

    /// Says how whole the text before a pause is.
    pub(crate) fn judge(&self, number: u64, judgement: Completeness) {
        let mut current = self.0.current.lock();
        if current.number == number {
            current.judgement = Some(judgement);
            self.0.judged.notify_all();
        }
    }

    /// How whole it is, as far as that is known.
    pub(crate) fn judgement(&self, number: u64) -> Option<Completeness> {
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
