//! Stories that drive the real daemon from outside, one module each.
//!
//! A story never looks inside: it writes files, puts frames on a bus, scripts a brain, and reads what comes back.
#![cfg(test)]

mod alerts;
mod alerts_judge;
mod barge_in;
mod brain_faults;
mod bus_alone;
mod bus_faults;
mod bus_floods;
mod bus_torture;
mod command_line;
mod commands;
mod conversation;
mod crash;
mod damaged_state;
mod discretion;
mod door;
mod emergency_stop;
mod folders;
mod full_disk;
mod guest;
mod guest_consent;
mod guest_stop;
mod handler_sessions;
mod hearing;
mod intents;
mod late_stop;
mod local_brain;
mod lookups;
mod memory;
mod mycroft_conf;
mod neighbours;
mod one_daemon;
mod orchestrator;
mod own_consent;
mod packaged_models;
mod personas;
mod pin;
mod power_loss;
mod prompts;
mod reports;
mod rights;
mod sampling;
mod service;
mod sessions;
mod settings;
mod skill_files;
mod stop;
mod story;
mod tool_faults;
mod tool_surface;
mod typed_question;
