//! What a thing can be told to do, the service that does it, and the state that shows that it was done. Calls nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::house::Entity;

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
    Run,
}

/// A colour of light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shade {
    Named(&'static str),
    Kelvin(u16),
}

/// Colours by the names that tools and lists have for them.
const SHADES: [(&str, Shade); 13] = [
    ("red", Shade::Named("red")),
    ("green", Shade::Named("green")),
    ("blue", Shade::Named("blue")),
    ("yellow", Shade::Named("yellow")),
    ("orange", Shade::Named("orange")),
    ("purple", Shade::Named("purple")),
    ("pink", Shade::Named("pink")),
    ("white", Shade::Named("white")),
    ("turquoise", Shade::Named("turquoise")),
    ("cyan", Shade::Named("cyan")),
    ("magenta", Shade::Named("magenta")),
    ("warm white", Shade::Kelvin(2700)),
    ("cold white", Shade::Kelvin(5500)),
];

impl Shade {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = crate::folded(name);
        let found = SHADES.iter().find(|(known, _)| *known == name);
        found.map(|(_, shade)| *shade)
    }

    /// The names that are known.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        SHADES.iter().map(|(name, _)| *name)
    }
}

/// An order for a thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    Do(Action),
    /// Brightness, position, speed or loudness, in percent.
    Level(f64),
    Colour(Shade),
    /// In the home's own degrees.
    Degrees(f64),
}

/// The service that carries an order out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) domain: String,
    pub(crate) service: &'static str,
    pub(crate) data: Map<String, Value>,
    pub(crate) wanted: Wanted,
}

/// What shows that it was carried out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// One of these states; on its way in one of those.
    State(&'static [&'static str], &'static [&'static str]),
    /// Any other than these.
    Not(&'static [&'static str]),
    /// An attribute near a value.
    Near(&'static str, f64, f64),
    /// Nothing shows it.
    Unseen,
}

/// How far a thing is with what it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Done,
    UnderWay,
    Not,
    Unseen,
}

impl Wanted {
    pub(crate) fn progress(&self, entity: &Entity) -> Progress {
        let is = |yes: bool| if yes { Progress::Done } else { Progress::Not };
        let state = entity.state.as_str();
        match self {
            Self::State(done, _) if done.contains(&state) => Progress::Done,
            Self::State(_, under_way) if under_way.contains(&state) => Progress::UnderWay,
            Self::State(..) => Progress::Not,
            Self::Not(states) => is(!states.contains(&state) && state != "unavailable" && state != "unknown"),
            Self::Near(attribute, value, by) => match entity.number(attribute) {
                Some(now) => is((now - value).abs() <= *by),
                None if matches!(state, "opening" | "closing") => Progress::UnderWay,
                None => Progress::Not,
            },
            Self::Unseen => Progress::Unseen,
        }
    }
}

impl Action {
    /// The kinds of things that are meant where none is named.
    pub(crate) fn usual(self) -> &'static [&'static str] {
        match self {
            Self::On => &["light"],
            Self::Off => &["light", "switch", "fan", "media_player"],
            Self::Open | Self::Close | Self::Stop => &["cover"],
            Self::Lock | Self::Unlock => &["lock"],
            Self::Arm | Self::ArmHome | Self::Disarm => &["alarm_control_panel"],
            Self::Play | Self::Pause | Self::Next | Self::Previous => &["media_player"],
            Self::Run => &[],
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
            Self::Run => "run",
        }
    }
}

impl Order {
    /// Its dialog, and what a person is asked for.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Do(action) => action.word(),
            Self::Level(_) | Self::Colour(_) | Self::Degrees(_) => "set",
        }
    }

    /// The kinds of things that are meant where none is named.
    pub(crate) fn usual(self) -> &'static [&'static str] {
        match self {
            Self::Do(action) => action.usual(),
            Self::Level(_) | Self::Colour(_) => &["light"],
            Self::Degrees(_) => &["climate"],
        }
    }

    /// How this thing is told; nothing where it cannot do it.
    pub(crate) fn step(self, entity: &Entity) -> Option<Step> {
        let domain = entity.domain();
        let (service, data, wanted) = match self {
            Self::Do(action) => {
                let (service, wanted) = service(action, domain)?;
                (service, json!({}), wanted)
            }
            Self::Level(percent) => level(domain, percent)?,
            Self::Colour(shade) => (
                "turn_on",
                match shade {
                    Shade::Named(name) => json!({"color_name": name}),
                    Shade::Kelvin(kelvin) => json!({"color_temp_kelvin": kelvin}),
                },
                shines(entity, shade).then_some(ON)?,
            ),
            Self::Degrees(degrees) if domain == "climate" => (
                "set_temperature",
                json!({"temperature": degrees}),
                Wanted::Near("temperature", degrees, 0.26),
            ),
            Self::Degrees(_) => return None,
        };
        Some(Step {
            domain: domain.to_owned(),
            service,
            data: data.as_object().cloned().unwrap_or_default(),
            wanted,
        })
    }
}

