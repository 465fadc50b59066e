//! Comparing that takes long, away from the tasks that must go on: on a thread of its own, one after the other.
//!
//! What is said to our own ear or terminal never waits behind what programs say. It never looks at what is compared.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// Comparisons that wait or run for programs. Overload: an utterance more is told that we are busy.
const WAITING: usize = 128;

/// Two queues: for our own ear and terminal, and for all others. Clones share them.
#[derive(Debug, Clone)]
pub struct Matching {
    own: Arc<Semaphore>,
    others: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Default for Matching {
    fn default() -> Self {
        let queue = |at_once| Arc::new(Semaphore::new(at_once));
        Self {
            own: queue(1),
            others: queue(1),
            places: queue(WAITING),
        }
    }
}

impl Matching {
    /// Tells whether one more comparison of a program may wait.
    pub fn has_room(&self) -> bool {
        self.places.available_permits() > 0
    }

    /// Compares when those who asked before are done. `None` when the comparison broke.
    ///
    /// When it is dropped a comparison that runs goes on to its end, and the next one waits for that.
    pub async fn run<T: Send + 'static>(
        &self,
        own: bool,
        compare: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (queue, places) = if own {
            (&self.own, None)
        } else {
            (&self.others, Some(&self.places))
        };
        let _place = match places {
            Some(places) => Some(places.acquire().await.ok()?),
            None => None,
        };
        let turn = Arc::clone(queue).acquire_owned().await.ok()?;
        let compared = tokio::task::spawn_blocking(move || (compare(), turn)).await;
        match compared {
            Ok((found, _)) => Some(found),
            Err(error) => {
                tracing::error!(%error, "a comparison of an utterance broke");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn programs_wait_for_each_other_and_the_person_for_none_of_them() {
        let matching = Matching::default();
        let (go_on, held) = mpsc::channel::<()>();
        let mut first = Box::pin(matching.run(false, move || held.recv().is_ok()));
        assert_eq!((&mut first).now_or_never(), None);
        let mut others: Vec<_> = (1..WAITING)
            .map(|number| Box::pin(matching.run(false, move || number)))
            .collect();
        for other in &mut others {
            assert!(matching.has_room());
            assert_eq!(other.now_or_never(), None);
        }
        assert!(!matching.has_room());
        assert_eq!(matching.run(true, || "own").await, Some("own"));
        go_on.send(()).unwrap();
        assert_eq!(first.await, Some(true));
        for (number, other) in (1..).zip(others) {
            assert_eq!(other.await, Some(number));
        }
        assert!(matching.has_room());
    }
}
