//! Hearing: the ear of this device on the bus, its wake words, the models that it hears with, and what follows from the attention
//! that the device pays to a person. Never decides what is done about what was heard.

mod attention;
mod check;
#[cfg(test)]
mod document;
pub mod ear;
mod giving_way;
mod holding_awake;
pub mod listen;
pub mod models;
mod opening;
mod part;
pub mod settings;
pub mod wake_word;
mod whisper_keeper;
pub mod whisper_speed;

pub use self::giving_way::GivingWay;
pub use self::holding_awake::HoldingAwake;
pub use self::opening::{Opening, ladder_of, sound_system, speech_settings};
pub use self::part::{HearingPart, IsPersona, News};
