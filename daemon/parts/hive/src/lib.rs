//! The hive: satellites that speak HiveMind come in here, each known by its keys, in sessions of its own, and allowed what
//! its owner lets it. What they say enters over the bus by a client of its own, so that it is never what a person said at
//! this device.
//!
//! Everything is bounded: connections, those that prove nothing yet, what they send, how fast, and what waits for them.

pub mod access;
mod admission;
mod answering;
pub mod asking;
mod check;
pub mod clients;
mod command;
mod connection;
mod crossing;
mod door;
mod ears;
pub mod hub;
mod hub_rooms;
pub mod line;
mod live;
mod member;
mod microphone;
mod pace;
mod part;
mod service;
pub mod settings;
mod sound;
mod stations;
mod wishes;

pub use self::command::{Known, Names};
pub use self::part::HivePart;
