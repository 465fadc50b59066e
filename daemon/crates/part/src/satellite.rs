//! How the conversations of satellites are told from others: voice devices of Home Assistant, which this process serves.
//!
//! Knows neither what they say nor how they say it.

use std::net::IpAddr;

/// The source of what is said to satellites: neither our own ear nor our own terminal.
pub const SATELLITES: &str = "wyoming";

/// Names the session of a conversation with a satellite on this machine. No machine has a session of
/// another's.
pub fn session(machine: IpAddr, conversation: &str) -> String {
    match machine {
        IpAddr::V4(machine) => format!("{SATELLITES}:{machine}:{conversation}"),
        IpAddr::V6(machine) => format!("{SATELLITES}:[{machine}]:{conversation}"),
    }
}

/// Takes such a session's id apart into machine and conversation.
pub fn of_session(session_id: &str) -> Option<(&str, &str)> {
    let rest = session_id.strip_prefix(SATELLITES)?.strip_prefix(':')?;
    match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("]:"),
        None => rest.split_once(':'),
    }
}

/// Tells whether a session is a conversation with one. It asks and is answered, and cannot be called.
pub fn is_of_satellite(session_id: &str) -> bool {
    of_session(session_id).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_machine_has_a_session_of_another_s() {
        for (machine, conversation) in [("10.0.0.2", "a:b"), ("fe80::1", "2:c"), ("fe80::1:2", "c")] {
            let session = session(machine.parse().unwrap(), conversation);
            assert_eq!(of_session(&session), Some((machine, conversation)), "{session}");
        }
        for other in ["default", "wyoming", "wyoming:", "wyomingo:1.2.3.4:c", "hive:a:b"] {
            assert_eq!(of_session(other), None, "{other}");
        }
    }
}
