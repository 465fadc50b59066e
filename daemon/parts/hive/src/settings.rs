//! `[hive]`: satellites that speak HiveMind, and the hive that this device joins.

use std::net::SocketAddr;
use std::path::PathBuf;

use loquat_hive::Target;
use loquat_settings::form::Form;
use loquat_settings::section;
use serde::{Deserialize, Serialize};

/// Warns a person of the protocols before version 3.
pub(super) const OLD_PROTOCOLS: &str = "hive.old_protocols is set: what satellites of the older protocols say can be read by a reader on \
                                 the way who learns their password at any time later";

/// The address of a hive, as `ws://` or `wss://`.
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
        "an address with ws:// or wss://, as in \"ws://192.168.1.20:5678\"".to_owned()
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
        /// The file with the certificate and those that vouch for it, as PEM, where satellites come by wss://. What is said is
        /// encrypted without it too; with it, a reader on the way does not learn which satellites there are.
        /// Absent: they come by ws://.
        certificate: Option<PathBuf> = None, eg "/etc/loquat/hive.pem";
        /// The file with the certificate's private key, as PEM.
        /// Absent: as without a certificate.
        key: Option<PathBuf> = None, eg "/etc/loquat/hive.key";
        /// Whether satellites that `loquat hive add --old-protocol` has added may come by the protocols before version 3. A reader
        /// on the way who learns the password at any time later can then read all that was said.
        old_protocols: bool = false;
        /// The hive that this device joins: it answers what is asked of all nodes there, and `loquat hive ask` asks there.
        /// Absent: none is joined.
        join: Option<HiveUrl> = None, eg "ws://192.168.1.20:5678";
        /// The file with the certificates that are trusted for it, as PEM, where it is joined by wss://.
        /// Absent: those are that this machine trusts.
        join_ca_file: Option<PathBuf> = None, eg "/etc/loquat/hive-ca.pem";
        /// A file with the keys for it, as `ACCESS_KEY:PASSWORD` in its first line; only its owner should be able to read it.
        /// Absent: they are the credential.
        join_file: Option<PathBuf> = None, eg "/etc/loquat/hive.keys";
        /// The systemd credential that holds the keys, where no file is named.
        join_credential: String = "hive".to_owned();
        /// Where this device stands, as the hive is told. Absent: it is told nothing of it.
        site: Option<String> = None, eg "kitchen";
    }
}

impl Hive {
    /// Complains where only one of the certificate and its key is set.
    pub fn complaint(&self) -> Option<String> {
        (self.certificate.is_some() != self.key.is_some()).then(|| {
            "hive.certificate and hive.key belong together, and only one is set; set both".to_owned()
        })
    }
}
