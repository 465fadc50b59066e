//! What a turn and the brain say to each other: the conversation as data, the dialects in which brains are spoken to, and
//! the ports and data that everything about a turn shares. Runs no turn and no tool.

pub mod brain;
pub mod breaker;
pub mod budget;
pub mod call_graph;
pub mod catalogue;
pub mod consent;
pub mod conversation;
pub mod dialect;
pub mod event;
pub mod grammar;
pub mod intended;
pub mod means;
pub mod origin;
pub mod pieces;
pub mod prepared;
pub mod question;
pub mod record;
pub mod reflection;
pub mod result;
pub mod schema;
pub mod setting;
mod speaker;
pub mod stop;
pub mod tokens;
pub mod toolbox;
pub mod turn_cache;

pub use dialect::prompts::{PROMPTS, Prompt};
pub use prepared::relevance;
pub use speaker::{Guest, Speaker};
