//! The mind: one utterance in, one answer and one reason out.

pub mod brain;
pub mod breaker;
mod budget;
mod catalogue;
pub mod consent;
mod conversation;
mod dialect;
pub mod engine;
pub mod event;
mod figure;
pub mod gate;
mod hands;
pub mod journal;
pub mod origin;
pub mod pieces;
mod question;
pub mod record;
pub mod reflection;
pub mod result;
mod speaker;
mod stop;
pub mod toolbox;
pub mod turn;
mod turn_cache;
pub mod undo;

pub use dialect::prompts::{PROMPTS, Prompt};
pub use loquat_decoder::{language, printable, speakable};
pub use speaker::{Guest, Speaker};
pub use turn::answer;
