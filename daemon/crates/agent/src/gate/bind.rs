//! Gives arguments their names where the brain left them out and the schema leaves no doubt.

use serde_json::{Map, Value};

use loquat_decoder::{Arguments, arguments_at, parse_whole};

/// The arguments as an object, or what is wrong with them.
pub(super) fn to_object(arguments: Arguments, schema: &Value) -> Result<Map<String, Value>, String> {
    match arguments {
        Arguments::Named(named) => Ok(unwrapped(&named, schema).unwrap_or(named)),
        Arguments::Broken(why) => Err(why),
        Arguments::Single(value) => single(&value, schema),
        Arguments::Listed { positional, named } => listed(positional, named, schema),
    }
}

/// Models put the arguments under one of these keys when they write a whole call in their place.
const WRAPPERS: &[&str] = &[
    "arguments",
    "parameters",
    "args",
    "kwargs",
    "inputs",
    "input",
    "params",
];

/// These may stand beside them there.
const BESIDE: &[&str] = &["name", "tool", "tool_name", "function", "action", "type", "id"];

/// The arguments within `{"name": "add", "arguments": {"a": 2}}`, `{"arguments": {"a": 2}}` or `{"input": "{\"a\": 2}"}`, for a tool that has no
/// arguments of such names.
fn unwrapped(named: &Map<String, Value>, schema: &Value) -> Option<Map<String, Value>> {
    let known = schema.get("properties").and_then(Value::as_object);
    let is_known = |key: &String| known.is_some_and(|known| known.contains_key(key));
    let mut inner = None;
    for (key, value) in named {
        match value {
            _ if is_known(key) => return None,
            Value::Object(members) if inner.is_none() && WRAPPERS.contains(&key.as_str()) => {
                inner = Some(members.clone());
            }
            Value::String(text) if inner.is_none() && WRAPPERS.contains(&key.as_str()) => {
                let names: Vec<&str> = known?.keys().map(String::as_str).collect();
                inner = Some(object_as_text(text, &names)?);
            }
            _ if BESIDE.contains(&key.as_str()) => {}
            _ => return None,
        }
    }
    inner
}

/// The names in the order in which a function would take them: required ones first, as the schema lists them.
fn order(schema: &Value) -> Vec<&str> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let all = schema.get("properties").and_then(Value::as_object);
    let optional = all
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .filter(|name| !required.contains(name));
    required.iter().copied().chain(optional).collect()
}

fn single(value: &Value, schema: &Value) -> Result<Map<String, Value>, String> {
    let names = order(schema);
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    if let Some([Value::Object(only)]) = value.as_array().map(Vec::as_slice)
        && only.keys().any(|key| names.contains(&key.as_str()))
    {
        return Ok(only.clone());
    }
    let written = |text| keywords(text, &names).or_else(|| object_as_text(text, &names));
    if let Some(named) = value.as_str().and_then(written) {
        return Ok(named);
    }
    match names.first() {
        Some(name) if names.len() == 1 || required == 1 => {
            Ok(Map::from_iter([((*name).to_owned(), value.clone())]))
        }
        // A tool without arguments ignores what it is given.
        None => Ok(Map::new()),
        Some(_) => {
            let needed = match names.get(..required).unwrap_or_default() {
                [] => String::new(),
                needed => format!("; required: {}", needed.join(", ")),
            };
            Err(format!(
                "the arguments must be a JSON object with the fields {}{needed}",
                names.join(", ")
            ))
        }
    }
}

/// An object that was sent as text, if it holds nothing but arguments of these names.
fn object_as_text(text: &str, names: &[&str]) -> Option<Map<String, Value>> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    match parse_whole(text).ok()?.value {
        Value::Object(members) if members.keys().all(|key| names.contains(&key.as_str())) => {
            Some(members).filter(|members| !members.is_empty())
        }
        _ => None,
    }
}

/// Reads `a=2, b=3` or `query: capital of France`, if it begins with one of the names.
fn keywords(text: &str, names: &[&str]) -> Option<Map<String, Value>> {
    let begins = names.iter().any(|name| {
        let after = text.trim_start().strip_prefix(name).map(str::trim_start);
        after.is_some_and(|after| after.starts_with(['=', ':']))
    });
    match arguments_at(&format!("({text})")) {
        (Arguments::Named(named), _) if begins => Some(named),
        _ => None,
    }
}

