//! Whole bodies, since what is missing matters as much as what is there.

use std::sync::Arc;

use loquat_conversation::brain::{ChatMessage, NativeCall, Role, Sampling};

use super::*;

fn settings() -> OpenAiSettings {
    OpenAiSettings {
        stream: false,
        ..OpenAiSettings::new("http://h/v1", "m")
    }
}

fn request(messages: Vec<ChatMessage>) -> ChatRequest {
    ChatRequest {
        messages: messages.into_iter().map(Into::into).collect(),
        ..ChatRequest::default()
    }
}

fn written(settings: &OpenAiSettings, request: &ChatRequest) -> Value {
    let names = Names::of(request);
    serde_json::to_value(body(settings, request, &names, |_| false)).unwrap()
}

fn check(settings: &OpenAiSettings, request: &ChatRequest, expected: &Value) {
    assert_eq!(&written(settings, request), expected);
}

#[test]
fn a_plain_request_says_no_more_than_is_set() {
    check(
        &settings(),
        &request(vec![ChatMessage::user("hi")]),
        &json!({"model": "m", "stream": false, "messages": [{"role": "user", "content": "hi"}]}),
    );
}

#[test]
fn only_a_server_that_takes_guesses_is_sent_one() {
    let request = ChatRequest {
        guess: Some("{\"thought\": ".into()),
        ..request(vec![ChatMessage::user("hi")])
    };
    assert_eq!(written(&settings(), &request).get("guess"), None);
    let guesses = OpenAiSettings {
        guesses: true,
        ..settings()
    };
    assert_eq!(written(&guesses, &request)["guess"], "{\"thought\": ");
}

#[test]
fn only_a_server_that_takes_favours_is_sent_one() {
    let favour = Favour {
        word: "no".to_owned(),
        by: -1.1,
    };
    let request = ChatRequest {
        favour: Some(favour),
        ..request(vec![ChatMessage::user("hi")])
    };
    assert_eq!(written(&settings(), &request).get("favour"), None);
    let favours = OpenAiSettings {
        favours: true,
        ..settings()
    };
    let expected = json!({"word": "no", "by": -1.1});
    assert_eq!(written(&favours, &request)["favour"], expected);
}

#[test]
fn all_settings_arrive_and_the_request_wins() {
    let settings = OpenAiSettings {
        stream: true,
        max_tokens: Some(300),
        temperature: Some(0.5),
        top_p: Some(0.2),
        stop: vec!["B".into(), "A".into()],
        extra: serde_json::from_value(json!({"seed": 7, "stop": "C", "model": "other", "n": 1})).unwrap(),
        ..settings()
    };
    let request = ChatRequest {
        stop: vec!["A".into()],
        sampling: Sampling {
            temperature: Some(0.1),
            top_p: Some(0.4),
            max_tokens: Some(9),
        },
        ..request(vec![ChatMessage::user("hi")])
    };
    check(
        &settings,
        &request,
        &json!({
            "model": "m", "stream": true, "stream_options": {"include_usage": true},
            "messages": [{"role": "user", "content": "hi"}],
            "max_tokens": 9, "temperature": 0.1, "top_p": 0.4, "stop": ["A", "B", "C"], "seed": 7, "n": 1,
        }),
    );
}

#[test]
fn instructions_are_one_message_and_each_is_told_once() {
    let messages = vec![
        ChatMessage::system("You are Ziggy."),
        ChatMessage::system("Tools exist."),
        ChatMessage::user("hi"),
        ChatMessage::system("You are Ziggy."),
        ChatMessage::system(" "),
        ChatMessage::assistant("yes"),
        ChatMessage::system("Tools exist. Hurry."),
    ];
    let body = written(&settings(), &request(messages));
    assert_eq!(
        body["messages"],
        json!([
            {"role": "system", "content": "You are Ziggy.\n\nTools exist. Hurry."},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "yes"},
        ])
    );
}

#[test]
fn native_calls_go_back_in_the_form_servers_can_read() {
    let call = |id: &str, arguments: &str| NativeCall {
        id: id.into(),
        name: "add".into(),
        arguments: arguments.into(),
    };
    let mut assistant = ChatMessage::assistant("");
    assistant.tool_calls = vec![call("1", r#"{"a": 1}"#), call("2", r#"{"a": "#), call("3", "[1]")];
    let mut tool = ChatMessage::new(Role::Tool, "3");
    tool.tool_call_id = Some("1".into());
    tool.name = Some("add".into());
    let body = written(&settings(), &request(vec![assistant, tool]));
    let expected = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}});
    assert_eq!(
        body["messages"],
        json!([
            {"role": "assistant", "content": null,
             "tool_calls": [expected("1", r#"{"a": 1}"#), expected("2", "{}"), expected("3", "{}")]},
            {"role": "tool", "content": "3", "tool_call_id": "1", "name": "add"},
        ])
    );
}

#[test]
fn tools_are_offered_only_to_a_server_that_takes_them() {
    let mut request = request(vec![ChatMessage::user("hi")]);
    request.tools = vec![Arc::new(ToolOffer {
        name: "add".into(),
        description: "Adds.".into(),
        parameters: json!({"type": "object"}),
    })];
    assert_eq!(written(&settings(), &request).get("tools"), None);

    let native = OpenAiSettings {
        supports_tools: true,
        ..settings()
    };
    let offered = written(&native, &request);
    let function = json!({"name": "add", "description": "Adds.", "parameters": {"type": "object"}});
    assert_eq!(
        offered["tools"],
        json!([{"type": "function", "function": function}])
    );
    assert_eq!(offered.get("tool_choice"), None);
    request.tool_choice = ToolChoice::None;
    assert_eq!(written(&native, &request)["tool_choice"], "none");
    request.tools.clear();
    assert_eq!(written(&native, &request).get("tool_choice"), None);
}

#[test]
fn a_schema_goes_before_a_grammar_that_is_passed_through() {
    let mut settings = settings();
    settings.extra.insert("grammar".into(), json!("root ::= \"x\""));
    let mut request = request(vec![ChatMessage::user("hi")]);
    assert_eq!(written(&settings, &request)["grammar"], "root ::= \"x\"");

    request.response_schema = Some(Arc::new(json!({"type": "object"})));
    assert_eq!(written(&settings, &request).get("response_format"), None);
    settings.json_schema = true;
    let shaped = written(&settings, &request);
    assert_eq!(shaped.get("grammar"), None);
    assert_eq!(
        shaped["response_format"],
        json!({"type": "json_schema", "json_schema": {"name": "reply", "schema": {"type": "object"}, "strict": true}})
    );
}
