//! `[home_assistant]`: where the Home Assistant of the home is, and what its owner says of it.

use std::path::PathBuf;

use loquat_settings::form::Form;
use loquat_settings::section;
use loquat_skills::home::HomeSettings;
use serde::{Deserialize, Serialize};

/// The address of a Home Assistant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HomeUrl(pub String);

impl TryFrom<String> for HomeUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        HomeSettings::socket_url(&url).map(|_| Self(url))
    }
}

impl From<HomeUrl> for String {
    fn from(HomeUrl(url): HomeUrl) -> Self {
        url
    }
}

impl Form for HomeUrl {
    fn expected() -> String {
        "an address with http:// or https://, as in \"http://homeassistant.local:8123\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

section! {
    /// The Home Assistant of the home, whose lights, covers, locks and sensors are told and asked about.
    "home_assistant" HomeAssistant {
        /// Its address; with https:// it is spoken to with TLS. Absent: there is none, and nothing of it is offered.
        url: Option<HomeUrl> = None, eg "http://homeassistant.local:8123";
        /// A file of certificates in the form of PEM that are trusted for it with TLS: its own, which it may have signed
        /// itself, or that of its authority. Absent: those that this machine trusts are.
        ca_file: Option<PathBuf> = None, eg "/etc/loquat/home-assistant.pem";
        /// A file with the long-lived token of a user who administers nothing; only its owner should be able to read it.
        /// Absent: the token is the credential.
        token_file: Option<PathBuf> = None, eg "/etc/loquat/home-assistant.token";
        /// The systemd credential that holds the token, where no file is named.
        token_credential: String = "home_assistant".to_owned();
        /// The area in which this device stands, by its name: "turn on the light" means one there.
        /// Absent: no area is meant unless it is said.
        area: Option<String> = None, eg "Kitchen";
        /// Entities, or kinds of them, that are moved only after a yes, beside locks, alarms, garages, doors, gates, valves
        /// and sirens, which always are.
        ask: Vec<String> = Vec::new();
        /// Scripts and scenes that run without a yes, whatever they move.
        /// Without this one runs unasked only where it is seen to move none of the above.
        unasked: Vec<String> = Vec::new();
        /// Whether what no sentence of ours understands is handed to Home Assistant's own Assist before a persona thinks about
        /// it. Each is tried there without effect first, so that locks, doors, alarms and garages ask as always.
        assist: bool = false;
        /// Entities without a unique id that are to be seen: only an administrator is told whether Assist may see these.
        also: Vec<String> = Vec::new();
    }
}
