//! The JSON Schema that holds a brain to one step: the tool, with valid arguments or, where it is none, with an answer.
//!
//! A thought, where one is wanted, comes first, so that the choice follows from it, and is short, so that a small model does not ramble.
//! That no tool fits is a choice among the tools: a model of one and a half billion parameters that has to choose
//! between a call and an answer instead calls some tool for nearly every wish that none fulfils.
//! Of a tool's own schema only what grammars can express is kept; the gate checks the rest.

use std::cell::Cell;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::catalogue::{Catalogue, Entry};
use crate::dialect::StepForm;
use loquat_decoder::LAST;

/// A thought has at most this many characters.
const LONGEST_THOUGHT: u32 = 160;

/// Schemas nested deeper than this are not passed on.
const MAX_DEPTH: usize = 6;

/// Schemas within one are passed on up to this number; references written out multiply them.
const MOST_SCHEMAS: usize = 500;

/// The tool of a step that calls none.
pub(super) const NO_TOOL: &str = "none";

/// Makes the schema of a step of any kind.
pub(super) fn step(catalogue: &Catalogue, form: StepForm) -> Value {
    json!({"anyOf": calls(catalogue, form).chain([answering(form)]).collect::<Vec<_>>()})
}

/// Makes the schema of a step that looks something up: a deed is no answer to a question.
pub(super) fn looking(catalogue: &Catalogue, form: StepForm) -> Value {
    let reading = catalogue.entries().iter().filter(|entry| entry.tool.reads_here());
    let calls = reading.map(|entry| calling(entry, form));
    json!({"anyOf": calls.collect::<Vec<_>>()})
}

/// The steps that call one tool each, and where there is room for it one that calls two.
fn calls(catalogue: &Catalogue, form: StepForm) -> impl Iterator<Item = Value> {
    let has_chain = form.one_call && !catalogue.entries().is_empty();
    let single = catalogue.entries().iter().map(move |entry| calling(entry, form));
    single.chain(has_chain.then(|| chain(catalogue, form)))
}

/// Makes the schema of a step that calculates. There is none where no tool does.
pub(super) fn calculation(catalogue: &Catalogue, form: StepForm) -> Option<Value> {
    let entries = catalogue.entries().iter().filter(|entry| entry.tool.calculates);
    let calls: Vec<Value> = entries.map(|entry| calling(entry, form)).collect();
    (!calls.is_empty()).then(|| json!({"anyOf": calls}))
}

/// A step that calls two tools, the second with what the first brings.
fn chain(catalogue: &Catalogue, form: StepForm) -> Value {
    let calls = catalogue.entries().iter().map(|entry| {
        let call = object(&[
            ("tool", json!({"const": entry.tool.name})),
            ("arguments", arguments(entry)),
        ]);
        with_references(call)
    });
    let calls: Vec<Value> = calls.collect();
    let calls = json!({"type": "array", "items": {"anyOf": calls}, "minItems": 2, "maxItems": 2});
    let mut members = thought(form);
    members.extend([("calls", calls), (LAST, json!({"type": "boolean"}))]);
    object(&members)
}

/// Makes the schema of a step with further tools.
pub(super) fn widened(step: &Arc<Value>, found: &[Arc<Entry>], form: StepForm) -> Arc<Value> {
    let mut step = Arc::clone(step);
    if !found.is_empty()
        && let Some(Value::Array(steps)) = Arc::make_mut(&mut step).get_mut("anyOf")
    {
        steps.extend(found.iter().map(|entry| calling(entry, form)));
    }
    step
}

/// A step that calls this tool, and where that is wanted says behind the arguments whether the result is the whole answer: a
/// model knows that no earlier.
fn calling(entry: &Entry, form: StepForm) -> Value {
    let mut members = thought(form);
    members.extend([
        ("tool", json!({"const": entry.tool.name})),
        ("arguments", arguments(entry)),
    ]);
    members.extend(form.one_call.then(|| (LAST, json!({"type": "boolean"}))));
    object(&members)
}

/// A step that calls none.
pub(crate) fn answering(form: StepForm) -> Value {
    let mut members = thought(form);
    members.extend([("tool", json!({"const": NO_TOOL})), ("answer", words())]);
    object(&members)
}

/// A call of any tool.
pub(crate) fn call(catalogue: &Catalogue) -> Value {
    let calls: Vec<Value> = catalogue.entries().iter().map(|entry| one_call(entry)).collect();
    json!({"anyOf": calls})
}

/// A call that is planned before the results are known that it is made with: the name of a result may stand wherever a
/// value that is no text is wanted.
pub(crate) fn planned_call(catalogue: &Catalogue) -> Value {
    with_references(call(catalogue))
}

fn with_references(schema: Value) -> Value {
    match schema {
        Value::Object(members) if members.get("type").is_some_and(is_no_text) => {
            json!({"anyOf": [members, {"type": "string", "maxLength": 8}]})
        }
        Value::Object(members) => members
            .into_iter()
            .map(|(key, member)| (key, with_references(member)))
            .collect(),
        Value::Array(items) => items.into_iter().map(with_references).collect(),
        other => other,
    }
}

fn is_no_text(kind: &Value) -> bool {
    ["number", "integer", "boolean"].iter().any(|name| kind == name)
}

