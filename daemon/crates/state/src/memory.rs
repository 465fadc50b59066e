//! What was said last in each session, so that a restart forgets nothing of a conversation.

use loquat_agent::brain::ChatMessage;
use rusqlite::{Connection, Row, params};

use super::column::json;

/// A session and what is shown to the brain of its past.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// It belongs to this session.
    pub session_id: String,
    /// Utterances and answers, oldest first.
    pub messages: Vec<ChatMessage>,
    /// The notes on what was said before the messages; absent where none were taken.
    pub notes: Option<String>,
}

/// Writes it down. `since` grows by one with each, whatever the device's clock says: it tells which came later, no more.
pub(super) fn keep(connection: &Connection, remembered: &Remembered) -> rusqlite::Result<()> {
    let messages = json(&remembered.messages)?;
    connection
        .prepare_cached(
            "INSERT INTO conversation (session, messages, notes, since)
             VALUES (?1, ?2, ?3, (SELECT coalesce(max(since), 0) + 1 FROM conversation))
             ON CONFLICT (session) DO UPDATE
             SET messages = excluded.messages, notes = excluded.notes, since = excluded.since",
        )?
        .execute(params![remembered.session_id, messages, remembered.notes])
        .map(drop)
}

/// Forgets the sessions that were silent longest, up to so many.
pub(super) fn forget(connection: &Connection, most: usize) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM conversation
             WHERE since < (SELECT since FROM conversation ORDER BY since DESC LIMIT 1 OFFSET ?1)",
        )?
        .execute([most.saturating_sub(1)])
        .map(drop)
}

/// Lists all that is kept, those that spoke last first. What cannot be understood is left out.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Remembered>> {
    let mut statement =
        connection.prepare("SELECT session, messages, notes FROM conversation ORDER BY since DESC")?;
    let remembered = |row: &Row<'_>| {
        let (session_id, messages): (String, String) = (row.get(0)?, row.get(1)?);
        let Ok(messages) = serde_json::from_str(&messages) else {
            tracing::warn!(
                session = session_id,
                "what was said in a session cannot be understood"
            );
            return Ok(None);
        };
        Ok(Some(Remembered {
            session_id,
            messages,
            notes: row.get(2)?,
        }))
    };
    let all: Vec<Option<Remembered>> = statement.query_map([], remembered)?.collect::<Result<_, _>>()?;
    Ok(all.into_iter().flatten().collect())
}
