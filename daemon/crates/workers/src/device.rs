//! The device's side: knows which workers are there, orders turns of them, tells them what came of calls, and follows what
//! they write. Never the only way to an answer: whatever fails here, the turn goes on with the device's own brain.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::message::PublishMessage;
use async_nats::{Client, HeaderMap, Message};
use bytes::Bytes;
use futures_util::StreamExt;
use loquat_agent::engine::Engine;
use loquat_agent::journal::Opening;
use loquat_agent::turn::{Means, Question};
use loquat_failure::{Backoff, with_causes};
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::broker::{self, BrokerError, BrokerSettings, Connection};
use crate::follow::{FollowedBrain, Patience};
use crate::line::reply_subject;
use crate::message::{Request, Told, run_of, sealed};
use crate::order::{Announcement, Order, VERSION, kind_of};
use crate::placement::Placement;
use crate::seal::SealKey;
use crate::subjects::Subjects;
use crate::witness::{WitnessedPerson, WitnessedToolbox};

/// When the broker is looked for again.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));

/// A worker that says nothing for so long is gone.
const SILENT: Duration = Duration::from_secs(3);

/// How long a worker may need to know that a turn is over, and to say so.
const NEWS: Duration = Duration::from_millis(250);

/// A worker that waits for what is not known yet asks again after this.
const PENDING: Duration = Duration::from_secs(2);

/// Workers that are known at once; one more is not heard.
const WORKERS: usize = 1_000;

/// Messages that wait to be sent; a turn whose order is one more stays here.
const WAITING: usize = 256;

/// Requests of workers that are waited with at once; one more is not answered.
const REQUESTS: usize = 512;

/// What the device says of itself and how long it waits.
#[derive(Debug, Clone)]
pub struct DeviceSettings {
    /// The broker.
    pub broker: BrokerSettings,
    /// Its name, a part of its subjects.
    pub name: String,
    /// How long it waits until a worker has taken a turn.
    pub taken: Duration,
    /// How long a worker may be silent.
    pub silence: Duration,
    /// How long a worker's brain may take for a reply.
    pub reply: Duration,
}

/// Where turns are thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The broker is being looked for.
    Connecting,
    /// There is no broker, and why.
    NoBroker(BrokerError),
    /// There is a broker, and no worker.
    NoWorkers,
    /// The only workers are of other versions.
    OtherVersion(String),
    /// Workers take turns.
    Ready {
        /// How many.
        workers: usize,
        /// Their brains.
        brains: Vec<String>,
    },
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Connecting => f.write_str("turns run here; the NATS server is being looked for"),
            Self::NoBroker(error) => write!(f, "turns run here: {error}"),
            Self::NoWorkers => f.write_str("turns run here: no worker is there"),
            Self::OtherVersion(version) => write!(
                f,
                "turns run here: the workers are of version {version} and this device of {VERSION}; bring both to the same"
            ),
            Self::Ready { workers: 1, brains } => {
                write!(f, "turns run on a worker with {}", brains.join(", "))
            }
            Self::Ready { workers, brains } => {
                write!(f, "turns run on {workers} workers with {}", brains.join(", "))
            }
        }
    }
}

/// What is to be sent.
#[derive(Debug)]
enum Dispatch {
    /// A turn.
    Order {
        subject: String,
        payload: Bytes,
        placement: Arc<Placement>,
    },
    /// That a turn is over.
    Over(String),
}

/// A worker, as it said last.
#[derive(Debug)]
struct Known {
    announcement: Announcement,
    heard: Instant,
    /// When a turn of this device left one of its places.
    given_back: Option<Instant>,
}

/// The device's part in turns that are thought elsewhere.
#[derive(Debug)]
pub struct Device {
    settings: DeviceSettings,
    subjects: Subjects,
    condition: watch::Sender<Condition>,
    /// The largest message that the broker takes, while there is one.
    room: Mutex<Option<usize>>,
    workers: Mutex<HashMap<String, Known>>,
    placements: Mutex<HashMap<String, Arc<Placement>>>,
    sender: mpsc::Sender<Dispatch>,
    inbox: Mutex<Option<mpsc::Receiver<Dispatch>>>,
}

impl Device {
    /// Connects to nothing yet.
    pub fn new(settings: DeviceSettings) -> Arc<Self> {
        let (sender, inbox) = mpsc::channel(WAITING);
        Arc::new(Self {
            subjects: Subjects::of(&settings.broker.pool),
            settings,
            condition: watch::Sender::new(Condition::Connecting),
            room: Mutex::default(),
            workers: Mutex::default(),
            placements: Mutex::default(),
            sender,
            inbox: Mutex::new(Some(inbox)),
        })
    }

