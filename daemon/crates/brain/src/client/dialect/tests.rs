//! Refusals in the words of the usual servers, and what each costs.

use std::sync::Arc;

use super::*;

fn tools() -> Vec<Arc<ToolOffer>> {
    let named = |name: &str| {
        Arc::new(ToolOffer {
            name: name.to_owned(),
            description: "Does it.".to_owned(),
            parameters: json!({"type": "object"}),
        })
    };
    ["add", "lookup", "get_time", "set_light", "search"]
        .map(named)
        .into()
}

fn parameters() -> Map<String, Value> {
    let body = json!({
        "model": "m", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 100_000,
        "temperature": 0.2, "top_p": 0.9, "stop": ["\nObservation:"], "tool_choice": "none",
        "parallel_tool_calls": false, "response_format": {"type": "json_schema"}, "seed": 7,
    });
    body.as_object().cloned().unwrap()
}

fn learnt(body: &str) -> Vec<Lesson> {
    let tools = tools();
    let tools: Vec<(&str, &ToolOffer)> = tools.iter().map(|tool| (tool.name.as_str(), &**tool)).collect();
    let sent = Sent {
        parameters: &parameters(),
        tools: &tools,
    };
    Dialect::default().learn(&ServerWords::read(body), &sent)
}

fn parameter(name: &str) -> Vec<Lesson> {
    vec![Lesson::Parameter(name.to_owned())]
}

fn tool(name: &str) -> Vec<Lesson> {
    vec![Lesson::Tool(name.to_owned())]
}

#[test]
fn a_bound_that_is_too_large_becomes_the_figure_that_the_server_names() {
    for (body, bound) in [
        (
            r#"{"error": {"message": "max_tokens is too large: 100000. This model supports at most 4096 completion tokens, whereas you provided 100000.", "type": "invalid_request_error", "param": "max_tokens", "code": "invalid_value"}}"#,
            4_096,
        ),
        (
            r#"{"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20240620"}}"#,
            8_192,
        ),
        (
            r#"{"error": {"code": "InvalidParameter", "message": "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 100000 instead.", "param": "max_tokens", "type": "BadRequest"}}"#,
            12_288,
        ),
        (
            r#"{"error": {"message": "Param Incorrect", "param": "max_tokens is too large: 100000. This model supports at most 131 completion tokens", "code": "400"}}"#,
            131,
        ),
        (
            "`max_tokens` must be less than or equal to `8192`, the maximum value",
            8_192,
        ),
    ] {
        assert_eq!(learnt(body), [Lesson::Bound(bound)], "{body}");
    }
    for body in [
        "max_tokens is too large",
        "Error code: 400 - max_tokens is too large: 100000",
        r#"{"object": "error", "message": "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 500 input tokens (100000 > 8192 - 500). None", "code": 400}"#,
        "This model's maximum context length is 8192 tokens. However, you requested 100064 tokens (64 in the messages, 100000 in the completion). Please reduce the length of the messages or completion.",
        r#"{"error": {"message": "Unsupported parameter: 'max_tokens'", "param": "max_tokens"}}"#,
    ] {
        assert_eq!(learnt(body), parameter("max_tokens"), "{body}");
    }
    let newer = r#"{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "param": "max_tokens"}}"#;
    assert_eq!(learnt(newer), [Lesson::NewerBound]);
    // A conversation that is too long is made shorter instead.
    let long = "This model's maximum context length is 400000 tokens. However, you requested 500000 tokens (400000 in the messages, 100000 in the completion).";
    assert_eq!(learnt(long), []);
}

