//! The client: one actor that keeps a connection to the bus, and its settings.

mod actor;
mod connection;
mod failures;
mod handshake;
mod heard;
mod receipts;

use std::sync::Arc;
use std::time::Duration;

use loquat_wire::Vocabulary;
use tokio::sync::{mpsc, watch};

use crate::address::BusAddress;
use crate::announcements::Announcements;
use crate::bus::Bus;
use crate::outbox::{Outbox, Parcel};
use crate::shared::Shared;
use crate::state::{ConnectionState, Counters};
use crate::subscription::Subscribers;

/// An actor that has nothing to do turns this often.
const TURN: Duration = Duration::from_secs(1);

/// Says how a client behaves. The defaults suit a bus on the same machine.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClientOptions {
    /// A connection has to stand within this time.
    pub connect_timeout: Duration,
    /// After a silence of this length the bus is asked whether it lives.
    pub ping_after: Duration,
    /// The bus has this long to answer.
    pub ping_timeout: Duration,
    /// [`Bus::emit`] waits this long for room in a full queue.
    pub emit_patience: Duration,
    /// The end may take this long: sending what waits and saying goodbye.
    pub farewell: Duration,
    /// The vocabulary of topics that is spoken.
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

/// Keeps the connection: connects, announces, sends, receives, and connects again.
#[derive(Debug)]
pub struct BusActor {
    address: BusAddress,
    options: ClientOptions,
    shared: Arc<Shared>,
    outbox: mpsc::Receiver<Parcel>,
}

/// Makes a client for the bus at an address. Nothing happens before the actor runs; what is emitted earlier waits.
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
