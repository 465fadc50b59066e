//! One worker's going at one turn, from its beginning or from where the runs before it were cut off.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use async_nats::jetstream::context::Context;
use async_nats::jetstream::stream::Stream;
use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use loquat_agent::brain::Brain;
use loquat_agent::consent::Person;
use loquat_agent::engine::find;
use loquat_agent::journal::{Care, Entry, Happened, Journal, ReplayError, answer_on_record, resume};
use loquat_agent::toolbox::Arrivals;
use loquat_agent::turn::{Means, TurnCache, stop_pair};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use uuid::Uuid;

use crate::line::{DeviceArrivals, DevicePerson, DeviceToolbox, Line};
use crate::message::{Asked, DEVICE, Piece, Told, run_of};
use crate::order::Order;
use crate::seal::SealKey;
use crate::stream::{ReadError, StreamJournal, Writer, read};
use crate::subjects::Subjects;
use crate::telling::{TellingBrain, tell};

/// Storing the last entries may take this long.
const FLUSH: Duration = Duration::from_secs(2);

/// Tells how a run of a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It needs not be run again.
    Settled,
    /// This run leaves the turn, and another worker may have it.
    Left,
}

/// The material of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) client: &'a Client,
    pub(crate) jetstream: &'a Context,
    pub(crate) journals: &'a Stream<()>,
    pub(crate) subjects: &'a Subjects,
    /// The worker's whole name.
    pub(crate) worker: &'a str,
    pub(crate) brain: &'a Arc<dyn Brain>,
    pub(crate) turn_cache: &'a TurnCache,
}

impl Run<'_> {
    /// Runs a turn. Where no worker can have begun it, it begins while the device is asked whether it may: the device hears the
    /// question before the first entry.
    pub(crate) async fn to_end(self, order: Order, is_begun: bool) -> End {
        let (device, placement) = (order.device.as_str(), order.placement.as_str());
        let (run, key) = (Uuid::new_v4().simple().to_string(), SealKey::of_order(&order.key));
        let line = Line::new(
            self.client.clone(),
            self.subjects.requests(device),
            placement.to_owned(),
            run.clone(),
            key.clone(),
        );
        let line = Arc::new(line);
        let over = self.subjects.over(device, placement);
        let Ok(mut overs) = self.client.subscribe(over.clone()).await else {
            return End::Left;
        };
        let subject = self.subjects.journal(device, placement);
        let claim = Asked::Claim {
            worker: self.worker.to_owned(),
        };
        let ((entries, last), claim) = if is_begun {
            match earlier(&line, claim, self.journals, &subject).await {
                Ok(earlier) => (earlier, None),
                Err(end) => return end,
            }
        } else {
            ((Vec::new(), 0), Some(claim))
        };
        let (journal, writer) = Writer::new(self.jetstream.clone(), subject, run, key, last);
        let fenced = writer.fenced.clone();
        // Beside the turn, which may wait for it; it ends at the latest with this function.
        let mut writing = JoinSet::new();
        writing.spawn(writer.run());
        let (brain, pieces) = TellingBrain::new(Arc::clone(self.brain));
        let subject = self.subjects.told(device, placement);
        let turn = self.turn(order, entries, brain, Arc::clone(&line), journal);
        let end = tokio::select! {
            biased;
            () = fenced.cancelled() => End::Left,
            () = is_over(&mut overs, &line.key, &over) => End::Settled,
            () = line.over.cancelled() => End::Settled,
            () = line.taken.cancelled() => {
                tracing::info!(run = line.run, "another worker has this turn; this one leaves it");
                End::Left
            }
            () = refused(&line, claim) => End::Left,
            end = turn => end,
            () = telling(&line, &subject, pieces) => End::Left,
        };
        // The journal was dropped with the turn, so the writer ends behind the last entry.
        drop(timeout(FLUSH, writing.join_next()).await);
        end
    }

    /// Runs the turn from its beginning, or from where the runs before it were cut off.
    async fn turn(
        &self,
        order: Order,
        entries: Vec<Entry>,
        brain: TellingBrain,
        line: Arc<Line>,
        journal: StreamJournal,
    ) -> End {
        let Order { opening, grows, .. } = order;
        let Some(engine) = find(&opening.engine) else {
            return End::Settled;
        };
        let question = opening.question.clone();
        // A worker's turn is stopped by being dropped.
        let (_stopper, stop) = stop_pair();
        let person = DevicePerson(Arc::clone(&line));
        let arrivals = DeviceArrivals {
            line: Arc::clone(&line),
            looks: AtomicUsize::new(0),
        };
        let means = Means {
            brain: Arc::new(brain),
            toolboxes: DeviceToolbox::all(&opening.toolboxes, &line),
            arrivals: grows.then(|| Arc::new(arrivals) as Arc<dyn Arrivals>),
            grammar: None,
            budget: opening.budget,
            settings: opening.settings.clone(),
            observer: Arc::new(()),
            stop,
            turn_cache: Arc::new(self.turn_cache.restored(opening.turn_cache)),
            person: opening.attended.then(|| Arc::new(person) as Arc<dyn Person>),
        };
        let journal: Arc<dyn Journal> = Arc::new(journal);
        if entries.is_empty() {
            answer_on_record(engine, question, means, journal).await;
            return End::Settled;
        }
        let entries = settled(entries, &line, &*journal).await;
        line.count(&entries);
        tracing::info!(entries = entries.len(), "goes on with a turn of another worker");
        match resume(entries, means, journal).await {
            Ok(_) => End::Settled,
            Err(ReplayError::NoOpening | ReplayError::NoEngine(_)) => End::Settled,
        }
    }
}

