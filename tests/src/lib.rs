//! The test kit: fakes that stand at every port of the daemon and police the protocol they speak.
//!
//! Everything here is written from the protocols and never from the code under test, so that a mistake is not made
//! twice. A kit whose own assumption breaks ends the test at once, hence the expectations below.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a broken assumption of the kit ends the test that made it; an absent key of a JSON value is null"
)]

pub mod attack;
pub mod binaries;
pub mod brain;
pub mod browser;
pub mod bus;
pub mod bytes;
pub mod certificate;
pub mod citizen;
pub mod clock;
pub mod conformance;
pub mod daemon;
pub mod dbus;
pub mod dice;
pub mod frame;
pub mod hive;
pub mod home;
pub mod home_assistant;
pub mod machine;
pub mod models;
pub mod mortal_bus;
pub mod mortal_disk;
pub mod nats;
pub mod notify;
pub mod ovos_core;
pub mod peers;
pub mod persona;
pub mod place;
pub mod probe;
pub mod process;
pub mod recording;
pub mod skill;
pub mod soak;
pub mod sound;
pub mod speaker;
pub mod story;
pub mod toolbox;
pub mod turn;
pub mod wait;
pub mod web_server;
pub mod wyoming;
