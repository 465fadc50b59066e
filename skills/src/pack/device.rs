//! What the device itself does: clock, weather, lists, player and loudness.
//!
//! A player, a list or a weather of the home is named in the sentence, or its room is; those are not for the tools here.

use serde_json::json;

use super::{Asked, Understanding};

/// By how much the loudness changes where no number was said.
const STEP: i64 = 10;

pub(super) fn asked(understood: &Understanding) -> Option<Asked> {
    if ["name", "area", "floor"].iter().any(|slot| understood.says(slot)) {
        return None;
    }
    clock(understood)
        .or_else(|| player(understood))
        .or_else(|| loudness(understood))
        .or_else(|| shopping(understood))
}

fn clock(understood: &Understanding) -> Option<Asked> {
    let now = || Asked::new(loquat_time::clock::ID, "get_current_datetime");
    Some(match understood.intent.as_str() {
        "HassGetCurrentTime" => now().answered("time"),
        "HassGetCurrentDate" => now().answered("date"),
        "HassGetWeather" => Asked::new(loquat_online::weather::ID, "get_weather"),
        _ => return None,
    })
}

fn player(understood: &Understanding) -> Option<Asked> {
    let action = match understood.intent.as_str() {
        "HassMediaPause" => "pause",
        "HassMediaUnpause" => "play",
        "HassMediaNext" => "next",
        "HassMediaPrevious" => "previous",
        _ => return None,
    };
    Some(Asked::new(loquat_device::media::ID, "control_player").with("action", action))
}

fn loudness(understood: &Understanding) -> Option<Asked> {
    let tool = |name| Asked::new(loquat_device::volume::ID, name);
    Some(match understood.intent.as_str() {
        "HassSetVolume" => tool("set_volume").with("percent", understood.value("volume_level")?),
        "HassSetVolumeRelative" => tool("change_volume").with("by", step(understood)?),
        "HassMediaPlayerMute" => tool("mute"),
        "HassMediaPlayerUnmute" => tool("unmute"),
        _ => return None,
    })
}

/// By how much, up or down.
pub(super) fn step(understood: &Understanding) -> Option<serde_json::Value> {
    let step = understood.value("volume_step")?;
    Some(match step.as_str() {
        Some("up") => json!(STEP),
        Some("down") => json!(-STEP),
        Some(_) => return None,
        None => step,
    })
}

fn shopping(understood: &Understanding) -> Option<Asked> {
    let tool = match understood.intent.as_str() {
        "HassShoppingListAddItem" => "add_to_list",
        "HassShoppingListCompleteItem" => "remove_from_list",
        _ => return None,
    };
    Some(Asked::new(loquat_notes::lists::ID, tool).with("items", understood.text("item")?))
}
