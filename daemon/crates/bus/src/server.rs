//! The embedded bus: what ovos-messagebus is, for a device that has none. Same port, path, greeting and echo.
//!
//! It relays every frame byte for byte to every client, the sender included, and looks into none beyond the check that a
//! relay owes its clients (SESSION-1 §2.5): a frame that is no message is dropped, a connection is not. It listens on
//! the loopback interface only, because a program that reaches a bus can drive the device. Browsers let any page connect
//! there, so pages are refused; programs send no `Origin`, or the address of the bus itself.

mod echo;
mod gate;
mod hub;
mod peer;
mod receipt;
mod ticket;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loquat_failure::Backoff;
use loquat_wire::topic;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::MAX_FRAME_BYTES;
use crate::address::{BusAddress, ROUTE};
use crate::descriptors::descriptor_limit;
use hub::Hub;
use peer::Peer;

/// Clients have this long to take the goodbye when the bus ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// The waits after the system refused to accept a connection, usually for want of file descriptors.
const ACCEPT_PAUSES: Backoff = Backoff::doubling(Duration::from_millis(100), Duration::from_secs(2));

/// Connections beyond the number of clients that get an answer at the same time; one more is closed without.
const ANSWERED: usize = 64;

/// Says where the bus listens and how much it bears.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BusServerOptions {
    /// It is a loopback address, or `localhost`.
    pub host: String,
    /// The TCP port; 0 takes a free one.
    pub port: u16,
    /// The path; any other one is not found.
    pub route: String,
    /// Says whether pages from anywhere may connect, as ovos-messagebus lets them.
    pub any_origin: bool,
    /// A second path, whose clients get back what they send and nothing else. Websocket conformance suites need one,
    /// and no other client does.
    pub echo_route: Option<String>,
    /// The limits of what the bus bears.
    pub limits: BusLimits,
}

/// Says how much the bus bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BusLimits {
    /// A frame has at most this many bytes. A client that sends more is closed with code 1009.
    pub max_frame: usize,
    /// This many frames may wait for one client.
    pub max_waiting: usize,
    /// This many bytes may wait for one client. A client that is further behind is cut off.
    pub max_waiting_bytes: usize,
    /// This many frames may wait for all clients together. Then the client that is furthest behind is cut off. A
    /// frame waits once for all of them, so that its bytes are bounded by those of one client.
    pub max_waiting_in_all: usize,
    /// This many bytes of frames may not have arrived as a whole, of all clients together, with what large frames
    /// have left allocated. Then the client with the most is closed with code 1009.
    pub max_unfinished: usize,
    /// A frame may take this long from its beginning to its end. A client that needs more is closed with code 1008.
    pub frame_patience: Duration,
    /// Clients at the same time, and never more than half of the files that the process may open. One more is refused
    /// with status 503.
    pub max_clients: usize,
}

impl Default for BusServerOptions {
    fn default() -> Self {
        let address = BusAddress::default();
        Self {
            host: address.host,
            port: address.port,
            route: ROUTE.to_owned(),
            any_origin: false,
            echo_route: None,
            limits: BusLimits::default(),
        }
    }
}

impl BusServerOptions {
    /// Takes the defaults on another port; 0 takes a free one.
    pub fn on_port(port: u16) -> Self {
        Self {
            port,
            ..Self::default()
        }
    }
}

impl Default for BusLimits {
    fn default() -> Self {
        Self {
            max_frame: MAX_FRAME_BYTES,
            // Bursts are kept, since a frame that waits is shared by all who wait for it.
            max_waiting: 256 << 10,
            max_waiting_bytes: 64 << 20,
            max_waiting_in_all: 512 << 10,
            max_unfinished: 40 << 20,
            frame_patience: Duration::from_secs(30),
            max_clients: 1024,
        }
    }
}

/// Says why the bus could not listen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BindError {
    /// Others on the network could reach it.
    #[error(
        "failed to start a bus on `{host}`: it has no access control, so only a loopback address will do, such as 127.0.0.1"
    )]
    NotLoopback {
        /// The host that was asked for.
        host: String,
    },
    /// Another program has the port already, perhaps a bus.
    #[error("failed to start a bus at {address}: the port is in use")]
    InUse {
        /// The address that was wanted.
        address: SocketAddr,
    },
    /// The system refuses.
    #[error("failed to start a bus at {address}")]
    Refused {
        /// The address that was wanted.
        address: SocketAddr,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
}

