//! The tools of MCP servers as they were allowed, in the state file, for a person at the command line. The daemon may have
//! the file open.

use std::path::Path;

use loquat_skills::Change;
use loquat_skills::mcp::ALLOWED;
use rusqlite::Connection;
use serde_json::Value;

use super::file::{self, StateError};
use super::records;

/// What is kept of them.
#[derive(Debug)]
pub struct AllowedTools(Connection);

impl AllowedTools {
    /// Opens the file in the state folder; nothing when there is none yet.
    pub fn open(folder: &Path) -> Result<Option<Self>, StateError> {
        let path = file::path_in(folder);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(Self(file::open_to_change(&path)?)))
    }

    /// All records.
    pub fn all(&self) -> rusqlite::Result<Vec<(String, Value)>> {
        records::of_kind(&self.0, ALLOWED)
    }

    /// Forgets those of a server, so that its tools are allowed as they are when they are listed next. Tells how many
    /// there were.
    pub fn forget(&self, server: &str) -> rusqlite::Result<usize> {
        let beginning = format!("{server}/");
        let own = self
            .all()?
            .into_iter()
            .filter(|(id, _)| id.starts_with(&beginning));
        let gone: Vec<Change> = own.map(|(id, _)| Change::remove(ALLOWED, id)).collect();
        let transaction = self.0.unchecked_transaction()?;
        records::change(&transaction, &gone)?;
        transaction.commit()?;
        Ok(gone.len())
    }
}
