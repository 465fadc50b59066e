//! Whose words something is that is kept for later: the owner's, or those of another person or thing. It is written down
//! with the thing, so that it is known when the thing is read again.

use serde::{Deserialize, Serialize};

use crate::toolbox::Circumstances;

/// Whose words something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The owner's, said at the device or agreed to word by word.
    Own,
    /// Of a guest, of a program, of what a turn has read; and of what was kept before this was written down.
    #[default]
    Elsewhere,
}

impl Origin {
    /// Of what a call under these circumstances brings in.
    pub fn of(call: &Circumstances) -> Self {
        let is_doubtful = call.is_tainted && !call.is_consented;
        if call.speaker.is_owner() && !is_doubtful {
            Self::Own
        } else {
            Self::Elsewhere
        }
    }

    /// Of something that both have had a hand in.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Elsewhere }
    }

    /// Whether it is not the owner's.
    pub fn is_elsewhere(self) -> bool {
        self == Self::Elsewhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speaker::Speaker;

    fn of(speaker: Speaker, [is_tainted, is_consented]: [bool; 2]) -> Origin {
        Origin::of(&Circumstances {
            speaker,
            turn_id: "t".to_owned(),
            is_tainted,
            is_consented,
            ..Circumstances::default()
        })
    }

    #[test]
    fn the_owner_s_are_the_words_of_the_owner_and_in_a_marked_turn_those_that_were_agreed_to() {
        assert_eq!(of(Speaker::Owner, [false, false]), Origin::Own);
        assert_eq!(of(Speaker::Owner, [true, true]), Origin::Own);
        assert_eq!(of(Speaker::Owner, [true, false]), Origin::Elsewhere);
        for other in [Speaker::guest("hive:kitchen"), Speaker::Program] {
            assert_eq!(of(other.clone(), [false, false]), Origin::Elsewhere);
            assert_eq!(of(other, [false, true]), Origin::Elsewhere);
        }
    }

    #[test]
    fn what_two_had_a_hand_in_is_the_owners_only_if_both_are() {
        assert_eq!(Origin::Own.and(Origin::Own), Origin::Own);
        assert_eq!(Origin::Own.and(Origin::Elsewhere), Origin::Elsewhere);
        assert_eq!(Origin::Elsewhere.and(Origin::Own), Origin::Elsewhere);
    }
}
