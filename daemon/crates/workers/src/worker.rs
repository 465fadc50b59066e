//! The worker: takes turns from the queue of its pool, as many at once as it has places, and runs each with its own brain.
//!
//! It has no tools, no persona and no right: what a turn asks for happens at the device, or does not.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::Context;
use async_nats::jetstream::stream::{Config, Republish, RetentionPolicy, Stream};
use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use loquat_agent::brain::Brain;
use loquat_agent::turn::TurnCache;
use loquat_failure::{Backoff, with_causes};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::broker::{self, BrokerSettings, Connection};
use crate::message::{BEGINS, BEGUN};
use crate::order::{Announcement, Order, VERSION, kind_of};
use crate::run::{End, Run};
use crate::subjects::{Subjects, is_inbox};

/// The wait before the broker is looked for again.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(10));

/// A turn whose worker says nothing for so long is given to another.
const ACK_WAIT: Duration = Duration::from_secs(2);

/// A worker tells the queue this often that it is still at a turn.
const PROGRESS: Duration = Duration::from_millis(600);

/// A turn is given to a worker at most this often.
const DELIVERIES: i64 = 10;

/// A turn that no worker took is answered by its device long before.
const OLDEST_TURN: Duration = Duration::from_secs(60);

/// No turn is delivered for this long.
const OLDEST_JOURNAL: Duration = Duration::from_secs(3600);

/// The broker keeps no more of journals than this, in bytes; the oldest go first.
const LARGEST_JOURNALS: i64 = 256 << 20;

/// One request for a turn waits this long at the broker: less than it takes until a turn is given to another worker,
/// or those of a worker that is frozen would get it again and again.
const WAIT: Duration = Duration::from_secs(1);

/// Requests for a turn that wait at the broker at once: those of all places of a kind. It refuses one more.
const REQUESTS: i64 = 1 << 16;

/// The broker forgets a queue of a kind whose workers have not asked for a turn for so long: they are of another version by now,
/// or have another brain. Longer than all places of one that lives are taken.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// The queue is looked for this often: a server that has lost it leaves requests for turns without an answer.
const LOOKED: Duration = Duration::from_secs(2);

/// Looks that may fail in a row; with one more the queue is taken to be gone.
const FAILURES: u32 = 2;

/// A worker that has served for so long begins again at once.
const STEADY: Duration = Duration::from_secs(60);

/// Devices that ask who is there are answered all at once, no more often than this.
const ANSWERED: Duration = Duration::from_millis(100);

/// The name, the places and the broker of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// The broker from which turns come.
    pub broker: BrokerSettings,
    /// The name of the worker, which is a part of its subjects.
    pub name: String,
    /// The number of turns that run at once.
    pub places: u32,
    /// When the worker is told to end, the turns that run have this long.
    pub drain: Duration,
}

/// Says why a worker cannot take turns.
#[derive(Debug, thiserror::Error)]
enum WorkerError {
    #[error(transparent)]
    Broker(#[from] broker::BrokerError),
    /// The broker has no queue for it.
    #[error(
        "failed to have the queue of pool {pool} at the NATS server: {reason}; JetStream has to be on there, and this user \
         allowed to use it"
    )]
    Queue { pool: String, reason: String },
}

/// A process that takes turns from the queue of its pool and thinks them.
#[derive(Debug)]
pub struct Worker {
    settings: WorkerSettings,
    subjects: Subjects,
    /// Tells it from others of its name.
    id: String,
    brain: Arc<dyn Brain>,
    /// Keeps what was made of tools, for all turns.
    turn_cache: TurnCache,
    free: Arc<Semaphore>,
    changed: Notify,
}

/// Says why a worker serves no more over a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Served {
    /// It ends, or the connection has broken.
    Ended,
    /// The broker has its queue no more.
    QueueGone,
}

/// The two streams of the pool.
#[derive(Debug, Clone)]
struct Streams {
    jetstream: Context,
    consumer: PullConsumer,
    journals: Stream<()>,
}