/// Completes the entries with what came of the calls that the run before did not live to see. The device
/// knows, and nothing is called again.
async fn settled(mut entries: Vec<Entry>, line: &Line, journal: &dyn Journal) -> Vec<Entry> {
    for (number, key, place) in unfinished(&entries) {
        let Told::Outcome(outcome) = line.ask(Asked::Outcome { key, place }).await else {
            continue;
        };
        let entry = Entry {
            at: entries.last().map(|entry| entry.at).unwrap_or_default(),
            happened: Happened::ToolReturned { number, outcome },
        };
        if journal.write(entry.clone(), Care::Durable).await.is_ok() {
            entries.push(entry);
        }
    }
    entries
}

/// Calls that began and did not end, each with its place among those with equal keys.
fn unfinished(entries: &[Entry]) -> Vec<(u32, String, usize)> {
    let mut open: Vec<(u32, String, usize)> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    for entry in entries {
        match &entry.happened {
            Happened::ToolCalled { number, call } => {
                let place = keys.iter().filter(|key| *key == call).count();
                keys.push(call);
                open.push((*number, call.clone(), place));
            }
            Happened::ToolReturned { number, .. } | Happened::Crashed { number } => {
                open.retain(|(known, ..)| known != number);
            }
            _ => {}
        }
    }
    open
}

/// Asks the device whether this run may have the turn. Ends where it cannot be told; otherwise the line says so.
async fn refused(line: &Line, claim: Option<Asked>) {
    if let Some(claim) = claim
        && !matches!(line.ask(claim).await, Told::Go | Told::Over | Told::Taken)
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// Ends when the device says that the turn is over. A stranger who says so has no seal for it.
async fn is_over(overs: &mut Subscriber, key: &SealKey, subject: &str) {
    while let Some(over) = overs.next().await {
        let run = run_of(over.headers.as_ref(), key, subject, &over.payload);
        if run == Some(DEVICE) {
            return;
        }
    }
}

/// Reads what earlier runs have written of a turn, and the place of the last entry. The error says why this run
/// leaves the turn.
async fn earlier(
    line: &Line,
    claim: Asked,
    journals: &Stream<()>,
    subject: &str,
) -> Result<(Vec<Entry>, u64), End> {
    match line.ask(claim).await {
        Told::Go => {}
        Told::Taken => return Err(End::Left),
        _ => return Err(End::Settled),
    }
    read(journals, subject, &line.key).await.map_err(|error| {
        tracing::warn!("{error}");
        match error {
            ReadError::Broker(_) => End::Left,
            _ => End::Settled,
        }
    })
}

async fn telling(line: &Line, subject: &str, pieces: mpsc::Receiver<Piece>) {
    tell(line, subject, pieces).await;
    std::future::pending::<()>().await;
}
