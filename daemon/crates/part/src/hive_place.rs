//! How a client of the hive is called on the bus: as a source, and in the ids of its sessions. Two clients never have the
//! same, and none has one of the device's own.

/// What every such name begins with.
pub(super) const HIVE: &str = "hive:";

/// Bytes of the id that a client gives a session.
const LONGEST_ID: usize = 96;

/// Names a client as frames do that come from it or go to it.
pub fn peer(client: &str) -> String {
    format!("{HIVE}{client}")
}

/// Makes the id of a session of a client, as the bus has it; none where its own id for it is none.
pub fn session(client: &str, declared: &str) -> Option<String> {
    let is_id =
        (1..=LONGEST_ID).contains(&declared.len()) && declared.bytes().all(|byte| byte.is_ascii_graphic());
    is_id.then(|| format!("{HIVE}{client}:{declared}"))
}

/// Takes a session's id apart into its client and that client's own id for it.
pub fn of_session(id: &str) -> Option<(&str, &str)> {
    id.strip_prefix(HIVE)?.split_once(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_leads_back_to_its_client() {
        let id = session("kitchen", "a:b").unwrap();
        assert_eq!(of_session(&id), Some(("kitchen", "a:b")));
        assert_eq!(session("kitchen", "default").unwrap(), "hive:kitchen:default");
        for wrong in ["", "a b", "ä", &"x".repeat(LONGEST_ID + 1)] {
            assert_eq!(session("kitchen", wrong), None, "{wrong}");
        }
        for other in ["default", "wyoming:1.2.3.4:c", "hive:kitchen"] {
            assert_eq!(of_session(other), None, "{other}");
        }
    }
}
