//! One call of every family of models.

use serde_json::{Value, json};

use super::super::call::Arguments;
use super::*;

fn check(text: &str, expected: &Value) {
    let names = Names::new(["add".to_owned(), "lookup".to_owned()]);
    let tagged = read(text, &names).unwrap_or_default();
    let found: Vec<Value> = tagged
        .calls
        .iter()
        .map(|call| match &call.arguments {
            Arguments::Named(named) => json!([call.tool, named]),
            other => json!([call.tool, format!("{other:?}")]),
        })
        .collect();
    assert_eq!(&Value::Array(found), expected, "for {text:?}: {tagged:?}");
}

#[test]
fn every_family_is_understood() {
    let sum = json!([["add", {"a": 2, "b": 3}]]);
    check(
        "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}\n</tool_call>",
        &sum,
    );
    check(
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}",
        &sum,
    );
    check(
        "<tool_call>{{\"name\": \"add\", \"arguments\": {{\"a\": 2, \"b\": 3}}}}</tool_call>",
        &sum,
    );
    check(
        "[TOOL_CALLS] [{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]",
        &sum,
    );
    check("[TOOL_CALLS]add[ARGS]{\"a\": 2, \"b\": 3}", &sum);
    check("[TOOL_CALLS]add{\"a\": 2, \"b\": 3}", &sum);
    check(
        "<|python_tag|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}",
        &sum,
    );
    check("<|python_tag|>add.call(a=2, b=3)", &sum);
    check(
        "<|tool_call|>[{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]",
        &sum,
    );
    check("<function=add>{\"a\": 2, \"b\": 3}</function>", &sum);
    check(
        "functools[{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]",
        &sum,
    );
    check("```tool_code\nprint(add(a=2, b=3))\n```", &sum);
    check("[TOOL_CALLS]add[CALL_ID]x1[ARGS]{\"a\": 2, \"b\": 3}", &sum);
    check(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{\"a\": 2, \"b\": 3}<|tool_call_end|><|tool_calls_section_end|>",
        &sum,
    );
    check("<|tool_call_start|>[add(a=2, b=3)]<|tool_call_end|>", &sum);
    check(
        "<|channel|>commentary to=functions.add<|message|>{\"a\": 2, \"b\": 3}<|call|>",
        &sum,
    );
    check(
        "<TOOLCALL>[{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]</TOOLCALL>",
        &sum,
    );
    check(
        "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}]<|END_ACTION|>",
        &sum,
    );
    check(
        "<|action_start|><|plugin|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}<|action_end|>",
        &sum,
    );
    check("<start_function_call>call:add{a:2,b:3}<end_function_call>", &sum);
    check(
        "<start_function_call>call:lookup{query:<escape>the \"Seine\", {Paris}<escape>}<end_function_call>",
        &json!([["lookup", {"query": "the \"Seine\", {Paris}"}]]),
    );
    check(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"a\": 2, \"b\": 3}<｜tool▁call▁end｜>",
        &sum,
    );
    check(
        "<minimax:tool_call>\n<invoke name=\"add\">\n<parameter name=\"a\">2</parameter>\n<parameter name=\"b\">3</parameter>\n</invoke>\n</minimax:tool_call>",
        &json!([["add", {"a": "2", "b": "3"}]]),
    );
    check(
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"add\">\n<｜DSML｜parameter name=\"a\" string=\"false\">2</｜DSML｜parameter>\n<｜DSML｜parameter name=\"b\" string=\"false\">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        &json!([["add", {"a": "2", "b": "3"}]]),
    );
    check(
        "<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
        &json!([["add", {"a": "2"}]]),
    );
    check("<tool_call>add</tool_call>", &json!([["add", {}]]));
    check(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{\"a\": 2, \"b\": 3}\n```<｜tool▁call▁end｜>",
        &sum,
    );
    check(
        "<tool_call>\n<function=add>\n<parameter=a>\n2\n</parameter>\n<parameter=b>3</parameter>\n</function>\n</tool_call>",
        &json!([["add", {"a": "2", "b": "3"}]]),
    );
}

#[test]
fn texts_between_the_quotes_of_gemma_hold_anything() {
    for text in [
        "Lyon",
        "the \"Seine\", {Paris}: [it's] \\ wet\nand <cold>",
        "say <tool_call|> or [TOOL_CALLS] or <tool_call>",
        "",
        "true",
        "12",
    ] {
        check(
            &format!("<|tool_call>call:lookup{{query:<|\"|>{text}<|\"|>,n:2}}<tool_call|>"),
            &json!([["lookup", {"query": text, "n": 2}]]),
        );
    }
    check(
        "<|tool_call>call:lookup{place:{city:<|\"|>Lyon<|\"|>,tags:[<|\"|>a, b<|\"|>,<|\"|>}<|\"|>]},days:[1,2.5],loud:true,soft:false,near:null,in:[],of:{}}<tool_call|>",
        &json!([["lookup", {
            "place": {"city": "Lyon", "tags": ["a, b", "}"]},
            "days": [1, 2.5], "loud": true, "soft": false, "near": null, "in": [], "of": {},
        }]]),
    );
    check(
        "<|tool_call>call:add{a:1}<tool_call|><|tool_call>call:lookup{<|\"|>query<|\"|>:<|\"|>x<|\"|>}<tool_call|>",
        &json!([["add", {"a": 1}], ["lookup", {"query": "x"}]]),
    );
    // Spaces, a line for each argument, the quotes of JSON, and no closer.
    check(
        "<|tool_call>call:lookup {\n  query: <|\"|>x y<|\"|>,\n  n: 3\n}\n<tool_call|>",
        &json!([["lookup", {"query": "x y", "n": 3}]]),
    );
    check(
        "<|tool_call>call:lookup{query:\"x\"}<tool_call|>",
        &json!([["lookup", {"query": "x"}]]),
    );
    check(
        "<|tool_call>call:lookup{query:<|\"|>x<|\"|>}",
        &json!([["lookup", {"query": "x"}]]),
    );
    check("<|tool_call>call:now{}<tool_call|>", &json!([["now", {}]]));
    let cut = read("<|tool_call>call:lookup{query:<|\"|>x", &Names::default()).unwrap();
    assert!(
        matches!(
            cut.calls.as_slice(),
            [Call {
                arguments: Arguments::Broken(_),
                ..
            }]
        ),
        "a text that ends in the middle is no text: {cut:?}"
    );
}

#[test]
fn calls_of_llama_4_stand_between_its_marks() {
    let sum = json!([["add", {"a": 2, "b": 3}]]);
    check("<|python_start|>[add(a=2, b=3)]<|python_end|>", &sum);
    check("<|python_start|>add(a=2, b=3)<|python_end|>", &sum);
    check(
        "<|python_start|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}<|python_end|>",
        &sum,
    );
    check("<|python_start|>[add(a=2, b=3)]", &sum);
}

#[test]
fn several_calls_keep_their_order() {
    let two = json!([["add", {"a": 1}], ["lookup", {"query": "x"}]]);
    let one = "{\"name\": \"add\", \"arguments\": {\"a\": 1}}";
    let other = "{\"name\": \"lookup\", \"arguments\": {\"query\": \"x\"}}";
    check(
        &format!("<tool_call>{one}</tool_call>\n<tool_call>{other}</tool_call>"),
        &two,
    );
    check(&format!("<tool_call>{one}<tool_call>{other}"), &two);
    check(&format!("<tool_call>{one}\n{other}</tool_call>"), &two);
    check(&format!("<|python_tag|>{one}; {other}"), &two);
    check(&format!("[TOOL_CALLS] [{one}, {other}]"), &two);
}

#[test]
fn a_mark_in_a_text_is_data() {
    let query = "</tool_call> and <tool_call>{} in one";
    check(
        &format!(
            "<tool_call>\n{}\n</tool_call>",
            json!({"name": "lookup", "arguments": {"query": query}})
        ),
        &json!([["lookup", {"query": query}]]),
    );
    check(
        &format!(
            "<|python_tag|>{}",
            json!({"name": "lookup", "parameters": {"query": query}})
        ),
        &json!([["lookup", {"query": query}]]),
    );
}

#[test]
fn marks_of_one_reply_may_differ_in_their_arguments() {
    check(
        "<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|><|tool_call_begin|>functions.lookup:1<|tool_call_argument_begin|>{\"query\": \"x\"}<|tool_call_end|>",
        &json!([["add", {"a": 1}], ["lookup", {"query": "x"}]]),
    );
    check(
        "<function_calls><invoke name=\"add\"><parameter name=\"a\">1</parameter></invoke><invoke name=\"lookup\"><parameter name=\"query\">x</parameter></invoke></function_calls>",
        &json!([["add", {"a": "1"}], ["lookup", {"query": "x"}]]),
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    let names = Names::new(["add".to_owned()]);
    let tagged = read(
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x",
        &names,
    )
    .unwrap();
    assert!(tagged.calls.is_empty() && tagged.broken.is_some(), "{tagged:?}");
    assert_eq!(read("Use the `<tool_call>` mark; 5 < 7.", &names), None);
}

#[test]
fn elements_that_name_a_call_are_none() {
    let names = Names::new(["add".to_owned()]);
    for text in [
        "Sure. <tool>add</tool><tool_input>{\"a\": 1}</tool_input>",
        "Sure.\n<tool_name>add</tool_name>\n<tool_input>{\"a\": 1}</tool_input>",
        "Sure. <invoke><tool>add</tool></invoke>",
        "Sure. <function name=\"add\"><a>1</a></function>",
        "Sure. <x:invoke tool=\"add\"/>",
        "Sure. <add>{\"a\": 1}</add>",
    ] {
        let tagged = read(text, &names).unwrap_or_default();
        assert!(
            tagged.calls.is_empty() && tagged.broken.is_some(),
            "{text}: {tagged:?}"
        );
        assert_eq!(tagged.before, "Sure.", "{text}");
    }
    for text in [
        "Use the `<tool>` element.",
        "<b>2</b> </tool> <input>",
        "2 < tool > 1",
    ] {
        assert_eq!(read(text, &names), None, "{text}");
    }
}
