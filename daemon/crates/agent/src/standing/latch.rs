//! Counts the steps in a row whose tools only failed, over all turns of a session, and latches at too many.

use std::collections::HashMap;

/// So many in a row are no bad luck any more.
const FAILURES_TO_LATCH: u32 = 5;

/// More sessions with failures than this are not remembered; those that are latched stay.
const MOST_SESSIONS: usize = 1_024;

/// The failures of each session that has some.
#[derive(Debug, Default)]
pub(crate) struct Latches(HashMap<String, u32>);

impl Latches {
    /// Whether nothing is tried any more.
    pub(crate) fn is_latched(&self, session_id: &str) -> bool {
        self.0
            .get(session_id)
            .is_some_and(|failures| *failures >= FAILURES_TO_LATCH)
    }

    /// Notes a step; true when it was the one that latched.
    pub(crate) fn note(&mut self, session_id: &str, failed: bool) -> bool {
        if !failed {
            self.0.remove(session_id);
            return false;
        }
        if self.0.len() >= MOST_SESSIONS && !self.0.contains_key(session_id) {
            self.0.retain(|_, failures| *failures >= FAILURES_TO_LATCH);
        }
        let failures = self.0.entry(session_id.to_owned()).or_default();
        *failures = failures.saturating_add(1);
        *failures == FAILURES_TO_LATCH
    }

    /// How many steps in a row have failed.
    pub(super) fn failures(&self, session_id: &str) -> u32 {
        self.0.get(session_id).copied().unwrap_or_default()
    }

    /// Takes that over.
    pub(super) fn set(&mut self, session_id: &str, failures: u32) {
        if failures > 0 {
            self.0.insert(session_id.to_owned(), failures);
        }
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self, session_id: &str) {
        self.0.remove(session_id);
    }
}
