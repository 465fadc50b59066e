//! What the skills are judged by: calls of their tools over the bus, sentences that people say, requests to a small model.
//!
//! Each skill is one file in `skills/` of this package; a new one is judged when it has a file there. Services on the
//! internet are a server on this machine.

pub mod calls;
pub mod conversations;
pub mod entry;
pub mod hundred;
pub mod published;
pub mod room;
pub mod sentences;
pub mod small_model;
pub mod table;
pub mod wishes;
pub mod world;

pub use self::entry::{Entry, LANGUAGES, entries};
pub use self::room::Room;
