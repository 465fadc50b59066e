//! The few topics whose payload differs between the vocabularies (INTENT-4 §8). Never guesses a missing skill.

use serde_json::{Map, Value};

use crate::topic;

/// Makes the payload of the legacy twin of a canonical message.
pub(crate) fn to_legacy(canonical: &str, data: &Map<String, Value>) -> Map<String, Value> {
    let text = |key| data.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = match canonical {
        topic::INTENT_DEREGISTER if !text("skill_id").is_empty() => {
            topic::dispatch(text("skill_id"), text("intent_name"))
        }
        topic::INTENT_DEREGISTER | topic::INTENT_ENABLE | topic::INTENT_DISABLE => {
            text("intent_name").to_owned()
        }
        _ => return data.clone(),
    };
    Map::from_iter([("intent_name".to_owned(), Value::from(name))])
}

/// Gives the canonical payload of a message that came on a legacy topic; it is `None` when that is the same.
pub(crate) fn to_canonical(legacy: &str, data: &Map<String, Value>) -> Option<Map<String, Value>> {
    if legacy != "detach_intent" {
        return None;
    }
    let (skill_id, name) = data.get("intent_name")?.as_str()?.split_once(':')?;
    Some(Map::from_iter([
        ("skill_id".to_owned(), Value::from(skill_id)),
        ("intent_name".to_owned(), Value::from(name)),
    ]))
}
