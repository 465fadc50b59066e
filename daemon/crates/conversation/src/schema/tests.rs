//! What a schema makes of arguments: coercion, violations, and bounds of what is compiled.

use std::borrow::Borrow;

use serde_json::{Map, Value, json};

use super::Schema;

fn object(value: impl Borrow<Value>) -> Map<String, Value> {
    value.borrow().as_object().cloned().unwrap_or_default()
}

/// The arguments as they reach the tool, or what is wrong with them.
fn check(schema: &Value, arguments: impl Borrow<Value>, expected: impl Borrow<Result<Value, &'static str>>) {
    let checked = Schema::compile(schema)
        .unwrap()
        .check_arguments(object(arguments.borrow()));
    let checked = checked
        .map(Value::Object)
        .map_err(|violation| violation.to_string());
    assert_eq!(
        checked.as_ref().map_err(String::as_str),
        expected.borrow().as_ref().map_err(|text| *text),
        "for {}",
        arguments.borrow()
    );
}

fn add() -> Value {
    json!({
        "type": "object",
        "properties": {"a": {"type": "number", "description": "First number."}, "b": {"type": "number"}},
        "required": ["a", "b"]
    })
}

fn light() -> Value {
    json!({
        "type": "object",
        "properties": {
            "room": {"type": "string", "enum": ["living room", "kitchen"]},
            "on": {"type": "boolean"},
            "level": {"type": "integer", "minimum": 0, "maximum": 100},
            "colors": {"type": "array", "items": {"type": "string"}},
            "fade": {"anyOf": [{"type": "number"}, {"type": "null"}]}
        },
        "required": ["room"]
    })
}

#[test]
fn values_are_coerced_where_nothing_is_lost() {
    check(
        &add(),
        json!({"a": "2", "b": " 3.5 "}),
        Ok(json!({"a": 2, "b": 3.5})),
    );
    check(
        &light(),
        json!({"room": "Kitchen", "on": "True"}),
        Ok(json!({"room": "kitchen", "on": true})),
    );
    for (written, on) in [
        (json!("yes"), true),
        (json!("off"), false),
        (json!(1), true),
        (json!(0), false),
    ] {
        check(
            &light(),
            json!({"room": "kitchen", "on": written}),
            Ok(json!({"room": "kitchen", "on": on})),
        );
    }
    check(
        &light(),
        json!({"room": "living_room", "level": 50.0}),
        Ok(json!({"room": "living room", "level": 50})),
    );
    check(
        &light(),
        json!({"room": "kitchen", "level": "50"}),
        Ok(json!({"room": "kitchen", "level": 50})),
    );
    check(
        &light(),
        json!({"room": "kitchen", "colors": "red"}),
        Ok(json!({"room": "kitchen", "colors": ["red"]})),
    );
    check(
        &light(),
        json!({"room": "kitchen", "colors": "[\"red\"]"}),
        Ok(json!({"room": "kitchen", "colors": ["red"]})),
    );
    check(
        &light(),
        json!({"room": "kitchen", "fade": "1.5"}),
        Ok(json!({"room": "kitchen", "fade": 1.5})),
    );
    check(
        &light(),
        json!({"room": "kitchen", "fade": null, "on": null}),
        Ok(json!({"room": "kitchen", "fade": null})),
    );
    check(
        &light(),
        json!({"ROOM": "kitchen", "brightness": 5}),
        Ok(json!({"room": "kitchen"})),
    );
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    check(&text, json!({"text": 5}), Ok(json!({"text": "5"})));
    check(&text, json!({"text": "5"}), Ok(json!({"text": "5"})));
}

/// The arguments of a brain whose person said "play None by null".
fn written(schema: &Value, arguments: Value) -> Value {
    let is_meant = |word: &str| ["none", "null"].contains(&word.to_lowercase().as_str());
    let schema = Schema::compile(schema).unwrap();
    let checked = schema.check_arguments_of_brain(object(arguments), &is_meant);
    checked.map_or_else(|violation| json!(violation.to_string()), Value::Object)
}

