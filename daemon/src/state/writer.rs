//! The thread that writes.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use loquat_agent::journal::Entry;
use rusqlite::{Connection, params};
use tokio::sync::{mpsc, oneshot};

use super::{Owed, archive, file};
use crate::app::with_causes;

/// Orders of one transaction at most.
const AT_ONCE: usize = 1024;

/// What the thread is told.
#[derive(Debug)]
pub(super) enum Order {
    Write {
        turn_id: Arc<str>,
        attempt: usize,
        entry: Box<Entry>,
        /// Told when the entry is on the disk.
        done: Option<oneshot::Sender<()>>,
    },
    Owe(Box<Owed>),
    Opened(String),
    Settled(String),
    Debts(oneshot::Sender<Vec<(Owed, Vec<Vec<Entry>>)>>),
}

impl Order {
    /// Who waits until it is on the disk.
    fn promise(&mut self) -> Option<oneshot::Sender<()>> {
        match self {
            Self::Write { done, .. } => done.take(),
            _ => None,
        }
    }
}

/// Starts it. It ends when nobody can order anything any more, after the last order.
pub(super) fn start(folder: PathBuf, keep_turns: u32, orders: mpsc::Receiver<Order>) -> io::Result<()> {
    let serve = move || match file::open(&folder) {
        Ok(connection) => write_all(&connection, keep_turns, orders),
        Err(error) => {
            tracing::warn!(error = with_causes(&error), "turns are not written down");
            write_nothing(orders);
        }
    };
    std::thread::Builder::new()
        .name("state".to_owned())
        .spawn(serve)
        .map(drop)
}

/// What gathers while the disk is busy is written at once, so that many turns cost little more than one.
fn write_all(connection: &Connection, keep_turns: u32, mut orders: mpsc::Receiver<Order>) {
    let mut gathered = Vec::new();
    while orders.blocking_recv_many(&mut gathered, AT_ONCE) > 0 {
        let promises: Vec<_> = gathered.iter_mut().filter_map(Order::promise).collect();
        let is_durable = !promises.is_empty();
        if let Err(error) = commit(connection, keep_turns, is_durable, gathered.drain(..)) {
            tracing::error!(%error, "failed to write the state file");
        }
        // Told also when that failed: a tool is not withheld from the person because the disk is full.
        for promise in promises {
            promise.send(()).ok();
        }
    }
}

/// Whoever waits for an answer is told that there is none, since the order is dropped.
fn write_nothing(mut orders: mpsc::Receiver<Order>) {
    while orders.blocking_recv().is_some() {}
}

/// One transaction. An order that fails takes none of the others with it.
fn commit(
    connection: &Connection,
    keep_turns: u32,
    is_durable: bool,
    orders: impl Iterator<Item = Order>,
) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", if is_durable { "FULL" } else { "NORMAL" })?;
    let transaction = connection.unchecked_transaction()?;
    let mut begun = false;
    for order in orders {
        begun |= matches!(order, Order::Owe(_));
        if let Err(error) = carry_out(&transaction, order) {
            tracing::error!(%error, "failed to write a part of the state");
        }
    }
    if begun && let Err(error) = forget(&transaction, keep_turns) {
        tracing::error!(%error, "failed to forget old turns");
    }
    transaction.commit()
}

fn carry_out(connection: &Connection, order: Order) -> rusqlite::Result<()> {
    match order {
        Order::Write {
            turn_id,
            attempt,
            entry,
            ..
        } => write(connection, &turn_id, attempt, &entry),
        Order::Owe(owed) => owe(connection, &owed),
        Order::Opened(turn_id) => connection
            .prepare_cached("UPDATE turn SET opened = 1 WHERE id = ?1")?
            .execute([turn_id])
            .map(drop),
        Order::Settled(turn_id) => connection
            .prepare_cached(
                "UPDATE turn SET settled = unixepoch('subsec') WHERE id = ?1 AND settled IS NULL",
            )?
            .execute([turn_id])
            .map(drop),
        Order::Debts(answer) => {
            // Whoever asked may have gone.
            answer.send(archive::debts(connection)?).ok();
            Ok(())
        }
    }
}

fn write(connection: &Connection, turn_id: &str, attempt: usize, entry: &Entry) -> rusqlite::Result<()> {
    let text = serde_json::to_string(entry)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    connection
        .prepare_cached("INSERT INTO entry (turn, attempt, entry) VALUES (?1, ?2, ?3)")?
        .execute(params![turn_id, attempt, text])
        .map(drop)
}

fn owe(connection: &Connection, owed: &Owed) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT OR IGNORE INTO turn (id, session, utterance, cause, since, opened) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    statement
        .execute(params![
            owed.turn_id,
            owed.session_id,
            owed.utterance,
            owed.cause,
            owed.since,
            owed.opened
        ])
        .map(drop)
}

/// Forgets the oldest turns that are over.
fn forget(connection: &Connection, keep_turns: u32) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM turn WHERE settled IS NOT NULL AND id IN
         (SELECT id FROM turn ORDER BY since DESC, rowid DESC LIMIT -1 OFFSET ?1)",
    )?;
    statement.execute([keep_turns]).map(drop)
}
