//! Which were told one by one when it was asked which is meant, by session: an answer counts among those, whatever has ended or
//! was set since. Lost with the process, as the question is.
//!
//! Decides nothing.

use std::collections::VecDeque;

use loquat_agent::toolbox::Circumstances;

use super::AlertTools;
use super::alert::{Alert, Kind};
use super::listing::item;

/// So many sessions may have been asked lately.
const MOST_SESSIONS: usize = 32;

/// One that was told.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) id: u64,
    pub(super) kind: Kind,
    pub(super) text: String,
}

impl Told {
    pub(super) fn of(alert: &Alert, tools: &AlertTools, person: &Circumstances) -> Option<Self> {
        Some(Self {
            id: alert.id,
            kind: alert.kind,
            text: item(alert, tools, person)?,
        })
    }
}

/// What was told last in each session.
#[derive(Debug, Default)]
pub(super) struct Questions(VecDeque<(String, Vec<Told>)>);

impl Questions {
    /// A session is asked; what it was asked before is no longer open.
    pub(super) fn note(&mut self, session_id: &str, told: Vec<Told>) {
        self.0.retain(|(known, _)| known != session_id);
        self.0.push_front((session_id.to_owned(), told));
        self.0.truncate(MOST_SESSIONS);
    }

    /// Nothing where the session was not asked.
    pub(super) fn of(&self, session_id: &str) -> Vec<Told> {
        let mut asked = self.0.iter();
        let found = asked.find(|(known, _)| known == session_id);
        found.map(|(_, told)| told.clone()).unwrap_or_default()
    }
}
