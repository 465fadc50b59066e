//! Objects that models write for a call, an answer, or neither.

use serde_json::json;

use super::*;

fn read(value: &Value) -> Meaning {
    meaning(value, &Names::new(["add".to_owned(), "echo".to_owned()]))
}

fn check_call(value: &Value, tool: &str, arguments: &Value) {
    match read(value) {
        Meaning::Calls(calls) => match calls.as_slice() {
            [
                Call {
                    tool: found,
                    arguments: Arguments::Named(named),
                    ..
                },
            ] => {
                assert_eq!((found.as_str(), &Value::Object(named.clone())), (tool, arguments));
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{value}: {other:?}"),
    }
}

fn check_answer(value: &Value, expected: &str) {
    match read(value) {
        Meaning::Answer { text, .. } => assert_eq!(text, expected, "for {value}"),
        other => panic!("{value}: {other:?}"),
    }
}

#[test]
fn all_call_forms_are_known() {
    let sum = json!({"a": 2, "b": 3});
    for key in ARGUMENTS {
        check_call(&json!({"name": "add", *key: sum}), "add", &sum);
    }
    for key in TOOLS {
        check_call(&json!({*key: "add", "arguments": sum}), "add", &sum);
    }
    for key in WRAPPERS {
        check_call(
            &json!({"thought": "x", *key: {"name": "add", "arguments": sum}}),
            "add",
            &sum,
        );
    }
    for key in LISTS {
        check_call(&json!({*key: [{"name": "add", "arguments": sum}]}), "add", &sum);
    }
    check_call(
        &json!({"type": "function", "function": {"name": "add", "arguments": "{\"a\": 2, \"b\": 3}"}}),
        "add",
        &sum,
    );
    check_call(&json!([{"name": "add", "arguments": sum}]), "add", &sum);
    check_call(
        &json!({"tool": "add", "a": 2, "b": 3, "final_answer": false}),
        "add",
        &sum,
    );
    check_call(
        &json!({"tool": "add", "inputs": sum, "final_answer": "true"}),
        "add",
        &sum,
    );
    check_call(
        &json!({"name": "echo", "arguments": {"text": "hi"}}),
        "echo",
        &json!({"text": "hi"}),
    );
    check_call(
        &json!({"Thought": "x", "Action": "add", "Action Input": sum}),
        "add",
        &sum,
    );
    check_call(&json!({"ToolName": "add", "Arguments": sum}), "add", &sum);
    check_call(&json!({"action": {"tool": "add", "a": 2, "b": 3}}), "add", &sum);
    check_call(
        &json!({"name": "unheard_of", "arguments": {}}),
        "unheard_of",
        &json!({}),
    );
}

#[test]
fn answers_are_told_from_calls() {
    check_answer(&json!({"thought": "x", "answer": "Paris"}), "Paris");
    check_answer(&json!({"thought": "x", "call": null, "answer": 5}), "5");
    check_answer(&json!({"FINAL_ANSWER": "Paris"}), "Paris");
    check_answer(
        &json!({"action": "Final Answer", "action_input": "Paris"}),
        "Paris",
    );
    check_answer(
        &json!({"name": "final_answer", "arguments": {"answer": "Paris"}}),
        "Paris",
    );
    check_answer(
        &json!({"tool": null, "inputs": {}, "final_answer": "Paris"}),
        "Paris",
    );
    check_answer(
        &json!({"thought": "x", "call": {"name": "add", "arguments": {}}, "answer": "5"}),
        "5",
    );
    assert_eq!(
        read(&json!({"tool": null, "inputs": {}, "final_answer": true})),
        Meaning::NoTool
    );
    assert_eq!(read(&json!({"action": "none"})), Meaning::NoTool);
    assert_eq!(read(&json!({"sum": 5})), Meaning::Unknown);
    assert_eq!(
        read(&json!({"name": "Paris", "country": "France"})),
        Meaning::Unknown
    );
    assert_eq!(read(&json!([])), Meaning::Unknown);
}

#[test]
fn remarks_beside_an_answer_are_no_part_of_it() {
    for key in REMARKS {
        check_answer(
            &json!({"thought": "x", "tool": "none", *key: "German", "answer": "Fünf."}),
            "Fünf.",
        );
    }
    assert_eq!(
        read(&json!({"answer": "Fünf.", "population": "German"})),
        Meaning::Unknown
    );
}
