//! Brains: chat models behind the OpenAI-compatible HTTP interface.
//!
//! [`OpenAiBrain`] speaks to one server, [`LocalBrain`] starts and stops a worker of ours and speaks to it through the
//! same client, and [`Ladder`] asks several brains in order. This crate knows the JSON of model servers and nothing of
//! the bus, of personas or of what a turn does with a reply.

mod client;
mod ladder;
mod local;
mod reply;
mod settings;
mod sink;
mod sse;

pub use self::client::OpenAiBrain;
pub use self::ladder::Ladder;
pub use self::local::{LocalBrain, LocalBrainSettings, LocalState};
pub use self::settings::{
    BrainSettingsError, DEFAULT_MAX_RETRIES, DEFAULT_RETRY_AFTER_CAP, OpenAiSettings, Timeouts,
};
