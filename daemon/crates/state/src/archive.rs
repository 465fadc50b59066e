//! The turns in the file, for a person who wants to run one again. The daemon may have the file open.

use std::path::Path;

use loquat_agent::journal::Entry;
use rusqlite::{Connection, Row};

use super::file::{self, StateError};
use super::turns::attempts;

/// A turn in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The id of the turn.
    pub id: String,
    /// It belongs to this session.
    pub session_id: String,
    /// The words that were said.
    pub utterance: String,
    /// The moment at which it began, in seconds since 1970.
    pub since: f64,
    /// Says whether the answer was given.
    pub is_settled: bool,
}

/// A turn and what was written of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The turn itself.
    pub turn: Turn,
    /// The entries by attempt. There is one attempt for each handler of the persona that was tried.
    pub attempts: Vec<Vec<Entry>>,
}

/// The file, opened for reading. The daemon may write to it at the same time.
#[derive(Debug)]
pub struct Archive(Connection);

const COLUMNS: &str = "SELECT id, session, utterance, since, settled IS NOT NULL FROM turn";

impl Archive {
    /// Opens the file in the state folder; nothing when there is none yet.
    pub fn open(folder: &Path) -> Result<Option<Self>, StateError> {
        let path = file::path_in(folder);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(Self(file::open_to_read(&path)?)))
    }

    /// The newest turns, newest first.
    pub fn newest(&self, most: u32) -> rusqlite::Result<Vec<Turn>> {
        let mut statement = self
            .0
            .prepare(&format!("{COLUMNS} ORDER BY number DESC LIMIT ?1"))?;
        statement.query_map([most], turn)?.collect()
    }

    /// The turns whose id begins like this.
    pub fn find(&self, id: &str) -> rusqlite::Result<Vec<Kept>> {
        let mut statement = self.0.prepare(&format!(
            "{COLUMNS} WHERE substr(id, 1, length(?1)) = ?1 LIMIT 10"
        ))?;
        let turns: Vec<Turn> = statement.query_map([id], turn)?.collect::<Result<_, _>>()?;
        let kept = |turn: Turn| {
            let attempts = attempts(&self.0, &turn.id)?;
            Ok(Kept { turn, attempts })
        };
        turns.into_iter().map(kept).collect()
    }
}

fn turn(row: &Row<'_>) -> rusqlite::Result<Turn> {
    Ok(Turn {
        id: row.get(0)?,
        session_id: row.get(1)?,
        utterance: row.get(2)?,
        since: row.get(3)?,
        is_settled: row.get(4)?,
    })
}
