//! Stories of what is heard and what is said: the real daemon with a sound server of the test's own, one module each.
//!
//! A story never looks inside: it speaks into a microphone, puts frames on a bus, and listens at the loudspeaker.
#![cfg(test)]

mod early;
mod giving_way;
mod hearing_faults;
mod loudness;
mod microphone;
mod record_mode;
mod setup;
mod story;
mod voice;
mod wake_words;
