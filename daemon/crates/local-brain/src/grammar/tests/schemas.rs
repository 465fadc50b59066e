//! JSON Schemas as grammars: what each lets through and what it keeps out.

use serde_json::{Value, json};

use super::matcher::follows;
use crate::grammar::Grammar;

fn check(schema: &Value, taken: &[&str], refused: &[&str]) {
    let grammar = Grammar::from_schema(schema).unwrap();
    for text in taken {
        assert!(
            follows(grammar.as_str(), text),
            "{text} should follow\n{}",
            grammar.as_str()
        );
        serde_json::from_str::<Value>(text).unwrap();
    }
    for text in refused {
        assert!(
            !follows(grammar.as_str(), text),
            "{text} should not follow\n{}",
            grammar.as_str()
        );
    }
}

fn error(schema: &Value) -> String {
    Grammar::from_schema(schema).unwrap_err().to_string()
}

#[test]
fn required_properties_come_in_the_order_of_the_schema() {
    check(
        &json!({
            "type": "object",
            "properties": {"zone": {"type": "string"}, "hour": {"type": "integer"}},
            "required": ["hour", "zone"],
            "additionalProperties": false,
        }),
        &[r#"{"zone":"UTC","hour":7}"#, r#"{"zone": "", "hour": -12}"#],
        &[
            r#"{"hour":7,"zone":"UTC"}"#,
            r#"{"zone":"UTC"}"#,
            r#"{"zone":"UTC","hour":7,"more":1}"#,
            r#"{"zone":"UTC","hour":7.5}"#,
            r#"{"zone":"UTC","hour":7} "#,
            r#"{"zone":  "UTC","hour":7}"#,
        ],
    );
}

#[test]
fn every_set_of_optional_properties_has_its_commas_right() {
    let schema = json!({
        "properties": {
            "a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}, "d": {"const": 4},
        },
        "required": ["c"],
    });
    let grammar = Grammar::from_schema(&schema).unwrap();
    for set in 0..16_u32 {
        let members: Vec<String> = ["a", "b", "c", "d"]
            .iter()
            .enumerate()
            .filter(|(bit, _)| set & (1 << bit) != 0)
            .map(|(bit, name)| format!("\"{name}\":{}", bit + 1))
            .collect();
        let text = format!("{{{}}}", members.join(","));
        assert_eq!(follows(grammar.as_str(), &text), set & 4 != 0, "{text}");
    }
    assert!(!follows(grammar.as_str(), r#"{,"c":3}"#));
    assert!(!follows(grammar.as_str(), r#"{"c":3,}"#));
}

#[test]
fn an_object_of_optional_properties_may_be_empty() {
    check(
        &json!({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "boolean"}}}),
        &["{}", r#"{"a":null}"#, r#"{"b":true}"#, r#"{"a":null,"b":false}"#],
        &["{,}", r#"{"b":true,"a":null}"#, r#"{"c":1}"#],
    );
}

#[test]
fn a_step_is_a_thought_and_either_a_call_or_an_answer() {
    let call = |name: &str, arguments: Value| {
        json!({
            "type": "object",
            "properties": {"tool": {"const": name}, "arguments": arguments},
            "required": ["tool", "arguments"],
            "additionalProperties": false,
        })
    };
    let zone = json!({"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]});
    check(
        &json!({
            "type": "object",
            "properties": {
                "thought": {"type": "string", "maxLength": 20},
                "next": {"anyOf": [call("time", zone), {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}]},
            },
            "required": ["thought", "next"],
        }),
        &[
            r#"{"thought":"look it up","next":{"tool":"time","arguments":{"zone":"Asia/Tokyo"}}}"#,
            r#"{"thought": "", "next": {"answer": "It is \"late\"."}}"#,
        ],
        &[
            r#"{"thought":"far too long for twenty","next":{"answer":""}}"#,
            r#"{"thought":"","next":{"tool":"date","arguments":{"zone":""}}}"#,
            r#"{"next":{"answer":""},"thought":""}"#,
        ],
    );
}

#[test]
fn strings_are_json_strings_of_the_right_length() {
    check(
        &json!({"type": "string", "minLength": 1, "maxLength": 3}),
        &[r#""a""#, r#""äöü""#, r#""\n\"\\""#, r#""\u00e9""#, r#""日本""#],
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
        &["01", ".5", "1.", "+1", "1e", "NaN", "1e1000", "--1"],
    );
    check(
        &json!({"type": "integer"}),
        &["0", "-90", "123456789012345"],
        &["1.0", "1e3", "007"],
    );
}

#[test]
fn arrays_have_the_right_number_of_items() {
    let array = |least: u32, most: u32| json!({"type": "array", "items": {"enum": [1]}, "minItems": least, "maxItems": most});
    check(
        &array(0, 2),
        &["[]", "[1]", "[1, 1]"],
        &["[1,1,1]", "[1,]", "[,1]", "[2]"],
    );
    check(&array(2, 3), &["[1,1]", "[1,1,1]"], &["[]", "[1]", "[1,1,1,1]"]);
    check(&array(1, 1), &["[1]"], &["[]", "[1,1]"]);
    check(&array(0, 0), &["[]"], &["[1]"]);
    check(
        &json!({"items": {"type": "boolean"}}),
        &["[]", "[true,false,true]"],
        &["[1]"],
    );
    check(
        &json!({"prefixItems": [{"type": "string"}, {"type": "integer"}]}),
        &[r#"["a",1]"#],
        &[r#"["a"]"#, r#"[1,"a"]"#],
    );
}

#[test]
fn enumerations_and_constants_are_exact() {
    check(
        &json!({"enum": ["on", "off", 3, null, {"a": [1, "b"]}, "say \"hi\"\\"]}),
        &[r#""on""#, "3", "null", r#"{"a":[1,"b"]}"#, r#""say \"hi\"\\""#],
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
        &json!({"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}),
        &["1", "[1,2]"],
        &[r#""1""#],
    );
}

#[test]
fn references_may_be_recursive() {
    check(
        &json!({
            "$ref": "#/$defs/tree",
            "$defs": {"tree": {
                "type": "object",
                "properties": {"leaf": {"type": "integer"}, "under": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
                "required": ["leaf"],
            }},
        }),
        &[
            r#"{"leaf":1}"#,
            r#"{"leaf":1,"under":[{"leaf":2,"under":[]},{"leaf":3}]}"#,
        ],
        &[r#"{"leaf":1,"under":[1]}"#],
    );
}

#[test]
fn free_objects_hold_anything_or_what_is_said() {
    check(
        &json!({"type": "object"}),
        &["{}", r#"{"a":[1,{"b":null}],"c":"d"}"#],
        &["[]", r#"{"a"}"#, "{a:1}"],
    );
    check(
        &json!({"additionalProperties": {"type": "integer"}}),
        &["{}", r#"{"x":1,"y":2}"#],
        &[r#"{"x":"1"}"#],
    );
    check(
        &json!({"type": "object", "additionalProperties": false}),
        &["{}"],
        &[r#"{"a":1}"#],
    );
    check(
        &json!(true),
        &["{}", "[]", "1", r#""a""#, "true", "null"],
        &["", "tru"],
    );
}

#[test]
fn a_required_property_without_a_schema_may_be_anything() {
    check(
        &json!({"type": "object", "required": ["id", "id"]}),
        &[r#"{"id":[1]}"#],
        &["{}"],
    );
}

#[test]
fn what_cannot_be_followed_is_refused_with_its_place() {
    let nested = json!({"properties": {"city": {"properties": {"name": {"type": "text"}}}}});
    assert_eq!(
        error(&nested),
        "failed to turn the JSON schema into a grammar: at /properties/city/properties/name/type: `text` is no type; \
         known are object, array, string, number, integer, boolean and null"
    );
    for (schema, part) in [
        (
            json!({"not": {"type": "null"}}),
            "at the top: `not` is not supported",
        ),
        (
            json!({"items": false}),
            "at /items: `false` allows no value at all",
        ),
        (json!({"enum": []}), "at /enum: at least one value"),
        (json!({"anyOf": []}), "at /anyOf: at least one schema"),
        (
            json!({"$ref": "#/$defs/none"}),
            "at /$ref: there is no `#/$defs/none`",
        ),
        (
            json!({"$ref": "https://example.org/s"}),
            "at /$ref: only a reference within the schema",
        ),
        (
            json!({"type": "string", "minLength": 5, "maxLength": 2}),
            "at /minLength: it is above `maxLength`",
        ),
        (
            json!({"type": "string", "maxLength": -1}),
            "at /maxLength: a whole number",
        ),
        (
            json!({"type": "object", "required": "a"}),
            "at /required: an array of names",
        ),
        (
            json!({"required": ["a"], "additionalProperties": false}),
            "at /required: `a` is required but not",
        ),
        (
            json!({"allOf": [{}, {}]}),
            "at /allOf: only an `allOf` of one schema",
        ),
        (
            json!({"anyOf": [{}], "properties": {}}),
            "at /anyOf: `properties` beside it",
        ),
        (json!({"type": 3}), "at /type: a type's name"),
        (json!([1]), "at the top: a schema is an object or a boolean"),
    ] {
        assert!(error(&schema).contains(part), "{}", error(&schema));
    }
}

#[test]
fn a_reference_that_begins_with_itself_is_refused_however_well_it_hides() {
    let to = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
    let of = |one: &Value, other: &Value| json!({"anyOf": [one, other]});
    let null = json!({"type": "null"});
    let within = json!({"properties": {"x": to("b")}});
    for defs in [
        json!({"a": of(&to("a"), &null)}),
        json!({"a": to("b"), "b": of(&null, &to("c")), "c": to("a")}),
        // The second is read within an object first, where it may begin with anything.
        json!({"a": of(&within, &to("b")), "b": of(&to("a"), &null)}),
    ] {
        let refused = error(&json!({"$ref": "#/$defs/a", "$defs": defs}));
        assert!(refused.contains("it begins with itself"), "{refused}");
    }
    let fine = json!({"$ref": "#/$defs/a", "$defs": {"a": of(&within, &null), "b": of(&to("a"), &null)}});
    check(&fine, &["null", r#"{"x":{"x":null}}"#], &["1"]);
}

#[test]
fn schemas_that_would_exhaust_llama_cpp_are_refused() {
    let properties = |count: u32, value: &dyn Fn(u32) -> Value| {
        let all: serde_json::Map<String, Value> = (0..count).map(|n| (format!("p{n}"), value(n))).collect();
        json!({"properties": all})
    };
    let chain: serde_json::Map<String, Value> = (0..600)
        .map(|n| {
            (
                format!("d{n}"),
                json!({"items": {"$ref": format!("#/$defs/d{}", n + 1)}}),
            )
        })
        .chain([("d600".to_owned(), json!({}))])
        .collect();
    for (schema, part) in [
        (
            properties(100, &|n| json!({"type": "string", "maxLength": 1900 + n})),
            "repetitions, more than 160000",
        ),
        (
            properties(100, &|n| json!({"type": "string", "minLength": 1900 + n})),
            "repetitions, more than 160000",
        ),
        (properties(3000, &|_| json!({})), "rules, more than 4000"),
        (json!({"const": "a".repeat(300_000)}), "bytes, more than 262144"),
        (
            json!({"$ref": "#/$defs/d0", "$defs": chain}),
            "more than 128 schemas within each other",
        ),
    ] {
        assert!(error(&schema).contains(part), "{}", error(&schema));
    }
    // What is there once is copied once.
    Grammar::from_schema(&properties(
        100,
        &|_| json!({"type": "string", "maxLength": 1900}),
    ))
    .unwrap();
}

#[test]
fn long_limits_are_left_to_validation() {
    let grammar = Grammar::from_schema(&json!({"type": "string", "maxLength": 5000})).unwrap();
    assert!(follows(grammar.as_str(), &format!("\"{}\"", "a".repeat(6000))));
}
