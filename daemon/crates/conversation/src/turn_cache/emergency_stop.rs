//! Counts what fails in a row in a session, over all its turns, and stops the session when that is too much.
//!
//! Steps whose tools only failed and turns that the brain failed are counted apart, since a brain may go on about tools that
//! do not work. Only a person or the owner clears a session again.

use std::collections::HashMap;

/// This many failures in a row are no bad luck any more.
const FAILURES_TO_STOP: u32 = 5;

/// More sessions with failures than this are not remembered; those that are stopped stay.
const MOST_SESSIONS: usize = 1_024;

/// Says what has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// All tools of a step have failed.
    Tools,
    /// The brain of a turn.
    Brain,
}

/// Failures in a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Failures {
    pub(super) tools: u32,
    pub(super) brain: u32,
}

impl Failures {
    fn of(&mut self, failing: Failing) -> &mut u32 {
        match failing {
            Failing::Tools => &mut self.tools,
            Failing::Brain => &mut self.brain,
        }
    }

    fn are_too_many(self) -> bool {
        self.tools.max(self.brain) >= FAILURES_TO_STOP
    }
}

/// The failures of each session that has some.
#[derive(Debug, Default)]
pub struct EmergencyStops(HashMap<String, Failures>);

impl EmergencyStops {
    /// Tells whether nothing is tried any more in a session.
    pub fn is_stopped(&self, session_id: &str) -> bool {
        self.failures(session_id).are_too_many()
    }

    /// Notes how a step or a turn ended; true when this stopped the session.
    pub fn note(&mut self, session_id: &str, failing: Failing, failed: bool) -> bool {
        if !failed {
            if let Some(failures) = self.0.get_mut(session_id) {
                *failures.of(failing) = 0;
            }
            self.0.retain(|_, failures| *failures != Failures::default());
            return false;
        }
        if self.0.len() >= MOST_SESSIONS && !self.0.contains_key(session_id) {
            self.0.retain(|_, failures| failures.are_too_many());
        }
        let count = self.0.entry(session_id.to_owned()).or_default().of(failing);
        *count = count.saturating_add(1);
        *count == FAILURES_TO_STOP
    }

    /// Counts what has failed in a row.
    pub(super) fn failures(&self, session_id: &str) -> Failures {
        self.0.get(session_id).copied().unwrap_or_default()
    }

    /// Takes that over.
    pub(super) fn set(&mut self, session_id: &str, failures: Failures) {
        if failures != Failures::default() {
            self.0.insert(session_id.to_owned(), failures);
        }
    }

    /// Begins anew.
    pub fn clear(&mut self, session_id: &str) {
        self.0.remove(session_id);
    }

    /// Begins anew in every session.
    pub(super) fn clear_all(&mut self) {
        self.0.clear();
    }
}
