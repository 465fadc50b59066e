//! Who has something said in other rooms: where they stand, what they are called and which language they speak.

use loquat_agent::Speaker;
use loquat_agent::toolbox::Circumstances;

use super::DEVICE;
use crate::people::{PROGRAM, Residents};

/// What the stations of the hive begin with that this device has joined.
pub(super) const HUB: &str = "hub:";

/// Who has something said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The station at which they stand; a program on the bus stands at none.
    pub station: String,
    /// What they are called, where that was said.
    pub name: Option<String>,
    /// The language of what they say, as a BCP-47 tag.
    pub lang: String,
    /// Whether they came in by a door of this device.
    pub is_guest: bool,
    /// Whether the rooms are kept from them that only a home reaches.
    pub is_kept_from_homes: bool,
}

impl Caller {
    /// Who speaks in a call of a tool.
    pub(super) fn of(person: &Circumstances, residents: &Residents) -> Self {
        let station = match &person.speaker {
            Speaker::Owner => DEVICE.to_owned(),
            Speaker::Guest(guest) => guest.by.clone(),
            Speaker::Program => residents.door(&person.session_id),
        };
        Self {
            station,
            name: residents.in_session(&person.session_id).map(|named| named.name),
            lang: person.lang.clone().unwrap_or_else(|| "en-US".to_owned()),
            is_guest: matches!(person.speaker, Speaker::Guest(_)),
            is_kept_from_homes: false,
        }
    }

    /// As which they count where a flood is held back. All programs are one, and so are all who come from the hive that this device
    /// has joined: both say themselves where they are.
    pub(super) fn party(&self) -> &str {
        let shared = [PROGRAM, HUB].into_iter();
        let mut shared = shared.filter(|kind| self.station.starts_with(kind));
        shared.next().unwrap_or(&self.station)
    }
}
