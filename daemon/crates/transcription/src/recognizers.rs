//! `speech.ladder` and `speech.recognizers`: who turns speech into text, this device or servers of the owner's choosing.

use std::collections::BTreeMap;
use std::net::IpAddr;

use loquat_brain::clear_text_host;
use loquat_settings::form::Form;
use loquat_settings::wording::listed;
use serde::{Deserialize, Serialize};

use loquat_settings::secret::KeptIn;

/// The whisper of this device, as `speech.ladder` names it.
pub const LOCAL: &str = "local";

/// The name of a recogniser has at most this many letters.
const LONGEST_NAME: usize = 32;

/// More are never asked within the time that a person waits.
const MOST_RUNGS: usize = 4;

/// The protocol of a recogniser elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecognizerKind {
    /// It is OpenAI's transcriptions, which many servers of whisper imitate.
    OpenAi,
    /// It is the protocol of the ovos-stt-http-server.
    Ovos,
}

/// A recogniser elsewhere, as the settings describe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecognizerServer {
    /// The protocol that it speaks.
    pub kind: RecognizerKind,
    /// The address to which sound is posted.
    pub url: RecognizerUrl,
    /// The model that is asked for; only with "openai".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The place of its key; absent where it wants none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeptIn>,
}

/// The address of a recogniser, with `http://` or `https://`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RecognizerUrl(String);

impl RecognizerUrl {
    /// Gives the address as it was written in the settings.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RecognizerUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        let parsed = reqwest::Url::parse(&url).map_err(|error| error.to_string())?;
        // A password in an address would be shown wherever the address is.
        let is_bare = parsed.query().is_none()
            && parsed.fragment().is_none()
            && parsed.username().is_empty()
            && parsed.password().is_none();
        if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() && is_bare {
            Ok(Self(url))
        } else {
            Err(
                "url must be an address with https:// or http://, without a name, a password or a query in it"
                    .to_owned(),
            )
        }
    }
}

impl From<RecognizerUrl> for String {
    fn from(RecognizerUrl(url): RecognizerUrl) -> Self {
        url
    }
}

/// All recognisers elsewhere, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, RecognizerServer>")]
pub struct Recognizers(pub BTreeMap<String, RecognizerServer>);

impl TryFrom<BTreeMap<String, RecognizerServer>> for Recognizers {
    type Error = String;

    fn try_from(servers: BTreeMap<String, RecognizerServer>) -> Result<Self, String> {
        for (name, server) in &servers {
            if let Some(wrong) = wrong(name, server) {
                return Err(format!("{name}: {wrong}"));
            }
        }
        Ok(Self(servers))
    }
}

/// Complains of a recogniser whose keys and types are right and that makes no sense.
fn wrong(name: &str, server: &RecognizerServer) -> Option<String> {
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-');
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Some(format!(
            "a name has up to {LONGEST_NAME} small letters, digits, _ and -"
        ));
    }
    if name == LOCAL {
        return Some(format!("\"{LOCAL}\" is the whisper of this device"));
    }
    let has_model = server.model.is_some();
    (has_model && server.kind == RecognizerKind::Ovos)
        .then(|| "model is for \"openai\"; an OVOS server has one of its own".to_owned())
}

impl Form for Recognizers {
    fn expected() -> String {
        "a table for each recogniser, as in [speech.recognizers.cellar]".to_owned()
    }
}

/// Finds the first recogniser of a ladder that what people say would reach in the clear, unless its host is one of
/// those to which keys may be sent so. On the internet it never may.
pub fn exposed(ladder: &[String], recognizers: &Recognizers, clear_text_hosts: &[String]) -> Option<String> {
    ladder.iter().find_map(|name| {
        let url = recognizers.0.get(name)?.url.as_str();
        let host = clear_text_host(url)?;
        let address = host.parse::<IpAddr>().ok();
        if address.is_some_and(is_public) {
            return Some(format!(
                "{name}: anybody on the way to {host} could hear what people say; use an https:// address"
            ));
        }
        let is_allowed = clear_text_hosts.iter().any(|known| known.eq_ignore_ascii_case(&host));
        (!is_allowed).then(|| {
            format!(
                "{name}: anybody on the way to {host} could hear what people say; use an https:// address, or add \"{host}\" \
                 to keys.clear_text_hosts"
            )
        })
    })
}

/// Tells whether an address is on the internet, and not on this machine or in a private network.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let shared = address.octets()[0] == 100 && (64..128).contains(&address.octets()[1]);
            !(address.is_private() || address.is_loopback() || address.is_link_local() || shared)
        }
        IpAddr::V6(address) => {
            !(address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local())
        }
    }
}

