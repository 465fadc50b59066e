//! Replies of the usual servers, whole and in pieces.

use std::sync::Mutex;

use loquat_conversation::brain::{Delta, Finish, NativeCall, Usage};

use super::*;

#[derive(Default)]
struct Heard(Mutex<Vec<Delta>>);

impl DeltaSink for Heard {
    fn delta(&self, delta: Delta) {
        self.0.lock().unwrap().push(delta);
    }
}

fn reply_of(body: &str) -> Result<ChatReply, ReplyFault> {
    let mut intake = Intake::new();
    intake.feed(body.as_bytes(), &())?;
    intake.finish(&())
}

fn stream(events: &[&str]) -> String {
    format!("data: {}\n\n", events.join("\n\ndata: "))
}

fn delta(said: &str) -> String {
    format!(r#"{{"choices": [{{"index": 0, "delta": {said}, "finish_reason": null}}]}}"#)
}

fn reply(content: &str) -> ChatReply {
    ChatReply::of_words(content)
}

fn calls_of(pieces: &[&str]) -> Vec<NativeCall> {
    let mut events: Vec<String> = pieces
        .iter()
        .map(|piece| delta(&format!(r#"{{"tool_calls": [{piece}]}}"#)))
        .collect();
    events.push("[DONE]".into());
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let reply = reply_of(&stream(&events)).unwrap();
    assert_eq!(reply.finish, Finish::ToolCalls);
    reply.tool_calls
}

fn call(id: &str, name: &str, arguments: &str) -> NativeCall {
    NativeCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    }
}

#[test]
fn a_stream_is_heard_piece_by_piece() {
    let body = stream(&[
        &delta(r#"{"role": "assistant", "content": ""}"#),
        &delta(r#"{"reasoning_content": "hm", "reasoning": "hm"}"#),
        &delta(r#"{"content": "gr\u00fc"}"#),
        &delta(r#"{"content": "n"}"#),
        r#"{"choices": [{"delta": {}, "finish_reason": "length"}]}"#,
        r#"{"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}}"#,
        "[DONE]",
    ]);
    let heard = Heard::default();
    let mut intake = Intake::new();
    let mut first = None;
    for (place, byte) in body.bytes().enumerate() {
        let progress = intake.feed(&[byte], &heard).unwrap();
        if first.is_none() && progress == Some(Progress::Token) {
            first = Some(place);
        }
    }
    assert!(intake.is_done());
    let reply = intake.into_streamed_reply().unwrap();
    assert_eq!(
        (reply.content.as_str(), reply.reasoning.as_str()),
        ("gr\u{fc}n", "hm")
    );
    assert_eq!(reply.finish, Finish::Length);
    assert_eq!(
        reply.usage,
        Usage {
            prompt_tokens: 5,
            completion_tokens: 2,
            cost_millionths: 0,
            estimated: false,
        }
    );
    let expected = [
        Delta::Reasoning("hm".into()),
        Delta::Content("gr\u{fc}".into()),
        Delta::Content("n".into()),
    ];
    assert_eq!(*heard.0.lock().unwrap(), expected);
    let before_reasoning = body.find("hm").unwrap();
    assert!(
        first.unwrap() > before_reasoning,
        "the empty first delta is no token"
    );
}

#[test]
fn a_document_is_read_like_a_stream() {
    let body = r#" {"choices": [{"message": {"role": "assistant", "content": "Paris", "tool_calls": null},
        "finish_reason": "stop"}, {"message": {"content": "other"}}], "usage": null, "error": null}"#;
    assert_eq!(reply_of(body), Ok(reply("Paris")));
    assert_eq!(reply_of(&format!("\u{feff}{body}")), Ok(reply("Paris")));
    assert_eq!(
        reply_of(r#"{"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}"#),
        Ok(reply(""))
    );
}

#[test]
fn contents_of_all_shapes_are_read() {
    for (said, content, reasoning) in [
        (r#"{"content": null, "refusal": "I cannot."}"#, "I cannot.", ""),
        (r#"{"content": "a", "reasoning": "b"}"#, "a", "b"),
        (r#"{"content": "a", "reasoning": {"x": 1}}"#, "a", ""),
        (
            r#"{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "b"}]},
                {"type": "text", "text": "a"}, {"type": "image"}]}"#,
            "a",
            "b",
        ),
    ] {
        let body = format!(r#"{{"choices": [{{"message": {said}, "finish_reason": "stop"}}]}}"#);
        let reply = reply_of(&body).unwrap();
        assert_eq!(
            (reply.content.as_str(), reply.reasoning.as_str()),
            (content, reasoning),
            "{said}"
        );
    }
}

#[test]
fn calls_are_put_together_by_index() {
    let calls = calls_of(&[
        r#"{"index": 0, "id": "a", "type": "function", "function": {"name": "add", "arguments": ""}}"#,
        r#"{"index": 0, "function": {"arguments": "{\"x\":"}}"#,
        r#"{"index": 1, "id": "b", "function": {"name": "now", "arguments": "{}"}}"#,
        r#"{"index": 0, "id": "a", "function": {"name": "add", "arguments": "1}"}}"#,
    ]);
    assert_eq!(calls, [call("a", "add", r#"{"x":1}"#), call("b", "now", "{}")]);
}

#[test]
fn calls_of_careless_servers_are_kept_apart() {
    let no_index = calls_of(&[
        r#"{"id": "a", "function": {"name": "add", "arguments": "{\"x\":"}}"#,
        r#"{"function": {"arguments": "1}"}}"#,
        r#"{"id": "b", "function": {"name": "add", "arguments": {"x": 2}}}"#,
    ]);
    assert_eq!(
        no_index,
        [call("a", "add", r#"{"x":1}"#), call("b", "add", r#"{"x": 2}"#)]
    );

    let same_index = calls_of(&[
        r#"{"index": 0, "id": "a", "function": {"name": "add", "arguments": "{}"}}"#,
        r#"{"index": 0, "id": "b", "function": {"name": "now", "arguments": "{}"}}"#,
    ]);
    assert_eq!(same_index, [call("a", "add", "{}"), call("b", "now", "{}")]);
}

/// Names and arguments of the calls that these pieces make.
fn named_of(pieces: &[&str]) -> Vec<(String, String)> {
    let calls = calls_of(pieces).into_iter();
    calls.map(|call| (call.name, call.arguments)).collect()
}

#[test]
fn pieces_of_one_call_are_one_call_whatever_their_ids_and_names_are() {
    let sum = [("add".to_owned(), r#"{"a":2}"#.to_owned())];
    let all: [&[&str]; 8] = [
        // Another id with each piece, and no name, an empty one or none at all behind the first.
        &[
            r#"{"index": 0, "id": "x1", "function": {"name": "add", "arguments": ""}}"#,
            r#"{"index": 0, "id": "x2", "function": {"arguments": "{\"a\":"}}"#,
            r#"{"index": 0, "id": "x3", "function": {"name": "", "arguments": "2"}}"#,
            r#"{"index": 0, "id": "x4", "function": {"name": null, "arguments": "}"}}"#,
        ],
        // Another id and the name with each piece.
        &[
            r#"{"index": 0, "id": "x1", "function": {"name": "add", "arguments": ""}}"#,
            r#"{"index": 0, "id": "x2", "function": {"name": "add", "arguments": "{\"a\":"}}"#,
            r#"{"index": 0, "id": "x3", "function": {"name": "add", "arguments": "2}"}}"#,
            r#"{"index": 0, "id": "x4", "function": {"name": "add", "arguments": ""}}"#,
        ],
        // The id comes late.
        &[
            r#"{"index": 0, "id": "", "function": {"name": "add", "arguments": "{\"a\":"}}"#,
            r#"{"index": 0, "id": null, "function": {"arguments": "2"}}"#,
            r#"{"index": 0, "id": "late", "function": {"arguments": "}"}}"#,
        ],
        // The name comes late.
        &[
            r#"{"index": 0, "id": "a"}"#,
            r#"{"index": 0, "id": "a", "function": {"name": null, "arguments": ""}}"#,
            r#"{"index": 0, "function": {"name": "add"}}"#,
            r#"{"index": 0, "function": {"arguments": "{\"a\":2}"}}"#,
        ],
        // There is no index, and the name is repeated.
        &[
            r#"{"id": "a", "function": {"name": "add", "arguments": "{\"a\""}}"#,
            r#"{"id": "b", "function": {"name": "add", "arguments": ":2}"}}"#,
            r#"{"id": "c", "function": null}"#,
        ],
        // The name comes in pieces.
        &[
            r#"{"index": 0, "id": "a", "function": {"name": "a"}}"#,
            r#"{"index": 0, "function": {"name": "dd"}}"#,
            r#"{"index": 0, "function": {"arguments": "{\"a\":2}"}}"#,
        ],
        // All of it comes again at the end.
        &[
            r#"{"index": 0, "id": "a", "function": {"name": "add", "arguments": "{\"a\":2}"}}"#,
            r#"{"index": 0, "id": "a", "function": {"name": "add", "arguments": "{\"a\":2}"}}"#,
        ],
        &[
            r#"{"index": 0, "id": "a", "function": {"name": "add", "arguments": "{\"a\":2}"}}"#,
            r#"{"index": 0, "function": {"arguments": "{\"a\":2}"}}"#,
            r#"{"index": 1, "id": "", "function": {"name": "", "arguments": ""}}"#,
        ],
    ];
    for pieces in all {
        assert_eq!(named_of(pieces), sum, "{pieces:?}");
    }
}

#[test]
fn parallel_calls_on_one_index_are_kept_apart() {
    let two = |one: (&str, &str), other: (&str, &str)| {
        [one, other].map(|(name, arguments)| (name.to_owned(), arguments.to_owned()))
    };
    let (looked, added) = (("lookup", r#"{"q":"}"}"#), ("add", r#"{"a":2}"#));
    for (index, ids) in [
        ("0", ["\"\"", "\"\""]),
        ("0", ["\"same\"", "\"same\""]),
        ("0", ["\"a\"", "\"b\""]),
        ("null", ["null", "null"]),
    ] {
        let [one, other] = ids;
        let piece = |id: &str, name: &str, arguments: &str| {
            let arguments = serde_json::to_string(arguments).unwrap();
            format!(
                r#"{{"index": {index}, "id": {id}, "function": {{"name": {name}, "arguments": {arguments}}}}}"#
            )
        };
        let lookup = piece(one, "\"lookup\"", looked.1);
        let add = piece(other, "\"add\"", added.1);
        assert_eq!(named_of(&[&lookup, &add]), two(looked, added), "{index} {ids:?}");
        // Both in one piece, which is a list.
        assert_eq!(
            named_of(&[&format!("{lookup}, {add}")]),
            two(looked, added),
            "{index} {ids:?}"
        );
        // The same tool twice, the first in pieces.
        let twice = [
            piece(one, "\"add\"", "{\"a\":"),
            piece(one, "null", "1}"),
            piece(other, "\"add\"", "{\"a\":2}"),
        ];
        let twice: Vec<&str> = twice.iter().map(String::as_str).collect();
        assert_eq!(
            named_of(&twice),
            two(("add", "{\"a\":1}"), added),
            "{index} {ids:?}"
        );
        // The second without a name.
        let nameless = [
            piece(one, "\"add\"", "{\"a\":1}"),
            piece(other, "null", "{\"a\":2}"),
        ];
        let nameless: Vec<&str> = nameless.iter().map(String::as_str).collect();
        assert_eq!(
            named_of(&nameless),
            two(("add", "{\"a\":1}"), added),
            "{index} {ids:?}"
        );
    }
    let objects = [
        r#"{"index": 0, "function": {"name": "lookup", "arguments": {"q":"}"}}}"#,
        r#"{"index": 0, "function": {"name": "add", "arguments": {"a":2}}}"#,
    ];
    assert_eq!(named_of(&objects), two(looked, added));
}

#[test]
fn a_call_of_nothing_is_no_call() {
    let piece = r#"{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "", "arguments": ""}}]}"#;
    let body = stream(&[&delta(r#"{"content": "Paris"}"#), &delta(piece), "[DONE]"]);
    assert_eq!(reply_of(&body), Ok(reply("Paris")));
}

#[test]
fn calls_without_an_id_of_their_own_get_one() {
    let calls = calls_of(&[
        r#"{"index": 0, "function": {"name": "add", "arguments": "{}"}}"#,
        r#"{"index": 1, "id": "a", "function": {"name": "add"}}"#,
        r#"{"index": 2, "id": "", "function": {"name": "add", "arguments": null}}"#,
    ]);
    let ids: std::collections::BTreeSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 3);
    assert!(!ids.contains(""));
    assert!(calls.iter().all(|call| call.name == "add"));
}

#[test]
fn a_stream_is_whole_when_its_end_was_said() {
    let text = delta(r#"{"content": "Paris"}"#);
    let stop = r#"{"choices": [{"delta": {}, "finish_reason": "stop"}]}"#;
    for body in [
        stream(&[&text, stop]),
        stream(&[&text, "[DONE]"]),
        stream(&[&text, "[DONE]", "nonsense"]),
        format!("data: {text}\ndata: {stop}\n"),
        format!("{}data: {{\"choi", stream(&[&text, stop])),
    ] {
        assert_eq!(reply_of(&body), Ok(reply("Paris")), "{body}");
    }
    for body in [
        stream(&[&text]),
        format!("data: {}", &text[..30]),
        ": ping\n\n".to_owned(),
        stream(&[r#"{"choices": [{"delta":"#]),
    ] {
        assert_eq!(reply_of(&body), Err(ReplyFault::CutOff), "{body}");
    }
}

#[test]
fn what_is_no_reply_is_said_to_be_none() {
    for body in [
        "",
        " \n ",
        "<html>gateway</html>",
        "upstream failed",
        "\u{0}\u{1}",
        "{}",
        r#"{"choices": []}"#,
        r#"{"choices": {}}"#,
        r#"{"choices": [{"message": {"content": 5}, "finish_reason": "stop"}]}"#,
        "data: secret words\n\n",
    ] {
        match reply_of(body) {
            Err(ReplyFault::Garbled(reason)) => assert!(!reason.contains("secret"), "{reason}"),
            other => panic!("{body:?} gave {other:?}"),
        }
    }
    assert_eq!(reply_of(r#"{"choices": [{"message""#), Err(ReplyFault::CutOff));
}

#[test]
fn a_complaint_instead_of_a_reply_is_one() {
    for body in [
        r#"{"error": {"message": "no", "code": 503}}"#.to_owned(),
        stream(&[
            &delta(r#"{"content": "Pa"}"#),
            r#"{"error": {"message": "no", "code": 503}}"#,
        ]),
    ] {
        match reply_of(&body) {
            Err(ReplyFault::Complaint(words)) => {
                assert_eq!((words.text.as_str(), words.code.as_str()), ("no", "503"));
            }
            other => panic!("{body:?} gave {other:?}"),
        }
    }
}

#[test]
fn lists_without_end_are_not_built() {
    let calls: Vec<_> = (0..5_000)
        .map(|number| {
            format!(r#"{{"id": "{number}", "function": {{"name": "f", "arguments": {{"n": {number}}}}}}}"#)
        })
        .collect();
    let calls = calls.join(",");
    let body = format!(r#"{{"choices": [{{"message": {{"tool_calls": [{calls}]}}}}]}}"#);
    assert_eq!(reply_of(&body).unwrap().tool_calls.len(), 128);
    let body = format!(
        r#"{{"choices": [{{"message": {{"content": "a"}}}}{}]}}"#,
        ", {}".repeat(100_000)
    );
    assert_eq!(reply_of(&body), Ok(reply("a")));
    let deep = format!("{{\"choices\": {}", "[".repeat(100_000));
    assert_eq!(reply_of(&deep), Err(ReplyFault::CutOff));
}

#[test]
fn a_reply_without_end_is_refused() {
    let mut intake = Intake::new();
    let filler = vec![b' '; 1024 * 1024];
    intake.feed(b"{", &()).unwrap();
    for _ in 0..7 {
        intake.feed(&filler, &()).unwrap();
    }
    assert_eq!(
        intake.feed(&filler, &()),
        Err(ReplyFault::TooLarge(MAX_REPLY_BYTES))
    );
}
