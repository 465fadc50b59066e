//! Reading what was written: for the daemon after a crash, and for a person who wants to run a turn again.

use std::path::Path;

use loquat_agent::journal::{Entry, Happened};
use rusqlite::{Connection, Row};

use super::file::{self, StateError};
use super::order::Interrupted;
use super::{Moment, PendingTurn};

/// A turn in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The id of the turn.
    pub id: String,
    /// The id of the session.
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

/// All turns without an end, longest waiting first.
pub(super) fn pending(connection: &Connection) -> rusqlite::Result<Vec<PendingTurn>> {
    let mut statement = connection.prepare(
        "SELECT id, session, utterance, cause, since, synchronised, boot, uptime, opened, attempts, whole, closing
         FROM turn WHERE settled IS NULL ORDER BY number",
    )?;
    let pending = |row: &Row<'_>| {
        Ok(PendingTurn {
            turn_id: row.get(0)?,
            session_id: row.get(1)?,
            utterance: row.get(2)?,
            cause: row.get(3)?,
            since: Moment {
                unix_seconds: row.get(4)?,
                is_synchronised: row.get(5)?,
                boot_id: row.get(6)?,
                uptime: row.get(7)?,
            },
            opened: row.get(8)?,
            attempts: row.get(9)?,
            is_whole: row.get(10)?,
            closing: row.get(11)?,
        })
    };
    statement.query_map([], pending)?.collect()
}

/// All turns without an end, with what was written of each.
pub(super) fn interrupted(connection: &Connection) -> rusqlite::Result<Vec<Interrupted>> {
    let with_attempts = |pending: PendingTurn| {
        let attempts = attempts(connection, &pending.turn_id)?;
        Ok((pending, attempts))
    };
    pending(connection)?.into_iter().map(with_attempts).collect()
}

/// An entry as it was before its offer was put aside.
fn entry(text: &str, tools: Option<&str>) -> serde_json::Result<Entry> {
    let mut entry: Entry = serde_json::from_str(text)?;
    if let (Happened::Opened { opening }, Some(tools)) = (&mut entry.happened, tools) {
        opening.toolboxes = serde_json::from_str(tools)?;
    }
    Ok(entry)
}

fn attempts(connection: &Connection, turn_id: &str) -> rusqlite::Result<Vec<Vec<Entry>>> {
    let mut statement = connection.prepare_cached(
        "SELECT attempt, entry, tools FROM entry LEFT JOIN offer ON offer.number = entry.offer
             WHERE turn = (SELECT number FROM turn WHERE id = ?1) ORDER BY attempt, sequence",
    )?;
    let rows = statement.query_map([turn_id], |row| {
        Ok((
            row.get::<_, usize>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, Option<String>>(2)?,
        ))
    })?;
    let mut attempts: Vec<Vec<Entry>> = Vec::new();
    for row in rows {
        let (attempt, text, tools) = row?;
        let Ok(entry) = entry(&text, tools.as_deref()) else {
            tracing::warn!(turn = turn_id, "an entry of the journal cannot be understood");
            continue;
        };
        if attempts.len() <= attempt {
            attempts.resize_with(attempt + 1, Vec::new);
        }
        if let Some(entries) = attempts.get_mut(attempt) {
            entries.push(entry);
        }
    }
    Ok(attempts)
}
