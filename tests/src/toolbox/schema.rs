//! As much of JSON Schema as the scripted tools use, with the tolerance of OVOS's own toolboxes: texts that hold a
//! number become one, and arguments that were not declared are dropped.

use serde_json::{Map, Value, json};

/// Gives the arguments as the tool sees them, or says what is wrong with them.
pub(super) fn validated(schema: &Value, given: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let missing = required
        .iter()
        .filter_map(Value::as_str)
        .find(|name| !given.contains_key(*name));
    if let Some(name) = missing {
        return Err(format!("'{name}' is required"));
    }
    let mut arguments = Map::new();
    for (name, rule) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = given.get(name) {
            let kind = rule["type"].as_str().unwrap_or_default();
            let value = converted(kind, value).ok_or_else(|| format!("'{name}' must be of type {kind}"))?;
            arguments.insert(name.clone(), value);
        }
    }
    Ok(arguments)
}

fn converted(kind: &str, value: &Value) -> Option<Value> {
    match kind {
        "number" | "integer" => match value {
            Value::Number(_) => Some(value.clone()),
            Value::String(text) => number(text),
            _ => None,
        },
        "string" => value.is_string().then(|| value.clone()),
        "boolean" => value.is_boolean().then(|| value.clone()),
        "object" => value.is_object().then(|| value.clone()),
        "array" => value.is_array().then(|| value.clone()),
        _ => Some(value.clone()),
    }
}

fn number(text: &str) -> Option<Value> {
    let text = text.trim();
    text.parse::<i64>()
        .map(|whole| json!(whole))
        .or_else(|_| text.parse::<f64>().map(|real| json!(real)))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_checked_and_converted() {
        let schema =
            json!({"properties": {"a": {"type": "number"}, "t": {"type": "string"}}, "required": ["a"]});
        let check = |given: Value| validated(&schema, given.as_object().unwrap()).map(Value::Object);
        assert_eq!(check(json!({"a": "2", "x": 1})), Ok(json!({"a": 2})));
        assert_eq!(
            check(json!({"a": 2.5, "t": "y"})),
            Ok(json!({"a": 2.5, "t": "y"}))
        );
        assert_eq!(check(json!({"t": "y"})), Err("'a' is required".into()));
        assert_eq!(
            check(json!({"a": "two"})),
            Err("'a' must be of type number".into())
        );
    }
}