#[test]
fn the_tool_that_a_server_refuses_is_known_by_its_place_or_its_name() {
    for body in [
        r#"{"error": {"message": "Invalid schema for function 'set_light': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.", "type": "invalid_request_error", "param": "tools[3].function.parameters", "code": "invalid_function_parameters"}}"#,
        r#"{"type": "error", "error": {"type": "invalid_request_error", "message": "tools.3.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"}}"#,
        r#"[{"error": {"code": 400, "message": "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[3].name: [FIELD_INVALID] Invalid function name.", "status": "INVALID_ARGUMENT"}}]"#,
        r#"{"error": {"message": "* GenerateContentRequest.tools[0].function_declarations[3].parameters.properties: should be non-empty for OBJECT type\n", "code": 400}}"#,
        r#"{"object": "error", "message": "[{'type': 'value_error', 'loc': ('body', 'tools', 3, 'function', 'parameters'), 'msg': 'bad'}]", "code": 400}"#,
        r#"{"detail": [{"type": "value_error", "loc": ["body", "tools", 3, "function"], "msg": "Input should be valid"}]}"#,
        r#"{"error": {"message": "Invalid JSON schema for tool set_light, tools/3/function/parameters must be object"}}"#,
        r#"{"error": {"message": "JSON schema conversion failed for function set_light: unrecognized schema"}}"#,
        "Tool schema of `set_light` is not supported",
    ] {
        assert_eq!(learnt(body), tool("set_light"), "{body}");
    }
    let two = "* tools[0].function_declarations[1].name: bad\n* tools[0].function_declarations[4].name: bad";
    assert_eq!(learnt(two), [tool("lookup"), tool("search")].concat());
    // Everyday words are names within quotes alone, and an earlier call is no tool.
    for body in [
        "the tools that you add to a search are not good",
        r#"{"error": {"message": "Invalid 'messages[9].tool_calls[0].function.name' of set_light", "param": "messages[9].tool_calls[0].function.name"}}"#,
        "tools[17] is bad",
        "no tools today",
    ] {
        assert_eq!(learnt(body), [], "{body}");
    }
    assert_eq!(learnt("Invalid schema for function 'add'"), tool("add"));
}

#[test]
fn a_parameter_that_a_server_does_not_take_is_left_out() {
    for (body, name) in [
        (
            r#"{"error": {"message": "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", "param": "temperature", "code": "unsupported_value"}}"#,
            "temperature",
        ),
        (
            r#"{"error": {"message": "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", "param": "parallel_tool_calls"}}"#,
            "parallel_tool_calls",
        ),
        (
            r#"{"object": "error", "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'parallel_tool_calls'), 'msg': 'Extra inputs are not permitted', 'input': False}]", "code": 400}"#,
            "parallel_tool_calls",
        ),
        (
            r#"{"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}"#,
            "seed",
        ),
        (
            r#"{"error": {"message": "Invalid parameter", "param": "response_format.type"}}"#,
            "response_format",
        ),
        (
            "This response_format type is unavailable now: json_schema is not supported",
            "response_format",
        ),
        ("'stop' is not supported with this model", "stop"),
        (
            "Unrecognized request argument supplied: tool_choice",
            "tool_choice",
        ),
        ("unknown field `top_p`", "top_p"),
        ("include_usage: Extra inputs are not permitted", "stream_options"),
    ] {
        assert_eq!(learnt(body), parameter(name), "{body}");
    }
    for body in [
        "please stop: the input is invalid",
        "the model m is not supported",
        "messages must be a list",
        "no",
        "",
    ] {
        assert_eq!(learnt(body), [], "{body}");
    }
}

#[test]
fn what_was_learnt_is_left_out_and_nothing_is_learnt_twice() {
    let tools = tools();
    let offers: Vec<(&str, &ToolOffer)> = tools.iter().map(|tool| (tool.name.as_str(), &**tool)).collect();
    let dialect = Dialect::default();
    let complain = |text: &str, body: &Map<String, Value>| {
        let sent = Sent {
            parameters: body,
            tools: &offers,
        };
        dialect.learn(&ServerWords::read(text), &sent).len()
    };
    let mut body = parameters();
    assert_eq!(
        complain(
            "'max_tokens' is not supported, use 'max_completion_tokens' instead",
            &body
        ),
        1
    );
    dialect.apply(&mut body);
    assert_eq!(complain("max_completion_tokens: at most 500", &body), 1);
    dialect.apply(&mut body);
    assert_eq!(
        (body.get("max_tokens"), &body["max_completion_tokens"]),
        (None, &json!(500))
    );
    assert_eq!(complain("unknown field `seed`", &body), 1);
    assert_eq!(
        complain("unknown field `seed`", &body),
        0,
        "it was not the parameter after all"
    );
    dialect.apply(&mut body);
    assert_eq!(body.get("seed"), None);
    assert_eq!(complain("tools[3] is bad", &body), 1);
    assert_eq!(complain("tools[3] is bad", &body), 0);
    assert!(dialect.refuses(&tools[3]) && !dialect.refuses(&tools[2]));
    let mended = ToolOffer {
        parameters: json!({"type": "object", "properties": {}}),
        ..(*tools[3]).clone()
    };
    assert!(
        !dialect.refuses(&mended),
        "a tool that is described anew is offered again"
    );
}
