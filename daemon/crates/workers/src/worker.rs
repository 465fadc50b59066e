//! The worker: takes turns from the queue of its pool, as many at once as it has places, and runs each with its own brain.
//!
//! It has no tools, no persona and no right: what a turn asks for happens at the device, or does not.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::Context;
use async_nats::jetstream::stream::{Config, Republish, RetentionPolicy, Stream};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use loquat_agent::brain::Brain;
use loquat_agent::consent::Person;
use loquat_agent::engine::find;
use loquat_agent::journal::{Care, Entry, Happened, Journal, Opening, ReplayError, answer_on_record, resume};
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Means, TurnCache, stop_pair};
use loquat_failure::{Backoff, with_causes};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::broker::{self, BrokerSettings, Connection};
use crate::line::{DevicePerson, DeviceToolbox, Line};
use crate::message::{Asked, Piece, Told};
use crate::order::{Announcement, Order, VERSION, kind_of};
use crate::seal::SealKey;
use crate::stream::{ReadError, StreamJournal, Writer, read};
use crate::subjects::Subjects;
use crate::telling::{TellingBrain, tell};

/// When the broker is looked for again.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(10));

/// A turn whose worker says nothing for so long is given to another.
const ACK_WAIT: Duration = Duration::from_secs(2);

/// How often a worker says so.
const PROGRESS: Duration = Duration::from_millis(600);

/// How often a turn is given to a worker.
const DELIVERIES: i64 = 10;

/// A turn that no worker took is answered by its device long before.
const OLDEST_TURN: Duration = Duration::from_secs(60);

/// Longer than any turn is delivered.
const OLDEST_JOURNAL: Duration = Duration::from_secs(3600);

/// The broker keeps no more of journals than this, in bytes; the oldest go first.
const LARGEST_JOURNALS: i64 = 256 << 20;

/// How long one request for a turn waits at the broker: less than it takes until a turn is given to another worker, or those
/// of a worker that is frozen would get it again and again.
const WAIT: Duration = Duration::from_secs(1);

/// What storing the last entries may take.
const FLUSH: Duration = Duration::from_secs(2);

/// What a worker is.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// The broker.
    pub broker: BrokerSettings,
    /// Its name.
    pub name: String,
    /// How many turns it runs at once.
    pub places: u32,
    /// How long turns that run are waited for when it is told to end.
    pub drain: Duration,
}

/// Why a worker cannot take turns.
#[derive(Debug, thiserror::Error)]
enum WorkerError {
    /// There is no broker.
    #[error(transparent)]
    Broker(#[from] broker::BrokerError),
    /// The broker has no queue for it.
    #[error(
        "failed to have the queue of pool {pool} at the NATS server: {reason}; JetStream has to be on there, and this user \
         allowed to use it"
    )]
    Queue {
        /// The pool.
        pool: String,
        /// What the broker says.
        reason: String,
    },
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    settings: WorkerSettings,
    subjects: Subjects,
    /// Tells it from others of its name.
    id: String,
    brain: Arc<dyn Brain>,
    /// What was made of tools, for all turns.
    turn_cache: TurnCache,
    running: AtomicU32,
    changed: Notify,
}

/// How a run of a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It needs not be run again.
    Settled,
    /// Another worker may.
    Left,
}

/// The streams of the pool.
#[derive(Debug, Clone)]
struct Streams {
    jetstream: Context,
    consumer: PullConsumer,
    journals: Stream<()>,
}

impl Worker {
    /// A worker with this brain.
    pub fn new(settings: WorkerSettings, brain: Arc<dyn Brain>) -> Arc<Self> {
        Arc::new(Self {
            subjects: Subjects::of(&settings.broker.pool),
            id: format!("{}-{}", settings.name, Uuid::new_v4().simple()),
            settings,
            brain,
            turn_cache: TurnCache::default(),
            running: AtomicU32::new(0),
            changed: Notify::new(),
        })
    }

    /// Takes turns until cancelled; then those that run are waited for. A broker that is not there is looked for again.
    pub async fn run(self: Arc<Self>, cancel: CancellationToken) {
        let mut failures = 0;
        let mut told = String::new();
        while !cancel.is_cancelled() {
            match cancel.run_until_cancelled(self.join()).await {
                None => return,
                Some(Ok((connection, streams))) => {
                    failures = 0;
                    told.clear();
                    tracing::info!(
                        brain = self.brain.name(),
                        pool = self.settings.broker.pool,
                        places = self.settings.places,
                        "takes turns"
                    );
                    self.serve(&connection, &streams, &cancel).await;
                }
                Some(Err(error)) => {
                    let error = error.to_string();
                    if error != told {
                        tracing::warn!("{error}");
                        told = error;
                    }
                }
            }
            cancel.run_until_cancelled(sleep(AGAIN.after(failures))).await;
            failures += 1;
        }
    }

