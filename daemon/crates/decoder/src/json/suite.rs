//! What JSON is and what it is not, case by case: the first is read as `serde_json` reads it, the second is mended or
//! refused and never panics.

use serde_json::{Value, json};

use super::{parse_prefix, parse_whole};

/// These are valid by RFC 8259.
const VALID: &[&str] = &[
    "[]",
    "[ ]",
    " [] ",
    "{}",
    "\n{\n}\n",
    "\t[\r\n1\t]",
    "null",
    "true",
    "false",
    "\"\"",
    "\"a\"",
    "0",
    "-0",
    "42",
    "[[]   ]",
    "[\"\"]",
    "[[]]",
    "[[[[[[[]]]]]]]",
    "[1,2]",
    "[null]",
    "[null,1,\"2\",{}]",
    "[false]",
    "[1e1]",
    "[1E+2]",
    "[1e-2]",
    "[123.456789]",
    "[0e1]",
    "[0e+1]",
    "[20e1]",
    "[1.5E+9]",
    "[-0]",
    "[-0.0]",
    "[-1]",
    "[-123]",
    "[1E22]",
    "[0.1e2]",
    "[123e45]",
    "[123.456e78]",
    "[-9223372036854775808]",
    "[18446744073709551615]",
    "[9223372036854775807]",
    "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]",
    "{\"a\":\"b\"}",
    "{\"a\":\"b\",\"c\":\"d\"}",
    "{\"a\":\"b\",\"a\":\"c\"}",
    "{\"a\":\"b\",\"a\":\"b\"}",
    "{\"\":0}",
    "{\"foo\\u0000bar\": 42}",
    "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }",
    "{\"a\":[]}",
    "{\"a\":{\"b\":{\"c\":{}}}}",
    "{\"x\":[{\"id\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}], \"id\": \"y\"}",
    "{\"title\":\"\\u041f\\u043e\\u043b\\u0442\\u043e\\u0440\\u0430\"}",
    "[\"\\u0060\\u012a\\u12AB\"]",
    "[\"\\uD801\\udc37\"]",
    "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
    "[\"\\\\u0000\"]",
    "[\"\\\"\"]",
    "[\"a/*b*/c/*d//e\"]",
    "[\"\\\\a\"]",
    "[\"\\\\n\"]",
    "[\"\\u0012\"]",
    "[\"\\uFFFF\"]",
    "[\"asd\"]",
    "[ \"asd\"]",
    "[\"\\uDBFF\\uDFFF\"]",
    "[\"new\\u00A0line\"]",
    "[\"\u{10ffff}\"]",
    "[\"\u{ffff}\"]",
    "[\"\\u0000\"]",
    "[\"\u{2c}\"]",
    "[\"π\"]",
    "[\"\u{1bfff}\"]",
    "[\"asd \"]",
    "\" \"",
    "[\"\\uD834\\uDd1e\"]",
    "[\"\u{2028}\"]",
    "[\"\u{2029}\"]",
    "[\"\\u0821\"]",
    "[\"\\u0123\"]",
    "[\"\\u0061\\u30af\\u30EA\\u30b9\"]",
    "[\"\\uA66D\"]",
    "[\"\\u005C\"]",
    "[\"\u{7f}\"]",
    "[\"ß ﬁ İ\"]",
    "[\"“curly” ‘quotes’\"]",
    "[\"it's // no # comment, } ] ok\"]",
    "[\"True, None: {a: 1,}\"]",
    "[\"```json\"]",
    "[\"<tool_call>\"]",
    "[\"Action: add\\nObservation: x\"]",
    "{\"'a'\": \"'b'\"}",
    "{\"a:b\": 1}",
    "{\"a\": \"1,\"}",
];