/// Complains of a ladder that has too few or too many names, an unknown one, or one twice.
pub fn complaint(ladder: &[String], recognizers: &Recognizers) -> Option<String> {
    let names = || {
        std::iter::once(LOCAL)
            .chain(recognizers.0.keys().map(String::as_str))
            .map(|name| format!("\"{name}\""))
    };
    if ladder.is_empty() || ladder.len() > MOST_RUNGS {
        return Some(format!(
            "speech.ladder must name one to {MOST_RUNGS} of {}",
            listed(names())
        ));
    }
    let is_known = |name: &&String| *name == LOCAL || recognizers.0.contains_key(*name);
    if let Some(unknown) = ladder.iter().find(|name| !is_known(name)) {
        return Some(format!(
            "speech.ladder names \"{unknown}\", which is not there; known are {}; describe it in \
             [speech.recognizers.{unknown}]",
            listed(names())
        ));
    }
    let is_double = |(index, name): &(usize, &String)| ladder.iter().take(*index).any(|other| other == *name);
    let double = ladder.iter().enumerate().find(is_double)?.1;
    Some(format!("speech.ladder names \"{double}\" twice"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Recognizers, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn what_is_wrong_with_a_recognizer_is_said() {
        for (text, said) in [
            ("[cellar]\nkind = \"ovos\"", "url"),
            ("[cellar]\nkind = \"vosk\"\nurl = \"http://h\"", "openai"),
            ("[cellar]\nkind = \"ovos\"\nurl = \"ftp://h\"", "https://"),
            (
                "[cellar]\nkind = \"ovos\"\nurl = \"https://me:secret@h\"",
                "password",
            ),
            (
                "[cellar]\nkind = \"ovos\"\nurl = \"https://h\"\nmodel = \"x\"",
                "model is for",
            ),
            (
                "[cellar]\nkind = \"ovos\"\nurl = \"https://h\"\nlang = \"x\"",
                "lang",
            ),
            (
                "[local]\nkind = \"ovos\"\nurl = \"https://h\"",
                "whisper of this device",
            ),
            (
                "[\"Cellar 1\"]\nkind = \"ovos\"\nurl = \"https://h\"",
                "small letters",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_ladder_names_what_there_is_and_each_once() {
        let known = read("[cellar]\nkind = \"openai\"\nurl = \"https://cellar.lan/v1\"").unwrap();
        let complaint = |names: &[&str]| {
            let ladder: Vec<String> = names.iter().map(ToString::to_string).collect();
            complaint(&ladder, &known)
        };
        for good in [vec!["local"], vec!["cellar", "local"], vec!["cellar"]] {
            assert_eq!(complaint(&good), None, "{good:?}");
        }
        for (wrong, said) in [
            (vec![], "\"local\" and \"cellar\""),
            (vec!["local", "attic"], "[speech.recognizers.attic]"),
            (vec!["local", "cellar", "local"], "twice"),
        ] {
            let complaint = complaint(&wrong).unwrap();
            assert!(complaint.contains(said), "{complaint}");
        }
    }

    #[test]
    fn what_people_say_goes_out_in_the_clear_only_where_the_owner_says_so_and_never_to_the_internet() {
        let told = |url: &str, hosts: &[&str]| {
            let known = read(&format!("[far]\nkind = \"ovos\"\nurl = \"{url}\"")).unwrap();
            let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
            exposed(&["local".to_owned(), "far".to_owned()], &known, &hosts)
        };
        for url in [
            "https://stt.example",
            "http://127.0.0.1:8080",
            "http://[::1]:8080/stt",
            "http://localhost",
        ] {
            assert_eq!(told(url, &[]), None, "{url}");
        }
        for (url, host) in [
            ("http://192.168.1.4:8080", "192.168.1.4"),
            ("http://[fd00::1]:8080", "fd00::1"),
            ("http://cellar.lan", "cellar.lan"),
        ] {
            assert!(told(url, &[]).unwrap().contains("keys.clear_text_hosts"), "{url}");
            assert_eq!(told(url, &[host]), None, "{url}");
        }
        for (url, host) in [
            ("http://8.8.8.8", "8.8.8.8"),
            ("http://[2001:db8::1]", "2001:db8::1"),
        ] {
            assert!(told(url, &[host]).unwrap().contains("https://"), "{url}");
        }
    }
}