fn listed(
    positional: Vec<Value>,
    named: Map<String, Value>,
    schema: &Value,
) -> Result<Map<String, Value>, String> {
    let free: Vec<&str> = order(schema)
        .into_iter()
        .filter(|name| !named.contains_key(*name))
        .collect();
    if positional.len() > free.len() {
        return Err(format!(
            "{} arguments were given, but there are only: {}",
            positional.len(),
            free.join(", ")
        ));
    }
    let given = free.into_iter().map(str::to_owned).zip(positional);
    Ok(named.into_iter().chain(given).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bound(arguments: Arguments) -> Value {
        let schema = json!({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]});
        to_object(arguments, &schema).map_or_else(Value::String, Value::Object)
    }

    fn named(value: &Value) -> Arguments {
        Arguments::Named(value.as_object().cloned().unwrap())
    }

    #[test]
    fn a_call_in_the_place_of_its_arguments_is_unwrapped() {
        let sum = json!({"a": 2, "b": 3});
        assert_eq!(bound(named(&json!({"arguments": sum}))), sum);
        assert_eq!(bound(named(&json!({"name": "add", "parameters": sum}))), sum);
        assert_eq!(bound(named(&json!({"input": "{\"a\": 2, \"b\": 3}"}))), sum);
        for other in [
            json!({"input": "{\"c\": 2}"}),
            json!({"input": "two and three"}),
            json!({"a": 1, "arguments": sum}),
            json!({"x": 1, "arguments": sum}),
        ] {
            assert_eq!(bound(named(&other)), other);
        }
    }

    #[test]
    fn an_object_that_was_sent_as_text_is_one() {
        let text = |text: &str| bound(Arguments::Single(json!(text)));
        assert_eq!(text("{\"a\": 2, 'b': 3}"), json!({"a": 2, "b": 3}));
        assert_eq!(text("a=2, b=3"), json!({"a": 2, "b": 3}));
        assert!(text("{\"c\": 2}").is_string());
        let list = Arguments::Single(json!([{"a": 2, "b": 3}]));
        assert_eq!(bound(list), json!({"a": 2, "b": 3}));
        let why = text("two and three");
        assert_eq!(
            why,
            "the arguments must be a JSON object with the fields a, b; required: a, b"
        );
    }

    #[test]
    fn names_are_given_where_there_is_no_doubt() {
        let query = json!({"properties": {"query": {"type": "string"}, "n": {"type": "integer"}}, "required": ["query"]});
        let bound = |arguments: Arguments, schema: &Value| to_object(arguments, schema).map(Value::Object);
        let add = json!({"properties": {"a": {}, "b": {}}, "required": ["a", "b"]});
        let single = |text: &str| Arguments::Single(json!(text));
        assert_eq!(
            bound(single("capital of France"), &query),
            Ok(json!({"query": "capital of France"}))
        );
        assert_eq!(
            bound(single("query: capital of France"), &query),
            Ok(json!({"query": "capital of France"}))
        );
        assert_eq!(
            bound(single("note: buy milk"), &query),
            Ok(json!({"query": "note: buy milk"}))
        );
        assert_eq!(bound(single("a=2, b=3"), &add), Ok(json!({"a": 2, "b": 3})));
        assert_eq!(
            bound(single("two"), &add),
            Err("the arguments must be a JSON object with the fields a, b; required: a, b".to_owned())
        );
        let listed = |positional: Value| match positional {
            Value::Array(positional) => Arguments::Listed {
                positional,
                named: Map::new(),
            },
            _ => panic!("no list"),
        };
        assert_eq!(bound(listed(json!([2, 3])), &add), Ok(json!({"a": 2, "b": 3})));
        assert!(bound(listed(json!([1, 2, 3])), &add).is_err());
        assert_eq!(
            bound(
                Arguments::Single(json!([1, 2])),
                &json!({"properties": {"numbers": {}}})
            ),
            Ok(json!({"numbers": [1, 2]}))
        );
        assert_eq!(bound(single("now"), &json!({"properties": {}})), Ok(json!({})));
    }
}
