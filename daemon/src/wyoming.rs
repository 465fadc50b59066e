//! The door for Home Assistant: the Wyoming protocol over TCP, by which its voice devices are answered by the persona of
//! this device, and heard by its whisper.
//!
//! The protocol knows no passwords, so only this machine and those that the settings name come in. Everything is bounded:
//! connections, what they say, what waits for them and how long. What they say enters over the bus, as everything does.

mod connection;
mod conversations;
mod event;
mod field;
mod late;
mod offer;
mod service;
mod sessions;
mod talks;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Subscription};
use loquat_failure::Backoff;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use self::connection::Connection;
use self::conversations::Conversations;
pub use self::offer::Offer;
use self::service::Service;
use crate::settings::Wyoming as Settings;
use crate::transcription::Ladder;

/// Connections that are served at once; one more is told that we are busy.
const CONNECTIONS: usize = 32;

/// Connections that are being told so; one more is closed without a word.
const REFUSALS: usize = 32;

/// Between one try to listen and the next, and after connections that could not be taken.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));

/// How often the log tells of peers that are not let in.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// The door.
#[derive(Debug)]
pub struct Wyoming {
    listen: SocketAddr,
    settings: Settings,
    service: Arc<Service>,
    frames: Subscription,
    given_up: mpsc::Receiver<String>,
}

/// The connections that there are.
#[derive(Debug, Default)]
struct Connections {
    served: JoinSet<()>,
    refused: JoinSet<()>,
    told: Option<Instant>,
}

impl Wyoming {
    /// A door that listens here, and is not open yet. Recordings are turned into text by this ladder, as long as the ear listens.
    pub fn new(
        (listen, settings): (SocketAddr, &Settings),
        bus: Bus,
        offer: Offer,
        (ladder, longest): (Option<Ladder>, Duration),
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
    pub async fn run(self, cancel: CancellationToken) {
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
    let mut connections = Connections::default();
    let mut failures = 0;
    loop {
        tokio::select! {
            Some(ended) = connections.served.join_next() => tell_broken(ended),
            Some(ended) = connections.refused.join_next() => tell_broken(ended),
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    failures = 0;
                    connections.take(stream, peer.ip().to_canonical(), settings, service);
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

fn tell_broken(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection of Wyoming broke");
    }
}

impl Connections {
    fn take(&mut self, stream: TcpStream, peer: IpAddr, settings: &Settings, service: &Arc<Service>) {
        if !settings.lets_in(peer) {
            return self.tell_stranger(peer);
        }
        stream.set_nodelay(true).ok();
        let connection = Connection::new(stream, peer, Arc::clone(service));
        if self.served.len() < CONNECTIONS {
            self.served.spawn(connection.serve());
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
