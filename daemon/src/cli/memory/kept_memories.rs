//! What persons had remembered, as it is in the state file.

use std::path::Path;

use loquat_skills::{Change, MEMORY, Memory};
use loquat_state::{KeptRecords, StateError};
use serde_json::Value;

/// The memories in the file.
#[derive(Debug)]
pub(super) struct KeptMemories(KeptRecords);

impl KeptMemories {
    /// Opens the file in the state folder; nothing when there is none yet.
    pub(super) fn open(folder: &Path) -> Result<Option<Self>, StateError> {
        Ok(KeptRecords::open(folder)?.map(Self))
    }

    /// Lists all by their ids, the oldest first.
    pub(super) fn all(&self) -> rusqlite::Result<Vec<(String, Memory)>> {
        Ok(understood(self.0.of_kind(MEMORY)?))
    }

    /// Finds those that hold one of these words, the best first.
    pub(super) fn search(&self, words: &[String]) -> rusqlite::Result<Vec<(String, Memory)>> {
        Ok(understood(self.0.search(words)?))
    }

    /// Forgets these, all or none.
    pub(super) fn forget(&self, ids: &[String]) -> rusqlite::Result<()> {
        let gone = ids.iter().map(|id| Change::remove(MEMORY, id));
        self.0.change(&gone.collect::<Vec<_>>())
    }

    /// Forgets what was said and done last in each session. A daemon that runs would write it again.
    pub(super) fn forget_conversations(&self) -> rusqlite::Result<()> {
        self.0.forget_conversations()
    }
}

fn understood(records: Vec<(String, Value)>) -> Vec<(String, Memory)> {
    let memories = records.into_iter();
    memories
        .filter_map(|(id, value)| Some((id, serde_json::from_value(value).ok()?)))
        .collect()
}
