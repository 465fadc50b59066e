//! The thread that writes.
//!
//! What gathers is one transaction. Where the disk is full, only the marks are written that keep something from
//! happening twice, into room that was kept for them; what is left out makes its turn one that is not gone on with.
//! Where another program has the file locked, what needs not be there at once waits.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Thread;
use std::time::Duration;

use loquat_failure::with_causes;
use tokio::sync::{mpsc, watch};

use super::condition::{Condition, Fault, Trouble};
use super::file::{self, Opened, StateError};
use super::moment::unix_now;
use super::order::Order;
use super::pending_turn::PendingTurn;
use super::reserve::Reserve;
use super::slots::{Slots, Stage};
use super::tables::Tables;

/// Orders of one transaction at most, and orders that wait for a file that is locked.
const AT_ONCE: usize = 1024;

/// Between two transactions. What a turn does between two of its brain's replies takes less, and is one transaction
/// instead of four. An order that a caller waits for ends it.
const REST: Duration = Duration::from_millis(2);

/// Whom the thread tells how it fares.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) beats: Arc<AtomicU64>,
    pub(super) condition: watch::Sender<Condition>,
}

impl Report {
    fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }
}

/// Starts it; unparked, it writes at once what it was told. It ends after the last order, when no handle is left.
pub(super) fn start(
    folder: PathBuf,
    keep_turns: u32,
    orders: mpsc::Receiver<Order>,
    report: Report,
) -> io::Result<Thread> {
    on_a_thread(move || serve(&folder, keep_turns, orders, &report))
}

/// Starts one that has no file, of which the log tells already.
pub(super) fn start_without_file(orders: mpsc::Receiver<Order>, report: Report) -> io::Result<Thread> {
    on_a_thread(move || {
        report
            .condition
            .send_modify(|condition| condition.trouble = Some(Trouble::Unwritable));
        keep_nothing(orders, &report);
    })
}

fn on_a_thread(work: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
    std::thread::Builder::new()
        .name("state".to_owned())
        .spawn(work)
        .map(|handle| handle.thread().clone())
}

fn serve(folder: &Path, keep_turns: u32, mut orders: mpsc::Receiver<Order>, report: &Report) {
    let mut has_reserve = true;
    loop {
        match file::open(folder, unix_now() as i64) {
            Ok(opened) => return Writer::new(opened, keep_turns, report).write_all(orders),
            Err(error) if error.is_locked() => {
                report.trouble(Some(Trouble::Locked), &with_causes(&error));
                // What comes meanwhile is nowhere written, so that no effect of it may happen.
                let mut lost = Vec::new();
                if orders.blocking_recv_many(&mut lost, AT_ONCE) == 0 {
                    return;
                }
                report.beat();
            }
            // Opening a file takes room too.
            Err(_) if has_reserve => {
                has_reserve = false;
                Reserve::beside(&file::path_in(folder)).give_up();
            }
            Err(error) => return write_nothing(&error, orders, report),
        }
    }
}

fn write_nothing(error: &StateError, orders: mpsc::Receiver<Order>, report: &Report) {
    tracing::warn!(error = with_causes(error), "turns are not written down");
    report.trouble(Some(Trouble::Unwritable), &with_causes(error));
    keep_nothing(orders, report);
}

/// There is no file, so nothing in it can be gone on with, and effects need not wait for it. A caller that waits for an
/// answer is told that there is none, since the order is dropped.
fn keep_nothing(mut orders: mpsc::Receiver<Order>, report: &Report) {
    while let Some(order) = orders.blocking_recv() {
        // What a skill keeps has to be found again; all else is only for a restart.
        match order {
            Order::Keep { .. } => drop(order),
            mut order => order.keep_promise(),
        }
        report.beat();
    }
}

impl Report {
    fn trouble(&self, trouble: Option<Trouble>, error: &str) {
        let changed = self.condition.send_if_modified(|condition| {
            let before = std::mem::replace(&mut condition.trouble, trouble);
            before != trouble
        });
        match trouble {
            Some(trouble) if changed => tracing::error!(?trouble, error, "the state file cannot be written"),
            None if changed => tracing::info!("the state file can be written again"),
            _ => {}
        }
    }

    fn damaged(&self) {
        self.condition.send_modify(|condition| condition.damages += 1);
    }
}