const ON: Wanted = Wanted::State(&["on"], &[]);
const OFF: Wanted = Wanted::State(&["off"], &[]);

/// The service of a kind of things for an action.
fn service(action: Action, domain: &str) -> Option<(&'static str, Wanted)> {
    Some(match (action, domain) {
        (Action::On, "light" | "switch" | "fan" | "siren") => ("turn_on", ON),
        (Action::Off, "light" | "switch" | "fan" | "siren") => ("turn_off", OFF),
        (Action::On, "climate") => ("turn_on", Wanted::Not(&["off"])),
        (Action::Off, "climate") => ("turn_off", OFF),
        (Action::On, "media_player") => ("turn_on", Wanted::Not(&["off", "standby"])),
        (Action::Off, "media_player") => ("turn_off", Wanted::State(&["off", "standby"], &[])),
        (Action::On | Action::Run, "scene" | "script") => ("turn_on", Wanted::Unseen),
        (Action::Open, "cover") => ("open_cover", Wanted::State(&["open"], &["opening"])),
        (Action::Close, "cover") => ("close_cover", Wanted::State(&["closed"], &["closing"])),
        (Action::Stop, "cover") => ("stop_cover", Wanted::Not(&["opening", "closing"])),
        (Action::Open, "valve") => ("open_valve", Wanted::State(&["open"], &["opening"])),
        (Action::Close, "valve") => ("close_valve", Wanted::State(&["closed"], &["closing"])),
        (Action::Lock, "lock") => ("lock", Wanted::State(&["locked"], &["locking"])),
        (Action::Unlock, "lock") => (
            "unlock",
            Wanted::State(&["unlocked", "open"], &["unlocking", "opening"]),
        ),
        (Action::Arm, "alarm_control_panel") => (
            "alarm_arm_away",
            Wanted::State(&["armed_away"], &["arming", "pending"]),
        ),
        (Action::ArmHome, "alarm_control_panel") => (
            "alarm_arm_home",
            Wanted::State(&["armed_home"], &["arming", "pending"]),
        ),
        (Action::Disarm, "alarm_control_panel") => {
            ("alarm_disarm", Wanted::State(&["disarmed"], &["disarming"]))
        }
        (Action::Play, "media_player") => ("media_play", Wanted::State(&["playing"], &["buffering"])),
        (Action::Pause, "media_player") => ("media_pause", Wanted::State(&["paused", "idle", "off"], &[])),
        (Action::Stop, "media_player") => ("media_stop", Wanted::Not(&["playing"])),
        (Action::Next, "media_player") => ("media_next_track", Wanted::Unseen),
        (Action::Previous, "media_player") => ("media_previous_track", Wanted::Unseen),
        _ => return None,
    })
}

/// Percent of what a kind of things has.
fn level(domain: &str, percent: f64) -> Option<(&'static str, Value, Wanted)> {
    Some(match domain {
        "light" if percent < 0.5 => ("turn_off", json!({}), OFF),
        "light" => (
            "turn_on",
            json!({"brightness_pct": percent}),
            Wanted::Near("brightness", percent * 2.55, 3.0),
        ),
        "cover" => (
            "set_cover_position",
            json!({"position": percent.round()}),
            Wanted::Near("current_position", percent, 2.0),
        ),
        "fan" => (
            "set_percentage",
            json!({"percentage": percent.round()}),
            // Many fans know a few speeds only.
            Wanted::Near("percentage", percent, 17.0),
        ),
        "media_player" => (
            "volume_set",
            json!({"volume_level": percent / 100.0}),
            Wanted::Near("volume_level", percent / 100.0, 0.02),
        ),
        _ => return None,
    })
}

/// Whether a light can have this colour. Home Assistant drops one that it cannot have without a word.
fn shines(entity: &Entity, shade: Shade) -> bool {
    if entity.domain() != "light" {
        return false;
    }
    let modes = entity
        .attributes
        .get("supported_color_modes")
        .and_then(Value::as_array);
    let mut modes = modes.into_iter().flatten().filter_map(Value::as_str);
    match shade {
        Shade::Named(_) => modes.any(|mode| matches!(mode, "hs" | "xy" | "rgb" | "rgbw" | "rgbww")),
        Shade::Kelvin(_) => {
            modes.any(|mode| matches!(mode, "color_temp" | "hs" | "xy" | "rgb" | "rgbw" | "rgbww"))
        }
    }
}
