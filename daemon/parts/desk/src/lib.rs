//! The desk: who answers which utterance, for which persona and session; and what the device says unasked, such as alerts that
//! ring and a disk that is full. It hears nothing and speaks nothing by itself: both go over the bus.

mod desk;
pub mod disk_alarm;
mod kept;
pub mod own_station;
pub mod rest;
pub mod ringer;
pub mod settings;
mod spoken;

pub use self::desk::{
    Attendance, ConsentRules, Desk, DeskSettings, OwnConversation, OwnersWishes, STOP_US, Unheeded, presence,
    status,
};
