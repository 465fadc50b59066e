//! What the page is called: the hosts and origins that are its own, and the address that lets a browser enter. A request for
//! any other host is of a web page that has another name point here.

use std::net::{IpAddr, SocketAddr};

use super::settings::Page;

/// The page's own names.
#[derive(Debug)]
pub(super) struct OwnAddress {
    scheme: &'static str,
    /// With the port, as browsers write them.
    hosts: Vec<String>,
}

impl OwnAddress {
    /// Makes the names of a page that is served here.
    pub(super) fn new(settings: &Page, address: SocketAddr) -> Self {
        let scheme = if settings.has_tls() { "https" } else { "http" };
        let literal = |address: IpAddr| match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let named = settings.names.iter().map(|name| name.to_lowercase());
        let own = Some(address.ip())
            .filter(|own| !own.is_unspecified())
            .map(literal);
        let usual = ["127.0.0.1", "localhost", "[::1]"].map(str::to_owned);
        let hosts = named.chain(own).chain(usual);
        // The port of the scheme is left out by browsers.
        let is_usual = (scheme, address.port()) == ("https", 443) || (scheme, address.port()) == ("http", 80);
        let with_port = |host: String| {
            if is_usual {
                host
            } else {
                format!("{host}:{}", address.port())
            }
        };
        Self {
            scheme,
            hosts: hosts.map(with_port).collect(),
        }
    }

    /// Lists the names without the port.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |host: &String| match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name.to_owned(),
            _ => host.clone(),
        };
        self.hosts.iter().map(name).collect()
    }

    /// Lists the origins of its own pages.
    pub(super) fn origins(&self) -> Vec<String> {
        let origin = |host: &String| format!("{}://{host}", self.scheme);
        self.hosts.iter().map(origin).collect()
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.scheme == "https"
    }

    /// Tells whether a request for this host is meant for the page.
    pub(super) fn is_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }

    /// Tells whether a request of this origin is of the page itself, which was reached at this host.
    pub(super) fn is_origin(&self, origin: &str, host: &str) -> bool {
        origin
            .strip_prefix(self.scheme)
            .and_then(|rest| rest.strip_prefix("://"))
            .is_some_and(|from| from.eq_ignore_ascii_case(host))
    }

    /// Gives the address that lets a browser enter with this token.
    pub(super) fn entry(&self, token: &str) -> String {
        format!("{}?token={token}", self.door())
    }

    /// Gives the address where browsers enter.
    pub(super) fn door(&self) -> String {
        format!("{}/enter", self.root())
    }

    /// Gives the address of the page.
    pub(super) fn root(&self) -> String {
        let host = self.hosts.first().map_or("localhost", String::as_str);
        format!("{}://{host}", self.scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_names_are_its_own() {
        let page = Page {
            names: vec!["Kitchen.local".to_owned()],
            ..Page::default()
        };
        let own = OwnAddress::new(&page, "127.0.0.1:8300".parse().unwrap());
        for host in [
            "127.0.0.1:8300",
            "LOCALHOST:8300",
            "[::1]:8300",
            "kitchen.local:8300",
        ] {
            assert!(own.is_host(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "localhost:80",
            "evil.example:8300",
            "localhost:8300.evil",
            "",
        ] {
            assert!(!own.is_host(host), "{host}");
        }
        assert!(own.is_origin("http://localhost:8300", "localhost:8300"));
        for origin in [
            "https://localhost:8300",
            "http://127.0.0.1:8300",
            "null",
            "http://localhost:83000",
        ] {
            assert!(!own.is_origin(origin, "localhost:8300"), "{origin}");
        }
        assert_eq!(own.entry("t"), "http://kitchen.local:8300/enter?token=t");
    }
}