    /// Where turns are thought, as it changes.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// Looks for the broker and serves workers until cancelled. Runs once.
    pub async fn run(self: Arc<Self>, cancel: CancellationToken) {
        let Some(mut inbox) = self.inbox.lock().take() else {
            return;
        };
        let mut failures = 0;
        loop {
            let own_inbox = format!("_INBOX_{}", self.settings.name);
            let connected = broker::connect(&self.settings.broker, (&self.settings.name, own_inbox));
            match cancel.run_until_cancelled(connected).await {
                None => return,
                Some(Ok(connection)) => {
                    failures = 0;
                    let serving = self.serve(&connection, &mut inbox);
                    cancel.run_until_cancelled(serving).await;
                    self.close();
                }
                Some(Err(error)) => self.note(&Condition::NoBroker(error)),
            }
            if cancel
                .run_until_cancelled(sleep(AGAIN.after(failures)))
                .await
                .is_none()
            {
                return;
            }
            failures += 1;
        }
    }

    /// Looks who is there, for as long as it takes at most, and serves no worker: a running daemon may have this name.
    pub async fn examine(&self, patience: Duration) -> Condition {
        let own_inbox = format!("_INBOX_{}", self.settings.name);
        let connected = broker::connect(&self.settings.broker, (&self.settings.name, own_inbox));
        let Connection { client, .. } = match connected.await {
            Ok(connection) => connection,
            Err(error) => return Condition::NoBroker(error),
        };
        let listen = async {
            let Ok(mut present) = client.subscribe(self.subjects.present("*")).await else {
                return;
            };
            drop(client.publish(self.subjects.who(), Bytes::new()).await);
            while let Some(message) = present.next().await {
                self.hear(&message.payload);
                if matches!(*self.condition.borrow(), Condition::Ready { .. }) {
                    return;
                }
            }
        };
        drop(timeout(patience, listen).await);
        self.observe();
        self.condition.borrow().clone()
    }

    /// Has a turn thought by a worker where one is free; otherwise the means are as they were.
    pub fn place(self: &Arc<Self>, engine: &Engine, question: &Question, means: Means) -> Means {
        let Some((announcement, room)) = self.choose() else {
            return means;
        };
        let brain = (announcement.brain.as_str(), announcement.capabilities);
        let opening = Opening::for_brain(engine, question, &means, brain);
        let (id, key) = (Uuid::new_v4().simple().to_string(), SealKey::draw());
        let name = &self.settings.name;
        let order = Order {
            version: VERSION.to_owned(),
            placement: id.clone(),
            device: name.clone(),
            key: key.as_str().to_owned(),
            opening,
        };
        let payload = serde_json::to_vec(&order).unwrap_or_default();
        if payload.is_empty() || payload.len() > room {
            tracing::info!(
                bytes = payload.len(),
                "a turn is too large for the broker and runs here"
            );
            return means;
        }
        let subjects = (self.subjects.journal(name, &id), self.subjects.told(name, &id));
        let placement = Placement::new((id.clone(), key), &announcement.worker, subjects);
        let placement = Arc::new(placement);
        self.placements.lock().insert(id, Arc::clone(&placement));
        let dispatch = Dispatch::Order {
            subject: self.subjects.turns(&announcement.kind, name),
            payload: payload.into(),
            placement: Arc::clone(&placement),
        };
        if self.sender.try_send(dispatch).is_err() {
            placement.lose("too much waits to be sent to the NATS server");
        }
        self.followed(means, placement, announcement)
    }

    fn followed(self: &Arc<Self>, means: Means, placement: Arc<Placement>, worker: Announcement) -> Means {
        let deeds = Arc::clone(&placement.deeds);
        let witnessed = means.toolboxes.iter().map(|inner| {
            let (inner, deeds) = (Arc::clone(inner), Arc::clone(&deeds));
            Arc::new(WitnessedToolbox { inner, deeds }) as _
        });
        let person = means.person.clone().map(|inner| {
            let deeds = Arc::clone(&deeds);
            Arc::new(WitnessedPerson { inner, deeds }) as _
        });
        Means {
            toolboxes: witnessed.collect(),
            person,
            brain: Arc::new(FollowedBrain {
                name: worker.brain,
                capabilities: worker.capabilities,
                own: Arc::clone(&means.brain),
                placement,
                device: Arc::clone(self),
                patience: Patience {
                    taken: self.settings.taken,
                    silence: self.settings.silence,
                    reply: self.settings.reply,
                },
            }),
            ..means
        }
    }

    /// A turn goes on here, and why. Told once.
    pub(crate) fn leave(&self, placement: &Placement, why: &str) {
        if placement.lose(why) {
            tracing::info!("a worker's turn goes on here: {why}");
        }
        self.over(placement);
    }