    /// Connects, and has the streams of the pool made where they are missing.
    async fn join(&self) -> Result<(Connection, Streams), WorkerError> {
        let own_inbox = format!("_INBOX_{}", self.settings.name);
        let connection = broker::connect(&self.settings.broker, (&self.settings.name, own_inbox)).await?;
        let streams = self.streams(&connection.client).await;
        let streams = streams.map_err(|reason| WorkerError::Queue {
            pool: self.settings.broker.pool.clone(),
            reason,
        })?;
        Ok((connection, streams))
    }

    async fn streams(&self, client: &Client) -> Result<Streams, String> {
        let jetstream = async_nats::jetstream::new(client.clone());
        let turns = Config {
            name: self.subjects.turn_stream(),
            subjects: vec![self.subjects.turns("*", "*")],
            retention: RetentionPolicy::WorkQueue,
            max_age: OLDEST_TURN,
            duplicate_window: OLDEST_TURN,
            ..Config::default()
        };
        let journals = Config {
            name: self.subjects.journal_stream(),
            subjects: vec![self.subjects.journals()],
            max_age: OLDEST_JOURNAL,
            max_bytes: LARGEST_JOURNALS,
            republish: Some(Republish {
                source: self.subjects.journals(),
                destination: self.subjects.all_written(),
                headers_only: false,
            }),
            ..Config::default()
        };
        let turns = jetstream
            .create_stream(turns)
            .await
            .map_err(|error| with_causes(&error))?;
        jetstream
            .create_stream(journals)
            .await
            .map_err(|error| with_causes(&error))?;
        let kind = self.kind();
        let config = pull::Config {
            durable_name: Some(format!("kind-{kind}")),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_deliver: DELIVERIES,
            filter_subject: self.subjects.turns(&kind, "*"),
            ..pull::Config::default()
        };
        let consumer = turns
            .create_consumer(config)
            .await
            .map_err(|error| with_causes(&error))?;
        let journals = jetstream
            .get_stream_no_info(self.subjects.journal_stream())
            .await
            .map_err(|error| with_causes(&error))?;
        Ok(Streams {
            jetstream,
            consumer,
            journals,
        })
    }

    fn kind(&self) -> String {
        kind_of(VERSION, self.brain.name(), self.brain.capabilities())
    }

    async fn serve(
        self: &Arc<Self>,
        Connection { client, lost }: &Connection,
        streams: &Streams,
        cancel: &CancellationToken,
    ) {
        let mut who = match client.subscribe(self.subjects.who()).await {
            Ok(who) => who,
            Err(error) => {
                tracing::warn!(error = with_causes(&error), "failed to listen to devices");
                return;
            }
        };
        let mut places = JoinSet::new();
        for _ in 0..self.settings.places {
            places.spawn(Arc::clone(self).place(client.clone(), streams.clone(), cancel.clone()));
        }
        let mut tick = interval(Duration::from_secs(1));
        loop {
            self.announce(client, cancel.is_cancelled()).await;
            tokio::select! {
                biased;
                () = lost.cancelled() => return,
                () = cancel.cancelled() => break,
                _ = who.next() => {}
                () = self.changed.notified() => {}
                _ = tick.tick() => {}
            }
        }
        self.announce(client, true).await;
        let drained = async { while places.join_next().await.is_some() {} };
        tokio::select! {
            biased;
            () = lost.cancelled() => {}
            drained = timeout(self.settings.drain, drained) => if drained.is_err() {
                tracing::warn!("turns still run; other workers go on with them");
            },
        }
        drop(client.flush().await);
    }

    async fn announce(&self, client: &Client, leaving: bool) {
        let running = self.running.load(Ordering::Relaxed);
        let announcement = Announcement {
            worker: self.id.clone(),
            version: VERSION.to_owned(),
            kind: self.kind(),
            brain: self.brain.name().to_owned(),
            capabilities: self.brain.capabilities(),
            places: self.settings.places,
            free: self.settings.places.saturating_sub(running),
            leaving,
        };
        let payload = serde_json::to_vec(&announcement).unwrap_or_default();
        let sent = client.publish(self.subjects.present(&self.settings.name), payload.into());
        if let Err(error) = sent.await {
            tracing::debug!(%error, "failed to tell devices that this worker is there");
        }
    }

    /// One place: takes a turn, runs it, takes the next.
    async fn place(self: Arc<Self>, client: Client, streams: Streams, cancel: CancellationToken) {
        while let Some(next) = cancel.run_until_cancelled(next(&streams.consumer)).await {
            match next {
                Ok(Some(message)) => {
                    self.count(true);
                    self.attend(&client, &streams, &message).await;
                    self.count(false);
                }
                Ok(None) => {}
                Err(reason) => {
                    tracing::warn!(reason, "failed to ask for a turn");
                    cancel.run_until_cancelled(sleep(Duration::from_secs(1))).await;
                }
            }
        }
    }

    fn count(&self, more: bool) {
        if more {
            self.running.fetch_add(1, Ordering::Relaxed);
        } else {
            self.running.fetch_sub(1, Ordering::Relaxed);
        }
        self.changed.notify_one();
    }

