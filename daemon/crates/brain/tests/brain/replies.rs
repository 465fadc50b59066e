//! Replies that are served well, in all the ways servers write them.

use loquat_brain::{OpenAiBrain, OpenAiSettings, Prices};
use loquat_conversation::brain::{Brain, Finish, Usage};
use secrecy::SecretString;
use serde_json::json;

use crate::server::{Act, Server};
use crate::support::*;

#[tokio::test]
async fn tokens_cost_what_is_set() {
    let server = Server::start(vec![streamed(&["Paris"])]).await;
    let mut settings = settings(server.url());
    settings.prices = Prices {
        prompt: 0.15,
        completion: 600_000.0,
    };
    let reply = ask(&OpenAiBrain::new(settings).unwrap()).await.unwrap();
    // Three were read and four were written; a part of a millionth is a whole one.
    assert_eq!(reply.usage.cost_millionths, 2_400_001);
}

#[tokio::test]
async fn what_a_server_does_not_count_is_estimated_and_costs_all_the_same() {
    let body = r#"{"choices": [{"message": {"content": "It is in Paris, the capital of France."}, "finish_reason": "stop"}]}"#;
    let server = Server::start(vec![answer("200 OK", "content-type: application/json\r\n", body)]).await;
    let mut settings = settings(server.url());
    settings.prices = Prices {
        prompt: 0.0,
        completion: 1_000_000.0,
    };
    let usage = ask(&OpenAiBrain::new(settings).unwrap()).await.unwrap().usage;
    assert!(usage.estimated && usage.prompt_tokens > 0, "{usage:?}");
    // A tokenizer of today makes about ten of these words.
    assert!((6..=16).contains(&usage.completion_tokens), "{usage:?}");
    assert_eq!(usage.cost_millionths, usage.completion_tokens * 1_000_000);
}

#[tokio::test]
async fn a_stream_is_heard_while_it_is_written() {
    let server = Server::start(vec![streamed(&["Pa", "ris"])]).await;
    let heard = Heard::new();
    let reply = ask_aloud(&brain(&server), &heard).await.unwrap();
    assert_eq!((reply.content.as_str(), reply.finish), ("Paris", Finish::Stop));
    let usage = Usage {
        prompt_tokens: 3,
        completion_tokens: 4,
        cost_millionths: 0,
        estimated: false,
    };
    assert_eq!(reply.usage, usage);
    assert_eq!(heard.so_far(), "Paris");
    let asked = &server.seen().asked[0];
    assert!(
        asked.head.starts_with("POST /v1/chat/completions HTTP/1.1"),
        "{}",
        asked.head
    );
    assert_eq!(asked.body["stream"], true);
}

#[tokio::test]
async fn a_stream_may_be_split_anywhere() {
    let body = "data: {\"choices\": [{\"delta\": {\"content\": \"gr\u{fc}n\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n";
    let mut acts = vec![stream_head()];
    acts.extend(body.as_bytes().chunks(1).map(chunk));
    acts.push(Act::Send(b"0\r\n\r\n".to_vec()));
    let server = Server::start(vec![acts]).await;
    assert_eq!(ask(&brain(&server)).await.unwrap().content, "gr\u{fc}n");
}

#[tokio::test]
async fn a_plain_answer_is_taken_though_a_stream_was_asked_for() {
    let server = Server::start(vec![plain("Paris")]).await;
    let heard = Heard::new();
    let reply = ask_aloud(&brain(&server), &heard).await.unwrap();
    assert_eq!(
        (reply.content.as_str(), reply.usage.completion_tokens),
        ("Paris", 4)
    );
    assert_eq!(heard.so_far(), "Paris");
}

#[tokio::test]
async fn a_wrong_content_type_does_not_matter() {
    let body = r#"{"choices": [{"message": {"content": "Paris"}, "finish_reason": "stop"}]}"#;
    let server = Server::start(vec![answer("200 OK", "content-type: image/png\r\n", body)]).await;
    assert_eq!(ask(&brain(&server)).await.unwrap().content, "Paris");
}

#[tokio::test]
async fn plain_replies_can_be_asked_for() {
    let server = Server::start(vec![plain("Paris")]).await;
    let brain = OpenAiBrain::new(OpenAiSettings {
        stream: false,
        ..settings(server.url())
    });
    assert_eq!(ask(&brain.unwrap()).await.unwrap().content, "Paris");
    let body = &server.seen().asked[0].body;
    assert_eq!(
        (&body["stream"], &body["stream_options"]),
        (&json!(false), &json!(null))
    );
}

