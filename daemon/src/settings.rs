//! The tables of `loquat.toml` as this program has them. How they are found, judged and changed is `loquat-settings`' matter.

pub mod sections;
#[cfg(test)]
mod tests;

use std::path::Path;

use loquat_bus::BusAddress;
use loquat_hearing::settings::{HearingSettings, Speech};
use loquat_hearing::sound_system;
use loquat_mind::settings::{McpSettings, SentenceSettings};
use loquat_part::Ground;
use loquat_settings::LeftOut;
use loquat_settings::brought::{Brought, Tables};
use loquat_settings::section::Table;

pub use loquat_settings::secret::KeptIn;
pub use loquat_settings::{
    Complaint, Complaints, Entry, Environment, Folders, LoadOptions, Mycroft, Origin, Secret, SecretError,
    Severity, amend, commented_json, complaint, environment, form, kept, mycroft, secret, section, wording,
};

use crate::parts;

pub use sections::{
    Bus, Compat, ConsentFrom, Desk, Device, Document, Embed, HomeAssistant, HomeUrl, Journal, Keys,
    LocalBrain, Log, LogFormat, Mcp, McpServer, McpServers, Mode, Models, Network, NetworkAllowed,
    NetworkServices, Players, QuietHours, Reports, Rest, Sandbox, Sentences, Skills, Tools, Weather,
};

/// All settings of this program.
pub type Settings = loquat_settings::Settings<Document>;

impl loquat_settings::Document for Document {
    fn tables() -> Vec<Table> {
        tables()
    }

    fn brought() -> Vec<Brought> {
        parts::all().flat_map(loquat_part::Part::tables).collect()
    }

    fn left_out() -> Vec<LeftOut> {
        parts::left_out()
    }

    fn models_folder(&self) -> Option<&Path> {
        self.models.folder.as_deref()
    }

    fn contradictions(&self, tables: &Tables) -> Vec<(&'static str, String)> {
        let ladder = tables.get::<Speech>().complaint(&self.keys.clear_text_hosts);
        ladder.into_iter().chain(self.device.complaint()).collect()
    }

    fn amend(&self, mycroft: &mut Mycroft) {
        self.device.amend(mycroft);
    }
}

/// The order of the tables in the sample file and in the book; a table that is not named stands behind these.
const ORDER: [&str; 31] = [
    "device",
    "bus",
    "desk",
    "speech",
    "voice",
    "rest",
    "local_brain",
    "models",
    "keys",
    "skills",
    "sentences",
    "memory",
    "network",
    "weather",
    "web",
    "home_assistant",
    "players",
    "notifications",
    "mcp",
    "services",
    "tools",
    "wyoming",
    "hive",
    "journal",
    "log",
    "budget",
    "dbus",
    "page",
    "terminal",
    "telemetry",
    "workers",
];

/// Lists all tables in the order of the sample file.
pub fn tables() -> Vec<Table> {
    let brought = <Document as loquat_settings::Document>::brought().into_iter();
    let mut tables: Vec<Table> = sections::own()
        .into_iter()
        .chain(brought.map(|brought| brought.table))
        .collect();
    let place = |table: &Table| ORDER.iter().position(|name| *name == table.name);
    tables.sort_by_key(|table| place(table).unwrap_or(ORDER.len()));
    tables
}

/// What they say about hearing, with the table that was read of it.
pub fn hearing<'a>(settings: &'a Settings, speech: &'a Speech) -> HearingSettings<'a> {
    HearingSettings {
        speech,
        mycroft: &settings.mycroft,
        folders: &settings.folders,
    }
}

/// What they say to parts, and by which sound system sound is heard and played.
pub fn ground(settings: &Settings, environment: &Environment) -> Ground {
    let speech = settings.tables.get::<Speech>();
    Ground::of(settings, environment).offering(sound_system(speech.host))
}

/// What they say about sentences.
pub fn sentences(settings: &Settings) -> SentenceSettings<'_> {
    SentenceSettings {
        when: settings.skills.intents,
        has_services: !settings.services.allowed.0.is_empty(),
        mycroft: &settings.mycroft,
        folders: &settings.folders,
    }
}

/// Gathers what the settings say about MCP servers.
pub fn mcp(settings: &Settings) -> McpSettings<'_> {
    McpSettings {
        mcp: &settings.document.mcp,
        keys: &settings.document.keys,
        folders: &settings.folders,
    }
}

/// Takes the address of the bus from `[bus]`, else from `websocket` of `mycroft.conf`.
pub fn bus_address(settings: &Settings) -> BusAddress {
    settings.bus.address(&settings.mycroft.websocket)
}

/// Writes the commented sample of `loquat.toml`.
pub fn sample() -> String {
    loquat_settings::sample::sample(&tables())
}
