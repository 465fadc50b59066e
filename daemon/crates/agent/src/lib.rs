//! The mind: one utterance in, one answer and one reason out.

pub mod brain;
pub mod breaker;
mod budget;
mod call_graph;
mod catalogue;
pub mod consent;
mod conversation;
mod dialect;
pub mod engine;
pub mod event;
mod figure;
pub mod gate;
mod hands;
mod intended;
pub mod journal;
mod means;
pub mod origin;
pub mod pieces;
mod prepared;
mod question;
pub mod record;
pub mod reflection;
pub mod result;
pub mod schema;
mod setting;
mod speaker;
mod stop;
mod tokens;
pub mod toolbox;
pub mod turn;
mod turn_cache;

pub use dialect::prompts::{PROMPTS, Prompt};
pub use loquat_decoder::{language, printable, speakable};
pub use speaker::{Guest, Speaker};
pub use turn::answer;
