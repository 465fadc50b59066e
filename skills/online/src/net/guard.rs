//! Judges where a page may lie: its address as it is written, and every address that its host's name stands for.
//!
//! The addresses that are judged are those that are connected, so that a name which changes its mind gains nothing. Reads no
//! proxy of the environment, behind which no address could be judged.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address;
use super::fault::Fault;

/// Ports on which pages are served.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// A longer address is none that a person or a page names.
const LONGEST: usize = 2048;

/// Asks the name service.
pub(crate) type Lookup = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// Why a page is not fetched, as what is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("has no address of the form https://example.org/page")]
    NoAddress,
    #[error("is neither http nor https")]
    Scheme,
    #[error("has a user name or a password in its address")]
    UserInfo,
    #[error("has a port on which no pages are served")]
    Port,
    #[error("lies in a private network, or in that of this device")]
    Private,
    #[error("sends on too often")]
    Redirects,
    #[error("is not for machines, as its site's rules say")]
    Robots,
    #[error("is no text")]
    NoText,
    #[error("is built in a way that cannot be read")]
    Unreadable,
    #[error("{0}")]
    Fault(#[from] Fault),
}

/// A name stands for no address of the world.
#[derive(Debug, thiserror::Error)]
#[error("lies in a private network, or in that of this device")]
struct Private;

/// The rules for pages. Clones share them.
#[derive(Clone)]
pub(crate) struct Guard {
    lookup: Lookup,
    pub(crate) is_public: fn(IpAddr) -> bool,
    is_port: fn(u16) -> bool,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}

impl Default for Guard {
    fn default() -> Self {
        let lookup = |name: String| -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
            Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
        };
        Self {
            lookup: Arc::new(lookup),
            is_public: address::is_public,
            is_port: |port| PORTS.contains(&port),
        }
    }
}

impl Guard {
    /// With names, addresses and ports that a test decides on.
    #[cfg(test)]
    pub(crate) fn with(lookup: Lookup, is_public: fn(IpAddr) -> bool, is_port: fn(u16) -> bool) -> Self {
        Self {
            lookup,
            is_public,
            is_port,
        }
    }

    /// The address that a text is, if it may be asked.
    pub(crate) fn read(&self, text: &str) -> Result<Url, Refusal> {
        if text.len() > LONGEST {
            return Err(Refusal::NoAddress);
        }
        let url = Url::parse(text).map_err(|_| Refusal::NoAddress)?;
        self.admit(&url)?;
        Ok(url)
    }

    /// Where a page at this address sends on to.
    pub(crate) fn forwarded(&self, from: &Url, location: &str) -> Result<Url, Refusal> {
        if location.len() > LONGEST {
            return Err(Refusal::NoAddress);
        }
        let url = from.join(location).map_err(|_| Refusal::NoAddress)?;
        self.admit(&url)?;
        // What was asked in private is not asked again in the open.
        if from.scheme() == "https" && url.scheme() != "https" {
            return Err(Refusal::Scheme);
        }
        Ok(url)
    }

    /// A host that is written as a number is judged here, for such a host is never looked up; a name is judged when it is.
    fn admit(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::UserInfo);
        }
        let host = url.host_str().ok_or(Refusal::NoAddress)?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.parse().is_ok_and(|address| !(self.is_public)(address)) {
            return Err(Refusal::Private);
        }
        if !url.port_or_known_default().is_some_and(self.is_port) {
            return Err(Refusal::Port);
        }
        Ok(())
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let found = (self.lookup)(name.as_str().to_owned());
        let is_public = self.is_public;
        Box::pin(async move {
            let mut found = found.await?;
            found.retain(|address| is_public(address.ip()));
            if found.is_empty() {
                return Err(Private.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

impl From<&reqwest::Error> for Refusal {
    fn from(error: &reqwest::Error) -> Self {
        let mut cause = std::error::Error::source(error);
        while let Some(error) = cause {
            if error.is::<Private>() {
                return Self::Private;
            }
            cause = error.source();
        }
        Self::Fault(error.into())
    }
}
