//! The device's side: knows which workers are there, orders turns of them, tells them what came of calls, and follows what
//! they write. Never the only way to an answer: whatever fails here, the turn goes on with the device's own brain.

mod follow;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::message::PublishMessage;
use async_nats::{Client, HeaderMap, Message, Request as Envelope};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use loquat_agent::engine::Engine;
use loquat_agent::journal::Opening;
use loquat_agent::turn::{Means, Question};
use loquat_failure::{Backoff, with_causes};
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::follow::{FollowedBrain, Patience};
use crate::broker::{self, BrokerSettings, Connection};
use crate::condition::Condition;
use crate::line::reply_subject;
use crate::message::{BEGINS, BEGUN, DEVICE, Request, Told, run_of, sealed};
use crate::order::{Announcement, Order, VERSION};
use crate::placement::{Admission, Placement};
use crate::roster::{Choice, Roster, Wish};
use crate::seal::SealKey;
use crate::subjects::{Subjects, is_inbox};
use crate::witness::{WitnessedArrivals, WitnessedPerson, WitnessedToolbox};

/// The wait before the broker is looked for again.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));

/// A worker that waits for what is not known yet asks again after this.
const PENDING: Duration = Duration::from_secs(2);

/// A worker that is offered a turn has this long to say that it begins. Otherwise the turn goes into the queue.
const OFFER: Duration = Duration::from_millis(100);

/// Turns whose worker may have died are looked at this often.
const LOOK: Duration = Duration::from_millis(250);

/// Messages that wait to be sent; a turn whose order is one more stays here.
const WAITING: usize = 256;

/// The headers of an order and of its entries need this many bytes beside it.
const HEADERS: usize = 4 << 10;

/// Requests of workers that are waited with at once; one more is not answered.
const REQUESTS: usize = 512;

/// The device's own name at the broker, and how long it waits for workers.
#[derive(Debug, Clone)]
pub struct DeviceSettings {
    /// The broker through which workers are reached.
    pub broker: BrokerSettings,
    /// The name of the device, which is a part of its subjects.
    pub name: String,
    /// The brains that may think its turns, the best first; all where none is named.
    pub brains: Vec<String>,
    /// A worker has to take a turn within this time.
    pub taken: Duration,
    /// A worker may be silent for this long.
    pub silence: Duration,
    /// A worker's brain may take this long for a reply.
    pub reply: Duration,
}

#[derive(Debug)]
enum Dispatch {
    /// A turn, to the worker that had the session's last one.
    Offer {
        subject: String,
        placement: Arc<Placement>,
    },
    /// A turn, to all workers of its kind.
    Order(Arc<Placement>),
    /// Tells that a turn is over.
    Over { subject: String, headers: HeaderMap },
}

