//! The types of messages, as text and as numbers, and those of what a binary message holds. Knows nothing of their payloads.

/// What a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The beginning of a session.
    Handshake,
    /// A message of the OVOS bus.
    Bus,
    /// A copy of what goes on on the sender's own bus.
    SharedBus,
    /// For one node, encrypted for it.
    Intercom,
    /// To all nodes below.
    Broadcast,
    /// To all nodes.
    Propagate,
    /// To all nodes above.
    Escalate,
    /// Who a node is.
    Hello,
    /// A question to the nodes above.
    Query,
    /// A question to all nodes.
    Cascade,
    /// Whether a node is there.
    Ping,
    /// For a mailbox.
    Rendezvous,
    /// Bytes.
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
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        let found = KINDS.iter().find(|(kind, ..)| *kind == self);
        found.map_or("", |(_, name, _)| name)
    }

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = KINDS.iter().find(|(_, known, _)| *known == name);
        found.map(|(kind, ..)| *kind)
    }

    /// As a binary frame has it; one that has no number travels as JSON alone.
    pub(crate) fn code(self) -> Option<u8> {
        KINDS.iter().find(|(kind, ..)| *kind == self)?.2
    }

    /// The type of this number.
    pub(crate) fn coded(code: u8) -> Option<Self> {
        let found = KINDS.iter().find(|(_, _, known)| *known == Some(code));
        found.map(|(kind, ..)| *kind)
    }
}

/// What the bytes of a binary message are, and what is wanted with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sound {
    /// Not told.
    Undefined,
    /// A piece of a stream from a microphone.
    Raw,
    /// A picture.
    Image,
    /// A file.
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

    /// What has no meaning yet counts as not told.
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
