//! The ports to the people of a house: who has been named in a conversation and where they are to be told something, and who
//! is at home. No voice is known.

use std::fmt;

use loquat_agent::consent::AgreedCall;
use loquat_agent::toolbox::Circumstances;
use serde_json::{Map, Value};

/// A person who was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As it was said.
    pub name: String,
    /// By which what they have had kept is found: the same name at two doors is the same person only where the owner says so.
    pub key: String,
    /// Whether the owner or their settings say so, and not the person alone.
    pub by_owner: bool,
}

/// Where a person is to be told something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The conversation there.
    pub session_id: String,
    /// The keys of a frame that bring it there.
    pub route: Map<String, Value>,
}

/// The people who have been named.
pub trait People: fmt::Debug + Send + Sync {
    /// Who speaks in a conversation, as far as that was said.
    fn speaker(&self, person: &Circumstances) -> Option<Named> {
        self.in_session(&person.session_id)
    }

    /// Who speaks in the conversation with this id.
    fn in_session(&self, session_id: &str) -> Option<Named>;

    /// Where a person of this name can be told something now, as far as that is known.
    fn whereabouts(&self, name: &str) -> Option<Whereabouts> {
        let _ = name;
        None
    }

    /// Whether a person of this name is where nothing is to be said now.
    fn is_resting(&self, name: &str) -> bool {
        let _ = name;
        false
    }
}

/// Tells who is at home.
pub trait Presence: fmt::Debug + Send + Sync {
    /// The call, which only looks, that is answered with a yes while a person of this name is at home; nothing where none of
    /// that name is known.
    fn at_home(&self, name: &str) -> Option<AgreedCall>;
}
