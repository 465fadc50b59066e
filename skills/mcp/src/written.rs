//! One tool as its server writes it: what is odd about it is put right where its meaning is plain, and else costs that tool
//! alone. What is wrong with a hint on what a tool may do only makes it more careful.

use rmcp::model;
use serde_json::{Map, Value, json};

use super::excerpt::shortened;

/// Characters of an odd value that are repeated.
const LONGEST_SHOWN: usize = 40;

/// Kept of a name, in characters.
const LONGEST_NAME: usize = 64;

/// A tool that can be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    pub(super) tool: model::Tool,
    /// What had to be put right, in a sentence; most often nothing.
    pub(super) remark: Option<String>,
}

/// Reads one; where that cannot be done, its name, as far as it has one, and why it is left out, in a sentence.
pub(super) fn read(written: &Value) -> Result<Written, (Option<String>, String)> {
    let Some(members) = written.as_object() else {
        let why = format!(
            "an entry of its list is left out, since it is no tool but {}",
            shown(written)
        );
        return Err((None, why));
    };
    let name = match members.get("name") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
        Some(Value::Null) | None => {
            return Err((None, "a tool is left out, since it has no name".to_owned()));
        }
        Some(other) => {
            let why = format!("a tool is left out, since its name is {}", shown(other));
            return Err((None, why));
        }
    };
    let called = shortened(&name, LONGEST_NAME);
    let mut odd = Vec::new();
    let arguments = arguments(members.get("inputSchema"), &mut odd)
        .map_err(|why| (Some(name.clone()), format!("{called} is left out, since {why}")))?;
    let mut plain = json!({"name": name, "inputSchema": arguments});
    for (key, value) in [
        ("title", text(members, "title", &mut odd)),
        ("description", text(members, "description", &mut odd)),
        ("outputSchema", result(members.get("outputSchema"), &mut odd)),
        ("annotations", hints(members.get("annotations"), &mut odd)),
    ] {
        if let (Some(value), Some(plain)) = (value, plain.as_object_mut()) {
            plain.insert(key.to_owned(), value);
        }
    }
    let tool = serde_json::from_value(plain).map_err(|error| {
        (
            Some(name),
            format!("{called} is left out, since it cannot be read: {error}"),
        )
    })?;
    let remark = (!odd.is_empty()).then(|| format!("{called} is offered, though {}", odd.join(", and ")));
    Ok(Written { tool, remark })
}

fn shown(value: &Value) -> String {
    shortened(&value.to_string(), LONGEST_SHOWN)
}

/// Some languages write a list where an object has no members.
fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// The schema of the arguments. One that is not there means that there are none.
fn arguments(schema: Option<&Value>, odd: &mut Vec<String>) -> Result<Map<String, Value>, String> {
    let mut schema = match schema {
        Some(Value::Object(schema)) => schema.clone(),
        None => {
            odd.push("its inputSchema is missing: it is called without arguments".to_owned());
            return Ok(without_arguments());
        }
        Some(nothing) if is_nothing(nothing) => {
            odd.push(format!(
                "its inputSchema is {nothing}: it is called without arguments"
            ));
            return Ok(without_arguments());
        }
        Some(other) => return Err(format!("its inputSchema is no schema but {}", shown(other))),
    };
    for key in ["properties", "required"] {
        let is_odd = match schema.get(key) {
            Some(Value::Null) => true,
            Some(value) => key == "properties" && is_nothing(value),
            None => false,
        };
        if let Some(nothing) = is_odd.then(|| schema.remove(key)).flatten() {
            odd.push(format!(
                "the {key} of its inputSchema are {nothing}: there are none"
            ));
        }
    }
    Ok(schema)
}

fn without_arguments() -> Map<String, Value> {
    Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), json!({})),
    ])
}

/// What its results look like. Where that is not said, they are shown as they come.
fn result(schema: Option<&Value>, odd: &mut Vec<String>) -> Option<Value> {
    match schema? {
        Value::Object(schema) => Some(Value::Object(schema.clone())),
        nothing if is_nothing(nothing) => None,
        other => {
            odd.push(format!("its outputSchema is no schema but {}", shown(other)));
            None
        }
    }
}

/// Words for people, which are passed over where they are none.
fn text(members: &Map<String, Value>, key: &str, odd: &mut Vec<String>) -> Option<Value> {
    match members.get(key)? {
        Value::Null => None,
        text @ Value::String(_) => Some(text.clone()),
        other => {
            odd.push(format!("its {key} is no text but {}", shown(other)));
            None
        }
    }
}

