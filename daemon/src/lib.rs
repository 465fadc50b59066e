//! The daemon: its parts are introduced to each other here, and nowhere else.
//!
//! 1. [`cli`] reads what was typed; [`settings`] and [`persona`] read what was written.
//! 2. [`app`] starts it all: [`link`] joins a bus or brings one, [`mind`] makes the personas ready, [`desk`] decides
//!    who answers, [`tools`] offers ours and calls others', [`ear`] hears, [`voice`] speaks, [`terminal`] shows.
//! 3. An utterance reaches the desk over the bus; a turn of `loquat-agent` answers it; one answer goes back.
//!    [`wyoming`] lets the voice devices of Home Assistant speak to it too. [`transcription`] has what is said turned into
//!    text, by [`whisper`] or by servers of the owner's choosing.
//! 4. [`events`] carries all that happens in a turn to its readers.
//!    [`desktop`] lets programs in over D-Bus, [`page`] a person with a browser.
//! 5. [`state`] keeps every turn's journal on disk; after a crash the desk goes on with what it owes. [`disk_alarm`] tells
//!    the person when nothing can be written. [`seat`] keeps a second daemon from answering too.
//! 6. [`supervisor`] ends the front before the back, so that no utterance is left without an end; [`health`] tells systemd.
//!
//! `daemon/ARCHITECTURE.md` draws it.

pub mod app;
pub mod assent;
mod attention;
pub mod background;
mod certificate;
pub mod cli;
mod connections;
mod core_files;
mod deed;
pub mod desk;
pub mod desktop;
pub mod device;
pub mod disk_alarm;
pub mod ear;
mod expected_speech;
pub mod giving_way;
pub mod guests;
pub mod hive;
pub mod holding_awake;
pub mod home_assistant;
mod lockout;
pub mod mcp;
pub mod mind;
pub mod models_in_use;
mod orders;
pub mod ovos_loudness;
pub mod owners_word;
pub mod page;
mod parts;
pub mod password;
pub mod persona;
pub mod phrases;
pub mod pin;
pub mod preferences;
pub mod recordings;
pub mod rest;
pub mod ringer;
pub mod satellite;
pub mod seat;
pub mod sentence_pack;
pub mod settings;
pub mod skill_files;
pub mod spoken_tools;
mod stillness;
pub mod terminal;
mod tones;
pub mod tools;
pub mod transcription;
pub mod voice;
pub mod wake_word;
pub mod whisper;
pub mod whisper_speed;
pub mod workers;
pub mod wyoming;

// The names by which the rest of this crate knows its crates.
pub use loquat_part::{events, health, link, supervisor};
pub use loquat_state as state;
