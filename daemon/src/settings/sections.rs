//! The tables of `loquat.toml`: every key with its meaning, default and danger.
//!
//! The declarations are all there is to a key; the loader, the complaints and the sample file are made from them.

mod budget;
mod bus;
mod dbus;
mod desk;
mod hive;
mod home_assistant;
mod journal;
mod keys;
mod local_brain;
mod mcp;
mod network;
mod page;
mod recognizers;
mod rest;
mod sentences;
mod services;
mod speech;
mod telemetry;
mod tools;
mod wake_words;
mod workers;
mod wyoming;

use loquat_agent::turn::Budget;
use serde::{Deserialize, Serialize};

use crate::settings::section::{Key, Section};

pub use bus::{Bus, Compat, Embed, Reports};
pub use dbus::{Dbus, Interface};
pub use desk::{ConsentFrom, Desk, Mode};
pub use hive::{Hive, HiveUrl};
pub use home_assistant::{HomeAssistant, HomeUrl};
pub use journal::Journal;
pub use keys::Keys;
pub use local_brain::{LocalBrain, Models, Sandbox};
pub use mcp::{KeptIn, Mcp, McpServer, McpServers};
pub use network::{Network, NetworkAllowed, NetworkServices};
pub use page::Page;
pub use recognizers::{LOCAL, RecognizerKind, RecognizerServer, RecognizerUrl, Recognizers};
pub use rest::{QuietHours, Rest};
pub use sentences::SentenceFiles;
pub use services::{ServiceNames, Services};
pub use speech::{EchoCancellation, Installed, Listening, SoundHost, Speech, SpeechUrl, Switch, Voice};
pub use telemetry::{CollectorUrl, Telemetry};
pub use tools::{Log, LogFormat, Memory, Notifications, Players, Sentences, Skills, Tools, Weather, Web};
pub use wake_words::{FurtherWord, FurtherWords, WordEffect};
pub use workers::{NatsUrl, SubjectName, Workers};
pub use wyoming::Wyoming;

/// All of `loquat.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Document {
    /// The message bus.
    pub bus: Bus,
    /// Who answers.
    pub desk: Desk,
    /// Hearing.
    pub speech: Speech,
    /// Speaking.
    pub voice: Voice,
    /// When nothing is said unasked.
    pub rest: Rest,
    /// The model on this machine.
    pub local_brain: LocalBrain,
    /// Where models are kept.
    pub models: Models,
    /// What may be done with keys.
    pub keys: Keys,
    /// The skills that we bring.
    pub skills: Skills,
    /// What is understood without a model.
    pub sentences: SentenceFiles,
    /// What persons have had remembered.
    pub memory: Memory,
    /// What may be asked outside of the device.
    pub network: Network,
    /// The weather service.
    pub weather: Weather,
    /// What is searched and looked up.
    pub web: Web,
    /// The Home Assistant of the home.
    pub home_assistant: HomeAssistant,
    /// The media players of this device.
    pub players: Players,
    /// The notifications of the desktop.
    pub notifications: Notifications,
    /// MCP servers.
    pub mcp: Mcp,
    /// The services of the system that may be started and stopped.
    pub services: Services,
    /// Tools on the bus.
    pub tools: Tools,
    /// The door for Home Assistant.
    pub wyoming: Wyoming,
    /// Satellites of HiveMind.
    pub hive: Hive,
    /// What is kept of turns.
    pub journal: Journal,
    /// The log.
    pub log: Log,
    /// The limits of a turn.
    pub budget: Budget,
    /// What desktop programs reach.
    pub dbus: Dbus,
    /// What a person watches and tends in a browser.
    pub page: Page,
    /// Where spans are sent.
    pub telemetry: Telemetry,
    /// Other machines that think for this one.
    pub workers: Workers,
}

/// A table as the loader and the sample file know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its keys in the order of the sample file.
    pub keys: Vec<Key>,
}

/// All tables in the order of the sample file.
pub fn tables() -> Vec<Table> {
    vec![
        table::<Bus>(),
        table::<Desk>(),
        table::<Speech>(),
        table::<Voice>(),
        table::<Rest>(),
        table::<LocalBrain>(),
        table::<Models>(),
        table::<Keys>(),
        table::<Skills>(),
        table::<SentenceFiles>(),
        table::<Memory>(),
        table::<Network>(),
        table::<Weather>(),
        table::<Web>(),
        table::<HomeAssistant>(),
        table::<Players>(),
        table::<Notifications>(),
        table::<Mcp>(),
        table::<Services>(),
        table::<Tools>(),
        table::<Wyoming>(),
        table::<Hive>(),
        table::<Journal>(),
        table::<Log>(),
        table::<Budget>(),
        table::<Dbus>(),
        table::<Page>(),
        table::<Telemetry>(),
        table::<Workers>(),
    ]
}

fn table<Named: Section>() -> Table {
    Table {
        name: Named::TABLE,
        doc: Named::DOC,
        keys: Named::keys(),
    }
}
