//! The records of the skills: what is to be found again after a restart, such as a timer or a shopping list.
//!
//! Knows nothing of what a record holds.

use std::borrow::Cow;

use loquat_kit::records::Change;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::column::json;

/// The kind of the records of what was done last and can be undone, by session.
pub const UNDOABLE: &str = "undoable";

/// A record up to this size is written even where there is hardly any room.
const SMALL: usize = 2048;

/// A record: its id and its value.
pub type Record = (String, Value);

/// Finds what was remembered for an owner, or for all, and holds one of these words, the best first.
pub(super) fn search(
    connection: &Connection,
    owner: Option<&str>,
    words: &[String],
    most: usize,
) -> rusqlite::Result<Vec<Record>> {
    let quoted = |word: &String| format!("\"{}\"", word.replace('"', "\"\""));
    let wanted: Vec<String> = words.iter().map(quoted).collect();
    let mut statement = connection.prepare_cached(
        "SELECT record.id, record.value FROM memory_text
         JOIN record ON record.kind = 'memory' AND record.id = memory_text.id
         WHERE memory_text MATCH ?1 AND (?2 IS NULL OR memory_text.owner = ?2)
         ORDER BY bm25(memory_text), record.id DESC LIMIT ?3",
    )?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![wanted.join(" OR "), owner, most], read)?;
    rows.filter_map(Result::transpose).collect()
}

/// Tells whether these are small enough to be written where there is hardly any room.
pub(super) fn are_small(changes: &[Change]) -> bool {
    let size = |change: &Change| change.value.as_ref().map_or(0, |value| value.to_string().len());
    changes.iter().map(size).sum::<usize>() <= SMALL
}

pub(super) fn change(connection: &Connection, changes: &[Change]) -> rusqlite::Result<()> {
    for Change { kind, id, value } in changes {
        match value {
            Some(value) => connection
                .prepare_cached("INSERT OR REPLACE INTO record (kind, id, value) VALUES (?1, ?2, ?3)")?
                .execute(params![kind, id, json(value)?])?,
            None => connection
                .prepare_cached("DELETE FROM record WHERE kind = ?1 AND id = ?2")?
                .execute(params![kind, id])?,
        };
    }
    Ok(())
}

/// Lists all that can be read, of a damaged file too.
pub(super) fn readable(connection: &Connection) -> rusqlite::Result<Vec<Change>> {
    let mut statement = connection.prepare("SELECT kind, id, value FROM record")?;
    let rows = statement.query_map([], |row| {
        let (kind, id, value): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((kind, id, value))
    })?;
    let records = rows.map_while(Result::ok).filter_map(|(kind, id, value)| {
        let value = Some(serde_json::from_str(&value).ok()?);
        let kind = Cow::Owned(kind);
        Some(Change { kind, id, value })
    });
    Ok(records.collect())
}

/// Reads all records of a kind. What cannot be understood is left out.
pub(super) fn of_kind(connection: &Connection, kind: &str) -> rusqlite::Result<Vec<Record>> {
    let mut statement =
        connection.prepare_cached("SELECT id, value FROM record WHERE kind = ?1 ORDER BY id")?;
    let rows = statement.query_map([kind], read)?;
    rows.filter_map(Result::transpose).collect()
}

/// Reads a record. There is none where its value cannot be understood.
fn read(row: &Row<'_>) -> rusqlite::Result<Option<Record>> {
    let (id, value): (String, String) = (row.get(0)?, row.get(1)?);
    let value = serde_json::from_str(&value);
    if value.is_err() {
        tracing::warn!(id, "a record cannot be understood");
    }
    Ok(value.ok().map(|value| (id, value)))
}
