//! JSON Schemas: what each lets through, what it keeps out, and what is refused before it costs anything. The vocabulary
//! is of single bytes, so that no model is needed.

use serde_json::{Map, Value, json};
use toktrie::ApproximateTokEnv;

use super::{Grammars, SchemaError};

fn matcher(schema: &Value) -> Result<llguidance::Matcher, SchemaError> {
    let vocabulary = ApproximateTokEnv::single_byte();
    Grammars::new(vocabulary).unwrap().matcher(schema)
}

/// Tells whether the whole text may be written, and nothing has to follow it.
fn follows(schema: &Value, text: &str) -> bool {
    let mut matcher = matcher(schema).unwrap();
    let bytes: Vec<u32> = text.bytes().map(u32::from).collect();
    matcher.try_consume_tokens(&bytes).unwrap() == bytes.len()
        && (matcher.is_stopped() || matcher.is_accepting().unwrap())
}

fn check(schema: &Value, taken: &[&str], refused: &[&str]) {
    for text in taken {
        assert!(follows(schema, text), "{text} should follow {schema}");
        serde_json::from_str::<Value>(text).unwrap();
    }
    for text in refused {
        assert!(!follows(schema, text), "{text} should not follow {schema}");
    }
}

fn error(schema: &Value) -> String {
    let refused = matcher(schema).err();
    refused.unwrap_or_else(|| panic!("it took {schema}")).to_string()
}

