//! Where a brain is found, and how it may be shown: never with user, password or query.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use reqwest::Url;

use crate::settings::BrainSettingsError;

/// The last two segments of the endpoint, which persona files write or leave out as they like.
const ENDPOINT: &str = "/chat/completions";

/// A brain's address in all the forms it is needed in.
#[derive(Clone)]
pub(crate) struct Address {
    endpoint: Url,
    socket: Option<PathBuf>,
    shown: String,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Address {
    /// Reads what a persona file says.
    pub(crate) fn parse(api_url: &str) -> Result<Self, BrainSettingsError> {
        let api_url = api_url.trim();
        let refuse = |reason: &str| BrainSettingsError::Address {
            api_url: without_secrets(api_url),
            reason: reason.to_owned(),
        };
        if let Some(path) = api_url.strip_prefix("unix:") {
            return Self::of_socket(path).ok_or_else(|| refuse("the path of the socket has to be absolute"));
        }
        let url = Url::parse(api_url).map_err(|error| refuse(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("it does not begin with http:// or https://"));
        }
        Ok(Self::of_url(url))
    }

    /// A socket's address needs a host that is never looked up.
    fn of_socket(path: &str) -> Option<Self> {
        let path = path.strip_prefix("//").unwrap_or(path);
        let socket = Path::new(path);
        Some(Self {
            endpoint: Url::parse("http://localhost/v1/chat/completions").ok()?,
            socket: socket.is_absolute().then(|| socket.to_path_buf()).map(Some)?,
            shown: format!("unix:{path}"),
        })
    }

    fn of_url(mut url: Url) -> Self {
        let base = url.path().trim_end_matches('/');
        let base = base.strip_suffix(ENDPOINT).unwrap_or(base).to_owned();
        url.set_path(&format!("{base}{ENDPOINT}"));
        url.set_fragment(None);
        let shown = format!("{}{base}", url.origin().ascii_serialization());
        Self {
            endpoint: url,
            socket: None,
            shown,
        }
    }

    pub(crate) fn endpoint(&self) -> Url {
        self.endpoint.clone()
    }

    /// The address at which a server of llama.cpp's kind says whether it is ready.
    pub(crate) fn health(&self) -> Url {
        let mut url = self.endpoint.clone();
        url.set_path("/health");
        url
    }

    /// The Unix socket, if it is one.
    pub(crate) fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Tells whether what we say stays in the clear, so that no certificates are needed.
    pub(crate) fn is_plain(&self) -> bool {
        self.endpoint.scheme() == "http"
    }

    /// The server's name or address, without brackets.
    fn host(&self) -> &str {
        let host = self.endpoint.host_str().unwrap_or_default();
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// Tells whether it is this very machine, which no proxy can reach for us.
    pub(crate) fn is_loopback(&self) -> bool {
        let bare = self.host();
        self.socket.is_some()
            || bare == "localhost"
            || bare.ends_with(".localhost")
            || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

/// The host, in lower case, that whatever is sent to this `api_url` reaches over a net in the clear, so that anybody on the
/// way can read it; nothing when it is encrypted, stays on this machine or is no address.
pub fn clear_text_host(api_url: &str) -> Option<String> {
    let address = Address::parse(api_url).ok()?;
    let in_the_clear = address.is_plain() && !address.is_loopback();
    in_the_clear.then(|| address.host().to_owned())
}

/// Cuts a text that is no address to what may be shown.
fn without_secrets(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match (text.split_once("//"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}//{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(api_url: &str) -> String {
        Address::parse(api_url).unwrap().endpoint().to_string()
    }

    #[test]
    fn both_spellings_of_persona_files_lead_to_the_endpoint() {
        for api_url in [
            "http://h:1/v1",
            "http://h:1/v1/",
            "http://h:1/v1/chat/completions",
            " http://h:1/v1/chat/completions/ ",
        ] {
            assert_eq!(endpoint(api_url), "http://h:1/v1/chat/completions", "{api_url}");
        }
        assert_eq!(endpoint("http://h:1"), "http://h:1/chat/completions");
        assert_eq!(
            endpoint("https://h/v1?api-version=2#x"),
            "https://h/v1/chat/completions?api-version=2"
        );
    }

    #[test]
    fn a_socket_is_told_from_a_host() {
        for api_url in ["unix:/run/x.sock", "unix:///run/x.sock"] {
            let address = Address::parse(api_url).unwrap();
            assert_eq!(address.socket(), Some(Path::new("/run/x.sock")));
            assert_eq!(address.shown(), "unix:/run/x.sock");
            assert_eq!(address.health().as_str(), "http://localhost/health");
        }
        assert!(Address::parse("unix:x.sock").is_err());
    }

    #[test]
    fn what_is_shown_holds_no_secret() {
        let address = Address::parse("http://me:word@h:1/v1?key=secret").unwrap();
        assert_eq!(address.shown(), "http://h:1/v1");
        for api_url in [
            "ftp://me:word@h/v1?key=secret",
            "me:word@h",
            "http://me:word@h:x/?key=secret",
        ] {
            let text = Address::parse(api_url).unwrap_err().to_string();
            assert!(!text.contains("word") && !text.contains("secret"), "{text}");
        }
    }

    #[test]
    fn no_proxy_stands_between_us_and_this_machine() {
        for api_url in [
            "http://localhost:1/",
            "http://127.1.2.3/v1",
            "http://[::1]:8/v1",
            "unix:/x",
        ] {
            assert!(Address::parse(api_url).unwrap().is_loopback(), "{api_url}");
        }
        assert!(!Address::parse("http://192.168.1.2/v1").unwrap().is_loopback());
    }
}
