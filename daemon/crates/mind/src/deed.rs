//! Tool calls in words for a person: before they run, when a yes is wanted, and afterwards, when the brain cannot tell of
//! them any more. Never the words of the answer where there is one.

use loquat_agent::consent::{Particular, Spoken, Unsayable, particulars};
use loquat_agent::record::Record;
use loquat_agent::speakable;
use loquat_phrases::Phrases;
use serde_json::{Map, Value};

/// Who hears of more deeds at once forgets the first.
const MOST_DEEDS: usize = 3;

/// An argument of more characters is not said again: the person knows what it was.
const LONGEST_ARGUMENT: usize = 40;

/// What a call would do, with every argument that it would run with. The tool's name stands at the end once more, since what
/// is asked about may hold words that lead away from it.
pub fn whole(tool: &str, arguments: &Map<String, Value>, phrases: &Phrases) -> Result<String, Unsayable> {
    let told = particulars(tool, arguments)?;
    let mut words = vec![told.tool.clone()];
    words.extend(told.arguments.iter().map(|one| particular(one, phrases)));
    if words.len() > 1 {
        words.push(told.tool);
    }
    Ok(words.join(", "))
}

fn particular(told: &Particular, phrases: &Phrases) -> String {
    let value = |value: &Spoken| match value {
        Spoken::Text(text) => text.clone(),
        Spoken::Switch(on) => phrases.switch(*on).to_owned(),
        Spoken::Nothing => phrases.nothing.clone(),
    };
    let values: Vec<String> = told.values.iter().map(value).collect();
    let values = if values.is_empty() {
        phrases.nothing.clone()
    } else {
        phrases.joined(&values)
    };
    format!("{}: {values}", told.name)
}

/// What a call did, in few words: long and nested arguments are left out.
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
pub(crate) mod tests {
    use super::*;

    /// A turn that has made these calls; each tells whether it changed something and whether it succeeded.
    pub(crate) fn record(calls: &[(&str, Value, bool, bool)]) -> Record {
        let call = |(tool, arguments, changes, ok): &(&str, Value, bool, bool)| {
            serde_json::json!({"call_id": "c", "tool": tool, "arguments": arguments, "executed": true,
                "changes": changes, "ok": ok, "observation": "", "elapsed": {"secs": 0, "nanos": 0}})
        };
        let calls: Vec<_> = calls.iter().map(call).collect();
        let usage = serde_json::to_value(loquat_agent::brain::Usage::default()).unwrap();
        let step = serde_json::json!({"thought": "", "calls": calls, "usage": usage,
            "brain_time": {"secs": 0, "nanos": 0}});
        let record = serde_json::json!({"turn_id": "t", "answer": "", "reason": "llm_error", "fault": null,
            "steps": [step], "brain_calls": 1, "usage": usage, "elapsed": {"secs": 0, "nanos": 0}, "history": []});
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn the_last_deeds_are_told_without_long_arguments() {
        let none = serde_json::json!({});
        let told = serde_json::json!({"room": "x".repeat(LONGEST_ARGUMENT), "words": "y".repeat(LONGEST_ARGUMENT + 1)});
        let calls = [
            ("first", none.clone(), true, true),
            ("second", none.clone(), true, true),
            ("set_light", told, true, true),
            ("look", none.clone(), false, true),
            ("fail", none.clone(), true, false),
            ("fourth", none, true, true),
        ];
        let expected = format!("second; set light, {}; fourth", "x".repeat(LONGEST_ARGUMENT));
        assert_eq!(done(&record(&calls)), expected);
        assert_eq!(done(&record(&[])), "");
    }

    #[test]
    fn a_deed_can_be_spoken() {
        let arguments = serde_json::json!({"door": "front", "seconds": 5, "quietly": true, "more": {"a": 1}});
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        assert_eq!(deed("unlock_door", &arguments), "unlock door, front, 5");
        assert_eq!(deed("restart", &Map::new()), "restart");
    }

    #[test]
    fn a_question_names_every_argument() {
        let arguments = serde_json::json!({"door": "front", "quietly": true, "paths": ["a", "b", "c"],
            "options": {"dry_run": false}, "note": ""});
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        let asked = whole("unlock_door", &arguments, Phrases::of("en")).unwrap();
        let expected = "unlock door, door: front, quietly: on, paths: a, b and c, options dry run: off, note: nothing, unlock door";
        assert_eq!(asked, expected);
    }
}
