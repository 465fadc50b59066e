//! The port to rooms in which something can be said aloud: this device, satellites, other devices of a hive, the voices of a
//! home. Says nothing itself, and runs nothing: what is said there is spoken, and never a command.

use std::fmt;

use futures_util::future::BoxFuture;

use crate::hours::Hours;
use crate::people::Whereabouts;

/// The id of the station of the device itself.
pub const DEVICE: &str = "device";

/// A room in which something can be said aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Station {
    /// No other station has it. Of a guest's it is the door by which the guest comes in.
    pub id: String,
    /// What people call it, the name that is told first; the device itself may have none.
    pub names: Vec<String>,
    /// Its own quiet hours, where it has others than the house.
    pub hours: Option<Hours>,
    /// Whether it can be reached now.
    pub is_there: bool,
    /// The conversation that goes on there, where frames of the bus can be brought to it.
    pub conversation: Option<Whereabouts>,
}

/// What is to be said aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announcement {
    /// All of it, with the room from which it comes, for what only speaks.
    pub words: String,
    /// The message alone, for what says by itself from whom it comes.
    pub message: String,
    /// The room from which it comes, as it is told.
    pub from: String,
    /// The language of both, as a BCP-47 tag.
    pub lang: String,
    /// Whether it answers what was said to this device last.
    pub is_reply: bool,
}

/// Why nothing was said in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unspoken {
    /// It is not to be disturbed.
    #[error("the room is not to be disturbed now")]
    Rests,
    /// It cannot be reached.
    #[error("the room cannot be reached now")]
    Gone,
}

/// Rooms in which something can be said aloud, by one way.
pub trait Stations: fmt::Debug + Send + Sync {
    /// Those that there are now.
    fn stations(&self) -> Vec<Station>;

    /// Says it in one of them. Done when it is on its way there; giving up takes nothing back.
    fn speak<'a>(
        &'a self,
        id: &'a str,
        announcement: &'a Announcement,
    ) -> BoxFuture<'a, Result<(), Unspoken>>;
}