    /// A turn is over.
    pub(crate) fn end(&self, placement: &Placement) {
        placement.lose("the turn is over");
        if self.placements.lock().remove(&placement.id).is_some() {
            self.over(placement);
            self.give_back(&placement.worker);
        }
    }

    /// A place is free again before the worker says so: what is asked next would otherwise find none.
    fn give_back(&self, worker: &str) {
        if let Some(known) = self.workers.lock().get_mut(worker) {
            let announcement = &mut known.announcement;
            announcement.free = announcement.places.min(announcement.free + 1);
            known.given_back = Some(Instant::now());
        }
    }

    /// A worker that is not told finds out when it asks.
    fn over(&self, placement: &Placement) {
        let subject = self.subjects.over(&self.settings.name, &placement.id);
        drop(self.sender.try_send(Dispatch::Over(subject)));
    }

    /// A worker with a free place, which counts as taken until it says otherwise.
    fn choose(&self) -> Option<(Announcement, usize)> {
        let room = (*self.room.lock())?;
        let mut workers = self.workers.lock();
        let mut fitting: Vec<&mut Announcement> = workers
            .values_mut()
            .map(|known| &mut known.announcement)
            .filter(|worker| takes_turns(worker) && worker.free > 0)
            .collect();
        let mut free: HashMap<String, u32> = HashMap::new();
        for worker in &fitting {
            *free.entry(worker.kind.clone()).or_default() += worker.free;
        }
        let kind = free.into_iter().max_by_key(|(_, free)| *free)?.0;
        let worker = fitting.iter_mut().find(|worker| worker.kind == kind)?;
        worker.free -= 1;
        Some(((*worker).clone(), room))
    }

    /// Everything over one connection, until it breaks.
    async fn serve(self: &Arc<Self>, connection: &Connection, inbox: &mut mpsc::Receiver<Dispatch>) {
        let Connection { client, lost } = connection;
        let name = &self.settings.name;
        let subscribed = async {
            Ok::<_, async_nats::SubscribeError>((
                client.subscribe(self.subjects.present("*")).await?,
                client.subscribe(self.subjects.written(name)).await?,
                client.subscribe(self.subjects.told(name, ">")).await?,
                client.subscribe(self.subjects.requests(name)).await?,
            ))
        };
        let (mut present, mut written, mut told, mut requests) = match subscribed.await {
            Ok(subscribed) => subscribed,
            Err(error) => {
                tracing::warn!(error = with_causes(&error), "failed to listen to workers");
                return;
            }
        };
        *self.room.lock() = Some(client.server_info().max_payload);
        self.observe();
        // Where there is no worker it is not heard.
        drop(client.publish(self.subjects.who(), Bytes::new()).await);
        let mut tasks = JoinSet::new();
        let mut tick = interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                biased;
                () = lost.cancelled() => return,
                Some(message) = requests.next(), if tasks.len() < REQUESTS => {
                    tasks.spawn(self.admitted(message).answer(client.clone()));
                }
                Some(message) = written.next() => {
                    if let Some(placement) = self.placement_of(&message) {
                        placement.written(&message);
                    }
                }
                Some(message) = told.next() => {
                    if let Some(placement) = self.placement_of(&message) {
                        placement.told(&message);
                    }
                }
                Some(dispatch) = inbox.recv() => {
                    if let Some(task) = self.dispatch(client, dispatch).await {
                        tasks.spawn(task);
                    }
                }
                Some(message) = present.next() => self.hear(&message.payload),
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {}
                _ = tick.tick() => self.forget_silent(),
                else => return,
            }
        }
    }

    /// Sends something. What is left of an order is to wait until the broker has stored it.
    async fn dispatch(
        self: &Arc<Self>,
        client: &Client,
        dispatch: Dispatch,
    ) -> Option<impl Future<Output = ()> + use<>> {
        match dispatch {
            Dispatch::Over(subject) => {
                drop(client.publish(subject, Bytes::new()).await);
                None
            }
            Dispatch::Order {
                subject,
                payload,
                placement,
            } => {
                let message = PublishMessage::build().message_id(&placement.id).payload(payload);
                let sent = async_nats::jetstream::new(client.clone())
                    .send_publish(subject, message)
                    .await;
                let device = Arc::clone(self);
                Some(async move {
                    let stored = match sent {
                        Ok(acknowledged) => acknowledged.await,
                        Err(error) => Err(error),
                    };
                    if let Err(error) = stored
                        && !placement.is_lost()
                    {
                        let why = format!("the NATS server did not take it: {}", with_causes(&error));
                        device.leave(&placement, &why);
                    }
                })
            }
        }
    }

    fn placement_of(&self, message: &Message) -> Option<Arc<Placement>> {
        let id = message.subject.rsplit('.').next()?;
        self.placements.lock().get(id).cloned()
    }

    /// Lets a request of a worker in, or not. That happens in the order in which all that is heard was sent: a run claims a
    /// turn before it writes.
    fn admitted(&self, message: Message) -> Heard {
        let request: Option<Request> = serde_json::from_slice(&message.payload).ok();
        let admitted = request.and_then(|request| {
            let placement = self.placements.lock().get(&request.placement).cloned()?;
            let headers = message.headers.as_ref();
            let run = run_of(headers, &placement.key, &message.subject, &message.payload)?.to_owned();
            let is_admitted = placement.admits(&run, &request);
            Some((placement, run, request, is_admitted))
        });
        Heard { message, admitted }
    }

    fn hear(&self, payload: &[u8]) {
        let Ok(announcement) = serde_json::from_slice::<Announcement>(payload) else {
            return;
        };
        {
            let mut workers = self.workers.lock();
            if announcement.leaving {
                workers.remove(&announcement.worker);
            } else if workers.len() < WORKERS || workers.contains_key(&announcement.worker) {
                let before = workers.remove(&announcement.worker);
                workers.insert(announcement.worker.clone(), Known::new(announcement, before));
            }
        }
        self.observe();
    }

    fn forget_silent(&self) {
        self.workers
            .lock()
            .retain(|_, known| known.heard.elapsed() < SILENT);
        self.observe();
    }

    /// Says where turns are thought now.
    fn observe(&self) {
        let condition = {
            let workers = self.workers.lock();
            let fitting: Vec<_> = workers.values().map(|known| &known.announcement).collect();
            let (fitting, others): (Vec<_>, Vec<_>) =
                fitting.into_iter().partition(|worker| takes_turns(worker));
            let mut brains: Vec<String> = fitting.iter().map(|worker| worker.brain.clone()).collect();
            brains.sort();
            brains.dedup();
            match (fitting.len(), others.first()) {
                (0, Some(other)) => Condition::OtherVersion(other.version.clone()),
                (0, None) => Condition::NoWorkers,
                (workers, _) => Condition::Ready { workers, brains },
            }
        };
        self.note(&condition);
    }

    fn note(&self, condition: &Condition) {
        let is_new = self.condition.send_if_modified(|known| {
            let is_new = known != condition;
            known.clone_from(condition);
            is_new
        });
        if is_new {
            tracing::info!("{condition}");
        }
    }

    /// The connection has broken: every turn goes on here.
    fn close(&self) {
        *self.room.lock() = None;
        self.workers.lock().clear();
        let placements: Vec<_> = self.placements.lock().values().cloned().collect();
        for placement in placements {
            placement.lose("the connection to the NATS server was lost");
        }
        self.note(&Condition::Connecting);
    }
}

