//! The things of a home, as the pack asks for them. What asks a person first is decided by the tools.

use serde_json::Value;

use super::{Asked, Understanding, device};
use loquat_home::{HomeAssistant, ID};
use loquat_household::intercom;

pub(super) fn asked(understood: &Understanding, home: &HomeAssistant) -> Option<Asked> {
    if names_nothing(understood, home) {
        return None;
    }
    control(understood)
        .or_else(|| set(understood))
        .or_else(|| read(understood))
        .or_else(|| list(understood))
        .or_else(|| said_aloud(understood))
}

/// Whether a room and a class are said of which there is nothing: "the garage door" is one thing and not a door in the garage,
/// where there is none.
fn names_nothing(understood: &Understanding, home: &HomeAssistant) -> bool {
    let place = understood.text("area").filter(|_| understood.says("area"));
    let (Some(place), Some(class)) = (place, understood.text("device_class")) else {
        return false;
    };
    !home.has_class_in(&class, &place)
}

/// Which things are meant.
fn things(understood: &Understanding, asked: Asked) -> Asked {
    let place = understood.value("area").or_else(|| understood.value("floor"));
    asked
        .with_some("thing", understood.value("name"))
        .with_some("area", place)
        .with_some("kind", understood.value("domain"))
        .with_some("class", understood.value("device_class"))
}

fn control(understood: &Understanding) -> Option<Asked> {
    let (action, kind) = match understood.intent.as_str() {
        "HassTurnOn" => ("on", None),
        "HassTurnOff" => ("off", None),
        "HassVacuumStart" => ("start", Some("vacuum")),
        "HassVacuumReturnToBase" => ("return", Some("vacuum")),
        "HassVacuumCleanArea" => ("clean_area", Some("vacuum")),
        "HassLawnMowerStartMowing" => ("start", Some("lawn_mower")),
        "HassLawnMowerDock" => ("return", Some("lawn_mower")),
        "HassMediaPause" => ("pause", Some("media_player")),
        "HassMediaUnpause" => ("play", Some("media_player")),
        "HassMediaNext" => ("next", Some("media_player")),
        "HassMediaPrevious" => ("previous", Some("media_player")),
        "HassMediaPlayerMute" => ("mute", Some("media_player")),
        "HassMediaPlayerUnmute" => ("unmute", Some("media_player")),
        _ => return None,
    };
    let asked = things(understood, Asked::new(ID, "control_home").with("action", action));
    Some(asked.with_some("kind", kind.map(Value::from)))
}

fn set(understood: &Understanding) -> Option<Asked> {
    // What is set, the slot that says to what, and of which kind of thing where the sentence names none.
    let wishes: &[(&str, &str, Option<&str>)] = match understood.intent.as_str() {
        "HassLightSet" => &[
            ("level", "brightness", Some("light")),
            ("color", "color", Some("light")),
            ("kelvin", "temperature", Some("light")),
        ],
        "HassSetPosition" => &[("level", "position", None)],
        "HassFanSetSpeed" => &[("level", "percentage", Some("fan"))],
        "HassSetVolume" => &[("level", "volume_level", Some("media_player"))],
        "HassSetVolumeRelative" => &[("level_change", "volume_step", Some("media_player"))],
        "HassClimateSetTemperature" => &[("temperature", "temperature", Some("climate"))],
        "HassClimateSetFanMode" => &[("fan_mode", "fan_mode", Some("climate"))],
        _ => return None,
    };
    let (argument, slot, kind) = wishes.iter().find(|(_, slot, _)| understood.has(slot))?;
    let value = match *slot {
        "volume_step" => device::step(understood),
        slot => understood.value(slot),
    };
    let asked = things(understood, Asked::new(ID, "set_home").with(argument, value?));
    let is_told = asked.arguments.contains_key("kind");
    Some(asked.with_some("kind", kind.filter(|_| !is_told).map(Value::from)))
}

fn read(understood: &Understanding) -> Option<Asked> {
    let asked = Asked::new(ID, "read_home");
    match understood.intent.as_str() {
        "HassClimateGetTemperature" => Some(things(understood, asked).with("kind", "climate")),
        "HassGetState" => {
            let question = match understood.response.as_str() {
                "one_yesno" => Some("is"),
                "any" => Some("any"),
                "all" => Some("all"),
                "which" => Some("which"),
                "how_many" => Some("how_many"),
                _ => None,
            };
            let mut asked = things(understood, asked).with_some("state", understood.value("state"));
            // A sensor tells of a window as well as what moves it.
            if understood.has("device_class") {
                asked.arguments.remove("kind");
            }
            Some(asked.with_some("question", question.map(Value::from)))
        }
        // The weather of a weather station of the home.
        "HassGetWeather" => Some(things(understood, asked)),
        _ => None,
    }
}

fn list(understood: &Understanding) -> Option<Asked> {
    let action = match understood.intent.as_str() {
        "HassListAddItem" => "add",
        "HassListCompleteItem" => "complete",
        "HassListRemoveItem" => "remove",
        _ => return None,
    };
    let asked = Asked::new(ID, "change_home_list").with("action", action);
    let asked = asked.with("item", understood.text("item")?);
    Some(asked.with_some("list", understood.value("name")))
}

fn said_aloud(understood: &Understanding) -> Option<Asked> {
    match understood.intent.as_str() {
        "HassBroadcast" => {
            let asked = Asked::new(intercom::ID, intercom::ANNOUNCE);
            Some(asked.with("message", understood.text("message")?))
        }
        "HassMediaSearchAndPlay" => {
            let asked = Asked::new(ID, "play_home").with("query", understood.text("search_query")?);
            let asked = asked.with_some("media_class", understood.value("media_class"));
            Some(things(understood, asked))
        }
        _ => None,
    }
}
