//! Holds an answer to the person's language by the schema of the reply it comes in.
//!
//! Models of one and a half billion parameters answer in the language of their instructions and examples, whatever these
//! say about it, unless they have just written the name of another one. Nothing here changes what a reply means.

use std::sync::Arc;

use serde_json::{Map, Value, json};

/// The member of which an answer is the value.
const ANSWER: &str = "answer";

/// The schema with the name of this language in front of each answer that it allows.
pub fn in_language(mut schema: Arc<Value>, language: &str) -> Arc<Value> {
    name_language(Arc::make_mut(&mut schema), language);
    schema
}

/// Guesses the beginning of a reply, with the name of this language in front of its answer.
pub fn guessed_in_language(guess: &str, language: &str) -> String {
    let [named, answer] = [
        format!("\"language\": {}, ", json!(language)),
        format!("\"{ANSWER}\": "),
    ];
    guess.replacen(&answer, &(named + &answer), 1)
}

fn name_language(schema: &mut Value, language: &str) {
    let Value::Object(schema) = schema else {
        return;
    };
    if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
        for branch in branches {
            name_language(branch, language);
        }
    }
    if put_before_answer(schema, language).is_some()
        && let Some(Value::Array(required)) = schema.get_mut("required")
    {
        required.push(json!("language"));
    }
}

fn put_before_answer(schema: &mut Map<String, Value>, language: &str) -> Option<()> {
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    let at = properties.keys().position(|key| key == ANSWER)?;
    properties.shift_insert(at, "language".to_owned(), json!({"const": language}));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_names_the_language_where_the_schema_has_it_named() {
        let guess = r#"{"tool": "none", "answer": ""#;
        let named = r#"{"tool": "none", "language": "German", "answer": ""#;
        assert_eq!(guessed_in_language(guess, "German"), named);
    }

    #[test]
    fn the_language_stands_before_each_answer_and_nowhere_else() {
        let schema = json!({"anyOf": [
            {"properties": {"tool": {}, "arguments": {"properties": {"answer": {}}}}, "required": ["tool"]},
            {"properties": {"thought": {}, "answer": {}}, "required": ["thought", "answer"]}
        ]});
        let named = json!({"anyOf": [
            {"properties": {"tool": {}, "arguments": {"properties": {"answer": {}}}}, "required": ["tool"]},
            {"properties": {"thought": {}, "language": {"const": "German"}, "answer": {}},
             "required": ["thought", "answer", "language"]}
        ]});
        assert_eq!(
            in_language(Arc::new(schema), "German").to_string(),
            named.to_string()
        );
    }
}
