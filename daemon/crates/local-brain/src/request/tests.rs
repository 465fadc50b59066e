//! Requests as clients write them, and the complaint for each that cannot be served.

use serde_json::{Value, json};

use super::{ChatRequest, Favour, Message, Role, Sampling};

fn read(request: &Value) -> ChatRequest {
    ChatRequest::read(request.to_string().as_bytes()).unwrap()
}

/// Gives the field and the message of the refusal.
fn refusal(body: &str) -> (String, String) {
    let refusal = ChatRequest::read(body.as_bytes()).unwrap_err();
    assert_eq!(refusal.status().as_u16(), 400);
    let error = refusal.to_json();
    let text = |field: &str| error["error"][field].as_str().unwrap_or_default().to_owned();
    (text("param"), text("message"))
}

fn user(fields: &Value) -> Value {
    let mut request = json!({"messages": [{"role": "user", "content": "hi"}]});
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

#[test]
fn a_plain_request_has_the_usual_settings() {
    let request = read(&user(
        &json!({"model": "any", "user": "me", "frequency_penalty": 0}),
    ));
    assert!(!request.stream);
    assert!(request.schema.is_none() && request.stop.is_empty() && request.max_tokens.is_none());
    assert_eq!(
        request.sampling,
        Sampling {
            temperature: 0.0,
            top_p: 1.0,
            seed: None
        }
    );
}

#[test]
fn a_favour_is_a_word_and_a_number_within_bounds() {
    assert_eq!(read(&user(&json!({}))).favour, None);
    let favour = read(&user(&json!({"favour": {"word": "no", "by": -1.5}}))).favour;
    let expected = Favour {
        word: "no".to_owned(),
        by: -1.5,
    };
    assert_eq!(favour, Some(expected));
    for (favour, field) in [
        (json!({"word": "", "by": 1}), "favour.word"),
        (json!({"word": "no", "by": 1000}), "favour.by"),
        (json!({"word": "no"}), "favour"),
    ] {
        assert_eq!(refusal(&user(&json!({"favour": favour})).to_string()).0, field);
    }
}

#[test]
fn every_field_is_read() {
    let request = read(&user(&json!({
        "stream": true, "stop": ["a", "b"], "max_tokens": 5, "max_completion_tokens": 7,
        "temperature": 0.5, "top_p": 0.9, "seed": -1, "n": 1, "tools": [], "logprobs": false,
        "response_format": {"type": "text"},
    })));
    assert!(request.stream);
    assert_eq!(request.stop, ["a", "b"]);
    assert_eq!(request.max_tokens, Some(7));
    assert_eq!(
        request.sampling,
        Sampling {
            temperature: 0.5,
            top_p: 0.9,
            seed: Some(u32::MAX)
        }
    );
    assert_eq!(read(&user(&json!({"stop": "a"}))).stop, ["a"]);
    assert!(
        read(&user(&json!({"stop": null, "tools": null, "seed": null})))
            .stop
            .is_empty()
    );
}

#[test]
fn the_conversation_becomes_roles_and_texts() {
    let request = read(&json!({"messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": [{"type": "text", "text": "In "}, {"type": "text", "text": "English."}]},
        {"role": "user", "content": "Time?", "name": "ana"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "time", "arguments": "{\"zone\":\"UTC\"}"}},
            {"id": "2", "type": "function", "function": {"name": "date", "arguments": "{oops"}},
        ]},
        {"role": "tool", "tool_call_id": "1", "content": "12:00"},
    ]}));
    let said = |role, text: &str| Message {
        role,
        text: text.to_owned(),
    };
    assert_eq!(
        request.messages,
        [
            said(Role::System, "Be brief."),
            said(Role::System, "In English."),
            said(Role::User, "Time?"),
            said(
                Role::Assistant,
                "<tool_call>\n{\"name\":\"time\",\"arguments\":{\"zone\":\"UTC\"}}\n</tool_call>\n\
                 <tool_call>\n{\"name\":\"date\",\"arguments\":\"{oops\"}\n</tool_call>"
            ),
            said(Role::User, "<tool_response>\n12:00\n</tool_response>"),
        ]
    );
}

