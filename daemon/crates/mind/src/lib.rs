//! The mind: personas made ready to answer, the tools that they may use, and the sentences that tools understand without a brain.
//! Decides who answers what; never who speaks, and sends no answer.

pub mod background;
pub mod deed;
pub mod device;
pub mod expected_speech;
pub mod home_assistant;
pub mod mcp_servers;
mod mind;
pub mod model_speed;
pub mod models;
mod reply;
pub mod sentence_pack;
pub mod settings;
pub mod skill_files;
pub mod spoken_tools;
pub mod tools;

pub use self::mind::{
    Brains, BrainsError, Handler, LocalModel, Lookup, Mind, ReadyError, ReadyPersona, Recollection,
    Utterance, refusals, sent_first,
};
pub use loquat_persona::{Scheduled, ScheduledAt};

pub use self::reply::{Asking, Reply, Undoable};
