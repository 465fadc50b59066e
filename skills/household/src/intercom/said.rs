//! Where something is to be said in other rooms, and what became of it. Says nothing.

/// Where something is to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// In all rooms but the one where it was said.
    Everywhere,
    /// In the room of this name, or where the person of this name is.
    Room(String),
    /// In another room, of which was not said which.
    Elsewhere,
    /// Where that comes from which was said here last.
    Back,
}

/// Why nothing was said anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// There is no other room with a voice.
    NoRooms,
    /// Nothing can be said in this one; these are those in which something can.
    NoVoice(String, Vec<String>),
    /// It is the room in which it was said.
    Here,
    /// Any of these may be meant.
    Which(Vec<String>),
    /// Nothing was said here lately that could be answered.
    NothingSaid,
    /// Too much is being said.
    TooMany,
}

/// What became of it, by what the rooms are called; the device itself may have no name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// It was said there.
    pub heard: Vec<String>,
    /// They are not to be disturbed.
    pub resting: Vec<String>,
    /// They cannot be reached.
    pub gone: Vec<String>,
    /// Why it was not said anywhere.
    pub trouble: Option<Trouble>,
}

impl Said {
    pub(super) fn not(trouble: Trouble) -> Self {
        Self {
            trouble: Some(trouble),
            ..Self::default()
        }
    }
}
