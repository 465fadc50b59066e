//! The skills that deal with time: the clock, timers, alarms and reminders, and rest.
//!
//! Zone, language and units come with each call. What is kept is in the records; the daemon rings and holds back what it says.

pub mod alerts;
pub mod clock;
pub mod rest;