/// These are not valid. With each stands what is made of it; nothing means that it is refused.
fn invalid() -> Vec<(&'static str, Option<Value>)> {
    vec![
        ("[1 true]", Some(json!(["1 true"]))),
        ("[\"\": 1]", None),
        ("[\"\"],", Some(json!([""]))),
        ("[,1]", Some(json!([1]))),
        ("[1,,2]", Some(json!([1, 2]))),
        ("[\"x\",,]", Some(json!(["x"]))),
        ("[\"x\"]]", Some(json!(["x"]))),
        ("[\"\",]", Some(json!([""]))),
        ("[\"x\"", Some(json!(["x"]))),
        ("[x", None),
        ("[3[4]]", None),
        ("[1:2]", None),
        ("[,]", Some(json!([]))),
        ("[", None),
        ("[1,", None),
        ("[1,\n1\n,1", Some(json!([1, 1, 1]))),
        ("[{}", Some(json!([{}]))),
        ("[fals]", Some(json!(["fals"]))),
        ("[nul]", Some(json!(["nul"]))),
        ("[++1234]", Some(json!(["++1234"]))),
        ("[+1]", Some(json!([1]))),
        ("[-01]", Some(json!(["-01"]))),
        ("[012]", Some(json!(["012"]))),
        ("[.123]", Some(json!([0.123]))),
        ("[1.]", Some(json!([1]))),
        ("[0x1]", Some(json!([1]))),
        ("[1_000]", Some(json!([1000]))),
        ("[1.2.3]", Some(json!(["1.2.3"]))),
        ("[Infinity]", Some(json!(["Infinity"]))),
        ("[NaN]", Some(json!(["NaN"]))),
        ("{\"x\", null}", None),
        ("{\"x\"::\"b\"}", None),
        ("{\"a\":\"a\" 123}", None),
        ("{key: 'value'}", Some(json!({"key": "value"}))),
        ("{\"a\" b}", None),
        ("{:\"b\"}", None),
        ("{\"a\" \"b\"}", None),
        ("{\"a\":", None),
        ("{\"a\"", None),
        ("{1:1}", Some(json!({"1": 1}))),
        ("{\"id\":0,,,,,}", Some(json!({"id": 0}))),
        ("{'a':0}", Some(json!({"a": 0}))),
        ("{\"id\":0,}", Some(json!({"id": 0}))),
        ("{\"a\":\"b\"}/**/", None),
        ("{\"a\":\"b\"}#", None),
        ("{\"a\":/*comment*/\"b\"}", Some(json!({"a": "b"}))),
        ("{\"a\":true} \"x\"", None),
        ("{\"asd\":\"asd\"", Some(json!({"asd": "asd"}))),
        ("[\"\\u00A\"]", Some(json!(["\u{fffd}00A"]))),
        ("[\"\\x41\"]", Some(json!(["A"]))),
        ("[\"\\a\"]", Some(json!(["\\a"]))),
        ("[\"\\", None),
        ("[\"a", None),
        ("\"", None),
        ("['single quote']", Some(json!(["single quote"]))),
        ("[\"new\nline\"]", Some(json!(["new\nline"]))),
        ("[\"\t\"]", Some(json!(["\t"]))),
        ("", None),
        (" ", None),
        ("]", None),
        ("}", None),
        ("*", None),
        ("<null>", None),
        ("{\"a\":1}{\"b\":2}", None),
        ("[True]", Some(json!([true]))),
        ("{}}", Some(json!({}))),
        ("{\"\":", None),
        ("[\u{a0}1]", Some(json!([1]))),
        ("\u{feff}{}", Some(json!({}))),
        ("\u{feff}", None),
    ]
}

/// An implementation may take or leave these.
const EITHER: &[&str] = &[
    "[1e400]",
    "[-1e400]",
    "[0.4e00669999999999999999999999999999999999999999999999999999999999999999969999999006]",
    "[123123e100000]",
    "[-123123123123123123123123123123]",
    "[100000000000000000000]",
    "[\"\\uDADA\"]",
    "[\"\\uD888\\u1234\"]",
    "[\"\\uD800\\n\"]",
    "[\"\\uDd1ea\"]",
    "[\"\\uD800\\uD800\\n\"]",
    "[\"\\ud800\"]",
    "[\"\\ud800abc\"]",
    "[\"\\uDd1e\\uD834\"]",
    "[\"\\uDFAA\"]",
    "[1e-400]",
    "{\"a\":1e9999}",
];

#[test]
fn valid_json_is_read_as_it_is() {
    for text in VALID {
        let strict: Value = serde_json::from_str(text).unwrap();
        let parsed = parse_whole(text);
        assert_eq!(
            parsed.as_ref().map(|parsed| &parsed.value),
            Ok(&strict),
            "for {text}"
        );
        assert!(parsed.is_ok_and(|parsed| !parsed.unclosed), "for {text}");
    }
}

#[test]
fn what_is_no_json_is_mended_or_refused() {
    for (text, mended) in invalid() {
        assert!(serde_json::from_str::<Value>(text).is_err(), "{text} is valid");
        let parsed = parse_whole(text).map(|parsed| parsed.value).ok();
        assert_eq!(parsed, mended, "for {text}");
    }
}

#[test]
fn what_may_be_either_does_no_harm() {
    for text in EITHER {
        if let Ok(parsed) = parse_whole(text) {
            assert!(parsed.value.is_array() || parsed.value.is_object(), "for {text}");
        }
    }
}

#[test]
fn what_was_mended_is_mended_for_good() {
    let mended = invalid()
        .into_iter()
        .map(|(text, _)| text)
        .chain(EITHER.iter().copied());
    for text in mended {
        if let Ok(parsed) = parse_prefix(text) {
            let again = parse_whole(&parsed.value.to_string()).map(|again| again.value);
            assert_eq!(again, Ok(parsed.value), "for {text}");
        }
    }
}

#[test]
fn depth_is_bounded() {
    for (opener, closer) in [
        ("[", "]"),
        ("{\"a\":", "}"),
        ("(", ")"),
        ("[{\"a\":", "}]"),
        ("{", "}"),
    ] {
        for depth in [100_usize, 1_000, 100_000] {
            let text = format!("{}{}", opener.repeat(depth), closer.repeat(depth));
            assert!(
                parse_whole(&text).is_err() || depth == 100,
                "{opener} {depth} deep"
            );
        }
    }
}
