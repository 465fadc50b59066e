//! What persons had remembered, in the state file, for a person at the command line. The daemon may have the file open.
//!
//! Nothing here is asked while turns run; those search through the thread of the state.

use std::path::Path;

use loquat_skills::{Change, MEMORY, Memory};
use rusqlite::Connection;

use super::UNDOABLE;
use super::file::{self, StateError};
use super::records::{self, Record};

/// More fit on no screen.
const MOST_FOUND: usize = 100;

/// The memories in the file.
#[derive(Debug)]
pub struct KeptMemories(Connection);

impl KeptMemories {
    /// Opens the file in the state folder; nothing when there is none yet.
    pub fn open(folder: &Path) -> Result<Option<Self>, StateError> {
        let path = file::path_in(folder);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(Self(file::open_to_change(&path)?)))
    }

    /// All, by their ids, the oldest first.
    pub fn all(&self) -> rusqlite::Result<Vec<(String, Memory)>> {
        Ok(understood(records::of_kind(&self.0, MEMORY)?))
    }

    /// Those that hold one of these words, the best first.
    pub fn search(&self, words: &[String]) -> rusqlite::Result<Vec<(String, Memory)>> {
        Ok(understood(records::search(&self.0, None, (words, MOST_FOUND))?))
    }

    /// Forgets these, all or none.
    pub fn forget(&self, ids: &[String]) -> rusqlite::Result<()> {
        let gone = ids.iter().map(|id| Change::remove(MEMORY, id));
        let transaction = self.0.unchecked_transaction()?;
        records::change(&transaction, &gone.collect::<Vec<_>>())?;
        transaction.commit()
    }

    /// Forgets what was said and done last in each session. A daemon that runs would write it again.
    pub fn forget_conversations(&self) -> rusqlite::Result<()> {
        self.0.execute("DELETE FROM record WHERE kind = ?1", [UNDOABLE])?;
        self.0.execute("DELETE FROM conversation", []).map(drop)
    }
}

fn understood(records: Vec<Record>) -> Vec<(String, Memory)> {
    let memories = records.into_iter();
    memories
        .filter_map(|(id, value)| Some((id, serde_json::from_value(value).ok()?)))
        .collect()
}