    /// Runs a turn that was taken, and says at its end that it needs not be run again.
    async fn attend(&self, client: &Client, streams: &Streams, message: &Message) {
        let is_first = message.info().is_ok_and(|info| info.delivered == 1);
        let Some(order) = order(message) else {
            tracing::warn!(subject = %message.subject, "an order of a turn makes no sense and is not run");
            drop(message.ack_with(AckKind::Term).await);
            return;
        };
        let at_work = async {
            loop {
                sleep(PROGRESS).await;
                drop(message.ack_with(AckKind::Progress).await);
            }
        };
        let end = tokio::select! {
            end = self.run_order(client, streams, (order, is_first)) => end,
            () = at_work => End::Left,
        };
        if end == End::Settled {
            drop(message.ack().await);
        }
    }

    /// Runs a turn. Where it was given to no worker before, it begins while the device is asked whether it may: the device
    /// hears the question before the first entry.
    async fn run_order(&self, client: &Client, streams: &Streams, (order, is_first): (Order, bool)) -> End {
        let (device, placement) = (order.device.as_str(), order.placement.as_str());
        let (run, key) = (Uuid::new_v4().simple().to_string(), SealKey::of_order(&order.key));
        let names = (placement.to_owned(), run.clone());
        let line = Line::new(client.clone(), self.subjects.requests(device), names, key.clone());
        let line = Arc::new(line);
        let over = client.subscribe(self.subjects.over(device, placement)).await;
        let Ok(mut over) = over else { return End::Left };
        let subject = self.subjects.journal(device, placement);
        let ((entries, last), claim) = if is_first {
            ((Vec::new(), 0), Some(Asked::Claim))
        } else {
            match earlier(&line, streams, &subject).await {
                Ok(earlier) => (earlier, None),
                Err(end) => return end,
            }
        };
        let (journal, writer) = Writer::new(streams.jetstream.clone(), (subject, run, key), last);
        let fenced = writer.fenced.clone();
        // Beside the turn, which may wait for it; it ends at the latest with this function.
        let mut writing = JoinSet::new();
        writing.spawn(writer.run());
        let (brain, pieces) = TellingBrain::new(Arc::clone(&self.brain));
        let subject = self.subjects.told(device, placement);
        let turn = self.turn(order.opening, entries, (brain, Arc::clone(&line)), journal);
        let end = tokio::select! {
            biased;
            () = fenced.cancelled() => End::Left,
            _ = over.next() => End::Settled,
            () = line.over.cancelled() => End::Settled,
            () = refused(&line, claim) => End::Settled,
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
        opening: Opening,
        entries: Vec<Entry>,
        (brain, line): (TellingBrain, Arc<Line>),
        journal: StreamJournal,
    ) -> End {
        let Some(engine) = find(&opening.engine) else {
            return End::Settled;
        };
        let question = opening.question.clone();
        // A worker's turn is stopped by being dropped.
        let (_stopper, stop) = stop_pair();
        let toolboxes = opening.toolboxes.toolboxes().map(|(id, tools)| {
            Arc::new(DeviceToolbox {
                id: id.to_owned(),
                tools: Arc::clone(tools),
                line: Arc::clone(&line),
            }) as Arc<dyn Toolbox>
        });
        let person = DevicePerson(Arc::clone(&line));
        let means = Means {
            brain: Arc::new(brain),
            toolboxes: toolboxes.collect(),
            arrivals: None,
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

/// The entries, with what came of the calls that the run before did not live to see. The device knows, and nothing is called
/// again.
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

/// Ends when the device does not let this run have the turn.
async fn refused(line: &Line, claim: Option<Asked>) {
    if let Some(claim) = claim
        && line.ask(claim).await != Told::Go
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// What the runs before have written of a turn, and the place of the last entry; or why this run leaves it.
async fn earlier(line: &Line, streams: &Streams, subject: &str) -> Result<(Vec<Entry>, u64), End> {
    if line.ask(Asked::Claim).await != Told::Go {
        return Err(End::Settled);
    }
    read(&streams.journals, subject, &line.key)
        .await
        .map_err(|error| {
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

/// The next turn of the queue; nothing when none came for a while.
async fn next(consumer: &PullConsumer) -> Result<Option<Message>, String> {
    let batch = consumer.batch().max_messages(1).expires(WAIT).messages().await;
    let mut batch = batch.map_err(|error| with_causes(&error))?;
    match batch.next().await {
        Some(Ok(message)) => Ok(Some(message)),
        Some(Err(error)) => Err(error.to_string()),
        None => Ok(None),
    }
}

/// The order of a message; nothing where it is another version's, or names another device than that which may have sent it.
fn order(message: &Message) -> Option<Order> {
    let order: Order = serde_json::from_slice(&message.payload).ok()?;
    let device = message.subject.rsplit('.').next()?;
    (order.version == VERSION && order.device == device).then_some(order)
}
