//! The tables of `loquat.toml` that say what personas and their tools may do: one file each.

mod budget;
mod home_assistant;
mod mcp;
mod network;
mod sentences;
mod services;
mod skills;

pub use self::budget::BudgetTable;
pub use self::home_assistant::{HomeAssistant, HomeUrl};
pub use self::mcp::{Mcp, McpServer, McpServers, McpSettings};
pub use self::network::{Network, NetworkAllowed, NetworkServices};
pub use self::sentences::SentenceFiles;
pub use self::services::{ServiceNames, Services};
pub use self::skills::{SentenceSettings, Sentences, Skills};
