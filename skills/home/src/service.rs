//! Which service of Home Assistant does what is wished to which kind of things, and what a thing has to support for it.
//! Calls nothing.

use serde_json::{Value, json};

use super::action::Action;
use super::house::Entity;
use super::progress::Wanted;

/// A service, what it is told, and what shows that it was done.
pub(super) type Service = (&'static str, Value, Wanted);

pub(super) const ON: Wanted = Wanted::State(&["on"], &[]);
pub(super) const OFF: Wanted = Wanted::State(&["off"], &[]);

/// What a player that finds media by words and plays them supports: `SEARCH_MEDIA` and `PLAY_MEDIA`.
pub(super) const SEARCH_AND_PLAY: u64 = 4_194_304 + 512;

/// `CLEAN_AREA` of a vacuum.
pub(super) const CLEAN_AREA: u64 = 16_384;

/// `SET_POSITION` of a cover or a valve.
pub(super) const POSITION: u64 = 4;

/// `TARGET_TEMPERATURE` of a heating.
const TARGET_TEMPERATURE: u64 = 1;

/// `FAN_MODE` of a heating.
pub(super) const FAN_MODE: u64 = 8;

/// Whether a thing says that it supports all of this; one that says nothing may.
pub(super) fn supports(entity: &Entity, features: u64) -> bool {
    let said = entity
        .attributes
        .get("supported_features")
        .and_then(Value::as_u64);
    said.is_none_or(|said| said & features == features)
}

/// The service of a thing for an action that its kind has.
pub(super) fn service(action: Action, entity: &Entity) -> Option<Service> {
    let domain = entity.domain();
    let (service, wanted) = plain(action, domain)?;
    if !supports(entity, needs(action, domain)) {
        return None;
    }
    let data = match action {
        Action::Mute => json!({"is_volume_muted": true}),
        Action::Unmute => json!({"is_volume_muted": false}),
        _ => json!({}),
    };
    Some((service, data, wanted))
}

fn plain(action: Action, domain: &str) -> Option<(&'static str, Wanted)> {
    match domain {
        "media_player" => of_player(action),
        "cover" | "valve" | "lock" | "alarm_control_panel" => of_entrance(action, domain),
        "vacuum" | "lawn_mower" => of_robot(action, domain),
        _ => switched(action, domain),
    }
}

fn switched(action: Action, domain: &str) -> Option<(&'static str, Wanted)> {
    Some(match (action, domain) {
        (Action::On, "light" | "switch" | "fan" | "siren" | "input_boolean" | "humidifier") => {
            ("turn_on", ON)
        }
        (Action::Off, "light" | "switch" | "fan" | "siren" | "input_boolean" | "humidifier") => {
            ("turn_off", OFF)
        }
        (Action::On, "climate") => ("turn_on", Wanted::Not(&["off"])),
        (Action::Off, "climate") => ("turn_off", OFF),
        (Action::On | Action::Run, "scene" | "script") => ("turn_on", Wanted::Unseen),
        (Action::Off | Action::Stop, "script") => ("turn_off", OFF),
        (Action::Press, "button" | "input_button") => ("press", Wanted::Unseen),
        _ => return None,
    })
}

fn of_player(action: Action) -> Option<(&'static str, Wanted)> {
    Some(match action {
        Action::On => ("turn_on", Wanted::Not(&["off", "standby"])),
        Action::Off => ("turn_off", Wanted::State(&["off", "standby"], &[])),
        Action::Play => ("media_play", Wanted::State(&["playing"], &["buffering"])),
        Action::Pause => ("media_pause", Wanted::State(&["paused", "idle", "off"], &[])),
        Action::Stop => ("media_stop", Wanted::Not(&["playing"])),
        Action::Next => ("media_next_track", Wanted::Unseen),
        Action::Previous => ("media_previous_track", Wanted::Unseen),
        Action::Mute => ("volume_mute", Wanted::Flag("is_volume_muted", true)),
        Action::Unmute => ("volume_mute", Wanted::Flag("is_volume_muted", false)),
        _ => return None,
    })
}

fn of_entrance(action: Action, domain: &str) -> Option<(&'static str, Wanted)> {
    Some(match (action, domain) {
        (Action::Open, "cover") => ("open_cover", Wanted::State(&["open"], &["opening"])),
        (Action::Close, "cover") => ("close_cover", Wanted::State(&["closed"], &["closing"])),
        (Action::Stop, "cover") => ("stop_cover", Wanted::Not(&["opening", "closing"])),
        (Action::Open, "valve") => ("open_valve", Wanted::State(&["open"], &["opening"])),
        (Action::Close, "valve") => ("close_valve", Wanted::State(&["closed"], &["closing"])),
        (Action::Stop, "valve") => ("stop_valve", Wanted::Not(&["opening", "closing"])),
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
        _ => return None,
    })
}

fn of_robot(action: Action, domain: &str) -> Option<(&'static str, Wanted)> {
    Some(match (action, domain) {
        (Action::Start, "vacuum") => ("start", Wanted::State(&["cleaning"], &[])),
        (Action::Stop, "vacuum") => ("stop", Wanted::Not(&["cleaning"])),
        (Action::Pause, _) => ("pause", Wanted::Not(&["cleaning", "mowing"])),
        (Action::Return, "vacuum") => ("return_to_base", Wanted::State(&["docked"], &["returning"])),
        (Action::Start, _) => ("start_mowing", Wanted::State(&["mowing"], &[])),
        (Action::Return, _) => ("dock", Wanted::State(&["docked"], &["returning"])),
        _ => return None,
    })
}

/// The features that an action needs; nothing where every thing of the kind can do it.
fn needs(action: Action, domain: &str) -> u64 {
    match (domain, action) {
        ("media_player", Action::Pause)
        | ("cover" | "valve", Action::Open)
        | ("lawn_mower", Action::Start) => 1,
        ("cover" | "valve", Action::Close) | ("lawn_mower", Action::Pause) => 2,
        ("vacuum", Action::Pause) | ("lawn_mower", Action::Return) => 4,
        ("media_player", Action::Mute | Action::Unmute) | ("cover" | "valve" | "vacuum", Action::Stop) => 8,
        ("media_player", Action::Previous) | ("vacuum", Action::Return) => 16,
        ("media_player", Action::Next) => 32,
        ("media_player", Action::On) => 128,
        ("media_player", Action::Off) => 256,
        ("media_player", Action::Stop) => 4_096,
        ("vacuum", Action::Start) => 8_192,
        ("media_player", Action::Play) => 16_384,
        _ => 0,
    }
}

/// Percent of what a thing has: its brightness, position, speed, loudness or humidity. Of a heating a number means degrees.
pub(super) fn level(entity: &Entity, percent: f64) -> Option<Service> {
    match entity.domain() {
        "light" => brightness(entity, percent),
        "cover" if supports(entity, POSITION) => Some(position("set_cover_position", percent)),
        "valve" if supports(entity, POSITION) => Some(position("set_valve_position", percent)),
        "fan" if supports(entity, 1) => Some((
            "set_percentage",
            json!({"percentage": percent.round()}),
            // Many fans know a few speeds only.
            Wanted::Near("percentage", percent, 17.0),
        )),
        "media_player" if supports(entity, 4) => Some((
            "volume_set",
            json!({"volume_level": percent / 100.0}),
            Wanted::Near("volume_level", percent / 100.0, 0.02),
        )),
        "humidifier" => Some((
            "set_humidity",
            json!({"humidity": percent.round()}),
            Wanted::Near("humidity", percent, 1.0),
        )),
        "climate" => degrees(entity, percent),
        _ => None,
    }
}

fn position(service: &'static str, percent: f64) -> Service {
    let data = json!({"position": percent.round()});
    (service, data, Wanted::Near("current_position", percent, 2.0))
}

fn brightness(entity: &Entity, percent: f64) -> Option<Service> {
    let mut modes = entity.texts("supported_color_modes").peekable();
    let is_dimmed = modes.peek().is_none() || modes.any(|mode| mode != "onoff");
    is_dimmed.then(|| match percent {
        dark if dark < 0.5 => ("turn_off", json!({}), OFF),
        _ => (
            "turn_on",
            json!({"brightness_pct": percent}),
            Wanted::Near("brightness", percent * 2.55, 3.0),
        ),
    })
}

/// More or less than now. The loudness of a player that does not tell its own is moved by the player's own step, and a fan by a
/// step of its own where it knows few speeds.
pub(super) fn level_by(entity: &Entity, by: f64) -> Option<Service> {
    match entity.level() {
        // What is dark is not lit by what is to be darker.
        Some(now) if entity.domain() == "light" && now <= 0.0 && by < 0.0 => level(entity, 0.0),
        Some(now) if entity.domain() == "light" => level(entity, (now + by).clamp(1.0, 100.0)),
        Some(now) if entity.domain() == "fan" => level(entity, speed_by(entity, now, by)),
        Some(now) => level(entity, (now + by).clamp(0.0, 100.0)),
        None if entity.domain() == "media_player" && supports(entity, 4) => {
            let service = if by < 0.0 { "volume_down" } else { "volume_up" };
            Some((service, json!({}), Wanted::Unseen))
        }
        None => None,
    }
}

/// The speed of a fan that is to be more or less. What runs stays on, and what stands still is not started by what is to be slower.
fn speed_by(entity: &Entity, now: f64, by: f64) -> f64 {
    let own = entity.number("percentage_step").unwrap_or_default();
    let step = own.max(by.abs()).min(100.0);
    let slowest = if by < 0.0 { now.min(step) } else { step };
    (now + step.copysign(by)).clamp(slowest, 100.0)
}

/// The temperature that a heating is to bring.
pub(super) fn degrees(entity: &Entity, degrees: f64) -> Option<Service> {
    let is_it = entity.domain() == "climate" && supports(entity, TARGET_TEMPERATURE);
    is_it.then(|| {
        (
            "set_temperature",
            json!({"temperature": degrees}),
            Wanted::Near("temperature", degrees, 0.26),
        )
    })
}
