//! The services of the fake: each moves the things that are named as the real one did, and refuses what they do not support.

use serde_json::{Map, Value, json};

use super::{Shared, ids, move_to, text};

/// As the real one did: a service moves only things of its own kind.
pub(super) fn carry_out(shared: &Shared, call: &Value, id: &str) {
    let (domain, service) = (text(call, "domain"), text(call, "service"));
    let data = &call["service_data"];
    if id.split('.').next() != Some(domain) || !shared.house().states.contains_key(id) {
        return;
    }
    match service {
        "turn_on" if domain == "scene" => {
            let state = shared.house().states[id].clone();
            for member in state["a"]["entity_id"].as_array().into_iter().flatten() {
                let member = member.as_str().unwrap_or_default();
                let to = if member.starts_with("lock") {
                    "unlocked"
                } else {
                    "on"
                };
                move_to(shared, member, to, &json!({}));
            }
        }
        "turn_on" if id == "script.leave" => move_to(shared, "lock.front_door", "unlocked", &json!({})),
        "turn_on" if domain == "script" => move_to(shared, "light.kitchen_lights", "on", &json!({})),
        "turn_on" => {
            let percent = data["brightness_pct"].as_f64();
            let more = percent.map_or(
                json!({}),
                |percent| json!({"brightness": (percent * 2.55).round()}),
            );
            move_to(shared, id, "on", &more);
        }
        "turn_off" => move_to(shared, id, "off", &json!({})),
        "unlock" | "open" => move_to(shared, id, "unlocked", &json!({})),
        "lock" => move_to(shared, id, "locked", &json!({})),
        "open_cover" | "open_valve" => move_to(shared, id, "open", &json!({"current_position": 100})),
        "close_cover" | "close_valve" => move_to(shared, id, "closed", &json!({"current_position": 0})),
        "set_cover_position" => move_to(shared, id, "open", &json!({"current_position": data["position"]})),
        "set_temperature" => {
            let state = shared.house().states[id]["s"].clone();
            move_to(
                shared,
                id,
                state.as_str().unwrap_or("heat"),
                &json!({"temperature": data["temperature"]}),
            );
        }
        "set_percentage" => move_to(shared, id, "on", &json!({"percentage": data["percentage"]})),
        "volume_set" => move_to(
            shared,
            id,
            "playing",
            &json!({"volume_level": data["volume_level"]}),
        ),
        other => carry_on(shared, (other, domain), id, data),
    }
}

/// Carries out the services of players, robots, valves and heatings.
fn carry_on(shared: &Shared, (service, domain): (&str, &str), id: &str, data: &Value) {
    let state = |state: &str| move_to(shared, id, state, &json!({}));
    let same = |attributes: Value| {
        let now = shared.house().states[id]["s"].clone();
        move_to(shared, id, now.as_str().unwrap_or_default(), &attributes);
    };
    match service {
        "media_play" | "play_media" => state("playing"),
        "media_pause" => state("paused"),
        "pause" => state("paused"),
        "media_stop" | "stop" => state("idle"),
        "volume_mute" => same(json!({"is_volume_muted": data["is_volume_muted"]})),
        "start" | "clean_area" => state("cleaning"),
        "start_mowing" => state("mowing"),
        "return_to_base" | "dock" => state(if domain == "vacuum" { "returning" } else { "docked" }),
        "set_fan_mode" => same(json!({"fan_mode": data["fan_mode"]})),
        "set_humidity" => same(json!({"humidity": data["humidity"]})),
        "set_valve_position" => move_to(shared, id, "open", &json!({"current_position": data["position"]})),
        "press" => state("2026-11-27T20:00:00+00:00"),
        _ => {}
    }
}

/// What a service needs of a thing, where that is a feature that a thing may lack.
const FEATURES: [(&str, u64); 9] = [
    ("search_media", 4_194_304),
    ("play_media", 512),
    ("clean_area", 16_384),
    ("announce", 1),
    ("set_fan_mode", 8),
    ("volume_mute", 8),
    ("volume_set", 4),
    ("set_valve_position", 4),
    ("set_cover_position", 4),
];

/// Gives the error of a service that one of the things does not support, as the real one words it.
pub(super) fn unsupported(shared: &Shared, call: &Value) -> Option<Value> {
    let service = text(call, "service");
    let (_, needed) = FEATURES.iter().find(|(known, _)| *known == service)?;
    let house = shared.house();
    let lacks = |id: &&str| {
        let features = house
            .states
            .get(*id)
            .map(|state| &state["a"]["supported_features"]);
        features
            .and_then(Value::as_u64)
            .is_some_and(|has| has & needed == 0)
    };
    let id = ids(call).into_iter().find(lacks)?;
    let message = format!(
        "Entity {id} does not support action {}.{service}",
        text(call, "domain")
    );
    let error = json!({"code": "service_validation_error", "message": message});
    Some(json!({"type": "result", "success": false, "error": error}))
}

/// Answers a search: nothing for silence, and else one that cannot be played before one that can.
pub(super) fn response(shared: &Shared, call: &Value) -> Option<Value> {
    if text(call, "service") != "search_media" {
        return None;
    }
    let query = call["service_data"]["search_query"].as_str().unwrap_or_default();
    let find = |id: &str, can_play: bool| {
        json!({
            "title": format!("The Best of {query}"),
            "media_class": "album",
            "media_content_type": "album",
            "media_content_id": id,
            "can_play": can_play,
            "can_expand": true,
        })
    };
    let found = if query == "silence" {
        json!([])
    } else {
        json!([find("folder", false), find("album-1", true)])
    };
    let of_players: Map<String, Value> = ids(call)
        .into_iter()
        .filter(|id| shared.house().states.contains_key(*id))
        .map(|id| (id.to_owned(), json!({"result": found})))
        .collect();
    Some(json!({"type": "result", "success": true, "result": {"context": {}, "response": of_players}}))
}
