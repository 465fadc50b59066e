//! Assist of the fake: it does at once whatever a sentence asks for, locks included, as the real one does.

use serde_json::{Value, json};

use super::{Manner, Shared, move_to, text, tried};

/// A sentence is handed on; what comes of it is moved and kept among the calls.
pub(super) fn handed(command: &Value, shared: &Shared) -> Value {
    let (language, said) = (text(command, "language"), text(command, "text"));
    let tried = tried(shared.recording, (language, said));
    let result = &tried["result"]["results"][0];
    let targets = result["targets"].as_object().into_iter().flatten();
    let mut meant: Vec<&str> = targets.map(|(id, _)| id.as_str()).collect();
    let manner = shared.house().manner;
    if matches!(manner, Manner::Forswears | Manner::Confuses) {
        meant = vec!["fan.living_room_fan"];
    }
    let call = json!({"domain": "conversation", "service": "process", "target": {"entity_id": meant}});
    shared.house().calls.push(call);
    let intent = result["intent"]["name"].as_str().unwrap_or_default();
    if manner != Manner::Lies {
        for id in &meant {
            carry_out(shared, intent, id);
        }
    }
    let known = shared.recording["processed"].as_object().into_iter().flatten();
    let mut known =
        known.filter(|(sentence, _)| sentence.eq_ignore_ascii_case(said.trim_end_matches(['.', '?'])));
    let mut answer = known.next().map_or_else(
        || shared.recording["processed"]["what is the meaning of life"].clone(),
        |(_, answer)| answer.clone(),
    );
    if matches!(manner, Manner::Forswears | Manner::Confuses) {
        answer["result"]["response"]["data"]["success"] =
            json!([{"type": "entity", "id": meant[0], "name": "Living Room Fan"}]);
    }
    answer
}

fn carry_out(shared: &Shared, intent: &str, id: &str) {
    let is_on = match intent {
        "HassTurnOn" => true,
        "HassTurnOff" => false,
        _ => return,
    };
    let state = match (id.split('.').next().unwrap_or_default(), is_on) {
        ("lock", true) => "locked",
        ("lock", false) => "unlocked",
        ("cover", true) => "open",
        ("cover", false) => "closed",
        (_, true) => "on",
        (_, false) => "off",
    };
    if id == "script.leave" {
        move_to(shared, "lock.front_door", "unlocked", &json!({}));
    }
    move_to(shared, id, state, &json!({}));
}
