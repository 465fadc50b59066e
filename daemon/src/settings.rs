//! Everything that can be set: what OVOS owns from its `mycroft.conf`, what is ours from `loquat.toml`, the
//! environment and flags; and where things are kept.
//!
//! Called once at the start and again on a reload. Nothing else in the program reads the environment or a settings
//! file, and nothing here writes one.

mod address;
mod catalogue;
pub(crate) mod commented_json;
pub mod complaint;
pub mod environment;
pub mod folders;
pub(crate) mod form;
mod layers;
pub mod mycroft;
mod resolve;
pub mod sample;
pub mod secret;
pub mod section;
pub mod sections;
#[cfg(test)]
mod tests;
pub(crate) mod wording;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use loquat_agent::turn::Budget;

pub use address::BusAddress;
pub use complaint::{Complaint, Complaints, Origin, Severity};
pub use environment::Environment;
pub use folders::Folders;
pub use mycroft::Mycroft;
pub use secret::{Secret, SecretError};
pub use sections::{
    Bus, Compat, ConsentFrom, Desk, Document, Embed, Espeak, Journal, Keys, Listening, LocalBrain, Log,
    LogFormat, Mode, Models, Reports, Sandbox, Sentences, Skills, SoundHost, Speech, Switch, Tools, Voice,
};

use catalogue::Catalogue;
use layers::Layers;
use resolve::{Resolved, resolve};

/// What the command line says about settings.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The person's settings file in place of the usual one (`--config`, else `LOQUAT_CONFIG`).
    pub config_file: Option<PathBuf>,
    /// The arguments of `--set`, each `table.key=value`; later ones win.
    pub overrides: Vec<String>,
}

/// All settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The message bus; [`Settings::bus_address`] says where it is in the end.
    pub bus: Bus,
    /// Who answers.
    pub desk: Desk,
    /// Hearing.
    pub speech: Speech,
    /// Speaking.
    pub voice: Voice,
    /// The model on this machine.
    pub local_brain: LocalBrain,
    /// Where models are kept; [`Folders::models`] is the folder in the end.
    pub models: Models,
    /// What may be done with keys.
    pub keys: Keys,
    /// The skills that we bring.
    pub skills: Skills,
    /// Tools on the bus.
    pub tools: Tools,
    /// What is kept of turns.
    pub journal: Journal,
    /// The log.
    pub log: Log,
    /// The limits of a turn unless the persona sets its own.
    pub budget: Budget,
    /// What OVOS's own file says.
    pub mycroft: Mycroft,
    /// Where things are kept.
    pub folders: Folders,
    /// What the person should know although the settings are usable.
    pub warnings: Vec<Complaint>,
    origins: BTreeMap<String, Origin>,
}

/// A setting as it is in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// `table.key`.
    pub key: String,
    /// The value; absent where it is not set and absence means something.
    pub value: Option<toml::Value>,
    /// Where it comes from.
    pub origin: Origin,
}

impl Settings {
    /// Reads all settings. When something of ours is wrong, all that is wrong is returned instead, warnings too.
    pub fn load(environment: &Environment, options: &LoadOptions) -> Result<Self, Complaints> {
        let (settings, complaints) = Self::load_leniently(environment, options);
        if complaints.refuse() {
            Err(complaints)
        } else {
            Ok(settings)
        }
    }

    /// Reads all settings, putting the next weaker value in the place of one that makes no sense.
    pub fn load_leniently(environment: &Environment, options: &LoadOptions) -> (Self, Complaints) {
        let catalogue = Catalogue::new();
        let layers = Layers::collect(&catalogue, environment, options);
        let (mycroft, warnings) = Mycroft::load(environment);
        let Resolved {
            document,
            origins,
            complaints,
        } = resolve(&catalogue, layers.assignments);
        let settings = Self::assemble(document, mycroft, environment, origins, &warnings);
        let folders = settings.folders.complaint(environment).into_iter().collect();
        let all = [layers.complaints, complaints, warnings, folders].concat();
        (settings, Complaints(all))
    }

    fn assemble(
        document: Document,
        mycroft: Mycroft,
        environment: &Environment,
        origins: BTreeMap<String, Origin>,
        warnings: &[Complaint],
    ) -> Self {
        let Document {
            bus,
            desk,
            speech,
            voice,
            local_brain,
            models,
            keys,
            skills,
            tools,
            journal,
            log,
            budget,
        } = document;
        Self {
            folders: Folders::find(environment, &models),
            warnings: warnings.to_vec(),
            bus,
            desk,
            speech,
            voice,
            local_brain,
            models,
            keys,
            skills,
            tools,
            journal,
            log,
            budget,
            mycroft,
            origins,
        }
    }

    /// Where the value of a key comes from, for example `bus.port`.
    pub fn origin_of(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or(Origin::Default)
    }

    /// Every setting of ours with its value and where it comes from, in the order of the sample file.
    pub fn entries(&self) -> Vec<Entry> {
        let values = toml::Table::try_from(self.document()).unwrap_or_default();
        let entry = |key: &section::Key| Entry {
            key: key.path(),
            value: values
                .get(key.table)
                .and_then(|table| table.get(key.name))
                .cloned(),
            origin: self.origin_of(&key.path()),
        };
        Catalogue::new().keys().map(entry).collect()
    }

    /// Where the bus is: `[bus]`, else `websocket` of `mycroft.conf`.
    pub fn bus_address(&self) -> BusAddress {
        let websocket = &self.mycroft.websocket;
        let route = self.bus.route.as_ref().unwrap_or(&websocket.route);
        BusAddress {
            host: self.bus.host.clone().unwrap_or_else(|| websocket.host.clone()),
            port: self.bus.port.unwrap_or(websocket.port),
            route: format!("/{}", route.trim_start_matches('/')),
            ssl: websocket.ssl,
        }
    }

    /// How long a silence ends an utterance: `[speech]`, else `listener` of `mycroft.conf`.
    pub fn end_silence(&self) -> Duration {
        match self.speech.end_silence_ms {
            Some(milliseconds) => Duration::from_millis(milliseconds.into()),
            None => self.mycroft.listener.silence_end,
        }
    }

    /// The longest utterance: `[speech]`, else `listener` of `mycroft.conf`.
    pub fn longest_utterance(&self) -> Duration {
        match self.speech.max_utterance_seconds {
            Some(seconds) => Duration::from_secs_f64(seconds),
            None => self.mycroft.listener.recording_timeout,
        }
    }

    /// The persona that answers where no other was asked for, if one was named.
    pub fn default_persona(&self) -> Option<&str> {
        let ours = self.desk.persona.as_deref();
        ours.or(self.mycroft.persona.default_persona.as_deref())
    }

    fn document(&self) -> Document {
        Document {
            bus: self.bus.clone(),
            desk: self.desk.clone(),
            speech: self.speech.clone(),
            voice: self.voice.clone(),
            local_brain: self.local_brain.clone(),
            models: self.models.clone(),
            keys: self.keys.clone(),
            skills: self.skills.clone(),
            tools: self.tools.clone(),
            journal: self.journal.clone(),
            log: self.log.clone(),
            budget: self.budget,
        }
    }
}