#[test]
fn words_for_nothing_leave_an_optional_argument_out() {
    let kitchen = json!({"room": "kitchen"});
    for nothing in [
        json!(null),
        json!("null"),
        json!("None"),
        json!(" nil "),
        json!("undefined"),
        json!("N/A"),
        json!("<null>"),
        json!("Unknown"),
        json!("unspecified"),
        json!("not specified"),
        json!("not given"),
        json!("default"),
        json!(""),
        json!("  "),
        json!({}),
    ] {
        for key in ["on", "level", "colors"] {
            check(
                &light(),
                json!({"room": "kitchen", key: nothing}),
                Ok(kitchen.clone()),
            );
        }
    }
    check(
        &light(),
        json!({"room": "kitchen", "level": []}),
        Ok(kitchen.clone()),
    );
    check(
        &light(),
        json!({"room": "kitchen", "colors": []}),
        Ok(json!({"room": "kitchen", "colors": []})),
    );
    // What takes null as a value is given it.
    for nothing in [json!("null"), json!("none"), json!("")] {
        check(
            &light(),
            json!({"room": "kitchen", "fade": nothing}),
            Ok(json!({"room": "kitchen", "fade": null})),
        );
    }
}

#[test]
fn a_brain_that_writes_nothing_for_an_optional_text_leaves_it_out() {
    let timer =
        json!({"type": "object", "properties": {"duration": {"type": "string"}, "name": {"type": "string"}}});
    for nothing in ["", "  ", "null_", "nil", "unknown", "default", "Not specified"] {
        let arguments = json!({"duration": "5 minutes", "name": nothing});
        let kept = if nothing == "null_" {
            arguments.clone()
        } else {
            json!({"duration": "5 minutes"})
        };
        assert_eq!(written(&timer, arguments), kept, "{nothing:?}");
    }
    assert_eq!(
        written(&timer, json!({"name": "none"})),
        json!({"name": "none"}),
        "it was said"
    );
}

#[test]
fn words_for_nothing_stand_in_what_is_required_and_where_they_are_values() {
    check(
        &light(),
        json!({"room": "none"}),
        Err("'room' must be one of [\"living room\",\"kitchen\"], but is \"none\""),
    );
    check(
        &add(),
        json!({"a": "null", "b": 1}),
        Err("'a' must be of type number, but is \"null\""),
    );
    let schema = json!({
        "type": "object",
        "properties": {
            "effect": {"enum": ["None", "rainbow"]},
            "mode": {"type": "string", "enum": ["eco", "comfort"]},
            "note": {"type": "string"},
            "code": {"type": "string", "minLength": 1},
            "day": {"type": "string", "format": "date"},
            "days": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "place": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            "id": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "nick": {"type": ["string", "null"]},
        },
    });
    for (given, kept) in [
        (
            json!({"effect": "none", "mode": "none"}),
            json!({"effect": "None"}),
        ),
        (json!({"note": "", "code": "", "day": ""}), json!({})),
        (json!({"days": [], "place": {}}), json!({})),
        (
            json!({"days": ["none"], "place": {"city": "nil"}}),
            json!({"days": ["none"], "place": {"city": "nil"}}),
        ),
        // The person said the one and not the other.
        (
            json!({"note": "None", "code": "undefined"}),
            json!({"note": "None"}),
        ),
        (json!({"id": "null"}), json!({"id": "null"})),
        (json!({"id": "n/a"}), json!({})),
        (json!({"nick": "n/a"}), json!({"nick": null})),
        (
            json!({"note": "nothing", "code": "no"}),
            json!({"note": "nothing", "code": "no"}),
        ),
    ] {
        assert_eq!(written(&schema, given.clone()), kept, "{given}");
    }
    // Other programs' calls mean the texts that they write.
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    check(&text, json!({"text": "null"}), Ok(json!({"text": "null"})));
}

