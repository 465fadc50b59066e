//! The turns as they are read from the tables: those without an end, and what was written of each. Writes nothing.

use loquat_agent::journal::{Entry, Happened};
use rusqlite::{Connection, Row};

use super::moment::Moment;
use super::pending_turn::{Interrupted, PendingTurn};

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

/// Reads an entry as it was before its offer was put aside.
fn entry(text: &str, tools: Option<&str>) -> serde_json::Result<Entry> {
    let mut entry: Entry = serde_json::from_str(text)?;
    if let (Happened::Opened { opening }, Some(tools)) = (&mut entry.happened, tools) {
        opening.toolboxes = serde_json::from_str(tools)?;
    }
    Ok(entry)
}

/// Reads the entries of a turn by attempt. What cannot be understood is left out.
pub(super) fn attempts(connection: &Connection, turn_id: &str) -> rusqlite::Result<Vec<Vec<Entry>>> {
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
