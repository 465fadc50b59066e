//! Where a Home Assistant is, and what its owner says of it. The token is fetched anew for each connection and kept nowhere.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use secrecy::SecretString;

/// Fetches the token; may block for one small file. Tells what is wrong and how to mend it.
pub type FetchToken = Arc<dyn Fn() -> Result<SecretString, String> + Send + Sync>;

/// A Home Assistant.
#[derive(Clone)]
pub struct HomeSettings {
    /// It is written as `http://homeassistant.local:8123`.
    pub url: String,
    /// The certificates that are trusted with TLS, in place of those of the machine.
    pub ca_file: Option<PathBuf>,
    /// It fetches the token.
    pub token: FetchToken,
    /// The area in which this device stands, by its name.
    pub area: Option<String>,
    /// Entities, or kinds of them, that ask beside those that always do.
    pub asks: Vec<String>,
    /// Scripts, scenes and buttons that run unasked whatever they move.
    pub unasked: Vec<String>,
    /// Whether what is understood by no sentence of ours is handed to Assist.
    pub assist: bool,
    /// Entities without a unique id that are taken in, since Home Assistant tells only its administrators of them.
    pub also: Vec<String>,
}

impl HomeSettings {
    /// This server with this token, and the usual of all else.
    pub fn new(url: impl Into<String>, token: FetchToken) -> Self {
        Self {
            url: url.into(),
            ca_file: None,
            token,
            area: None,
            asks: Vec::new(),
            unasked: Vec::new(),
            assist: false,
            also: Vec::new(),
        }
    }

    /// The address of the websocket API; what is wrong with the URL where there is none.
    pub fn socket_url(url: &str) -> Result<String, String> {
        let plain = url.trim().trim_end_matches('/');
        let schemes = [("http://", "ws"), ("https://", "wss")];
        let found = schemes
            .iter()
            .find_map(|(scheme, socket)| Some((plain.strip_prefix(scheme)?, socket)));
        let (host, socket) =
            found.ok_or("write it with http:// or https://, such as http://homeassistant.local:8123")?;
        let is_host = |host: &str| {
            !host.is_empty()
                && host
                    .bytes()
                    .all(|byte| byte.is_ascii_graphic() && !b"@?#\\".contains(&byte))
        };
        if !is_host(host) {
            return Err(
                "write it such as http://homeassistant.local:8123, without a name or a token in it"
                    .to_owned(),
            );
        }
        Ok(format!("{socket}://{host}/api/websocket"))
    }
}

impl fmt::Debug for HomeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HomeSettings")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::HomeSettings;

    #[test]
    fn the_socket_is_beside_the_page() {
        let socket = |url: &str| HomeSettings::socket_url(url);
        assert_eq!(
            socket("http://ha:8123/").as_deref(),
            Ok("ws://ha:8123/api/websocket")
        );
        assert_eq!(
            socket("https://ha.lan").as_deref(),
            Ok("wss://ha.lan/api/websocket")
        );
        for wrong in [
            "https://",
            "ha:8123",
            "",
            "http://",
            "http://me:secret@ha",
            "http://a b",
        ] {
            let complaint = socket(wrong).expect_err(wrong);
            assert!(
                complaint.contains("http://homeassistant.local:8123"),
                "{wrong}: {complaint}"
            );
        }
    }
}
