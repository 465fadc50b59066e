//! The port to what plays in the rooms of a home, beside the players of the device. Plays nothing itself.

use std::fmt;

use futures_util::future::BoxFuture;

/// A player of the home that plays now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomPlayer {
    /// By which the home knows it.
    pub id: String,
    /// What it is called, with its room.
    pub name: String,
}

/// What a player of the home can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each says what it is")]
pub enum RoomOrder {
    Pause,
    Stop,
    Next,
    Previous,
}

/// The players of a home.
pub trait RoomPlayers: fmt::Debug + Send + Sync {
    /// Those that play now and may be told something without a question.
    fn playing(&self) -> Vec<RoomPlayer>;

    /// Tells one of them; false where it did not do it.
    fn tell(&self, id: String, order: RoomOrder) -> BoxFuture<'_, bool>;
}
