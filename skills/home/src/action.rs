//! What a thing can be told to do, and what that means for each kind of things. Calls nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    On,
    Off,
    Open,
    Close,
    Stop,
    Lock,
    Unlock,
    Arm,
    ArmHome,
    Disarm,
    Play,
    Pause,
    Next,
    Previous,
    Mute,
    Unmute,
    Run,
    Press,
    Start,
    Return,
    CleanArea,
}

/// Kinds that are on or off.
const SWITCHED: [&str; 7] = [
    "climate",
    "fan",
    "humidifier",
    "input_boolean",
    "light",
    "siren",
    "switch",
];

impl Action {
    /// What an action means for a kind of things: a cover that is turned on opens, and a fan that is stopped is turned off.
    pub(crate) fn upon(self, domain: &str) -> Self {
        match (self, domain) {
            (Self::On, "cover" | "valve") => Self::Open,
            (Self::Off, "cover" | "valve") => Self::Close,
            (Self::On | Self::Close, "lock") => Self::Lock,
            (Self::Off | Self::Open, "lock") => Self::Unlock,
            (Self::On | Self::Run | Self::Start, "button" | "input_button") => Self::Press,
            (Self::On | Self::Run | Self::Play, "vacuum" | "lawn_mower") => Self::Start,
            (Self::Off, "vacuum" | "lawn_mower") => Self::Return,
            (Self::Stop, "lawn_mower") => Self::Pause,
            (Self::Start | Self::Arm, "scene" | "script") => Self::Run,
            (Self::Stop | Self::Disarm, kind) if SWITCHED.contains(&kind) => Self::Off,
            (Self::Start | Self::Run | Self::Arm, kind) if SWITCHED.contains(&kind) => Self::On,
            (same, _) => same,
        }
    }

    /// The kinds of things that are meant where none is named.
    pub(crate) fn usual(self) -> &'static [&'static str] {
        match self {
            Self::On => &["light"],
            Self::Off => &["light", "switch", "fan", "media_player"],
            Self::Open | Self::Close | Self::Stop => &["cover"],
            Self::Lock | Self::Unlock => &["lock"],
            Self::Arm | Self::ArmHome | Self::Disarm => &["alarm_control_panel"],
            Self::Play | Self::Pause | Self::Next | Self::Previous | Self::Mute | Self::Unmute => {
                &["media_player"]
            }
            Self::Start | Self::Return | Self::CleanArea => &["vacuum", "lawn_mower"],
            Self::Run | Self::Press => &[],
        }
    }

    /// Its dialog, and what a person is asked for.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Open => "open",
            Self::Close => "close",
            Self::Stop => "stop",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Arm | Self::ArmHome => "arm",
            Self::Disarm => "disarm",
            Self::Play => "play",
            Self::Pause => "pause",
            Self::Next => "next",
            Self::Previous => "previous",
            Self::Mute => "mute",
            Self::Unmute => "unmute",
            Self::Run | Self::Start => "run",
            Self::Press => "press",
            Self::Return => "return",
            Self::CleanArea => "clean",
        }
    }
}