struct Writer<'a> {
    /// Absent when a damaged file could not be replaced.
    tables: Option<Tables>,
    path: PathBuf,
    reserve: Reserve,
    keep_turns: u32,
    report: &'a Report,
    /// Says whether only marks are written, since there was no room for more.
    is_short: bool,
    /// Turns of which something is missing in the file that does not say so yet.
    gaps: HashSet<Arc<str>>,
    /// Hold how far turns have come for which the file had no room.
    slots: Slots,
    /// The orders that wait for the file to be unlocked.
    waiting: Vec<Order>,
}

impl<'a> Writer<'a> {
    fn new(opened: Opened, keep_turns: u32, report: &'a Report) -> Self {
        let mut writer = Self {
            tables: None,
            reserve: Reserve::beside(&opened.path),
            path: PathBuf::new(),
            keep_turns,
            report,
            is_short: false,
            gaps: HashSet::new(),
            slots: Slots::beside(&opened.path),
            waiting: Vec::new(),
        };
        writer.take_in(opened);
        if let Err(error) = writer.reserve.take() {
            writer.is_short = true;
            report.trouble(Some(Trouble::Full), &error.to_string());
        }
        writer
    }

    /// Goes on with this file. What was rescued for it is ended, and not gone on with.
    fn take_in(&mut self, opened: Opened) {
        let tables = Tables::new(opened.connection);
        if let Some(rescued) = opened.rescued {
            if let Err(error) = tables.keep(&rescued.records) {
                tracing::error!(%error, "failed to rescue what skills keep");
            }
            for pending in rescued.pending {
                let pending = PendingTurn {
                    is_whole: false,
                    ..pending
                };
                if let Err(error) = tables.note_pending(&pending) {
                    tracing::error!(%error, turn = pending.turn_id, "failed to rescue a pending turn");
                }
            }
            self.report.damaged();
        }
        (self.tables, self.path) = (Some(tables), opened.path);
    }

    /// Writes at once what gathers while the disk is busy, and for a moment after, so that many turns cost little
    /// more than one.
    fn write_all(mut self, mut orders: mpsc::Receiver<Order>) {
        let mut gathered = Vec::new();
        while orders.blocking_recv_many(&mut gathered, AT_ONCE) > 0 {
            let orders = std::mem::take(&mut self.waiting);
            self.carry_out(orders.into_iter().chain(gathered.drain(..)).collect());
            self.report.beat();
            std::thread::park_timeout(REST);
        }
    }

    fn carry_out(&mut self, mut orders: Vec<Order>) {
        if self.is_short && orders.iter().any(|order| matches!(order, Order::Beat)) {
            self.look_for_room();
        }
        let written = self.write(&mut orders);
        self.answer(&mut orders);
        match written {
            Ok(()) => {
                orders.iter_mut().for_each(Order::keep_promise);
                if !self.is_short {
                    self.report.trouble(None, "");
                }
            }
            Err((trouble, error)) => {
                self.report.trouble(Some(trouble), &error);
                self.fail(trouble, orders);
            }
        }
    }

    /// Writes what there is to write, or as much of it as there is room for.
    fn write(&mut self, orders: &mut [Order]) -> Result<(), (Trouble, String)> {
        let mut result = self.commit(orders, self.is_short);
        if let Err(Fault::Damaged(error)) = &result {
            tracing::error!(%error, "the state file is damaged");
            self.begin_anew();
            result = self.commit(orders, self.is_short);
        }
        if let Err(Fault::Trouble(trouble @ (Trouble::Full | Trouble::Unwritable), error)) = &result {
            self.report.trouble(Some(*trouble), &error.to_string());
            self.is_short = true;
            self.make_room();
            result = self.commit(orders, true);
        }
        result.map_err(|fault| match fault {
            Fault::Damaged(error) => (Trouble::Unwritable, error.to_string()),
            Fault::Trouble(trouble, error) => (trouble, error.to_string()),
        })
    }

