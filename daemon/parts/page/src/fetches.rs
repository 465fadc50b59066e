//! Downloads of models, and how each stands. Fetches nothing itself.

use std::collections::BTreeMap;

use parking_lot::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

/// Downloads that are remembered when they have ended.
const MOST: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stand {
    Running,
    Done,
    Failed(String),
}

/// A download.
#[derive(Debug, Clone)]
pub(super) struct Fetch {
    pub(super) done: u64,
    pub(super) total: u64,
    pub(super) stand: Stand,
    pub(super) cancel: CancellationToken,
}

/// Downloads since the start, by model: all that run, and those that have ended until there are too many.
#[derive(Debug, Default)]
pub(super) struct Fetches(Mutex<BTreeMap<String, Fetch>>);

impl Fetches {
    /// Locks all of them; they are known by their model.
    pub(super) fn all(&self) -> MutexGuard<'_, BTreeMap<String, Fetch>> {
        self.0.lock()
    }

    /// Begins one and gives what calls it off; `None` where it runs already, or too many run.
    pub(super) fn begin(&self, model: &str) -> Option<CancellationToken> {
        let mut all = self.0.lock();
        let is_running = |fetch: &Fetch| fetch.stand == Stand::Running;
        if all.len() >= MOST {
            all.retain(|_, fetch| is_running(fetch));
        }
        if all.get(model).is_some_and(is_running) || all.len() >= MOST {
            return None;
        }
        let cancel = CancellationToken::new();
        let fetch = Fetch {
            done: 0,
            total: 0,
            stand: Stand::Running,
            cancel: cancel.clone(),
        };
        all.insert(model.to_owned(), fetch);
        Some(cancel)
    }

    pub(super) fn end(&self, model: &str, stand: Stand) {
        if let Some(fetch) = self.0.lock().get_mut(model) {
            fetch.stand = stand;
        }
    }

    /// Tells whether that is a whole percent more.
    pub(super) fn advance(&self, model: &str, done: u64, total: u64) -> bool {
        let mut all = self.0.lock();
        let Some(fetch) = all.get_mut(model) else {
            return false;
        };
        let percent = |done: u64| done.saturating_mul(100) / total.max(1);
        let is_more = fetch.total != total || percent(fetch.done) != percent(done);
        (fetch.done, fetch.total) = (done, total);
        is_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downloads_that_have_ended_make_room_for_others() {
        let fetches = Fetches::default();
        fetches.begin("runs").unwrap();
        for number in 0..2 * MOST {
            let model = format!("model {number}");
            assert!(fetches.begin(&model).is_some(), "{model}");
            fetches.end(&model, Stand::Done);
            assert!(fetches.0.lock().len() <= MOST);
        }
        assert!(fetches.begin("runs").is_none(), "it runs already");
        fetches.end("runs", Stand::Failed("no network".to_owned()));
        assert!(fetches.begin("runs").is_some(), "it is tried again");
    }
}
