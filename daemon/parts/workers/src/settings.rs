//! `[workers]`: other machines that think for this one, and this one where it thinks for others.

use std::path::PathBuf;

use loquat_settings::form::Form;
use loquat_settings::section;
use serde::{Deserialize, Serialize};

/// The address of a NATS server, as `nats://` or `tls://`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NatsUrl(pub String);

impl TryFrom<String> for NatsUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        let parsed = reqwest::Url::parse(&url).map_err(|error| error.to_string())?;
        // A password in an address would be shown wherever the address is.
        let is_bare = parsed.username().is_empty() && parsed.password().is_none();
        if matches!(parsed.scheme(), "nats" | "tls") && parsed.has_host() && is_bare {
            Ok(Self(url))
        } else {
            Err("an address with nats:// or tls://, without a name or a password in it".to_owned())
        }
    }
}

impl From<NatsUrl> for String {
    fn from(NatsUrl(url): NatsUrl) -> Self {
        url
    }
}

impl Form for NatsUrl {
    fn expected() -> String {
        "an address with nats:// or tls://, as in \"nats://cellar.local:4222\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

/// A name that may be a part of the subjects of a NATS server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SubjectName(pub String);

impl TryFrom<String> for SubjectName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if loquat_workers::is_token(&name) {
            Ok(Self(name))
        } else {
            Err("a name of letters, digits, - and _, 64 at most".to_owned())
        }
    }
}

impl From<SubjectName> for String {
    fn from(SubjectName(name): SubjectName) -> Self {
        name
    }
}

impl Form for SubjectName {
    fn expected() -> String {
        "a name of letters, digits, - and _".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

section! {
    /// Other machines that think for this one, over a NATS server with JetStream. Each runs `loquat worker`.
    /// Where none is free, or none answers in time, this machine thinks itself, in the same turn.
    "workers" Workers {
        /// The NATS server. With tls:// all is encrypted; without it those who listen on the network read what people say.
        /// Absent: every turn runs on this machine.
        address: Option<NatsUrl> = None, eg "nats://cellar.local:4222";
        /// Which workers are asked: those of this pool. It is a part of all subjects, so that a server can keep pools apart.
        pool: SubjectName = SubjectName("home".to_owned());
        /// What this machine is called there; no two devices of a pool may have one name. Absent: the user, or else its host name
        /// with a mark behind it that no other machine has; `loquat check` shows it.
        name: Option<SubjectName> = None, eg "kitchen";
        /// Who signs in to the server. Absent: no name is given.
        user: Option<String> = None, eg "kitchen";
        /// A file with the password of that user. Absent: it is the credential.
        password_file: Option<PathBuf> = None, eg "/etc/loquat/workers.password";
        /// The systemd credential that holds the password, where no file is named.
        password_credential: String = "workers".to_owned();
        /// A file of certificates in the form of PEM that are trusted for the server beside those that this machine trusts.
        /// Absent: only those are.
        ca_file: Option<PathBuf> = None, eg "/etc/loquat/nats.pem";
        /// The personas whose turns workers think, by name. Empty: those of all personas.
        personas: Vec<String> = Vec::new();
        /// The brains of workers that may think turns of this machine, by the names that `loquat check` shows, the best first.
        /// Empty: any may, and the worker with most free places is asked.
        brains: Vec<String> = Vec::new();
        /// How long this machine waits for a worker to take a turn before it thinks itself.
        taken_seconds: f64 = 0.5 => 0.05..=10.0;
        /// How long a worker may say nothing; another worker goes on with its turn after about two seconds.
        silence_seconds: f64 = 3.0 => 0.5..=60.0;
        /// How long a worker may take for one reply of its brain; half of a turn's time at most.
        reply_seconds: f64 = 60.0 => 1.0..=600.0;
        /// How many turns `loquat worker` runs at once on this machine.
        places: u32 = 4 => 1..=256;
        /// The persona whose brain `loquat worker` thinks with. Absent: the default persona.
        persona: Option<String> = None, eg "Loquat";
        /// How long `loquat worker` waits for its turns when it is told to end.
        drain_seconds: f64 = 30.0 => 0.0..=600.0;
    }
}