    /// Carries orders out in one transaction. An order that cannot be carried out for what it says takes none of the
    /// others with it.
    fn commit(&mut self, orders: &mut [Order], only_marks: bool) -> Result<(), Fault> {
        let is_wanted = |order: &Order| order.is_written() && (order.is_mark() || !only_marks);
        if only_marks {
            self.note_gaps(orders);
        }
        let is_durable = orders.iter().any(Order::is_durable);
        if !is_durable && self.gaps.is_empty() && self.slots.is_empty() && !orders.iter().any(is_wanted) {
            return Ok(());
        }
        let Some(tables) = &mut self.tables else {
            let gone = rusqlite::Error::InvalidPath(self.path.clone());
            return Err(Fault::Trouble(Trouble::Unwritable, gone));
        };
        let wanted = orders.iter_mut().filter(|order| is_wanted(order));
        let keep_turns = (!only_marks).then_some(self.keep_turns);
        let result = transaction(tables, is_durable, wanted, &self.gaps, &self.slots, keep_turns);
        match &result {
            Ok(()) => {
                self.gaps.clear();
                self.slots.clear();
            }
            Err(_) => tables.roll_back(),
        }
        result
    }

    /// Notes the turns of orders that are left out of the file, since an entry is missing there.
    fn note_gaps(&mut self, orders: &[Order]) {
        for order in orders {
            if let Order::Write {
                turn_id, done: None, ..
            } = order
            {
                self.gaps.insert(Arc::clone(turn_id));
            }
        }
    }

    fn answer(&self, orders: &mut [Order]) {
        let Some(tables) = &self.tables else { return };
        for order in orders {
            if let Err(error) = tables.answer(order, &self.slots) {
                tracing::error!(%error, "failed to read the state file");
            }
        }
    }

    /// Tells the caller that waits for it what could not be written. The rest waits for a file that is only locked,
    /// and is left out otherwise.
    fn fail(&mut self, trouble: Trouble, mut orders: Vec<Order>) {
        for order in &orders {
            match order {
                Order::Closing { turn_id, .. } => self.slots.note(turn_id, Stage::Closing),
                Order::Settled(turn_id) => self.slots.note(turn_id, Stage::Settled),
                _ => {}
            }
        }
        orders.retain_mut(|order| {
            let was_awaited = order.break_promise();
            order.is_written() && !(was_awaited && order.begins_something())
        });
        if trouble != Trouble::Locked || orders.len() > AT_ONCE {
            self.note_gaps(&orders);
            orders.retain(|order| trouble == Trouble::Locked && order.is_mark());
            orders.truncate(AT_ONCE);
        }
        self.waiting = orders;
    }

    fn make_room(&self) {
        self.reserve.give_up();
        if let Some(tables) = &self.tables {
            tables.start_log_over();
        }
    }

    /// Tells whether everything can be written again.
    fn look_for_room(&mut self) {
        let Some(tables) = &mut self.tables else { return };
        // A disk that takes one file and not the other is not well.
        let is_well = self.reserve.take_with_ease().is_ok()
            && tables
                .begin(true)
                .and_then(|()| file::touch(&tables.connection))
                .and_then(|()| tables.commit())
                .is_ok();
        if is_well {
            self.is_short = false;
        } else {
            tables.roll_back();
            self.reserve.give_up();
        }
    }

    fn begin_anew(&mut self) {
        // The connection is closed first.
        self.tables = None;
        match file::begin_anew(self.path.clone(), unix_now() as i64) {
            Ok(opened) => self.take_in(opened),
            Err(error) => tracing::error!(
                error = with_causes(&error),
                "failed to put a damaged state file aside"
            ),
        }
    }
}

fn transaction<'a>(
    tables: &mut Tables,
    is_durable: bool,
    orders: impl Iterator<Item = &'a mut Order>,
    gaps: &HashSet<Arc<str>>,
    slots: &Slots,
    keep_turns: Option<u32>,
) -> Result<(), Fault> {
    tables.begin(is_durable).map_err(Fault::of_file)?;
    let mut begun = false;
    for order in orders {
        begun |= matches!(order, Order::Pending { .. });
        if let Err(error) = tables.carry_out(order) {
            let error = match Fault::of(error) {
                Ok(fault) => return Err(fault),
                Err(error) => error,
            };
            tracing::error!(%error, "failed to write a part of the state");
            order.break_promise();
        }
    }
    for turn_id in gaps {
        tables.mark_gap(turn_id).map_err(Fault::of_file)?;
    }
    for (turn_id, stage) in slots.all() {
        tables.take_over(turn_id, stage).map_err(Fault::of_file)?;
    }
    if let (true, Some(keep_turns)) = (begun, keep_turns) {
        tables.forget(keep_turns).map_err(Fault::of_file)?;
    }
    tables.commit().map_err(Fault::of_file)
}
