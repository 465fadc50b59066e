//! The thread that writes.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::journal::{Entry, Happened, Offer};
use rusqlite::{Connection, params};
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

use super::{Owed, Remembered, archive, file, memory};
use crate::app::with_causes;

/// Orders of one transaction at most.
const AT_ONCE: usize = 1024;

/// Between two transactions. What a turn does between two of its brain's replies takes less, and is one transaction
/// instead of four; a tool that may do harm waits this much longer at most.
const REST: Duration = Duration::from_millis(2);

/// Offers whose numbers are remembered: one for each handler of the personas that people talk to.
const OFFERS: usize = 32;

/// Sessions whose conversation is kept: satellites come with new ones again and again.
const SESSIONS: usize = 100;

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
    Remember(Box<Remembered>),
    Recall(oneshot::Sender<Vec<Remembered>>),
    /// Told when everything before it is on the disk.
    Flush(Option<oneshot::Sender<()>>),
}

impl Order {
    /// Who waits until it is on the disk.
    fn promise(&mut self) -> Option<oneshot::Sender<()>> {
        match self {
            Self::Write { done, .. } | Self::Flush(done) => done.take(),
            _ => None,
        }
    }
}

/// Starts it. It ends when nobody can order anything any more, after the last order.
pub(super) fn start(folder: PathBuf, keep_turns: u32, orders: mpsc::Receiver<Order>) -> io::Result<()> {
    let serve = move || match file::open(&folder) {
        Ok(connection) => Writer::new(connection, keep_turns).write_all(orders),
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

/// Whoever waits for an answer is told that there is none, since the order is dropped.
fn write_nothing(mut orders: mpsc::Receiver<Order>) {
    while orders.blocking_recv().is_some() {}
}

struct Writer {
    connection: Connection,
    keep_turns: u32,
    /// Whether a transaction is on the disk when it has ended.
    is_durable: bool,
    /// Offers that are in the file, and under which number.
    offers: Vec<(Offer, i64)>,
}

impl Writer {
    fn new(connection: Connection, keep_turns: u32) -> Self {
        Self {
            connection,
            keep_turns,
            is_durable: false,
            offers: Vec::new(),
        }
    }

    /// What gathers while the disk is busy, and for a moment after, is written at once, so that many turns cost little
    /// more than one.
    #[expect(
        clippy::disallowed_methods,
        reason = "the thread has nothing else to do, and waits for nothing but the time to pass"
    )]
    fn write_all(mut self, mut orders: mpsc::Receiver<Order>) {
        let mut gathered = Vec::new();
        while orders.blocking_recv_many(&mut gathered, AT_ONCE) > 0 {
            let promises: Vec<_> = gathered.iter_mut().filter_map(Order::promise).collect();
            if let Err(error) = self.commit(!promises.is_empty(), gathered.drain(..)) {
                tracing::error!(%error, "failed to write the state file");
                // The transaction may have ended itself.
                self.connection.execute_batch("ROLLBACK").unwrap_or_default();
                self.offers.clear();
            }
            // Told also when that failed: a tool is not withheld from the person because the disk is full.
            for promise in promises {
                promise.send(()).ok();
            }
            std::thread::sleep(REST);
        }
    }

    /// One transaction. An order that fails takes none of the others with it.
    fn commit(&mut self, is_durable: bool, orders: impl Iterator<Item = Order>) -> rusqlite::Result<()> {
        if is_durable != self.is_durable {
            let synchronous = if is_durable { "FULL" } else { "NORMAL" };
            self.connection.pragma_update(None, "synchronous", synchronous)?;
            self.is_durable = is_durable;
        }
        self.connection.execute_batch("BEGIN")?;
        let mut begun = false;
        for order in orders {
            begun |= matches!(order, Order::Owe(_));
            if let Err(error) = self.carry_out(order) {
                tracing::error!(%error, "failed to write a part of the state");
            }
        }
        if begun && let Err(error) = self.forget() {
            tracing::error!(%error, "failed to forget old turns");
        }
        self.connection.execute_batch("COMMIT")
    }

    fn carry_out(&mut self, order: Order) -> rusqlite::Result<()> {
        match order {
            Order::Write {
                turn_id,
                attempt,
                entry,
                ..
            } => self.write(&turn_id, attempt, *entry),
            Order::Owe(owed) => self.owe(&owed),
            Order::Opened(turn_id) => self
                .connection
                .prepare_cached("UPDATE turn SET opened = 1 WHERE id = ?1")?
                .execute([turn_id])
                .map(drop),
            Order::Settled(turn_id) => self
                .connection
                .prepare_cached(
                    "UPDATE turn SET settled = unixepoch('subsec') WHERE id = ?1 AND settled IS NULL",
                )?
                .execute([turn_id])
                .map(drop),
            Order::Flush(_) => Ok(()),
            Order::Remember(remembered) => memory::keep(&self.connection, &remembered),
            Order::Recall(answer) => {
                // Whoever asked may have gone.
                answer.send(memory::all(&self.connection)?).ok();
                Ok(())
            }
            Order::Debts(answer) => {
                // Whoever asked may have gone.
                answer.send(archive::debts(&self.connection)?).ok();
                Ok(())
            }
        }
    }

    fn write(&mut self, turn_id: &str, attempt: usize, mut entry: Entry) -> rusqlite::Result<()> {
        let offer = match &mut entry.happened {
            Happened::Opened { opening } => Some(self.offer(std::mem::take(&mut opening.toolboxes))?),
            _ => None,
        };
        self.connection
            .prepare_cached(
                "INSERT INTO entry (turn, attempt, offer, entry)
                 VALUES ((SELECT number FROM turn WHERE id = ?1), ?2, ?3, ?4)",
            )?
            .execute(params![turn_id, attempt, offer, json(&entry)?])
            .map(drop)
    }

    /// The number of an offer, which is written only once: turns are offered the same tools again and again.
    fn offer(&mut self, offer: Offer) -> rusqlite::Result<i64> {
        if let Some((_, number)) = self.offers.iter().find(|(known, _)| known.is_same(&offer)) {
            return Ok(*number);
        }
        let tools = json(&offer)?;
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO offer (tools) VALUES (?1)")?
            .execute([&tools])?;
        let number = self
            .connection
            .prepare_cached("SELECT number FROM offer WHERE tools = ?1")?
            .query_row([&tools], |row| row.get(0))?;
        if self.offers.len() == OFFERS {
            self.offers.clear();
        }
        self.offers.push((offer, number));
        Ok(number)
    }

    fn owe(&self, owed: &Owed) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(
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

    /// Forgets the oldest turns that are over, what only they were offered, and sessions long silent.
    fn forget(&mut self) -> rusqlite::Result<()> {
        memory::forget(&self.connection, SESSIONS)?;
        let forgotten = self
            .connection
            .prepare_cached(
                "DELETE FROM turn WHERE settled IS NOT NULL
                 AND number <= (SELECT number FROM turn ORDER BY number DESC LIMIT 1 OFFSET ?1)",
            )?
            .execute([self.keep_turns])?;
        if forgotten > 0 {
            let unused =
                "DELETE FROM offer WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.offer = offer.number)";
            if self.connection.prepare_cached(unused)?.execute([])? > 0 {
                self.offers.clear();
            }
        }
        Ok(())
    }
}

pub(super) fn json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