#[test]
fn unknown_keys_go_unless_the_schema_keeps_them() {
    check(
        &add(),
        json!({"a": 1, "b": 2, "c": 3}),
        Ok(json!({"a": 1, "b": 2})),
    );
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    check(&closed, json!({"x": 1}), Ok(json!({})));
    let open = json!({"type": "object", "properties": {}, "additionalProperties": true});
    check(&open, json!({"x": 1}), Ok(json!({"x": 1})));
    check(&json!({"type": "object"}), json!({"x": 1}), Ok(json!({"x": 1})));
}

#[test]
fn violations_name_field_and_rule() {
    check(
        &add(),
        json!({"x": 4, "y": 5}),
        Err("'a' is required but missing (First number); 'b' is required but missing"),
    );
    check(
        &add(),
        json!({"a": "two", "b": 3}),
        Err("'a' must be of type number, but is \"two\""),
    );
    check(
        &light(),
        json!({"room": "attic"}),
        Err("'room' must be one of [\"living room\",\"kitchen\"], but is \"attic\""),
    );
    check(
        &light(),
        json!({"room": "kitchen", "level": 200}),
        Err("'level': 200 is greater than the maximum of 100"),
    );
    check(
        &light(),
        json!({"room": "kitchen", "colors": [["red"]]}),
        Err("'colors.0' must be of type string, but is [\"red\"]"),
    );
}

#[test]
fn references_are_followed_and_never_fetched() {
    let schema = json!({
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/place"}},
        "$defs": {"place": {"type": "object", "properties": {"x": {"type": "integer"}, "next": {"$ref": "#/$defs/place"}}}}
    });
    check(
        &schema,
        json!({"at": {"x": "1", "next": {"x": "2", "z": 3}}}),
        Ok(json!({"at": {"x": 1, "next": {"x": 2}}})),
    );
    assert!(Schema::compile(&json!({"$ref": "https://example.org/schema.json"})).is_err());
    assert!(Schema::compile(&json!({"type": "nonsense"})).is_err());
    let endless = json!({"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}});
    if let Ok(schema) = Schema::compile(&endless) {
        drop(schema.check_arguments(object(json!({}))));
    }
}

#[test]
fn a_hostile_pattern_ends_soon() {
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+(?=b)$"}}});
    let schema = Schema::compile(&schema).unwrap();
    let started = tokio::time::Instant::now();
    assert!(
        schema
            .check_arguments(object(json!({"a": "a".repeat(40)})))
            .is_err()
    );
    assert!(started.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn an_output_is_checked_and_not_changed() {
    let schema = Schema::compile(
        &json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}),
    );
    let schema = schema.unwrap();
    let given = json!({"n": 1, "more": 2});
    assert_eq!(schema.check_output(object(given.clone())), Ok(object(given)));
    let wrong = schema
        .check_output(object(json!({"n": "1"})))
        .map_err(|violation| violation.to_string());
    assert_eq!(wrong, Err("'n' must be of type number, but is \"1\"".to_owned()));
}

#[test]
fn patterns_of_real_tools_compile_and_explosive_ones_do_not() {
    let compiled = |pattern: &str| Schema::compile(&json!({"properties": {"a": {"pattern": pattern}}}));
    for real in [
        r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$",
        r"^[a-zA-Z0-9_.+-]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+$",
        r"^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$",
        r"^[a-zA-Z0-9_-]{1,256}$",
        r"^(?!-)[a-z0-9-]{1,63}(?<!-)$",
        r"^#(?:[0-9a-fA-F]{3}){1,2}$",
        r"^https?://[^\s]+$",
        r"^[\p{L} ]+$",
    ] {
        assert!(compiled(real).is_ok(), "{real}: {:?}", compiled(real));
    }
    for explosive in [
        r"(\pL{60}|\pN{60}){3}",
        r"((a{50}){50}){50}",
        r"(?=\pL{90})\pL{90}x",
    ] {
        assert!(compiled(explosive).is_err(), "{explosive}");
    }
}
