//! The tables of `loquat.toml`: every key with its meaning, default and danger.
//!
//! The declarations are all there is to a key; the loader, the complaints and the sample file are made from them.

mod device;
mod journal;
mod local_brain;
mod tools;

use loquat_agent::turn::Budget;
use loquat_settings::section::Table;
use serde::{Deserialize, Serialize};

pub use device::{Device, TimeFormat, Units};
pub use journal::Journal;
pub use local_brain::{LocalBrain, Models, Sandbox};
pub use loquat_desk::settings::{ConsentFrom, Desk, Mode, QuietHours, Rest};
pub use loquat_mind::settings::{
    BudgetTable, HomeAssistant, HomeUrl, Mcp, McpServer, McpServers, Network, NetworkAllowed,
    NetworkServices, SentenceFiles, Sentences, ServiceNames, Services, Skills,
};
pub use loquat_part::bus_settings::{Bus, Compat, Embed, Reports};
pub use loquat_persona::Keys;
pub use tools::{Log, LogFormat, Memory, Notifications, Players, Tools, Weather, Web};

/// All of `loquat.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Document {
    /// `[device]` is the device itself.
    pub device: Device,
    /// `[bus]` is the message bus.
    pub bus: Bus,
    /// Who answers.
    pub desk: Desk,
    /// When nothing is said unasked.
    pub rest: Rest,
    /// `[local_brain]` is the model on this machine.
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
    /// `[weather]` is the weather service.
    pub weather: Weather,
    /// What is searched and looked up.
    pub web: Web,
    /// `[home_assistant]` is the Home Assistant of the home.
    pub home_assistant: HomeAssistant,
    /// `[players]` are the media players of this device.
    pub players: Players,
    /// `[notifications]` are those of the desktop.
    pub notifications: Notifications,
    /// `[mcp]` are the MCP servers.
    pub mcp: Mcp,
    /// The services of the system that may be started and stopped.
    pub services: Services,
    /// `[tools]` are the tools on the bus.
    pub tools: Tools,
    /// What is kept of turns.
    pub journal: Journal,
    /// `[log]` is the log.
    pub log: Log,
    /// The limits of a turn.
    pub budget: Budget,
}

/// Lists all tables that this program brings by itself.
pub(super) fn own() -> Vec<Table> {
    vec![
        Table::of::<Device>(),
        Table::of::<Bus>(),
        Table::of::<Desk>(),
        Table::of::<Rest>(),
        Table::of::<LocalBrain>(),
        Table::of::<Models>(),
        Table::of::<Keys>(),
        Table::of::<Skills>(),
        Table::of::<SentenceFiles>(),
        Table::of::<Memory>(),
        Table::of::<Network>(),
        Table::of::<Weather>(),
        Table::of::<Web>(),
        Table::of::<HomeAssistant>(),
        Table::of::<Players>(),
        Table::of::<Notifications>(),
        Table::of::<Mcp>(),
        Table::of::<Services>(),
        Table::of::<Tools>(),
        Table::of::<Journal>(),
        Table::of::<Log>(),
        Table::of::<BudgetTable>(),
    ]
}
