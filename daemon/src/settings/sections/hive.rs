//! `[hive]`: satellites that speak HiveMind, and the hive that this device joins.

use std::net::SocketAddr;
use std::path::PathBuf;

use loquat_hive::Target;
use serde::{Deserialize, Serialize};

use crate::settings::form::Form;
use crate::settings::section::section;

/// The address of a hive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HiveUrl(pub String);

impl TryFrom<String> for HiveUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        match Target::parse(&url) {
            Ok(_) => Ok(Self(url)),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl From<HiveUrl> for String {
    fn from(HiveUrl(url): HiveUrl) -> Self {
        url
    }
}

impl Form for HiveUrl {
    fn expected() -> String {
        "an address with ws://, as in \"ws://192.168.1.20:5678\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

section! {
    /// HiveMind 3: satellites that ask this device, whose keys `loquat hive add` makes, and the hive that this device joins.
    "hive" Hive {
        /// Address and port of this device at which satellites are listened for.
        /// Absent: they are not. All that a satellite says is encrypted, and only one that knows its password comes in;
        /// a reader on the way learns which satellites there are.
        listen: Option<SocketAddr> = None, eg "0.0.0.0:5678";
        /// Whether recordings of satellites are turned into text, where a whisper model is installed. The microphone's own go
        /// first.
        transcribe: bool = true;
        /// The hive that this device joins: it answers what is asked of all nodes there, and `loquat hive ask` asks there.
        /// Absent: none is joined.
        join: Option<HiveUrl> = None, eg "ws://192.168.1.20:5678";
        /// A file with the keys for it, as `ACCESS_KEY:PASSWORD` in its first line; only its owner should be able to read it.
        /// Absent: they are the credential.
        join_file: Option<PathBuf> = None, eg "/etc/loquat/hive.keys";
        /// The systemd credential that holds the keys, where no file is named.
        join_credential: String = "hive".to_owned();
        /// Where this device stands, as the hive is told. Absent: it is told nothing of it.
        site: Option<String> = None, eg "kitchen";
    }
}
