//! Which arguments of a call were made up: those that may be left out, and of which no word was said.
//!
//! Small models fill in a tool's arguments like a form. Only what is said in English can be compared, since arguments are in
//! English. Numbers are left alone unless they are nought: who says "half as bright" means 50.

use serde_json::{Map, Value};

use super::ground::Grounds;
use loquat_conversation::toolbox::Tool;
use loquat_wire::text::words;

/// Shorter words say little.
const SHORTEST: usize = 3;

/// The names of the arguments that were made up.
pub(crate) fn unsaid(arguments: &Map<String, Value>, tool: &Tool, said: &Grounds<'_>) -> Vec<String> {
    let required = tool.argument_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|required| required.iter().any(|one| one == name));
    let made_up = arguments
        .iter()
        .filter(|(name, value)| !is_required(name) && is_unsaid(value, said));
    made_up.map(|(name, _)| name.clone()).collect()
}

fn is_unsaid(value: &Value, said: &Grounds<'_>) -> bool {
    match value {
        Value::String(text) => text.chars().any(char::is_alphabetic) && !says_any(said, text),
        Value::Number(number) => {
            number.as_f64() == Some(0.0) && !["0", "zero"].iter().any(|nought| said.have_word(nought))
        }
        Value::Null => true,
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Tells whether a word of the text was said, in the singular or the plural.
fn says_any(said: &Grounds<'_>, text: &str) -> bool {
    let mut told = words(text).filter(|word| word.chars().count() >= SHORTEST);
    told.any(|word| {
        let singular = word.trim_end_matches('s');
        let plural = format!("{singular}s");
        [word.as_str(), singular, &plural]
            .iter()
            .any(|word| said.have_word(word))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_may_be_left_out_and_was_not_said_is_made_up() {
        let tool = Tool {
            argument_schema: json!({"required": ["thing"]}),
            ..Tool::safe("box", "set", "Sets something.")
        };
        for (said, call, expected) in [
            (
                "Please switch on the desk lamp for me.",
                json!({"thing": "torch", "area": "living room", "kind": "lamps"}),
                vec!["area"],
            ),
            (
                "Let the curtains in the living room down.",
                json!({"thing": "curtains", "area": "Living Room", "level": 0, "color": "black", "temperature": 0}),
                vec!["level", "color", "temperature"],
            ),
            (
                "Run the fan at half its speed.",
                json!({"thing": "fan", "level": 50, "color": "none", "on": true}),
                vec!["color"],
            ),
            (
                "Set it to 0.",
                json!({"thing": "it", "level": 0, "at": "7:30"}),
                vec![],
            ),
        ] {
            let found = unsaid(call.as_object().unwrap(), &tool, &Grounds::new(vec![said]));
            assert_eq!(found, expected, "{said}");
        }
    }
}
