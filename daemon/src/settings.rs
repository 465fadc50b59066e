//! Everything that can be set: what OVOS owns from its `mycroft.conf`, what is ours from `loquat.toml`, the
//! environment and flags; and where things are kept.
//!
//! Called once at the start and again on a reload. Nothing else in the program reads the environment or a settings
//! file; what is written is what [`amend`] is asked for, and the copy of [`kept`].

mod address;
pub mod amend;
mod catalogue;
pub(crate) mod commented_json;
pub mod complaint;
pub mod environment;
pub mod folders;
pub(crate) mod form;
pub mod kept;
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

pub use address::BusAddress;
pub use complaint::{Complaint, Complaints, Origin, Severity};
pub use environment::Environment;
pub use folders::Folders;
pub use mycroft::{Hotword, Mycroft};
pub use secret::{Secret, SecretError};
pub use sections::{
    Bus, CollectorUrl, Compat, ConsentFrom, Dbus, Desk, Document, EchoCancellation, Embed, FurtherWord,
    FurtherWords, HomeAssistant, HomeUrl, Installed, Interface, Journal, KeptIn, Keys, LOCAL, Listening,
    LocalBrain, Log, LogFormat, Mcp, McpServer, McpServers, Mode, Models, NatsUrl, Network, NetworkAllowed,
    NetworkServices, Page, Players, QuietHours, RecognizerKind, RecognizerServer, RecognizerUrl, Recognizers,
    Reports, Rest, Sandbox, Sentences, Skills, SoundHost, Speech, SpeechUrl, SubjectName, Switch, Telemetry,
    Tools, Voice, Weather, WordEffect, Wyoming,
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
    /// What is ours, with every default; [`Settings::bus_address`] and [`Folders`] say what it comes to in the end.
    pub document: Document,
    /// What OVOS's own file says.
    pub mycroft: Mycroft,
    /// Where things are kept.
    pub folders: Folders,
    /// What the person should know although the settings are usable.
    pub warnings: Vec<Complaint>,
    /// What is wrong with the files where these are not what they say: those with which the daemon last ran well.
    pub mistakes: Option<Complaints>,
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
    /// Whether the value is not to be shown.
    pub is_secret: bool,
    /// What it does; one sentence per line.
    pub doc: &'static str,
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
        let settings = Self {
            folders: Folders::find(environment, &document.models),
            document,
            mycroft,
            warnings: warnings.clone(),
            mistakes: None,
            origins,
        };
        let folders = settings.folders.complaint(environment).into_iter().collect();
        let doors = settings.contradictions();
        let all = [layers.complaints, complaints, warnings, folders, doors].concat();
        (settings, Complaints(all))
    }

    /// Reads all settings; where something of ours is wrong, those with which the daemon last ran well count, with what is
    /// wrong beside them. A mistake on the command line was made just now, so it is refused, as it is where none were kept.
    pub fn load_or_recall(environment: &Environment, options: &LoadOptions) -> Result<Self, Complaints> {
        let (mut settings, complaints) = Self::load_leniently(environment, options);
        if !complaints.refuse() {
            return Ok(settings);
        }
        let is_typed =
            |complaint: &Complaint| complaint.is_refusal() && matches!(complaint.origin, Origin::Flag(_));
        let kept = kept::recall(&settings.folders.state);
        let (Some(document), false) = (kept, complaints.0.iter().any(is_typed)) else {
            return Err(complaints);
        };
        settings.folders = Folders::find(environment, &document.models);
        settings.document = document;
        settings.origins = BTreeMap::new();
        if settings.folders.complaint(environment).is_some() || !settings.contradictions().is_empty() {
            return Err(complaints);
        }
        settings.mistakes = Some(complaints);
        Ok(settings)
    }

    /// Where the value of a key comes from, for example `bus.port`.
    pub fn origin_of(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or(Origin::Default)
    }

    /// Every setting of ours with its value and where it comes from, in the order of the sample file.
    pub fn entries(&self) -> Vec<Entry> {
        let values = toml::Table::try_from(&self.document).unwrap_or_default();
        let entry = |key: &section::Key| Entry {
            key: key.path(),
            value: values
                .get(key.table)
                .and_then(|table| table.get(key.name))
                .cloned(),
            origin: self.origin_of(&key.path()),
            is_secret: key.is_secret,
            doc: key.doc,
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

    /// What is wrong with where we listen, seen with who may come in, and with who turns speech into text.
    fn contradictions(&self) -> Vec<Complaint> {
        let doors = [
            ("wyoming.listen", self.wyoming.complaint()),
            ("page.address", self.page.complaint()),
            ("hive.certificate", self.hive.complaint()),
        ];
        let doors = doors
            .into_iter()
            .filter_map(|(key, complaint)| Some((key, complaint?)));
        let ladder = self.speech.complaint(&self.keys.clear_text_hosts);
        let wrong = doors.chain(ladder);
        wrong
            .map(|(key, complaint)| Complaint::refusal(self.origin_of(key), complaint))
            .collect()
    }

    /// The persona that answers where no other was asked for, if one was named.
    pub fn default_persona(&self) -> Option<&str> {
        let ours = self.desk.persona.as_deref();
        ours.or(self.mycroft.persona.default_persona.as_deref())
    }
}

/// A table of ours is read as `settings.bus`, whichever file it comes from.
impl std::ops::Deref for Settings {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}

impl std::ops::DerefMut for Settings {
    fn deref_mut(&mut self) -> &mut Document {
        &mut self.document
    }
}
