//! The address of the message bus.

use std::fmt;
use std::net::IpAddr;

/// Where the bus is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusAddress {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Path, with a leading slash.
    pub route: String,
    /// Whether the connection is encrypted.
    pub ssl: bool,
}

impl BusAddress {
    /// Whether it is on this machine for sure, judging by the text alone.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        host.eq_ignore_ascii_case("localhost")
            || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

impl fmt::Display for BusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            host,
            port,
            route,
            ssl,
        } = self;
        let scheme = if *ssl { "wss" } else { "ws" };
        if host.contains(':') && !host.starts_with('[') {
            write!(f, "{scheme}://[{host}]:{port}{route}")
        } else {
            write!(f, "{scheme}://{host}:{port}{route}")
        }
    }
}
