//! How the connection is doing, and why it is not. Never acts on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use thiserror::Error;

/// Says what the connection to the bus is doing.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ConnectionState {
    /// A connection is being made.
    Connecting {
        /// Failed attempts since the bus was last heard, 0 for the first.
        attempt: u32,
    },
    /// The bus answers, and what was announced has been sent.
    Connected {
        /// Counts the connections from 1 on, which tells a new one from the one before.
        connection: u64,
    },
    /// There is no connection, and another attempt follows.
    Disconnected {
        /// Says why the last attempt failed or the last connection broke.
        error: Arc<ConnectError>,
        /// Failed attempts since the bus was last heard.
        attempt: u32,
        /// The wait before the next one.
        retry_in: Duration,
    },
    /// The actor has ended; nothing more is sent or received.
    Stopped,
}

impl ConnectionState {
    /// Tells whether messages travel.
    pub fn is_connected(&self) -> bool {
        matches!(self, Self::Connected { .. })
    }
}

/// Says why there is no connection to the bus.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// No program answers at the address.
    #[error("failed to reach a bus at {url}; is ovos-messagebus running?")]
    Unreachable {
        /// The bus was expected at this address.
        url: String,
        /// The operating system says this.
        #[source]
        source: std::io::Error,
    },
    /// A program answers, but not in time.
    #[error("failed to connect to {url} within {} s", limit.as_secs())]
    TimedOut {
        /// The bus was expected at this address.
        url: String,
        /// The limit that was passed.
        limit: Duration,
    },
    /// The program that answers is no bus, or has it under another path.
    #[error("failed to open a websocket at {url}; check host, port and route of the bus")]
    Refused {
        /// The bus was expected at this address.
        url: String,
        /// The handshake failed for this reason.
        #[source]
        source: Box<tokio_tungstenite::tungstenite::Error>,
    },
    /// The address wants TLS.
    #[error("failed to connect to {url}: TLS is not supported; set `ssl` of the bus to false")]
    TlsUnsupported {
        /// The bus was expected at this address.
        url: String,
    },
    /// The bus ended the connection.
    #[error("the bus at {url} closed the connection{}", code.map(|code| format!(" with code {code}")).unwrap_or_default())]
    Closed {
        /// The bus was expected at this address.
        url: String,
        /// The code of its close frame, absent when it just went away.
        code: Option<u16>,
    },
    /// The connection broke.
    #[error("the connection to the bus at {url} broke")]
    Broken {
        /// The bus was expected at this address.
        url: String,
        /// The websocket broke for this reason.
        #[source]
        source: Box<tokio_tungstenite::tungstenite::Error>,
    },
    /// The bus holds the connection but says nothing, not even to a ping.
    #[error("the bus at {url} has been silent for {} s", silent.as_secs())]
    Dead {
        /// The bus was expected at this address.
        url: String,
        /// Nothing was heard for this long.
        silent: Duration,
    },
}

/// Counts what went wrong without stopping anything since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Counts frames that were no messages.
    pub bad_frames: u64,
    /// Counts frames that a slow subscriber did not get.
    pub missed_by_subscribers: u64,
    /// The frames that were given up because every connection that carried them broke.
    pub undeliverable: u64,
    /// The connections that were made.
    pub connections: u64,
}

/// The counters behind [`Counts`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) bad_frames: AtomicU64,
    pub(crate) missed_by_subscribers: AtomicU64,
    pub(crate) undeliverable: AtomicU64,
    pub(crate) connections: AtomicU64,
}

impl Counters {
    pub(crate) fn read(&self) -> Counts {
        Counts {
            bad_frames: self.bad_frames.load(Ordering::Relaxed),
            missed_by_subscribers: self.missed_by_subscribers.load(Ordering::Relaxed),
            undeliverable: self.undeliverable.load(Ordering::Relaxed),
            connections: self.connections.load(Ordering::Relaxed),
        }
    }
}

/// Adds one and tells whether the count is one worth a line in the log: 1, 10, 100 and so on.
pub(crate) fn count_and_tell(counter: &AtomicU64) -> Option<u64> {
    let count = counter.fetch_add(1, Ordering::Relaxed) + 1;
    (10_u64.pow(count.ilog10()) == count).then_some(count)
}
