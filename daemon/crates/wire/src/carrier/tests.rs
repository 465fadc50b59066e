//! What a relay passes on.

use super::*;

#[test]
fn frames_pass_whatever_they_carry() {
    for text in [
        r#"{"type":"a"}"#,
        " \n{ \"context\":{\"session\":{}}, \"x\":[[[]]], \"type\" : \"a\" }\t",
        r#"{"type":"a","context":{"session":null}}"#,
        r#"{"type":"a","data":null,"context":null}"#,
        r#"{"type":"a","data":{"session":"x","context":{"session":"x"}}}"#,
        r#"{"type":"a","context":{"x":{"session":"x"}}}"#,
        r#"{"type":5,"type":"a","context":{"session":1},"context":{}}"#,
    ] {
        assert!(check(text).is_ok(), "{text}");
    }
}

#[test]
fn depth_costs_no_stack() {
    let depth = 200_000;
    let deep = format!(
        r#"{{"type":"a","data":{{"x":{}{}}}}}"#,
        "[".repeat(depth),
        "]".repeat(depth)
    );
    assert!(check(&deep).is_ok());
}

#[test]
fn what_is_wrong_is_told_as_the_parser_tells_it() {
    for text in [
        "",
        "[]",
        "42",
        "nope",
        "{",
        "{}",
        r#"{"type":1}"#,
        r#"{"type":""}"#,
        r#"{"type":"a","data":1.5}"#,
        r#"{"type":"a","context":[{}]}"#,
        r#"{"type":"a","context":{"session":"s"}}"#,
        r#"{"type":"a","context":{"session":-1,"utterance_id":"u"}}"#,
        r#"{"type":"a"}{}"#,
    ] {
        let parsed = crate::Message::parse(text).unwrap_err();
        let checked = check(text).unwrap_err();
        assert_eq!(
            std::mem::discriminant(&checked),
            std::mem::discriminant(&parsed),
            "{text}"
        );
        assert_eq!(checked.rejection(), parsed.rejection(), "{text}");
    }
}