#[test]
fn a_reply_follows_a_schema_or_is_any_object() {
    let schema =
        json!({"type": "json_schema", "json_schema": {"name": "x", "strict": true, "schema": {"const": 1}}});
    let schema_of = |format: Value| read(&user(&json!({"response_format": format}))).schema;
    assert_eq!(schema_of(schema), Some(json!({"const": 1})));
    assert_eq!(
        schema_of(json!({"type": "json_object"})),
        Some(json!({"type": "object"}))
    );
}

#[test]
fn the_order_of_a_schemas_properties_survives_the_wire() {
    let schema = r#"{"properties":{"z":{"const":1},"a":{"const":2}},"required":["a","z"]}"#;
    let body = format!(
        r#"{{"messages":[{{"role":"user","content":"hi"}}],"response_format":{{"type":"json_schema","json_schema":{{"schema":{schema}}}}}}}"#
    );
    let request = ChatRequest::read(body.as_bytes()).unwrap();
    assert_eq!(request.schema.unwrap().to_string(), schema);
}

#[test]
fn bad_json_is_refused() {
    for body in [
        "",
        "{",
        "not json",
        "{\"messages\": [}",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]} x",
    ] {
        let (param, message) = refusal(body);
        assert_eq!(param, "");
        assert!(message.starts_with("failed to read the request"), "{message}");
    }
    refusal(&"[".repeat(100_000));
    refusal("[1]");
}

#[test]
fn a_wrong_shape_is_refused_by_name() {
    let mine = |fields: Value| user(&fields).to_string();
    for (body, field, part) in [
        ("{}".to_owned(), ".", "missing field `messages`"),
        (
            r#"{"messages":[]}"#.to_owned(),
            "messages",
            "at least one message",
        ),
        (
            r#"{"messages":[{"content":"a"}]}"#.to_owned(),
            "messages[0]",
            "missing field `role`",
        ),
        (
            r#"{"messages":[{"role":"robot"}]}"#.to_owned(),
            "messages[0].role",
            "unknown variant `robot`",
        ),
        (
            r#"{"messages":[{"role":"user"}]}"#.to_owned(),
            "messages[0].content",
            "it is missing",
        ),
        (
            r#"{"messages":[{"role":"user","content":5}]}"#.to_owned(),
            "messages[0].content",
            "expected a string or an array of text parts",
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"image_url","text":""}]}]}"#.to_owned(),
            "messages[0].content[0].type",
            "unknown variant `image_url`",
        ),
        (
            mine(json!({"stop": 5})),
            "stop",
            "a string or an array of strings",
        ),
        (mine(json!({"stop": ["a", 5]})), "stop[1]", "expected a string"),
        (mine(json!({"max_tokens": -1})), "max_tokens", "expected u32"),
        (mine(json!({"max_tokens": 0})), "max_tokens", "at least 1"),
        (mine(json!({"temperature": "hot"})), "temperature", "expected f32"),
        (
            mine(json!({"temperature": 2.5})),
            "temperature",
            "2.5 is not between 0 and 2",
        ),
        (mine(json!({"top_p": -0.1})), "top_p", "not between 0 and 1"),
        (mine(json!({"n": 2})), "n", "one reply"),
        (
            mine(json!({"tools": [{"type": "function"}]})),
            "tools",
            "no native tools",
        ),
        (mine(json!({"logprobs": true})), "logprobs", "gives none"),
        (mine(json!({"stream": "yes"})), "stream", "expected a boolean"),
        (
            mine(json!({"response_format": {"type": "xml"}})),
            "response_format.type",
            "unknown variant `xml`",
        ),
        (
            mine(json!({"response_format": {"type": "json_schema"}})),
            "response_format.json_schema",
            "it is missing",
        ),
        (
            mine(json!({"response_format": {"type": "json_schema", "json_schema": {}}})),
            "response_format.json_schema",
            "missing field `schema`",
        ),
        (
            mine(json!({"grammar": "root ::= \"a\""})),
            "grammar",
            "give a JSON schema in `response_format`",
        ),
    ] {
        let (param, message) = refusal(&body);
        assert_eq!(param, field, "{message}");
        assert!(message.contains(part), "{message}");
    }
}
