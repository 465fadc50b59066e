//! Whose words something is that is kept for later: the owner's, or those of another person or thing. The origin is written
//! down with the thing, so that it is known when the thing is read again. It tells nothing of what may be done with it.

use serde::{Deserialize, Serialize};

use crate::speaker::Speaker;
use crate::toolbox::Circumstances;

/// Says whose words something is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The words are the owner's, said at the device or agreed to word by word.
    Own,
    /// The words are those of this guest, or of this conversation of a program, from a turn that had not been marked.
    /// They are read back to their speaker without a mark.
    Of(String),
    /// The words come from a call without a turn, from what a turn has read, or from before the origin was written
    /// down.
    #[default]
    Elsewhere,
}

impl Origin {
    /// Gives the origin of what a call under these circumstances brings in.
    pub fn of(call: &Circumstances) -> Self {
        if call.is_tainted && !call.is_consented {
            Self::Elsewhere
        } else if call.speaker.is_owner() {
            Self::Own
        } else {
            party(call).map_or(Self::Elsewhere, Self::Of)
        }
    }

    /// Gives the origin of something that both have had a hand in.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        if self == *other { self } else { Self::Elsewhere }
    }

    /// Tells whether it is the owner's.
    pub fn is_own(&self) -> bool {
        *self == Self::Own
    }

    /// Tells whether these may be the words of another than the owner and the one who speaks in this call.
    pub fn is_foreign_to(&self, call: &Circumstances) -> bool {
        match self {
            Self::Own => false,
            Self::Of(author) => party(call).as_ref() != Some(author),
            Self::Elsewhere => true,
        }
    }
}

/// Names the speaker of a turn, where that is not the owner. Programs are told apart by their conversations alone: a
/// program that speaks in one can have its persona do everything that words planted there could.
fn party(call: &Circumstances) -> Option<String> {
    match &call.speaker {
        _ if call.turn_id.is_empty() => None,
        Speaker::Owner => None,
        Speaker::Guest(guest) => Some(guest.by.clone()),
        Speaker::Program => Some(format!("bus:{}", call.session_id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(speaker: Speaker, session: &str) -> Circumstances {
        Circumstances {
            speaker,
            session_id: session.to_owned(),
            turn_id: "t".to_owned(),
            ..Circumstances::default()
        }
    }

    fn of(speaker: Speaker, [is_tainted, is_consented]: [bool; 2]) -> Origin {
        Origin::of(&Circumstances {
            is_tainted,
            is_consented,
            ..call(speaker, "s")
        })
    }

    #[test]
    fn the_owner_s_are_the_words_of_the_owner_and_in_a_marked_turn_those_that_were_agreed_to() {
        assert_eq!(of(Speaker::Owner, [false, false]), Origin::Own);
        assert_eq!(of(Speaker::Owner, [true, true]), Origin::Own);
        assert_eq!(of(Speaker::Owner, [true, false]), Origin::Elsewhere);
        for other in [Speaker::guest("hive:kitchen"), Speaker::Program] {
            assert!(!of(other.clone(), [false, false]).is_own());
            assert_eq!(of(other, [true, false]), Origin::Elsewhere);
        }
    }

    #[test]
    fn to_themselves_nobody_is_a_stranger_and_to_all_others_they_are() {
        let kitchen = || Speaker::guest("hive:kitchen");
        let all = [
            call(Speaker::Owner, "default"),
            call(kitchen(), "hive:kitchen:s"),
            call(Speaker::guest("hive:hall"), "hive:hall:s"),
            call(Speaker::Program, "hive:kitchen:s"),
            call(Speaker::Program, "chat"),
            call(Speaker::Program, "default"),
        ];
        for (at, author) in all.iter().enumerate() {
            for (other, reader) in all.iter().enumerate() {
                let is_foreign = !author.speaker.is_owner() && at != other;
                assert_eq!(
                    Origin::of(author).is_foreign_to(reader),
                    is_foreign,
                    "{author:?} {reader:?}"
                );
            }
        }
        // Two conversations of one guest are one guest's.
        let elsewhere = call(kitchen(), "hive:kitchen:t");
        assert!(!Origin::of(&all[1]).is_foreign_to(&elsewhere));
        // A call without a turn may be anybody's, whatever session it names.
        for speaker in [kitchen(), Speaker::Program] {
            let direct = Circumstances {
                turn_id: String::new(),
                ..call(speaker.clone(), "chat")
            };
            assert_eq!(Origin::of(&direct), Origin::Elsewhere);
            assert!(Origin::Elsewhere.is_foreign_to(&call(speaker, "chat")));
        }
    }

    #[test]
    fn what_two_had_a_hand_in_is_the_owners_only_if_both_are() {
        assert_eq!(Origin::Own.and(&Origin::Own), Origin::Own);
        assert_eq!(Origin::Own.and(&Origin::Elsewhere), Origin::Elsewhere);
        assert_eq!(Origin::Elsewhere.and(&Origin::Own), Origin::Elsewhere);
    }
}
