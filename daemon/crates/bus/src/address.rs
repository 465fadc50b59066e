//! Where a bus is. Never connects.

use std::net::IpAddr;

/// The path under which every OVOS bus is found.
pub const ROUTE: &str = "/core";

/// The address of a bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusAddress {
    /// Name or IP address.
    pub host: String,
    /// It listens on this TCP port.
    pub port: u16,
    /// The path, which begins with a slash.
    pub route: String,
    /// Says whether the bus wants TLS, which the client refuses with [`TlsUnsupported`](crate::ConnectError).
    pub ssl: bool,
}

impl Default for BusAddress {
    /// OVOS has its bus there unless it is configured otherwise.
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 8181,
            route: ROUTE.to_owned(),
            ssl: false,
        }
    }
}

impl BusAddress {
    /// Names a bus on this machine, without TLS, under the usual path.
    pub fn local(port: u16) -> Self {
        Self {
            port,
            ..Self::default()
        }
    }

    /// Writes the address as people do, `ws://127.0.0.1:8181/core`.
    pub fn url(&self) -> String {
        let scheme = if self.ssl { "wss" } else { "ws" };
        let slash = if self.route.starts_with('/') { "" } else { "/" };
        format!("{scheme}://{}{slash}{}", self.authority(), self.route)
    }

    /// Writes host and port, with an IPv6 address in brackets.
    pub(crate) fn authority(&self) -> String {
        let host = self.bare_host();
        if host.contains(':') {
            format!("[{host}]:{}", self.port)
        } else {
            format!("{host}:{}", self.port)
        }
    }

    /// Gives the host without the brackets of an IPv6 address.
    pub(crate) fn bare_host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    /// Tells whether the bus is reached without a network.
    pub fn is_of_this_machine(&self) -> bool {
        is_loopback(&self.host)
    }
}

/// Tells whether a host, in whose name an IPv6 address may have brackets, is this machine for sure.
pub(crate) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_ours = |address: IpAddr| address.to_canonical().is_loopback();
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(is_ours)
}

impl std::fmt::Display for BusAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_names_scheme_host_port_and_route() {
        assert_eq!(BusAddress::default().url(), "ws://127.0.0.1:8181/core");
        let address = BusAddress {
            host: "::1".to_owned(),
            port: 9000,
            route: "gui".to_owned(),
            ssl: true,
        };
        assert_eq!(address.url(), "wss://[::1]:9000/gui");
    }

    #[test]
    fn a_bus_of_this_machine_is_known_by_its_host() {
        for (host, is_of_this_machine) in [
            ("127.0.0.1", true),
            ("[::1]", true),
            ("::1", true),
            ("127.8.8.8", true),
            ("Localhost", true),
            ("0.0.0.0", false),
            ("192.168.1.20", false),
            ("localhost.example.org", false),
        ] {
            let address = BusAddress {
                host: host.to_owned(),
                ..BusAddress::default()
            };
            assert_eq!(address.is_of_this_machine(), is_of_this_machine, "{host}");
        }
    }
}
