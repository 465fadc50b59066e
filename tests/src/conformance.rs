//! Drives the running daemon through recorded scenarios of agent loops and has each run judged.

pub mod judge;
pub mod play;
pub mod scenario;
pub mod stage;
pub mod table;
pub mod tools;