fn closed(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

#[test]
fn required_properties_come_in_the_order_of_the_schema_and_in_one_form() {
    check(
        &closed(
            &json!({"zone": {"type": "string"}, "hour": {"type": "integer"}}),
            &["hour", "zone"],
        ),
        &[r#"{"zone": "UTC", "hour": 7}"#, r#"{"zone": "", "hour": -12}"#],
        &[
            r#"{"hour": 7, "zone": "UTC"}"#,
            r#"{"zone": "UTC"}"#,
            r#"{"zone": "UTC", "hour": 7, "more": 1}"#,
            r#"{"zone": "UTC", "hour": 7.5}"#,
            r#"{"zone": "UTC", "hour": 7} "#,
            r#"{"zone":"UTC", "hour": 7}"#,
            r#"{"zone": "UTC","hour": 7}"#,
            r#"{"zone":  "UTC", "hour": 7}"#,
        ],
    );
}

#[test]
fn a_whole_number_without_bounds_comes_to_an_end() {
    let noughts = |count| format!("1{}", "0".repeat(count));
    for kind in [json!("integer"), json!(["integer", "null"])] {
        let schema = json!({"type": kind});
        check(
            &schema,
            &["0", "-7", &noughts(18)],
            &[&noughts(19), &format!("-{}", noughts(40))],
        );
    }
    check(
        &json!({"type": "integer", "minimum": 1}),
        &["1", &noughts(20)],
        &["0"],
    );
    for name in ["type", "default", "enum", "properties"] {
        check(
            &closed(&json!({name: {"type": "integer"}}), &[name]),
            &[&format!(r#"{{"{name}": 12}}"#)],
            &[&format!(r#"{{"{name}": {}}}"#, noughts(19))],
        );
    }
    check(
        &json!({"enum": [{"type": "number"}]}),
        &[r#"{"type": "number"}"#],
        &[r#"{"type": 1}"#],
    );
}

#[test]
fn every_set_of_optional_properties_has_its_commas_right() {
    let schema = closed(
        &json!({"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}, "d": {"const": 4}}),
        &["c"],
    );
    for set in 0..16_u32 {
        let members: Vec<String> = ["a", "b", "c", "d"]
            .iter()
            .enumerate()
            .filter(|(bit, _)| set & (1 << bit) != 0)
            .map(|(bit, name)| format!("\"{name}\": {}", bit + 1))
            .collect();
        let text = format!("{{{}}}", members.join(", "));
        assert_eq!(follows(&schema, &text), set & 4 != 0, "{text}");
    }
    check(&schema, &[], &[r#"{, "c": 3}"#, r#"{"c": 3, }"#]);
}

#[test]
fn a_step_is_a_thought_and_either_a_call_or_an_answer() {
    let zone = closed(&json!({"zone": {"type": "string"}}), &["zone"]);
    let call = closed(
        &json!({"tool": {"const": "time"}, "arguments": zone}),
        &["tool", "arguments"],
    );
    let answer = closed(
        &json!({"answer": {"type": "string", "minLength": 1}}),
        &["answer"],
    );
    check(
        &closed(
            &json!({"thought": {"type": "string", "maxLength": 20}, "next": {"anyOf": [call, answer]}}),
            &["thought", "next"],
        ),
        &[
            r#"{"thought": "look it up", "next": {"tool": "time", "arguments": {"zone": "Asia/Tokyo"}}}"#,
            r#"{"thought": "", "next": {"answer": "It is \"late\"."}}"#,
        ],
        &[
            r#"{"thought": "far too long for twenty", "next": {"answer": "a"}}"#,
            r#"{"thought": "", "next": {"answer": ""}}"#,
            r#"{"thought": "", "next": {"tool": "date", "arguments": {"zone": ""}}}"#,
            r#"{"next": {"answer": "a"}, "thought": ""}"#,
        ],
    );
}

#[test]
fn strings_are_json_strings_of_the_right_length() {
    check(
        &json!({"type": "string", "minLength": 1, "maxLength": 3}),
        &[
            r#""a""#,
            r#""äöü""#,
            r#""\n\"\\""#,
            r#""\u00e9""#,
            r#""\ud83d\ude00""#,
            r#""日本""#,
        ],
        &[
            r#""""#,
            r#""abcd""#,
            "\"a\nb\"",
            r#""\x""#,
            r#""\ud83d""#,
            r#""\u12""#,
            r#"""""#,
        ],
    );
}

#[test]
fn numbers_are_json_numbers() {
    check(
        &json!({"type": "number"}),
        &["0", "-1", "12.5", "-0.25e-7", "1E+10"],
        &["01", ".5", "1.", "+1", "1e", "NaN", "--1"],
    );
    check(
        &json!({"type": "integer", "minimum": -90, "maximum": 90}),
        &["0", "-90"],
        &["1.0", "1e3", "007", "91"],
    );
}

#[test]
fn arrays_have_the_right_number_of_items() {
    let array = |least: u32, most: u32| json!({"items": {"const": 1}, "type": "array", "minItems": least, "maxItems": most});
    check(
        &array(0, 2),
        &["[]", "[1]", "[1, 1]"],
        &["[1, 1, 1]", "[1, ]", "[, 1]", "[2]"],
    );
    check(
        &array(2, 3),
        &["[1, 1]", "[1, 1, 1]"],
        &["[]", "[1]", "[1, 1, 1, 1]"],
    );
    check(&array(0, 0), &["[]"], &["[1]"]);
}

#[test]
fn enumerations_and_constants_are_exact() {
    check(
        &json!({"enum": ["on", "off", 3, null, {"a": [1, "b"]}, "say \"hi\"\\"]}),
        &[r#""on""#, "3", "null", r#"{"a": [1, "b"]}"#, r#""say \"hi\"\\""#],
        &[r#""ON""#, r#""""#, "33"],
    );
    check(&json!({"const": "é\n"}), &[r#""é\n""#], &[r#""e\n""#]);
}

#[test]
fn several_types_and_choices_are_alternatives() {
    check(
        &json!({"type": ["string", "null"]}),
        &[r#""a""#, "null"],
        &["1", "nul"],
    );
    check(
        &json!({"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "array", "items": {"type": "integer"}}]}),
        &["1", "[1, 2]"],
        &[r#""1""#],
    );
}

#[test]
fn references_may_be_recursive() {
    let tree = json!({
        "type": "object",
        "properties": {"leaf": {"type": "integer"}, "under": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
        "required": ["leaf"],
        "additionalProperties": false,
    });
    check(
        &json!({"$ref": "#/$defs/tree", "$defs": {"tree": tree}}),
        &[
            r#"{"leaf": 1}"#,
            r#"{"leaf": 1, "under": [{"leaf": 2, "under": []}, {"leaf": 3}]}"#,
        ],
        &[r#"{"leaf": 1, "under": [1]}"#],
    );
    let begins_with_itself =
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}});
    check(&begins_with_itself, &["null"], &["nul"]);
}

#[test]
fn free_objects_hold_anything_or_what_is_said() {
    check(
        &json!({"type": "object"}),
        &["{}", r#"{"a": [1, {"b": null}], "c": "d"}"#],
        &["[]", r#"{"a"}"#, "{a: 1}"],
    );
    check(
        &json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        &["{}", r#"{"x": 1, "y": 2}"#],
        &[r#"{"x": "1"}"#],
    );
    check(
        &json!({"type": "object", "required": ["id", "id"]}),
        &[r#"{"id": [1]}"#],
        &["{}"],
    );
    check(
        &json!(true),
        &["{}", "[]", "1", r#""a""#, "true", "null"],
        &["", "tru"],
    );
}

#[test]
fn what_cannot_be_followed_is_refused_with_the_reason() {
    let nested = closed(&json!({"name": {"type": "text"}}), &[]);
    assert_eq!(
        error(&nested),
        "failed to turn the JSON schema into a grammar: Invalid type: text"
    );
    let itself = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}});
    for (schema, part) in [
        (json!({"not": {"type": "null"}}), r#"Unimplemented keys: ["not"]"#),
        (
            json!({"type": "integer", "multipleOf": 99_999_999}),
            "`multipleOf`",
        ),
        (json!(false), "schema is false"),
        (json!({"enum": []}), "anyOf is empty"),
        (json!({"$ref": "#/$defs/none"}), "'$defs' not found"),
        (json!({"$ref": "https://example.org/s"}), "Only absolute $ref's"),
        (
            json!({"type": "string", "minLength": 5, "maxLength": 2}),
            "minLength (5) is greater",
        ),
        (
            json!({"type": "object", "required": ["a"], "additionalProperties": false}),
            "'a' is unsatisfiable",
        ),
        (json!({"type": 3}), "type must be a string"),
        (json!([1]), "schema must be an object or boolean"),
        (itself, "NoExtension"),
    ] {
        let refusal = error(&schema);
        assert!(refusal.contains(part) && !refusal.contains('\n'), "{refusal}");
    }
}

#[test]
fn schemas_that_would_take_too_much_are_refused() {
    let properties = |count: u32| {
        let all: Map<String, Value> = (0..count).map(|n| (format!("p{n}"), json!({}))).collect();
        json!({"type": "object", "properties": all})
    };
    let chain: Map<String, Value> = (0..600)
        .map(|n| {
            (
                format!("d{n}"),
                json!({"items": {"$ref": format!("#/$defs/d{}", n + 1)}}),
            )
        })
        .chain([("d600".to_owned(), json!({}))])
        .collect();
    for (schema, part) in [
        (properties(3000), "number of symbols"),
        (json!({"const": "a".repeat(300_000)}), "more than 262144 bytes"),
        (
            json!({"$ref": "#/$defs/d0", "$defs": chain}),
            "more than 256 values",
        ),
        (
            json!({"enum": (0..20_000).collect::<Vec<_>>()}),
            "grammar) too big",
        ),
    ] {
        let refusal = error(&schema);
        assert!(refusal.contains(part), "{refusal}");
    }
}

#[test]
fn bounds_of_any_size_cost_nothing() {
    for schema in [
        json!({"type": "string", "maxLength": 4_000_000_000_u32}),
        json!({"type": "string", "minLength": 4_000_000_000_u32}),
        json!({"type": "array", "items": {"type": "string"}, "minItems": 4_000_000_000_u32}),
    ] {
        matcher(&schema).unwrap();
    }
}

/// llguidance quotes a hundred bytes of what it does not like, and panics where they end within a letter.
#[test]
fn a_panic_within_is_a_refusal() {
    let refusal = error(&json!({"type": "string", "minLength": "ü".repeat(200)}));
    assert!(
        refusal.contains("panic: ") && !refusal.contains('\n'),
        "{refusal}"
    );
}
