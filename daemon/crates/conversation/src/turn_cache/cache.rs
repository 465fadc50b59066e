//! Results of reading calls that may be used again for a while.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::toolbox::{CacheScope, Outcome};

/// More results than this are not kept; a device asks for the weather, not for the web.
const MOST: usize = 256;

/// Says for whom a result may be used again, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The session or the turn; empty for everybody.
    whose: String,
    toolbox_id: String,
    /// It is a key of tool and arguments.
    call: String,
    /// The language, units and formats in which the result is told.
    manner: String,
}

impl Scope {
    /// Tells for whom, and for which call, a result is kept.
    pub fn new(
        scope: CacheScope,
        [session_id, turn_id]: [&str; 2],
        toolbox_id: &str,
        call: &str,
        manner: String,
    ) -> Self {
        let whose = match scope {
            CacheScope::Turn => format!("turn {turn_id}"),
            CacheScope::Session => of_session(session_id),
            CacheScope::Device => String::new(),
        };
        Self {
            whose,
            toolbox_id: toolbox_id.to_owned(),
            call: call.to_owned(),
            manner,
        }
    }
}

fn of_session(session_id: &str) -> String {
    format!("session {session_id}")
}

#[derive(Debug)]
struct Kept {
    outcome: Outcome,
    until: Instant,
}

/// The results by their scope.
#[derive(Debug, Default)]
pub struct Cache(HashMap<Scope, Kept>);

impl Cache {
    /// A result that is still good.
    pub fn get(&self, scope: &Scope) -> Option<Outcome> {
        let kept = self.0.get(scope)?;
        (Instant::now() < kept.until).then(|| kept.outcome.clone())
    }

    /// Keeps a result; the one that ends first makes room.
    pub fn keep(&mut self, scope: Scope, outcome: Outcome, time: Duration) {
        let now = Instant::now();
        let Some(until) = now.checked_add(time) else {
            return;
        };
        if self.0.len() >= MOST {
            self.0.retain(|_, kept| now < kept.until);
        }
        if self.0.len() >= MOST {
            let first = self.0.iter().min_by_key(|(_, kept)| kept.until);
            if let Some(scope) = first.map(|(scope, _)| scope.clone()) {
                self.0.remove(&scope);
            }
        }
        self.0.insert(scope, Kept { outcome, until });
    }

    /// The results that a turn of this session may use, and for how long.
    pub(super) fn results_of(&self, session_id: &str) -> Vec<(Scope, Outcome, Duration)> {
        let (now, session) = (Instant::now(), of_session(session_id));
        let good = self
            .0
            .iter()
            .filter(|(scope, kept)| now < kept.until && (scope.whose.is_empty() || scope.whose == session));
        good.map(|(scope, kept)| (scope.clone(), kept.outcome.clone(), kept.until - now))
            .collect()
    }

    /// Forgets what a toolbox said before something was changed in it.
    pub fn forget(&mut self, toolbox_id: &str) {
        self.0.retain(|scope, _| scope.toolbox_id != toolbox_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn results_end_and_are_bounded() {
        let mut cache = Cache::default();
        let scope = |n: usize| {
            Scope::new(
                CacheScope::Session,
                ["s", "t"],
                "box",
                &n.to_string(),
                String::new(),
            )
        };
        for n in 0..2 * MOST {
            cache.keep(scope(n), Outcome::default(), Duration::from_secs(60));
        }
        assert_eq!(cache.0.len(), MOST);
        assert!(cache.get(&scope(2 * MOST - 1)).is_some());
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(cache.get(&scope(2 * MOST - 1)), None);
        cache.forget("box");
        assert!(cache.0.is_empty());
    }
}
