//! The tools of MCP servers as they were allowed, as they are in the state file.

use std::path::Path;

use loquat_skills::Change;
use loquat_skills::mcp::ALLOWED;
use loquat_state::{KeptRecords, StateError};
use serde_json::Value;

#[derive(Debug)]
pub(super) struct AllowedTools(KeptRecords);

impl AllowedTools {
    /// Opens the file in the state folder; nothing when there is none yet.
    pub(super) fn open(folder: &Path) -> Result<Option<Self>, StateError> {
        Ok(KeptRecords::open(folder)?.map(Self))
    }

    pub(super) fn all(&self) -> rusqlite::Result<Vec<(String, Value)>> {
        self.0.of_kind(ALLOWED)
    }

    /// Forgets those of a server, so that its tools are allowed as they are when they are listed next. Tells how many
    /// there were.
    pub(super) fn forget(&self, server: &str) -> rusqlite::Result<usize> {
        let beginning = format!("{server}/");
        let own = self
            .all()?
            .into_iter()
            .filter(|(id, _)| id.starts_with(&beginning));
        let gone: Vec<Change> = own.map(|(id, _)| Change::remove(ALLOWED, id)).collect();
        self.0.change(&gone)?;
        Ok(gone.len())
    }
}