/// A bus that listens and is ready to run.
#[derive(Debug)]
pub struct EmbeddedBus {
    listener: TcpListener,
    local: SocketAddr,
    options: Arc<BusServerOptions>,
    clients: Arc<AtomicUsize>,
}

/// Clients that may wait to be let in, where the system allows so many. All of a device come at once when a bus starts
/// again, and the system lets those for whom there is no place try again after a second.
const WAITING_TO_ENTER: u32 = 4096;

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A bus that starts again finds the connections of the last one still closing.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_TO_ENTER)
}

impl EmbeddedBus {
    /// Listens, within a runtime. Clients that connect from now on wait until the bus runs.
    ///
    /// # Errors
    /// [`BindError`].
    pub fn bind(mut options: BusServerOptions) -> Result<Self, BindError> {
        let half = usize::try_from(descriptor_limit() / 2).unwrap_or(usize::MAX);
        options.limits.max_clients = options.limits.max_clients.min(half);
        if !options.route.starts_with('/') {
            options.route.insert(0, '/');
        }
        let address = SocketAddr::new(loopback(&options.host)?, options.port);
        let refused = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => BindError::InUse { address },
            _ => BindError::Refused { address, source },
        };
        let listener = listen(address).map_err(refused)?;
        let local = listener.local_addr().map_err(refused)?;
        Ok(Self {
            listener,
            local,
            options: Arc::new(options),
            clients: Arc::default(),
        })
    }

    /// Gives the address at which it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// Counts the clients that are there, as they come and go.
    pub fn clients(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.clients)
    }

    /// Clients reach the bus here. The port is the one that was bound, also where a free one was asked for.
    pub fn address(&self) -> BusAddress {
        BusAddress {
            host: self.local.ip().to_string(),
            port: self.local.port(),
            route: self.options.route.clone(),
            ssl: false,
        }
    }

    /// Serves until the token is cancelled; then every client is told goodbye. Dropping the future drops all clients.
    pub async fn run(self, stop: CancellationToken) {
        info!(address = %self.local, route = self.options.route, "the embedded bus is open");
        let hub = Arc::new(Hub::new(self.options.limits));
        let mut peers = JoinSet::new();
        let mut refusals = 0_u32;
        loop {
            self.clients.store(peers.len(), Ordering::Relaxed);
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(_) = peers.join_next() => {}
                accepted = self.listener.accept() => match accepted {
                    Ok((tcp, from)) => {
                        refusals = 0;
                        self.welcome(tcp, from, &hub, &mut peers, &stop);
                    }
                    Err(error) => {
                        refusals = refusals.saturating_add(1);
                        if refusals.is_power_of_two() {
                            warn!(%error, refusals, "the embedded bus cannot accept a connection");
                        }
                        sleep(ACCEPT_PAUSES.after(refusals - 1)).await;
                    }
                },
            }
        }
        if timeout(FAREWELL, async { while peers.join_next().await.is_some() {} })
            .await
            .is_err()
        {
            debug!(left = peers.len(), "clients did not take the goodbye in time");
            peers.shutdown().await;
        }
        info!(address = %self.local, "the embedded bus is closed");
    }

    fn welcome(
        &self,
        tcp: TcpStream,
        from: SocketAddr,
        hub: &Arc<Hub>,
        peers: &mut JoinSet<()>,
        stop: &CancellationToken,
    ) {
        let most = self.options.limits.max_clients;
        if peers.len() >= most.saturating_add(ANSWERED) {
            return debug!(%from, "closed a connection without an answer");
        }
        let full = peers.len() >= most;
        let peer = Peer::new(from, Arc::clone(hub), Arc::clone(&self.options), stop.clone());
        peers.spawn(peer.run(tcp, full));
    }
}

/// Writes the greeting of the bus, which is the first frame on every connection.
fn greeting() -> String {
    let mut greeting = loquat_wire::Message::new(topic::CONNECTED, ());
    greeting
        .context
        .insert("session", serde_json::json!({"session_id": "default"}));
    greeting.to_text()
}

fn loopback(host: &str) -> Result<IpAddr, BindError> {
    if host.eq_ignore_ascii_case("localhost") {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) if address.is_loopback() => Ok(address),
        _ => Err(BindError::NotLoopback {
            host: host.to_owned(),
        }),
    }
}
