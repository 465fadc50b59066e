//! The daemon: its parts are introduced to each other here, and nowhere else.
//!
//! 1. [`cli`] reads what was typed; [`settings`] are all tables together, each of which stands with the crate that reads it.
//! 2. [`app`] starts it all: [`link`] joins a bus or brings one, [`mind`] makes the personas ready, [`desk`] decides
//!    who answers, [`loquat_hearing`] hears, [`voice`] speaks, [`terminal`] shows.
//! 3. An utterance reaches the desk over the bus; a turn of `loquat-agent` answers it; one answer goes back.
//! 4. [`events`] carries all that happens in a turn to its readers.
//! 5. [`state`] keeps every turn's journal on disk; after a crash the desk goes on with what it owes. [`disk_alarm`] tells
//!    the person when nothing can be written. [`seat`] keeps a second daemon from answering too.
//! 6. [`supervisor`] ends the front before the back, so that no utterance is left without an end; [`health`] tells systemd.
//! 7. `parts` is the table of those that start by themselves: telemetry, workers, the page, and the doors for
//!    Home Assistant, HiveMind, MCP clients and programs on D-Bus.
//!
//! `daemon/ARCHITECTURE.md` draws it.

pub mod app;
pub mod cli;
mod core_files;
mod home_token;
pub mod models_in_use;
mod parts;
pub mod preferences;
pub mod seat;
pub mod settings;

// The names by which the rest of this crate knows its crates.
pub use loquat_desk::{self as desk, disk_alarm, own_station, rest, ringer};
pub use loquat_mind::{
    self as mind, background, device, expected_speech, home_assistant, mcp_servers, sentence_pack,
    skill_files, spoken_tools, tools,
};
pub use loquat_part::{events, guests, health, link, stillness, supervisor};
pub use loquat_persona as persona;
pub use loquat_phrases::{self as phrases, pin};
pub use loquat_state as state;
pub use loquat_terminal as terminal;
pub use loquat_transcription as transcription;
pub use loquat_voice as voice;