fn one_call(entry: &Entry) -> Value {
    object(&[
        ("name", json!({"const": entry.tool.name})),
        ("arguments", arguments(entry)),
    ])
}

fn arguments(entry: &Entry) -> Value {
    written_out(&entry.tool.argument_schema)
}

/// Allows nothing but an answer, behind whatever form the conversation had. A thought before it leads models of half
/// a billion parameters away from a result that is told in words.
pub fn only_answer() -> Value {
    object(&[("answer", words())])
}

fn words() -> Value {
    json!({"type": "string", "minLength": 1})
}

/// The members with which a step begins.
fn thought(form: StepForm) -> Vec<(&'static str, Value)> {
    let thought = || ("thought", json!({"type": "string", "maxLength": LONGEST_THOUGHT}));
    form.thinks.then(thought).into_iter().collect()
}

/// The schema of an object with exactly these members.
pub(super) fn object(members: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = members
        .iter()
        .map(|(key, schema)| ((*key).to_owned(), schema.clone()))
        .collect();
    let required: Vec<&str> = members.iter().map(|(key, _)| *key).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// A schema as [`kept`] passes it on.
fn written_out(schema: &Value) -> Value {
    kept(schema, schema, 0, &Cell::new(MOST_SCHEMAS))
}

/// Keeps the part of a schema that every grammar converter understands. References are written out.
fn kept(schema: &Value, root: &Value, depth: usize, room: &Cell<usize>) -> Value {
    if room.get() == 0 {
        return json!({});
    }
    room.set(room.get() - 1);
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|path| path.strip_prefix('#'));
    if let Some(target) = target
        .and_then(|pointer| root.pointer(pointer))
        .filter(|_| depth < MAX_DEPTH)
    {
        return kept(target, root, depth + 1, room);
    }
    for key in ["const", "enum"] {
        if let Some(value) = schema.get(key) {
            return json!({key: value});
        }
    }
    if let Some(Value::Array(branches)) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)) {
        return json!({"anyOf": branches.iter().map(|branch| kept(branch, root, depth + 1, room)).collect::<Vec<_>>()});
    }
    match schema.get("type") {
        Some(Value::String(kind)) if depth < MAX_DEPTH => kept_type(kind, schema, root, depth, room),
        Some(Value::Array(kinds)) if depth < MAX_DEPTH => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            json!({"anyOf": kinds.map(|kind| kept_type(kind, schema, root, depth + 1, room)).collect::<Vec<_>>()})
        }
        Some(kind) => json!({"type": kind}),
        None if schema.get("properties").is_some() && depth < MAX_DEPTH => {
            kept_type("object", schema, root, depth, room)
        }
        None => json!({}),
    }
}

fn kept_type(kind: &str, schema: &Value, root: &Value, depth: usize, room: &Cell<usize>) -> Value {
    let mut kept_schema = Map::from_iter([("type".to_owned(), json!(kind))]);
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .filter(|_| kind == "object");
    if let Some(properties) = properties {
        let each = properties
            .iter()
            .map(|(key, property)| (key.clone(), kept(property, root, depth + 1, room)));
        kept_schema.insert("properties".to_owned(), Value::Object(each.collect()));
        if let Some(required) = schema.get("required") {
            kept_schema.insert("required".to_owned(), required.clone());
        }
        kept_schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if let Some(items) = schema
        .get("items")
        .filter(|items| kind == "array" && items.is_object())
    {
        kept_schema.insert("items".to_owned(), kept(items, root, depth + 1, room));
    }
    Value::Object(kept_schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_grammar_can_express_is_kept() {
        let schema = json!({
            "type": "object",
            "title": "X",
            "properties": {
                "q": {"type": "string", "pattern": "^a", "description": "d"},
                "n": {"type": ["integer", "null"]},
                "at": {"$ref": "#/$defs/place"},
                "kind": {"enum": ["a", "b"], "type": "string"},
                "list": {"type": "array", "items": {"type": "number", "minimum": 3}}
            },
            "required": ["q"],
            "$defs": {"place": {"type": "object", "properties": {"x": {"type": "integer"}}}}
        });
        assert_eq!(
            written_out(&schema),
            json!({
                "type": "object",
                "properties": {
                    "q": {"type": "string"},
                    "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                    "at": {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": false},
                    "kind": {"enum": ["a", "b"]},
                    "list": {"type": "array", "items": {"type": "number"}}
                },
                "required": ["q"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn a_planned_number_may_be_the_name_of_a_result() {
        let schema =
            json!({"type": "object", "properties": {"a": {"type": "number"}, "q": {"type": "string"}}});
        assert_eq!(
            with_references(schema),
            json!({"type": "object", "properties": {
                "a": {"anyOf": [{"type": "number"}, {"type": "string", "maxLength": 8}]},
                "q": {"type": "string"}
            }})
        );
    }

    #[test]
    fn the_thought_comes_first_where_there_is_one() {
        let at_once = StepForm {
            thinks: false,
            ..StepForm::THOUGHTFUL
        };
        for (form, first) in [(StepForm::THOUGHTFUL, "thought"), (at_once, "tool")] {
            let answer = answering(form);
            let members = answer["properties"].as_object().expect("an object");
            assert_eq!(members.keys().next().map(String::as_str), Some(first));
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
        assert!(written_out(&schema).to_string().len() < 2_000);
    }
}
