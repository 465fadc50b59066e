//! What a part of the daemon is, and what all parts share: who ends their tasks, what turns tell of themselves, the way to
//! the bus, and what systemd is told.
//!
//! A part is a crate. It brings its tables of settings and its commands, is started, is looked at by `loquat check`, and names
//! no other part: what one gives to others goes through the [`Context`], by its type.

pub mod absent;
pub mod body;
pub mod bus_settings;
pub mod command;
pub mod company;
mod context;
mod ear_news;
pub mod elsewhere;
pub mod events;
pub mod finding;
pub mod guests;
pub mod health;
pub mod heard;
pub mod hive_place;
mod introduction;
pub mod link;
pub mod lockout;
pub mod model_files;
pub mod model_speed;
mod offers;
pub mod orders;
pub mod output;
pub mod own_voice;
pub mod owners_word;
mod part;
pub mod question;
pub mod reload;
pub mod satellite;
mod status;
pub mod stillness;
pub mod supervisor;
pub mod tool_trials;
pub mod typed_secret;

pub use context::{Context, Ground};
pub use ear_news::{ANOTHER_LISTENS, EarNews};
pub use finding::{Finding, Verdict};
pub use introduction::{Introduction, Offered};
pub use part::{Part, Running, Start};
pub use status::StatusLine;

/// The topic by which the turns of one session are stopped, and nothing of other skills.
pub const STOP_US: &str = "loquat.stop";