/// A request of a worker that was heard.
struct Heard {
    message: Message,
    /// Of which turn and run it is, and whether that run has the turn; nothing where it is none of a turn that runs.
    admitted: Option<(Arc<Placement>, String, Request, bool)>,
}

impl Heard {
    /// Answers it when that can be done, and with nothing where it is none.
    async fn answer(self, client: Client) {
        let Self { message, admitted } = self;
        let Some(reply) = message.reply else {
            return;
        };
        let (headers, payload) = match admitted {
            Some((placement, run, request, is_admitted)) => {
                let told = if is_admitted {
                    let told = timeout(PENDING, placement.deeds.told(&request.asked)).await;
                    told.unwrap_or(Told::Pending)
                } else {
                    Told::Over
                };
                let payload = serde_json::to_vec(&told).unwrap_or_default();
                let subject = reply_subject(&message.subject, request.serial);
                (sealed(&placement.key, &subject, &run, &payload), payload)
            }
            None => (HeaderMap::new(), Vec::new()),
        };
        // A worker that is not answered asks again, or leaves.
        drop(client.publish_with_headers(reply, headers, payload.into()).await);
    }
}

impl Known {
    /// What a worker said before it knew that a turn was over is not news.
    fn new(announcement: Announcement, before: Option<Self>) -> Self {
        let recent = before.filter(|before| before.given_back.is_some_and(|when| when.elapsed() < NEWS));
        let free = recent.as_ref().map_or(0, |before| before.announcement.free);
        Self {
            announcement: Announcement {
                free: announcement.free.max(free),
                ..announcement
            },
            heard: Instant::now(),
            given_back: recent.and_then(|before| before.given_back),
        }
    }
}

/// Whether it can run turns of this device.
fn takes_turns(worker: &Announcement) -> bool {
    let kind = kind_of(VERSION, &worker.brain, worker.capabilities);
    worker.version == VERSION && worker.kind == kind
}
