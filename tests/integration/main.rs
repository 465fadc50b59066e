//! Stories that drive the real daemon from outside, one module each.
//!
//! A story never looks inside: it writes files, puts frames on a bus, scripts a brain, and reads what comes back.
#![cfg(test)]

mod barge_in;
mod brain_faults;
mod bus_alone;
mod bus_faults;
mod bus_torture;
mod command_line;
mod commands;
mod conversation;
mod crash;
mod discretion;
mod guest;
mod guest_consent;
mod guest_stop;
mod handler_sessions;
mod hearing;
mod late_stop;
mod local_brain;
mod neighbours;
mod orchestrator;
mod personas;
mod reports;
mod sampling;
mod service;
mod sessions;
mod settings;
mod stop;
mod story;
mod tool_faults;
mod tool_surface;
mod typed_question;
