//! How the conversations of satellites are told from others: voice devices of Home Assistant, which this process serves.
//!
//! Knows neither what they say nor how they say it.

/// The source of what is said to satellites: neither our own ear nor our own terminal.
pub const SATELLITES: &str = "wyoming";

/// Whether a session is a conversation with one. It asks and is answered, and cannot be called.
pub fn is_of_satellite(session_id: &str) -> bool {
    let rest = session_id.strip_prefix(SATELLITES);
    rest.is_some_and(|rest| rest.starts_with(':'))
}
