//! Carries single orders out on the tables of an open file.

use loquat_agent::journal::{Entry, Happened, Offer};
use loquat_kit::records::Change;
use rusqlite::{Connection, params};

use super::column::json;
use super::order::Order;
use super::pending_turn::PendingTurn;
use super::slots::{Slots, Stage};
use super::{memory, records, turns};

/// Offers whose numbers are remembered: one for each handler of the personas that people talk to.
const OFFERS: usize = 32;

/// Sessions whose conversation is kept: satellites come with new ones again and again.
const SESSIONS: usize = 100;

#[derive(Debug)]
pub(super) struct Tables {
    pub(super) connection: Connection,
    /// Says whether a transaction is on the disk when it has ended.
    is_durable: bool,
    /// Offers that are in the file, and under which number.
    offers: Vec<(Offer, i64)>,
}

impl Tables {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            connection,
            is_durable: false,
            offers: Vec::new(),
        }
    }

    /// Begins a transaction, which is on the disk at its end if it is to be durable.
    pub(super) fn begin(&mut self, is_durable: bool) -> rusqlite::Result<()> {
        if is_durable != self.is_durable {
            let synchronous = if is_durable { "FULL" } else { "NORMAL" };
            self.connection.pragma_update(None, "synchronous", synchronous)?;
            self.is_durable = is_durable;
        }
        self.connection.execute_batch("BEGIN IMMEDIATE")
    }

    pub(super) fn commit(&mut self) -> rusqlite::Result<()> {
        self.connection.execute_batch("COMMIT")
    }

    pub(super) fn roll_back(&mut self) {
        // The transaction may have ended itself.
        self.connection.execute_batch("ROLLBACK").unwrap_or_default();
        self.offers.clear();
    }

    /// Carries out what changes the file. The order is as before afterwards, since it may have to be carried out again.
    pub(super) fn carry_out(&mut self, order: &mut Order) -> rusqlite::Result<()> {
        match order {
            Order::Write {
                turn_id,
                attempt,
                entry,
                ..
            } => self.write(turn_id, *attempt, entry),
            Order::Pending { pending, .. } => self.note_pending(pending),
            Order::Opened(turn_id) => self.update("UPDATE turn SET opened = 1 WHERE id = ?1", turn_id),
            Order::Closing { turn_id, said, .. } => self.closing(turn_id, said),
            Order::Settled(turn_id) => self.settle(turn_id),
            Order::Resumed { turn_id, .. } => {
                self.update("UPDATE turn SET attempts = attempts + 1 WHERE id = ?1", turn_id)
            }
            Order::Remember(remembered) => memory::keep(&self.connection, remembered),
            Order::Keep { changes, .. } => self.keep(changes),
            Order::AllPending(_)
            | Order::Recall(_)
            | Order::Records { .. }
            | Order::Search { .. }
            | Order::Flush(_)
            | Order::Beat => Ok(()),
        }
    }

    /// Gives what was asked for.
    pub(super) fn answer(&self, order: &mut Order, slots: &Slots) -> rusqlite::Result<()> {
        // The caller may have gone.
        match order {
            Order::Recall(answer) => {
                let all = memory::all(&self.connection)?;
                answer.take().map(|answer| answer.send(all).ok());
            }
            Order::Records { kind, answer } => {
                let records = records::of_kind(&self.connection, kind)?;
                answer.take().map(|answer| answer.send(records).ok());
            }
            Order::Search {
                owner,
                words,
                most,
                answer,
            } => {
                let found = records::search(&self.connection, Some(owner), words, *most)?;
                answer.take().map(|answer| answer.send(found).ok());
            }
            Order::AllPending(answer) => {
                let mut interrupted = turns::interrupted(&self.connection)?;
                slots.amend(&mut interrupted);
                answer.take().map(|answer| answer.send(interrupted).ok());
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn keep(&self, changes: &[Change]) -> rusqlite::Result<()> {
        records::change(&self.connection, changes)
    }

    /// Notes that not all that happened to this turn is in the file, so that it is not gone on with.
    pub(super) fn mark_gap(&self, turn_id: &str) -> rusqlite::Result<()> {
        self.update("UPDATE turn SET whole = 0 WHERE id = ?1 AND whole = 1", turn_id)
    }

    /// The answer of this turn is about to be given, or has been.
    fn closing(&self, turn_id: &str, said: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("UPDATE turn SET closing = ?2 WHERE id = ?1 AND settled IS NULL")?
            .execute([turn_id, said])
            .map(drop)
    }

    fn settle(&self, turn_id: &str) -> rusqlite::Result<()> {
        self.update(
            "UPDATE turn SET settled = unixepoch('subsec'), closing = NULL WHERE id = ?1 AND settled IS NULL",
            turn_id,
        )
    }

    /// Brings a slot into the tables.
    pub(super) fn take_over(&self, turn_id: &str, stage: Stage) -> rusqlite::Result<()> {
        match stage {
            Stage::Closing => self.update(
                "UPDATE turn SET closing = '' WHERE id = ?1 AND settled IS NULL AND closing IS NULL",
                turn_id,
            ),
            Stage::Settled => self.settle(turn_id),
        }
    }

    fn update(&self, statement: &str, turn_id: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(statement)?
            .execute([turn_id])
            .map(drop)
    }

    fn write(&mut self, turn_id: &str, attempt: usize, entry: &mut Entry) -> rusqlite::Result<()> {
        let offer = match &mut entry.happened {
            Happened::Opened { opening } => Some(std::mem::take(&mut opening.toolboxes)),
            _ => None,
        };
        let written = self.write_beside(turn_id, attempt, entry, offer.as_ref());
        if let (Happened::Opened { opening }, Some(offer)) = (&mut entry.happened, offer) {
            opening.toolboxes = offer;
        }
        written
    }

    /// Writes an entry whose offer, if it has one, stands in a table of its own.
    fn write_beside(
        &mut self,
        turn_id: &str,
        attempt: usize,
        entry: &Entry,
        offer: Option<&Offer>,
    ) -> rusqlite::Result<()> {
        let offer = offer.map(|offer| self.offer(offer)).transpose()?;
        self.connection
            .prepare_cached(
                "INSERT INTO entry (turn, attempt, offer, entry)
                 VALUES ((SELECT number FROM turn WHERE id = ?1), ?2, ?3, ?4)",
            )?
            .execute(params![turn_id, attempt, offer, json(entry)?])
            .map(drop)
    }

    /// Gives the number of an offer, which is written only once: turns are offered the same tools again and
    /// again.
    fn offer(&mut self, offer: &Offer) -> rusqlite::Result<i64> {
        if let Some((_, number)) = self.offers.iter().find(|(known, _)| known.is_same(offer)) {
            return Ok(*number);
        }
        let tools = json(offer)?;
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
        self.offers.push((offer.clone(), number));
        Ok(number)
    }

    pub(super) fn note_pending(&self, pending: &PendingTurn) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO turn
             (id, session, utterance, cause, since, synchronised, boot, uptime, opened, attempts, whole, closing)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?;
        statement
            .execute(params![
                pending.turn_id,
                pending.session_id,
                pending.utterance,
                pending.cause,
                pending.since.unix_seconds,
                pending.since.is_synchronised,
                pending.since.boot_id,
                pending.since.uptime,
                pending.opened,
                pending.attempts,
                pending.is_whole,
                pending.closing
            ])
            .map(drop)
    }

    /// Forgets the oldest turns that are over, what only they were offered, and sessions long silent.
    pub(super) fn forget(&mut self, keep_turns: u32) -> rusqlite::Result<()> {
        memory::forget(&self.connection, SESSIONS)?;
        let forgotten = self
            .connection
            .prepare_cached(
                "DELETE FROM turn WHERE settled IS NOT NULL
                 AND number <= (SELECT number FROM turn ORDER BY number DESC LIMIT 1 OFFSET ?1)",
            )?
            .execute([keep_turns])?;
        if forgotten > 0 {
            let unused =
                "DELETE FROM offer WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.offer = offer.number)";
            if self.connection.prepare_cached(unused)?.execute([])? > 0 {
                self.offers.clear();
            }
        }
        Ok(())
    }

    /// Uses the log of the database from its beginning again, so that what is written next takes no more room.
    pub(super) fn start_log_over(&self) {
        let restarted = self
            .connection
            .query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()));
        if let Err(error) = restarted {
            tracing::debug!(%error, "the log of the state file cannot be started over");
        }
    }
}
