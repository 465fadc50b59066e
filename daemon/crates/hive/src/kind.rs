//! The types of messages, as text and as numbers, and those of what a binary message holds. Knows nothing of their payloads.

/// The type of a message, which says what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Begins a session.
    Handshake,
    /// It carries a message of the OVOS bus.
    Bus,
    /// A copy of what goes on on the sender's own bus.
    SharedBus,
    /// Is for one node, and encrypted for it.
    Intercom,
    /// Goes to all nodes below.
    Broadcast,
    /// Goes to all nodes.
    Propagate,
    /// Goes to all nodes above.
    Escalate,
    /// Says who a node is.
    Hello,
    /// Asks the nodes above.
    Query,
    /// Asks all nodes.
    Cascade,
    /// Says whether a node is there.
    Ping,
    /// Is for a mailbox.
    Rendezvous,
    /// It carries bytes.
    Binary,
}

/// Each with its text and, where it has one, its number. The number 11 is taken back and never used again.
const KINDS: [(Kind, &str, Option<u8>); 13] = [
    (Kind::Handshake, "shake", Some(0)),
    (Kind::Bus, "bus", Some(1)),
    (Kind::SharedBus, "shared_bus", Some(2)),
    (Kind::Broadcast, "broadcast", Some(3)),
    (Kind::Propagate, "propagate", Some(4)),
    (Kind::Escalate, "escalate", Some(5)),
    (Kind::Hello, "hello", Some(6)),
    (Kind::Query, "query", Some(7)),
    (Kind::Cascade, "cascade", Some(8)),
    (Kind::Ping, "ping", Some(9)),
    (Kind::Rendezvous, "rendezvous", Some(10)),
    (Kind::Binary, "bin", Some(12)),
    (Kind::Intercom, "intercom", None),
];

impl Kind {
    /// Names the type as JSON does.
    pub fn name(self) -> &'static str {
        let found = KINDS.iter().find(|(kind, ..)| *kind == self);
        found.map_or("", |(_, name, _)| name)
    }

    /// Finds the type of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = KINDS.iter().find(|(_, known, _)| *known == name);
        found.map(|(kind, ..)| *kind)
    }

    /// Gives the number of the type in a binary frame. A type without a number travels as JSON alone.
    pub(crate) fn code(self) -> Option<u8> {
        KINDS.iter().find(|(kind, ..)| *kind == self)?.2
    }

    pub(crate) fn coded(code: u8) -> Option<Self> {
        let found = KINDS.iter().find(|(_, _, known)| *known == Some(code));
        found.map(|(kind, ..)| *kind)
    }
}

/// Says what the bytes of a binary message are, and what is wanted with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sound {
    /// The sender has not told.
    Undefined,
    /// The bytes are a piece of a stream from a microphone.
    Raw,
    /// The bytes are a picture.
    Image,
    /// The bytes are a file.
    File,
    /// A recording whose words are wanted.
    Transcribe,
    /// A recording whose words are to be answered.
    Handle,
    /// Speech to be played.
    Speech,
}

const SOUNDS: [Sound; 7] = [
    Sound::Undefined,
    Sound::Raw,
    Sound::Image,
    Sound::File,
    Sound::Transcribe,
    Sound::Handle,
    Sound::Speech,
];

impl Sound {
    pub(crate) fn code(self) -> u8 {
        let place = SOUNDS.iter().position(|sound| *sound == self);
        place
            .and_then(|place| u8::try_from(place).ok())
            .unwrap_or_default()
    }

    /// Finds the meaning with this number. A number without a meaning counts as not told.
    pub(crate) fn coded(code: u8) -> Self {
        SOUNDS.get(usize::from(code)).copied().unwrap_or(Self::Undefined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back() {
        for (kind, name, code) in KINDS {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            assert_eq!(kind.name(), name);
            assert_eq!(code.and_then(Kind::coded), code.map(|_| kind));
        }
        assert_eq!(
            (Kind::coded(11), Kind::coded(31), Kind::named("")),
            (None, None, None)
        );
        for sound in SOUNDS {
            assert_eq!(Sound::coded(sound.code()), sound);
        }
        assert_eq!(Sound::coded(15), Sound::Undefined);
    }
}