/// The device's part in turns that are thought elsewhere.
#[derive(Debug)]
pub struct Device {
    settings: DeviceSettings,
    subjects: Subjects,
    condition: watch::Sender<Condition>,
    /// The largest message that the broker takes, while there is one.
    room: Mutex<Option<usize>>,
    roster: Mutex<Roster>,
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
            roster: Mutex::default(),
            placements: Mutex::default(),
            sender,
            inbox: Mutex::new(Some(inbox)),
        })
    }

    /// Follows where turns are thought.
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
            let connected = broker::connect(&self.settings.broker, &self.settings.name);
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
        let connected = broker::connect(&self.settings.broker, &self.settings.name);
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
                self.hear(&message);
                if matches!(*self.condition.borrow(), Condition::Ready { .. }) {
                    return;
                }
            }
        };
        drop(timeout(patience, listen).await);
        self.observe();
        self.condition.borrow().clone()
    }

    /// Has a turn thought by a worker where one is free; otherwise the means are as they were. What is not urgent leaves the
    /// last free place to others.
    pub fn place(
        self: &Arc<Self>,
        engine: &Engine,
        is_urgent: bool,
        question: &Question,
        means: Means,
    ) -> Means {
        let Some((choice, room)) = self.choose(question, is_urgent) else {
            return means;
        };
        let worker = &choice.worker;
        let order = Order {
            version: VERSION.to_owned(),
            placement: Uuid::new_v4().simple().to_string(),
            device: self.settings.name.clone(),
            key: SealKey::draw().as_str().to_owned(),
            grows: means.arrivals.is_some(),
            opening: Opening::for_brain(engine, question, &means, &worker.brain, worker.capabilities),
        };
        let payload = serde_json::to_vec(&order).unwrap_or_default();
        if payload.is_empty() || payload.len() > room.saturating_sub(HEADERS) {
            tracing::info!(
                bytes = payload.len(),
                "a turn is too large for the broker and runs here"
            );
            self.roster.lock().give_back(&worker.worker);
            return means;
        }
        let placement = self.placed(&order, &choice, payload.into());
        let dispatch = if choice.is_warm {
            Dispatch::Offer {
                subject: self.subjects.offers(&order.device, &worker.worker),
                placement: Arc::clone(&placement),
            }
        } else {
            Dispatch::Order(Arc::clone(&placement))
        };
        if self.sender.try_send(dispatch).is_err() {
            placement.lose("too much waits to be sent to the NATS server");
        }
        self.followed(means, placement, choice.worker, &question.session_id)
    }

    fn placed(&self, order: &Order, choice: &Choice, payload: Bytes) -> Arc<Placement> {
        let (id, Choice { worker, is_warm }) = (&order.placement, choice);
        let placement = Arc::new(Placement::new(
            id.clone(),
            SealKey::of_order(&order.key),
            &worker.worker,
            self.subjects.of_turn(&worker.kind, &order.device, id),
            payload,
            *is_warm,
        ));
        self.placements.lock().insert(id.clone(), Arc::clone(&placement));
        placement
    }

    fn followed(
        self: &Arc<Self>,
        means: Means,
        placement: Arc<Placement>,
        worker: Announcement,
        session: &str,
    ) -> Means {
        let deeds = Arc::clone(&placement.deeds);
        // Behind a worker that hangs there has to be time for the device's own brain.
        let reply = self.settings.reply.min(means.budget.deadline() / 2);
        let toolboxes = means.toolboxes.into_iter();
        let arrivals = means.arrivals.map(|inner| {
            let deeds = Arc::clone(&deeds);
            Arc::new(WitnessedArrivals { inner, deeds }) as _
        });
        let person = means.person.map(|inner| {
            let deeds = Arc::clone(&deeds);
            Arc::new(WitnessedPerson { inner, deeds }) as _
        });
        Means {
            toolboxes: toolboxes
                .map(|inner| WitnessedToolbox::of(inner, &deeds))
                .collect(),
            arrivals,
            // The worker has none, and the turn here has to follow it.
            grammar: None,
            person,
            brain: Arc::new(FollowedBrain {
                name: worker.brain,
                capabilities: worker.capabilities,
                session: session.to_owned(),
                own: means.brain,
                placement,
                device: Arc::clone(self),
                patience: Patience {
                    taken: self.settings.taken,
                    silence: self.settings.silence,
                    reply,
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

    /// A turn goes on here because of the worker that has it, or that was asked where none has. The next turns do not wait for
    /// that one again.
    pub(crate) fn fail(&self, placement: &Placement, why: &str) {
        let thinker = placement.thinker();
        let worker = thinker.as_ref().unwrap_or(&placement.worker);
        self.roster.lock().shun(worker);
        self.observe();
        self.leave(placement, why);
    }

    /// A turn is over; the worker that had it to the end has the words of its session in its cache.
    pub(crate) fn end(&self, placement: &Placement, session: &str) {
        let was_theirs = placement.lose("the turn is over");
        if self.placements.lock().remove(&placement.id).is_some() {
            self.over(placement);
            let mut roster = self.roster.lock();
            let thinker = placement.thinker();
            roster.give_back(thinker.as_ref().unwrap_or(&placement.worker));
            if let Some(worker) = thinker.filter(|_| was_theirs) {
                roster.remember(session, &worker);
            }
        }
    }

    /// A worker that is not told finds out when it asks.
    fn over(&self, placement: &Placement) {
        let subject = self.subjects.over(&self.settings.name, &placement.id);
        let headers = sealed(&placement.key, &subject, DEVICE, &[]);
        drop(self.sender.try_send(Dispatch::Over { subject, headers }));
    }

    fn choose(&self, question: &Question, is_urgent: bool) -> Option<(Choice, usize)> {
        let room = (*self.room.lock())?;
        let wish = Wish {
            session: &question.session_id,
            is_urgent,
            brains: &self.settings.brains,
        };
        Some((self.roster.lock().choose(wish)?, room))
    }

    /// Does everything over one connection, until it breaks.
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
        let mut tick = interval(LOOK);
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
                Some(message) = present.next() => self.hear(&message),
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {}
                _ = tick.tick() => self.look_around(),
                else => return,
            }
        }
    }

    /// Sends something. What is left of a turn is to wait until a worker or the queue has it.
    async fn dispatch(
        self: &Arc<Self>,
        client: &Client,
        dispatch: Dispatch,
    ) -> Option<BoxFuture<'static, ()>> {
        match dispatch {
            Dispatch::Over { subject, headers } => {
                drop(client.publish_with_headers(subject, headers, Bytes::new()).await);
                None
            }
            Dispatch::Offer { subject, placement } => {
                let offer = Envelope::new()
                    .payload(placement.order.clone())
                    .timeout(Some(OFFER));
                let (client, device) = (client.clone(), Arc::clone(self));
                Some(Box::pin(async move {
                    let said = client.send_request(subject, offer).await;
                    if !said.is_ok_and(|said| said.payload == BEGINS) {
                        device.queue(&placement);
                    }
                }))
            }
            Dispatch::Order(placement) => self.ordered(client, placement).await,
        }
    }

    /// Puts a turn into the queue; once.
    async fn ordered(
        self: &Arc<Self>,
        client: &Client,
        placement: Arc<Placement>,
    ) -> Option<BoxFuture<'static, ()>> {
        let is_begun = placement.is_offered;
        if !placement.is_to_be_queued() {
            return None;
        }
        let mut message = PublishMessage::build()
            .message_id(&placement.id)
            .payload(placement.order.clone());
        if is_begun {
            message = message.header(BEGUN, "1");
        }
        let sent = async_nats::jetstream::new(client.clone())
            .send_publish(placement.subjects.queue.clone(), message)
            .await;
        let device = Arc::clone(self);
        Some(Box::pin(async move {
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
        }))
    }

    /// The worker that a turn was offered to does not have it, or is silent.
    fn queue(&self, placement: &Arc<Placement>) {
        let dispatch = Dispatch::Order(Arc::clone(placement));
        if self.sender.try_send(dispatch).is_err() {
            self.leave(placement, "too much waits to be sent to the NATS server");
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
            let admission = placement.admits(&run, &request);
            Some((placement, run, request, admission))
        });
        Heard { message, admitted }
    }

    /// A worker speaks of itself alone: the end of the subject is what the server lets it say.
    fn hear(&self, message: &Message) {
        let Ok(announcement) = serde_json::from_slice::<Announcement>(&message.payload) else {
            return;
        };
        let own = announcement.worker.split_once('.').map(|(name, _)| name);
        if own == message.subject.rsplit('.').next() {
            self.roster.lock().hear(announcement);
            self.observe();
        }
    }

    /// Forgets who is silent, and has the turns of those that died put into the queue.
    fn look_around(&self) {
        self.roster.lock().forget_silent();
        self.observe();
        let placements: Vec<_> = self.placements.lock().values().cloned().collect();
        for placement in placements {
            if placement.needs_successor() {
                self.queue(&placement);
            }
        }
    }

    /// Says where turns are thought now.
    fn observe(&self) {
        let condition = self.roster.lock().condition(&self.settings.brains);
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
        self.roster.lock().clear();
        let placements: Vec<_> = self.placements.lock().values().cloned().collect();
        for placement in placements {
            self.leave(&placement, "the connection to the NATS server was lost");
        }
        self.note(&Condition::Connecting);
    }
}

/// A request of a worker that was heard.
struct Heard {
    message: Message,
    /// The turn and the run of the request, and whether that run has the turn; absent where no such turn runs.
    admitted: Option<(Arc<Placement>, String, Request, Admission)>,
}

impl Heard {
    /// Answers it when that can be done, and not at all where it is none.
    async fn answer(self, client: Client) {
        let Self { message, admitted } = self;
        // Another device may have this one's name and the turn; and what is said into no inbox could be an order to the server.
        let (Some(reply), Some((placement, run, request, admission))) = (message.reply, admitted) else {
            return;
        };
        if !is_inbox(&reply, None) {
            return;
        }
        let told = match admission {
            Admission::Admitted => {
                let told = timeout(PENDING, placement.deeds.told(&request.asked)).await;
                told.unwrap_or(Told::Pending)
            }
            Admission::Taken => Told::Taken,
            Admission::Over => Told::Over,
        };
        let payload = serde_json::to_vec(&told).unwrap_or_default();
        let subject = reply_subject(&message.subject, request.serial);
        let headers = sealed(&placement.key, &subject, &run, &payload);
        // A worker that is not answered asks again, or leaves.
        drop(client.publish_with_headers(reply, headers, payload.into()).await);
    }
}
