//! The door for Home Assistant: the Wyoming protocol over TCP, by which its voice devices are answered by the persona of
//! this device, and heard by its whisper.
//!
//! The protocol knows no passwords, so only this machine and those that the settings name come in. Everything is bounded:
//! connections, what they say, what waits for them and how long. What they say enters over the bus, as everything does.

mod check;
mod connection;
mod conversations;
mod event;
mod field;
mod late;
mod offer;
mod part;
mod service;
mod sessions;
pub mod settings;
mod talks;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Subscription};
use loquat_connections::{Connections, Requests};
use loquat_failure::Backoff;
use loquat_transcription::Ladder;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use self::connection::Connection;
use self::conversations::Conversations;
use self::offer::Offer;
pub use self::part::WyomingPart;
use self::service::Service;
use self::settings::Wyoming as Settings;

/// Connections that are served at once. One more takes the place of the oldest on which nothing is asked, and is told that we
/// are busy where there is none.
const CONNECTIONS: usize = 32;

/// A peer that has just come may be about to say something, and gives its place to no other for this long.
const GRACE: Duration = Duration::from_secs(1);

/// Connections that are being told so; one more is closed without a word.
const REFUSALS: usize = 32;

/// Between one try to listen and the next, and after connections that could not be taken.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));

/// The log tells of peers that are not let in this often.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// The listening door, with what all its connections share.
#[derive(Debug)]
struct Wyoming {
    listen: SocketAddr,
    settings: Settings,
    service: Arc<Service>,
    frames: Subscription,
    given_up: mpsc::Receiver<String>,
}

#[derive(Debug)]
struct Peers {
    served: Connections,
    refused: JoinSet<()>,
    told: Option<Instant>,
}

impl Wyoming {
    /// A door that listens here, and is not open yet. Recordings are turned into text by this ladder, as long as the ear listens.
    fn new(
        listen: SocketAddr,
        settings: &Settings,
        bus: Bus,
        offer: Offer,
        ladder: Option<Ladder>,
        longest: Duration,
    ) -> Self {
        let (conversations, given_up) = Conversations::new(bus, &offer.lang);
        let frames = conversations.subscribe();
        Self {
            listen,
            settings: settings.clone(),
            service: Arc::new(Service::new(conversations, ladder, offer, longest)),
            frames,
            given_up,
        }
    }

    /// Serves until cancelled; then all connections end.
    async fn run(self, cancel: CancellationToken) {
        let Self {
            listen,
            settings,
            service,
            frames,
            given_up,
        } = self;
        let hear = service.conversations.hear(frames, given_up, cancel.clone());
        let open = cancel.run_until_cancelled(open(listen, &settings, &service));
        tokio::join!(hear, open);
    }
}

/// Listens, and tries again where that fails.
async fn open(listen: SocketAddr, settings: &Settings, service: &Arc<Service>) {
    for tries in 0.. {
        match TcpListener::bind(listen).await {
            Ok(listener) => {
                tracing::info!(%listen, "Wyoming is listened for");
                return accept(&listener, settings, service).await;
            }
            Err(error) => {
                tracing::warn!(%listen, %error, "failed to listen for Wyoming; set wyoming.listen to an address of this \
                                                 machine and a free port");
                sleep(AGAIN.after(tries)).await;
            }
        }
    }
}

async fn accept(listener: &TcpListener, settings: &Settings, service: &Arc<Service>) {
    let mut peers = Peers::new();
    let mut failures = 0;
    loop {
        tokio::select! {
            broken = peers.served.ended() => broken.iter().for_each(tell_broken),
            Some(ended) = peers.refused.join_next() => ended.err().iter().for_each(tell_broken),
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    failures = 0;
                    peers.take(stream, peer.ip().to_canonical(), settings, service);
                }
                Err(error) => {
                    tracing::warn!(%error, "failed to take a connection of Wyoming");
                    sleep(AGAIN.after(failures)).await;
                    failures += 1;
                }
            },
        }
    }
}

fn tell_broken(error: &JoinError) {
    tracing::error!(%error, "a connection of Wyoming broke");
}

impl Peers {
    fn new() -> Self {
        Self {
            served: Connections::new(CONNECTIONS, GRACE),
            refused: JoinSet::new(),
            told: None,
        }
    }

    fn take(&mut self, stream: TcpStream, peer: IpAddr, settings: &Settings, service: &Arc<Service>) {
        if !settings.lets_in(peer) {
            return self.tell_stranger(peer);
        }
        stream.set_nodelay(true).ok();
        let requests = Requests::default();
        let connection = Connection::new(stream, peer, requests.clone(), Arc::clone(service));
        if self.served.has_room() {
            self.served.serve(requests, connection.serve());
        } else if self.refused.len() < REFUSALS {
            self.refused.spawn(connection.refuse());
        }
    }

    fn tell_stranger(&mut self, peer: IpAddr) {
        if self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            tracing::warn!(%peer, "a machine that wyoming.allow does not name is not let in");
            self.told = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests;
