//! What all skills share: how a skill, its tools, its sentences and its answers are declared, numbers and times as people say
//! them, and the ports for what skills keep.
//!
//! Knows no skill: where all of them are needed, a table of them is passed in. Opens no connection and no file but the
//! sentences of a person.

pub mod answers;
pub mod asked;
pub mod calendar;
pub mod dialog;
pub mod function;
pub mod hours;
pub mod intent;
mod intents;
pub mod locale;
pub mod numbers;
pub mod people;
pub mod permission;
mod reading;
pub mod records;
pub mod report;
pub mod room_players;
mod rooms;
pub mod settings;
mod skill;
pub mod slots;
pub mod spelling;
pub mod stations;
mod strangers;
mod things;
pub mod wording;

pub use intents::{Intents, Sentences};
pub use locale::Locales;
pub use reading::{
    Customs, Day, Edge, Hour, Kind, Length, Part, Reader, Reading, Repeat, Stretch, Unread, Until, When,
    folded, knows,
};
pub use rooms::Rooms;
pub use skill::Skill;
pub use strangers::plain;
pub use things::Things;
