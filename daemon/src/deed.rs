//! Tool calls in words for a person: before they run, when a yes is wanted, and afterwards, when the brain cannot tell of
//! them any more. Never the words of the answer where there is one.

use loquat_agent::record::Record;
use loquat_agent::speakable;
use serde_json::{Map, Value};

/// Who hears of more deeds at once forgets the first.
const MOST_DEEDS: usize = 3;

/// Nobody wants to hear an argument of more characters again; what it was is known.
const LONGEST_ARGUMENT: usize = 40;

/// What a call would do, in the words that there are for it.
pub(crate) fn deed(tool: &str, arguments: &Map<String, Value>) -> String {
    let mut words = vec![tool.replace(['_', '-'], " ")];
    words.extend(arguments.values().filter_map(spoken));
    words.join(", ")
}

fn spoken(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What a turn has done, as far as it changed something: its last deeds. Empty when there are none.
pub(crate) fn done(record: &Record) -> String {
    let short = |value: &Value| spoken(value).is_some_and(|text| text.chars().count() <= LONGEST_ARGUMENT);
    let deeds: Vec<String> = record
        .deeds()
        .map(|call| {
            let told = call.arguments.iter().filter(|(_, value)| short(value));
            let told = told.map(|(name, value)| (name.clone(), value.clone()));
            deed(&call.tool, &told.collect())
        })
        .collect();
    let last = deeds.get(deeds.len().saturating_sub(MOST_DEEDS)..);
    speakable(&last.unwrap_or_default().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_can_be_spoken() {
        let arguments = serde_json::json!({"door": "front", "seconds": 5, "quietly": true, "more": {"a": 1}});
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        assert_eq!(deed("unlock_door", &arguments), "unlock door, front, 5");
        assert_eq!(deed("restart", &Map::new()), "restart");
    }
}