/// What it says of itself. A hint that cannot be read counts as the one that asks for more care.
fn hints(hints: Option<&Value>, odd: &mut Vec<String>) -> Option<Value> {
    let careful = || json!({"readOnlyHint": false, "destructiveHint": true});
    match hints? {
        nothing if is_nothing(nothing) => None,
        Value::Object(hints) => {
            let mut kept = Map::new();
            for (key, careful) in [
                ("readOnlyHint", false),
                ("destructiveHint", true),
                ("idempotentHint", false),
                ("openWorldHint", true),
            ] {
                match hints.get(key) {
                    None | Some(Value::Null) => {}
                    Some(hint @ Value::Bool(_)) => drop(kept.insert(key.to_owned(), hint.clone())),
                    Some(other) => {
                        odd.push(format!("its {key} is {}: it counts as {careful}", shown(other)));
                        kept.insert(key.to_owned(), Value::Bool(careful));
                    }
                }
            }
            if let Some(title @ Value::String(_)) = hints.get("title") {
                kept.insert("title".to_owned(), title.clone());
            }
            Some(Value::Object(kept))
        }
        other => {
            odd.push(format!(
                "its annotations are {}: it counts as one that destroys",
                shown(other)
            ));
            Some(careful())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(members: &Value) -> Value {
        let mut tool = json!({"name": "look", "inputSchema": {"type": "object"}});
        for (key, value) in members.as_object().unwrap() {
            tool[key] = value.clone();
        }
        tool
    }

    #[test]
    fn what_is_as_it_should_be_stays_as_it_is() {
        for members in [
            json!({}),
            json!({"title": "Look", "description": "Looks.", "annotations": {"readOnlyHint": true, "title": "Look"}}),
            json!({"inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}),
            json!({"outputSchema": {"type": "object", "properties": {"b": {"type": "integer"}}}}),
            json!({"description": null, "annotations": null, "outputSchema": null, "title": null}),
        ] {
            let written = tool(&members);
            let read = read(&written).unwrap();
            assert_eq!(read.tool, serde_json::from_value(written).unwrap(), "{members}");
            assert_eq!(read.remark, None);
        }
    }

    #[test]
    fn what_a_tool_needs_not_is_passed_over() {
        for members in [
            json!({"icons": 7}),
            json!({"icons": [{"src": null}, "x"]}),
            json!({"_meta": []}),
            json!({"execution": {"taskSupport": 7}, "version": 1, "x-vendor": {"a": []}}),
        ] {
            let read = read(&tool(&members)).unwrap();
            assert_eq!(
                (read.tool.name.as_ref(), read.remark),
                ("look", None),
                "{members}"
            );
        }
    }

    #[test]
    fn what_is_plainly_meant_is_put_right_and_told_of() {
        for (members, told) in [
            (json!({"inputSchema": null}), "its inputSchema is null"),
            (json!({"inputSchema": []}), "its inputSchema is []"),
            (
                json!({"inputSchema": {"type": "object", "properties": null}}),
                "the properties of its inputSchema are null",
            ),
            (
                json!({"inputSchema": {"type": "object", "properties": []}}),
                "the properties of its inputSchema are []",
            ),
            (
                json!({"inputSchema": {"type": "object", "required": null}}),
                "the required of its inputSchema are null",
            ),
            (json!({"title": 3}), "its title is no text but 3"),
            (
                json!({"description": ["a", "b"]}),
                "its description is no text but [\"a\",\"b\"]",
            ),
            (
                json!({"outputSchema": "object"}),
                "its outputSchema is no schema but \"object\"",
            ),
            (json!({"annotations": "safe"}), "its annotations are \"safe\""),
            (
                json!({"annotations": {"readOnlyHint": "yes"}}),
                "its readOnlyHint is \"yes\"",
            ),
        ] {
            let read = read(&tool(&members)).unwrap();
            let remark = read.remark.unwrap();
            assert!(
                remark.starts_with("look is offered, though ") && remark.contains(told),
                "{remark}"
            );
            let schema = json!(read.tool.input_schema);
            assert!(
                schema["type"] == "object" && schema.get("required").is_none(),
                "{schema}"
            );
        }
        let absent = read(&json!({"name": "look"})).unwrap();
        assert!(absent.remark.unwrap().contains("its inputSchema is missing"));
        assert_eq!(
            json!(absent.tool.input_schema),
            json!({"type": "object", "properties": {}})
        );
    }

    #[test]
    fn a_hint_that_cannot_be_read_makes_a_tool_more_careful() {
        for (written, reads, destroys) in [
            (json!("safe"), Some(false), Some(true)),
            (json!(["readOnlyHint"]), Some(false), Some(true)),
            (json!({"readOnlyHint": "true"}), Some(false), None),
            (
                json!({"readOnlyHint": 1, "destructiveHint": false}),
                Some(false),
                Some(false),
            ),
            (
                json!({"readOnlyHint": true, "destructiveHint": "no"}),
                Some(true),
                Some(true),
            ),
            (json!({"readOnlyHint": null}), None, None),
        ] {
            let hints = read(&tool(&json!({"annotations": written})))
                .unwrap()
                .tool
                .annotations
                .unwrap();
            assert_eq!(
                (hints.read_only_hint, hints.destructive_hint),
                (reads, destroys),
                "{written}"
            );
        }
        assert_eq!(
            read(&tool(&json!({"annotations": []}))).unwrap().tool.annotations,
            None
        );
    }

    #[test]
    fn what_cannot_be_a_tool_is_left_out_with_its_reason() {
        for (written, name, why) in [
            (json!(null), None, "it is no tool but null"),
            (json!(["look"]), None, "it is no tool but [\"look\"]"),
            (json!({}), None, "it has no name"),
            (json!({"name": null}), None, "it has no name"),
            (json!({"name": 5}), None, "its name is 5"),
            (json!({"name": ""}), None, "its name is \"\""),
            (json!({"name": " "}), None, "its name is \" \""),
            (json!({"name": ["look"]}), None, "its name is [\"look\"]"),
            (
                tool(&json!({"inputSchema": "none"})),
                Some("look"),
                "its inputSchema is no schema but \"none\"",
            ),
            (
                tool(&json!({"inputSchema": ["a"]})),
                Some("look"),
                "its inputSchema is no schema but [\"a\"]",
            ),
            (
                tool(&json!({"inputSchema": true})),
                Some("look"),
                "its inputSchema is no schema but true",
            ),
        ] {
            let (called, told) = read(&written).unwrap_err();
            assert_eq!(called.as_deref(), name, "{written}");
            assert!(told.contains("left out") && told.ends_with(why), "{told}");
        }
    }
}
