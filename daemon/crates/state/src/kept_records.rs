//! The records of the skills in the state file, for a person at the command line. The daemon may have the file open.
//!
//! Nothing here is asked while turns run; those search through the thread of the state.

use std::path::Path;

use loquat_kit::records::Change;
use rusqlite::Connection;

use super::file::{self, StateError};
use super::records::{self, Record, UNDOABLE};

/// More fit on no screen.
const MOST_FOUND: usize = 100;

/// The records of the skills in the file.
#[derive(Debug)]
pub struct KeptRecords(Connection);

impl KeptRecords {
    /// Opens the file in the state folder; nothing when there is none yet.
    pub fn open(folder: &Path) -> Result<Option<Self>, StateError> {
        let path = file::path_in(folder);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(Self(file::open_to_change(&path)?)))
    }

    /// Reads all records of a kind, each with its id, in the order of their ids.
    pub fn of_kind(&self, kind: &str) -> rusqlite::Result<Vec<Record>> {
        records::of_kind(&self.0, kind)
    }

    /// Finds the memories that hold one of these words, the best first.
    pub fn search(&self, words: &[String]) -> rusqlite::Result<Vec<Record>> {
        records::search(&self.0, None, words, MOST_FOUND)
    }

    /// Makes all of these changes or none.
    pub fn change(&self, changes: &[Change]) -> rusqlite::Result<()> {
        let transaction = self.0.unchecked_transaction()?;
        records::change(&transaction, changes)?;
        transaction.commit()
    }

    /// Forgets what was said and done last in each session. A daemon that runs would write it again.
    pub fn forget_conversations(&self) -> rusqlite::Result<()> {
        self.0.execute("DELETE FROM record WHERE kind = ?1", [UNDOABLE])?;
        self.0.execute("DELETE FROM conversation", []).map(drop)
    }
}
