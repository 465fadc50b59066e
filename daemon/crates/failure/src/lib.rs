//! What every package needs to say and to know about a failure: its causes, and the wait before the next try.
//!
//! Reads no clock, never waits itself, and logs nothing.

mod backoff;
mod causes;

pub use backoff::Backoff;
pub use causes::{causes, root_cause, with_causes};
