//! Who speaks: decided once, where words come in, and carried with the turn to everything that decides by it.
//!
//! It is no field of any frame: the code that makes one has seen the words come in by a door that this process keeps.

use serde::{Deserialize, Serialize};

/// Says who speaks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person to whom the device belongs, at the device.
    Owner,
    /// A guest came in by a door of this device.
    Guest(Guest),
    /// A program speaks on the bus.
    #[default]
    Program,
}

/// Says who came in, and with what rights.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guest {
    /// The door and who stands there, as in `hive:kitchen`. What a guest has set is its own as long as this stays the same.
    pub by: String,
    /// The id or the name of the one persona that serves this guest; without one, any does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
}

impl Speaker {
    /// A guest at this door whom any persona serves.
    pub fn guest(by: impl Into<String>) -> Self {
        Self::Guest(Guest {
            by: by.into(),
            persona: None,
        })
    }

    /// Tells whether it is the person to whom the device belongs.
    pub fn is_owner(&self) -> bool {
        *self == Self::Owner
    }

    /// Tells whether it is a program on the bus.
    pub fn is_program(&self) -> bool {
        *self == Self::Program
    }

    /// The one persona that serves who speaks; without one, any does.
    pub fn bound_to(&self) -> Option<&str> {
        match self {
            Self::Guest(guest) => guest.persona.as_deref(),
            Self::Owner | Self::Program => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn who_is_not_known_is_a_program() {
        let unknown = Speaker::default();
        assert!(!unknown.is_owner() && unknown.is_program() && unknown.bound_to().is_none());
    }

    #[test]
    fn a_speaker_is_the_same_after_it_was_written_down() {
        let bound = Speaker::Guest(Guest {
            by: "hive:kitchen".to_owned(),
            persona: Some("cook".to_owned()),
        });
        assert_eq!(bound.bound_to(), Some("cook"));
        for speaker in [Speaker::Owner, Speaker::Program, Speaker::guest("mcp:1"), bound] {
            let written = json!(speaker);
            assert_eq!(serde_json::from_value::<Speaker>(written).ok(), Some(speaker));
        }
    }
}
