//! Whose words something is that is kept for later: the owner's, or those of somebody or something else. It is written down
//! with the thing, so that whoever reads it again knows.

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
        if call.turn_id.is_empty() || is_doubtful {
            Self::Elsewhere
        } else {
            Self::Own
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

    fn in_a_turn() -> Circumstances {
        Circumstances {
            turn_id: "t".to_owned(),
            ..Circumstances::default()
        }
    }

    #[test]
    fn what_a_marked_turn_brings_in_is_the_owners_only_after_a_yes() {
        assert_eq!(Origin::of(&in_a_turn()), Origin::Own);
        let marked = Circumstances {
            is_tainted: true,
            ..in_a_turn()
        };
        assert_eq!(Origin::of(&marked), Origin::Elsewhere);
        let agreed = Circumstances {
            is_consented: true,
            ..marked
        };
        assert_eq!(Origin::of(&agreed), Origin::Own);
        assert_eq!(Origin::of(&Circumstances::default()), Origin::Elsewhere);
    }

    #[test]
    fn what_two_had_a_hand_in_is_the_owners_only_if_both_are() {
        assert_eq!(Origin::Own.and(Origin::Own), Origin::Own);
        assert_eq!(Origin::Own.and(Origin::Elsewhere), Origin::Elsewhere);
        assert_eq!(Origin::Elsewhere.and(Origin::Own), Origin::Elsewhere);
    }
}
