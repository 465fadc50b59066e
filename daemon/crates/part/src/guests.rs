//! Who is a guest: what is said in the sessions of the doors that this process keeps, and by which persona such a guest is
//! served.
//!
//! Each door names its sessions itself and lets no guest speak in another's. A program on the bus that names such a session is
//! taken for that guest, and can do no more than it. What binds a guest stands in no frame: the door tells it here.

use std::collections::HashMap;
use std::sync::Arc;

use loquat_agent::{Guest, Speaker};
use parking_lot::RwLock;

use super::{hive_place as place, satellite};

/// What the sessions of MCP clients begin with.
pub const MCP: &str = "mcp-";

/// Who stands at the door of MCP clients.
const MCP_CLIENTS: &str = "mcp";

/// What the sessions begin with in which a hive asks that this device has joined.
pub const HUB: &str = "hub:";

/// The guests whom one persona alone serves, by their doors. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Guests(Arc<RwLock<HashMap<String, String>>>);

impl Guests {
    /// These guests and no others are bound from now on: each door with its persona.
    pub fn bind(&self, bound: HashMap<String, String>) {
        *self.0.write() = bound;
    }

    /// Finds out who speaks in a session; it is no guest where no door of ours has made the session.
    pub fn of_session(&self, session_id: &str) -> Option<Guest> {
        let by = door_of(session_id)?;
        let persona = self.0.read().get(&by).cloned();
        Some(Guest { by, persona })
    }

    /// Finds out who makes a call that no utterance has asked for.
    pub fn caller(&self, session_id: &str) -> Speaker {
        self.of_session(session_id)
            .map_or(Speaker::Program, Speaker::Guest)
    }
}

/// Names the channel of a door: `satellite` of a voice device of Home Assistant, `hive` of a hive, `mcp` of MCP clients.
pub fn channel_of(guest: &Guest) -> Option<&'static str> {
    let by = guest.by.as_str();
    let satellite = by.strip_prefix(satellite::SATELLITES);
    if satellite.is_some_and(|machine| machine.starts_with(':')) {
        return Some("satellite");
    }
    if by.starts_with(place::HIVE) || by.starts_with(HUB) {
        return Some("hive");
    }
    (by == MCP_CLIENTS).then_some("mcp")
}

/// Finds the door of a session, and who stands there.
fn door_of(session_id: &str) -> Option<String> {
    if let Some((client, _)) = place::of_session(session_id) {
        return Some(place::peer(client));
    }
    if let Some((machine, _)) = satellite::of_session(session_id) {
        return Some(format!("{}:{machine}", satellite::SATELLITES));
    }
    if session_id.starts_with(HUB) {
        return Some(session_id.to_owned());
    }
    // Each request may have a session of its own, and who has the token is one and the same.
    session_id.starts_with(MCP).then(|| MCP_CLIENTS.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_known_by_its_door_and_not_by_its_conversation() {
        let guests = Guests::default();
        let by = |session: &str| guests.of_session(session).map(|guest| guest.by);
        for (session, door) in [
            ("hive:kitchen:default", "hive:kitchen"),
            ("hive:kitchen:a:b", "hive:kitchen"),
            ("wyoming:192.168.0.7:one", "wyoming:192.168.0.7"),
            ("wyoming:[fe80::1]:two", "wyoming:fe80::1"),
            ("mcp-0123", "mcp"),
            ("hub:sat::12", "hub:sat::12"),
        ] {
            assert_eq!(by(session).as_deref(), Some(door), "{session}");
            let channel = guests.of_session(session).and_then(|guest| channel_of(&guest));
            let expected = match door.split(':').next() {
                Some("wyoming") => "satellite",
                Some("mcp") => "mcp",
                _ => "hive",
            };
            assert_eq!(channel, Some(expected), "{session}");
        }
        for other in ["default", "", "kitchen", "hive", "wyoming", "wyomingo:1:2"] {
            assert_eq!(by(other), None, "{other}");
        }
    }

    #[test]
    fn a_guest_is_bound_in_all_its_sessions_until_its_door_says_otherwise() {
        let guests = Guests::default();
        let persona = |session: &str| guests.of_session(session).and_then(|guest| guest.persona);
        assert_eq!(persona("hive:kitchen:s"), None);
        guests.bind(HashMap::from([("hive:kitchen".to_owned(), "cook".to_owned())]));
        assert_eq!(persona("hive:kitchen:s").as_deref(), Some("cook"));
        assert_eq!(persona("hive:kitchen:other").as_deref(), Some("cook"));
        assert_eq!(persona("hive:kitchens:s"), None);
        guests.bind(HashMap::new());
        assert_eq!(persona("hive:kitchen:s"), None);
    }
}