#[tokio::test]
async fn native_calls_are_put_together() {
    let piece = |call| event(&json!({"choices": [{"delta": {"tool_calls": [call]}}]}));
    let mut acts = vec![
        stream_head(),
        piece(
            json!({"index": 0, "id": "c1", "type": "function", "function": {"name": "add", "arguments": ""}}),
        ),
        piece(json!({"index": 0, "function": {"arguments": "{\"a\":"}})),
        piece(json!({"index": 1, "id": "c2", "function": {"name": "now", "arguments": "{}"}})),
        piece(json!({"index": 0, "function": {"arguments": " 1}"}})),
        event(&json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})),
    ];
    acts.extend(end());
    let server = Server::start(vec![acts]).await;
    let reply = ask(&brain(&server)).await.unwrap();
    assert_eq!(reply.finish, Finish::ToolCalls);
    let calls: Vec<_> = reply
        .tool_calls
        .iter()
        .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
        .collect();
    assert_eq!(calls, [("c1", "add", "{\"a\": 1}"), ("c2", "now", "{}")]);
}

#[tokio::test]
async fn connections_are_kept_and_used_again() {
    let server = Server::start(vec![
        streamed(&["a"]),
        plain("b"),
        failure("400 Bad Request"),
        streamed(&["c"]),
    ])
    .await;
    let brain = brain(&server);
    for expected in [Some("a"), Some("b"), None, Some("c")] {
        let reply = ask(&brain).await;
        assert_eq!(reply.ok().map(|reply| reply.content).as_deref(), expected);
    }
    assert_eq!((server.seen().asked.len(), server.seen().connections), (4, 1));
}

#[tokio::test]
async fn a_server_that_never_closes_its_stream_does_not_hold_the_reply_back() {
    let mut after_end = vec![stream_head(), text("Paris")];
    after_end.push(chunk(b"data: [DONE]\n\n"));
    after_end.push(Act::Hang);
    let after_stop = vec![stream_head(), text("Paris"), stop(), Act::Hang];
    let cut_after_stop = vec![stream_head(), text("Paris"), stop(), Act::Close];
    let server = Server::start(vec![after_end, after_stop, cut_after_stop]).await;
    for _ in 0..3 {
        assert_eq!(ask(&brain(&server)).await.unwrap().content, "Paris");
    }
    assert_eq!(server.seen().asked.len(), 3);
}

#[tokio::test]
async fn the_key_is_sent_as_a_bearer_token() {
    let server = Server::start(vec![plain("Paris")]).await;
    let brain = OpenAiBrain::new(OpenAiSettings {
        key: Some(SecretString::from(" sk-test\n")),
        ..settings(server.url())
    });
    ask(&brain.unwrap()).await.unwrap();
    assert!(
        server.seen().asked[0]
            .head
            .contains("\nauthorization: Bearer sk-test\r\n")
    );
}

#[tokio::test]
async fn a_unix_socket_is_served_like_a_host() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("brain.sock");
    let server = Server::start_on(&socket, vec![streamed(&["Paris"])]);
    let brain = OpenAiBrain::new(settings(format!("unix:{}", socket.display()))).unwrap();
    assert_eq!(ask(&brain).await.unwrap().content, "Paris");
    assert!(
        server.seen().asked[0]
            .head
            .starts_with("POST /v1/chat/completions")
    );
    assert_eq!(brain.name(), format!("test-model at unix:{}", socket.display()));
}

#[tokio::test]
async fn what_the_server_does_not_take_is_left_out_from_then_on() {
    let refuse = |body| answer("400 Bad Request", "", body);
    let server = Server::start(vec![
        refuse(r#"{"error": {"message": "Unknown field", "param": "stream_options.include_usage"}}"#),
        refuse(r#"{"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]}"#),
        refuse(
            r#"{"error": {"message": "Unsupported parameter: 'max_tokens', use 'max_completion_tokens' instead."}}"#,
        ),
        refuse(r#"{"error": {"message": "Unsupported value: 'temperature' does not support 0.5 with this model."}}"#),
        streamed(&["a"]),
        streamed(&["b"]),
    ])
    .await;
    let brain = OpenAiBrain::new(OpenAiSettings {
        max_tokens: Some(9),
        temperature: Some(0.5),
        max_retries: 0,
        ..settings(server.url())
    })
    .unwrap();
    assert!(
        ask(&brain).await.is_err(),
        "a refusal that names no parameter of ours stands"
    );
    assert_eq!(ask(&brain).await.unwrap().content, "a");
    assert_eq!(ask(&brain).await.unwrap().content, "b");
    let seen = server.seen();
    for asked in &seen.asked[4..] {
        let body = asked.body.as_object().unwrap();
        assert_eq!(body.get("max_completion_tokens"), Some(&json!(9)));
        assert!(
            ["stream_options", "max_tokens", "temperature"]
                .iter()
                .all(|name| !body.contains_key(*name))
        );
    }
    assert_eq!(seen.asked.len(), 6);
}
