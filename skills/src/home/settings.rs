//! Where a Home Assistant is, and what its owner says of it. The token is fetched anew for each connection and kept nowhere.

use std::fmt;
use std::sync::Arc;

use secrecy::SecretString;

/// Fetches the token; may block for one small file. Tells what is wrong and how to mend it.
pub type FetchToken = Arc<dyn Fn() -> Result<SecretString, String> + Send + Sync>;

/// A Home Assistant.
#[derive(Clone)]
pub struct HomeSettings {
    /// `http://homeassistant.local:8123`.
    pub url: String,
    /// Fetches its token.
    pub token: FetchToken,
    /// The area in which this device stands, by its name.
    pub area: Option<String>,
    /// Entities, or kinds of them, that ask beside those that always do.
    pub asks: Vec<String>,
    /// Scripts and scenes that run unasked whatever they move.
    pub unasked: Vec<String>,
    /// Entities without a unique id that are taken in, since Home Assistant tells only its administrators of them.
    pub also: Vec<String>,
}

impl HomeSettings {
    /// This server with this token, and the usual of all else.
    pub fn new(url: impl Into<String>, token: FetchToken) -> Self {
        Self {
            url: url.into(),
            token,
            area: None,
            asks: Vec::new(),
            unasked: Vec::new(),
            also: Vec::new(),
        }
    }

    /// The address of the websocket API; what is wrong with the URL where there is none.
    pub fn socket_url(url: &str) -> Result<String, String> {
        let plain = url.trim().trim_end_matches('/');
        let host = plain.strip_prefix("http://").ok_or_else(|| {
            if plain.starts_with("https://") {
                "Loquat speaks to Home Assistant without TLS; write its address in the home network, such as \
                 http://homeassistant.local:8123"
            } else {
                "write it with http://, such as http://homeassistant.local:8123"
            }
        })?;
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
        Ok(format!("ws://{host}/api/websocket"))
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
        for wrong in [
            "https://ha:8123",
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
