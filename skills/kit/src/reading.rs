//! Numbers and times as people say and write them, in the languages of `daemon/locale`.
//!
//! A reader finds what begins at a place of a text and tells where it ends, so that a slot of a sentence can take the longest
//! reading, and free text can be refused that holds one. It reads no clock: the moment is given. What cannot be read whole
//! is an error that says what was left, and nothing is guessed.

mod clock;
mod day;
mod feast;
mod folding;
mod language;
mod length;
mod matching;
mod moment;
mod number;
mod pattern;
mod reader;
mod repetition;
mod text;
mod token;
mod when;

pub use folding::folded;
pub use language::{Part, knows};
pub use length::Length;
pub use reader::{Customs, Kind, Reader, Reading, Unread};
pub use repetition::{Repeat, Until};
pub use when::{Day, Edge, Hour, Stretch, When};
