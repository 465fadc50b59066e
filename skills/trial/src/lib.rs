//! What tests of several skills share: hearing a sentence as the device does, records that fail, a server that
//! answers as a test says, and a look at languages.
//!
//! It is part of no program.
#![expect(
    clippy::expect_used,
    reason = "a broken assumption of a test ends the test that made it"
)]

mod hearing;
mod replay;
mod slow_records;

pub use hearing::{heard, heard_among, languages_are_whole};
pub use replay::{Answer, Replay};
pub use slow_records::Slow;