impl Worker {
    /// Makes a worker that thinks with this brain. It does not connect yet.
    pub fn new(settings: WorkerSettings, brain: Arc<dyn Brain>) -> Arc<Self> {
        Arc::new(Self {
            subjects: Subjects::of(&settings.broker.pool),
            id: format!("{}.{}", settings.name, Uuid::new_v4().simple()),
            free: Arc::new(Semaphore::new(settings.places as usize)),
            settings,
            brain,
            turn_cache: TurnCache::default(),
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
                    told.clear();
                    tracing::info!(
                        brain = self.brain.name(),
                        pool = self.settings.broker.pool,
                        places = self.settings.places,
                        "takes turns"
                    );
                    let began = Instant::now();
                    let served = self.serve(&connection, &streams, &cancel).await;
                    let is_failure = served == Served::QueueGone && began.elapsed() < STEADY;
                    failures = if is_failure { failures } else { 0 };
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
        let connection = broker::connect(&self.settings.broker, &self.settings.name).await?;
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
            max_waiting: REQUESTS,
            inactive_threshold: FORGOTTEN,
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
    ) -> Served {
        let mut who = match client.subscribe(self.subjects.who()).await {
            Ok(who) => who,
            Err(error) => {
                tracing::warn!(error = with_causes(&error), "failed to listen to devices");
                return Served::Ended;
            }
        };
        let own = self.subjects.offers("*", &self.id);
        let mut offers = match client.subscribe(own).await {
            Ok(offers) => offers,
            Err(error) => {
                tracing::warn!(error = with_causes(&error), "failed to listen to devices");
                return Served::Ended;
            }
        };
        let mut places = JoinSet::new();
        for _ in 0..self.settings.places {
            places.spawn(Arc::clone(self).place(client.clone(), streams.clone(), cancel.clone()));
        }
        let gone = gone(&streams.consumer);
        tokio::pin!(gone);
        let mut tick = interval(Duration::from_secs(1));
        loop {
            self.announce(client, cancel.is_cancelled()).await;
            // One answer is heard by all who have asked until then, and those who ask again and again are answered no sooner.
            let answered = Instant::now() + ANSWERED;
            let asked = async {
                who.next().await;
                sleep_until(answered).await;
                while who.next().now_or_never().flatten().is_some() {}
            };
            tokio::select! {
                biased;
                () = lost.cancelled() => return Served::Ended,
                reason = &mut gone => {
                    let pool = &self.settings.broker.pool;
                    tracing::warn!(
                        reason,
                        pool,
                        "the queue of the pool is gone from the NATS server; this worker has it made and joins anew"
                    );
                    return Served::QueueGone;
                }
                () = cancel.cancelled() => break,
                Some(offer) = offers.next() => {
                    let run = Arc::clone(self).offered(client.clone(), streams.clone(), offer);
                    places.spawn(run);
                }
                Some(_) = places.join_next(), if places.len() > self.settings.places as usize => {}
                () = self.changed.notified() => {}
                _ = tick.tick() => {}
                () = asked => {}
            }
        }
        self.announce(client, true).await;
        drop(offers);
        let drained = async { while places.join_next().await.is_some() {} };
        tokio::select! {
            biased;
            () = lost.cancelled() => {}
            drained = timeout(self.settings.drain, drained) => if drained.is_err() {
                tracing::warn!("turns still run; other workers go on with them");
            },
        }
        drop(client.flush().await);
        Served::Ended
    }

    async fn announce(&self, client: &Client, leaving: bool) {
        let announcement = Announcement {
            worker: self.id.clone(),
            version: VERSION.to_owned(),
            kind: self.kind(),
            brain: self.brain.name().to_owned(),
            capabilities: self.brain.capabilities(),
            places: self.settings.places,
            free: u32::try_from(self.free.available_permits()).unwrap_or(u32::MAX),
            leaving,
        };
        let payload = serde_json::to_vec(&announcement).unwrap_or_default();
        let sent = client.publish(self.subjects.present(&self.settings.name), payload.into());
        if let Err(error) = sent.await {
            tracing::debug!(%error, "failed to tell devices that this worker is there");
        }
    }

    /// One place: takes a turn, runs it, takes the next. A turn that comes when an offer has just taken the last place goes back
    /// to the queue at once.
    async fn place(self: Arc<Self>, client: Client, streams: Streams, cancel: CancellationToken) {
        while let Some(next) = cancel.run_until_cancelled(self.next(&streams.consumer)).await {
            match next {
                Ok(Some(message)) => self.take(&client, &streams, &message).await,
                Ok(None) => {}
                Err(reason) => {
                    tracing::debug!(reason, "failed to ask for a turn");
                    cancel.run_until_cancelled(sleep(WAIT)).await;
                }
            }
        }
    }

    /// Runs a turn of the queue where its place is free still.
    async fn take(&self, client: &Client, streams: &Streams, message: &Message) {
        let Ok(permit) = self.free.try_acquire() else {
            drop(message.ack_with(AckKind::Nak(None)).await);
            return;
        };
        self.changed.notify_one();
        // On the heap: it holds a whole turn.
        Box::pin(self.attend(client, streams, message)).await;
        drop(permit);
        self.changed.notify_one();
    }

    /// The next turn of the queue, once a place is free; nothing when none came for a while.
    async fn next(&self, consumer: &PullConsumer) -> Result<Option<Message>, String> {
        // Never closed.
        drop(self.free.acquire().await);
        next(consumer).await
    }

    /// Runs a turn of the queue, and says at its end that it needs not be run again.
    async fn attend(&self, client: &Client, streams: &Streams, message: &Message) {
        let is_first = message.info().is_ok_and(|info| info.delivered == 1);
        let is_begun = message
            .headers
            .as_ref()
            .is_some_and(|headers| headers.get(BEGUN).is_some());
        let Some(order) = order(&message.subject, &message.payload) else {
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
            end = self.run_order(client, streams, order, is_begun || !is_first) => end,
            () = at_work => End::Left,
        };
        if end == End::Settled {
            drop(message.ack().await);
        }
    }

    async fn run_order(&self, client: &Client, streams: &Streams, order: Order, is_begun: bool) -> End {
        let run = Run {
            client,
            jetstream: &streams.jetstream,
            journals: &streams.journals,
            subjects: &self.subjects,
            worker: &self.id,
            brain: &self.brain,
            turn_cache: &self.turn_cache,
        };
        Box::pin(run.to_end(order, is_begun)).await
    }

    /// Takes a turn that a device offers to this worker alone, where a place is free, and says so at once; otherwise the device
    /// puts it into the queue.
    async fn offered(self: Arc<Self>, client: Client, streams: Streams, offer: async_nats::Message) {
        let Some(reply) = offer.reply else { return };
        let sender = strip_worker(&offer.subject);
        // A device that named another subject would have this worker say something there in its own right.
        if !sender
            .rsplit('.')
            .next()
            .is_some_and(|device| is_inbox(&reply, Some(device)))
        {
            return;
        }
        let permit = Arc::clone(&self.free).try_acquire_owned();
        let order = order(&sender, &offer.payload);
        let (Ok(permit), Some(order)) = (permit, order) else {
            drop(client.publish(reply, Bytes::new()).await);
            return;
        };
        drop(client.publish(reply, Bytes::from_static(BEGINS)).await);
        self.changed.notify_one();
        Box::pin(self.run_order(&client, &streams, order, false)).await;
        drop(permit);
        self.changed.notify_one();
    }
}

/// The subject of an offer without the two parts of the worker's name, so that the device's is its last.
fn strip_worker(subject: &str) -> String {
    subject.rsplitn(3, '.').last().unwrap_or_default().to_owned()
}

/// Waits until the broker has the queue no more; why that is believed.
async fn gone(consumer: &PullConsumer) -> String {
    let mut failures = 0;
    loop {
        sleep(LOOKED).await;
        match consumer.get_info().await {
            Ok(_) => failures = 0,
            Err(_) if failures < FAILURES => failures += 1,
            Err(error) => return with_causes(&error),
        }
    }
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

/// Reads the order of a message. There is none where it has another version, or names another device than that which
/// may have sent it.
fn order(subject: &str, payload: &[u8]) -> Option<Order> {
    let order: Order = serde_json::from_slice(payload).ok()?;
    let device = subject.rsplit('.').next()?;
    (order.version == VERSION && order.device == device).then_some(order)
}
