//! The client: one actor that keeps a connection to the bus, and its settings.

mod actor;
mod connection;
mod failures;
mod handshake;
mod heard;
mod receipts;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loquat_wire::Vocabulary;
use tokio::sync::{mpsc, watch};

use crate::address::BusAddress;
use crate::announcements::Announcements;
use crate::bus::Bus;
use crate::outbox::{Outbox, Parcel};
use crate::state::{ConnectionState, Counters};
use crate::subscription::Subscribers;

/// How often an actor that has nothing to do turns.
const TURN: Duration = Duration::from_secs(1);

/// How a client behaves. The defaults suit a bus on the same machine.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClientOptions {
    /// How long a connection may take to stand.
    pub connect_timeout: Duration,
    /// After how long a silence the bus is asked whether it lives.
    pub ping_after: Duration,
    /// How long it has to answer.
    pub ping_timeout: Duration,
    /// How long [`Bus::emit`] waits for room in a full queue.
    pub emit_patience: Duration,
    /// How long the end may take: sending what waits and saying goodbye.
    pub farewell: Duration,
    /// In which topics is spoken.
    pub vocabulary: Vocabulary,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            // A bus in Python that is loading plug-ins can be busy for seconds.
            ping_after: Duration::from_secs(15),
            ping_timeout: Duration::from_secs(10),
            emit_patience: Duration::from_secs(5),
            farewell: Duration::from_secs(2),
            vocabulary: Vocabulary::Both,
        }
    }
}

/// What the handle and the actor share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) subscribers: Subscribers,
    pub(crate) announcements: Announcements,
    pub(crate) counters: Counters,
    pub(crate) state: watch::Sender<ConnectionState>,
    /// Advanced whenever the actor turns, at least once a second.
    pub(crate) pulse: Arc<AtomicU64>,
}

impl Shared {
    pub(crate) fn beat(&self) {
        self.pulse.fetch_add(1, Ordering::Relaxed);
    }
}

/// Keeps the connection: connects, announces, sends, receives, and connects again.
#[derive(Debug)]
pub struct BusActor {
    address: BusAddress,
    options: ClientOptions,
    shared: Arc<Shared>,
    outbox: mpsc::Receiver<Parcel>,
}

/// A client for the bus at an address. Nothing happens before the actor runs; what is emitted earlier waits.
pub fn client(address: BusAddress, options: ClientOptions) -> (Bus, BusActor) {
    let (state, _) = watch::channel(ConnectionState::Connecting { attempt: 0 });
    let shared = Arc::new(Shared {
        subscribers: Subscribers::default(),
        announcements: Announcements::default(),
        counters: Counters::default(),
        state,
        pulse: Arc::default(),
    });
    let (sender, outbox) = Outbox::new(options.emit_patience, options.vocabulary);
    let bus = Bus::new(Arc::clone(&shared), sender);
    let actor = BusActor {
        address,
        options,
        shared,
        outbox,
    };
    (bus, actor)
}
