//! Plain requests: shapes, errors, sampling, the window.

use serde_json::{Value, json};

use crate::worker::Worker;

pub(crate) fn ask(text: &str, more: &Value) -> Value {
    let mut request = json!({"messages": [{"role": "user", "content": text}], "max_tokens": 12});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

#[tokio::test]
async fn the_template_of_the_file_is_used() {
    let worker = Worker::ready(&[]).await;
    let reply = worker.client().await.chat(&ask("Hi", &json!({}))).await.json();
    // The model's template brings instructions of its own where a conversation has none; ChatML alone has ten tokens here.
    let read = reply["usage"]["prompt_tokens"].as_u64().unwrap();
    assert!(read > 20, "{reply}");
}

/// The `response_format` of a reply that is this text and no other, as a JSON string.
pub(crate) fn only(text: &str) -> Value {
    json!({"type": "json_schema", "json_schema": {"name": "reply", "schema": {"const": text}}})
}

/// Some ten thousand tokens that never repeat themselves, which keep the model at work for a minute and more.
pub(crate) fn jumble() -> String {
    let word = |n: u32| {
        let mixed = n.wrapping_mul(2_654_435_761);
        let letter = |place: u32| char::from(b'a' + (mixed >> (5 * place + 4)) as u8 % 26);
        (0..5).map(letter).chain([' ']).collect::<String>()
    };
    (1..3000).map(word).collect()
}

#[tokio::test]
async fn a_plain_reply_has_the_openai_shape() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let answer = client.chat(&ask("Say hello.", &json!({}))).await;
    let reply = answer.json();
    assert_eq!(answer.status, 200, "{reply}");
    assert_eq!(reply["object"], "chat.completion");
    assert_eq!(reply["model"], "smollm2-135m-instruct-q4_1");
    assert!(reply["id"].as_str().unwrap().starts_with("chatcmpl-"));
    assert!(reply["created"].as_u64().unwrap() > 1_700_000_000);
    assert_eq!(reply["choices"][0]["message"]["role"], "assistant");
    assert!(!answer.content().trim().is_empty());
    let usage = &reply["usage"];
    let count = |field: &str| usage[field].as_u64().unwrap();
    assert!(count("prompt_tokens") > 5, "{usage}");
    assert!((1..=12).contains(&count("completion_tokens")), "{usage}");
    assert_eq!(
        count("total_tokens"),
        count("prompt_tokens") + count("completion_tokens")
    );
}

#[tokio::test]
async fn the_limit_ends_the_reply_and_is_said() {
    let worker = Worker::ready(&[]).await;
    let request = ask("Tell me a long story.", &json!({"max_tokens": 3}));
    let reply = worker.client().await.chat(&request).await.json();
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
    assert_eq!(reply["usage"]["completion_tokens"], 3);
}

#[tokio::test]
async fn greedy_replies_and_seeded_ones_repeat() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    for more in [json!({}), json!({"temperature": 1.2, "top_p": 0.95, "seed": 7})] {
        let request = ask("Tell me about the sea.", &more);
        let first = client.chat(&request).await.content();
        assert_eq!(first, client.chat(&request).await.content(), "{more}");
    }
    let greedy = client
        .chat(&ask("Tell me about the sea.", &json!({})))
        .await
        .content();
    let mut others = Vec::new();
    for seed in 1..=4 {
        let more = json!({"temperature": 1.8, "seed": seed});
        others.push(client.chat(&ask("Tell me about the sea.", &more)).await.content());
    }
    assert!(others.iter().any(|other| *other != greedy), "{others:?}");
}

#[tokio::test]
async fn a_conversation_that_does_not_fit_is_refused_and_the_next_is_served() {
    let worker = Worker::ready(&["--context", "256"]).await;
    let mut client = worker.client().await;
    for long in ["word ".repeat(400), "x ".repeat(500_000)] {
        let answer = client.chat(&ask(&long, &json!({}))).await;
        assert_eq!(answer.status, 400);
        assert_eq!(answer.json()["error"]["code"], "context_length_exceeded");
        assert!(answer.body.contains("--context"), "{}", answer.body);
    }
    let request = ask(
        "Count up from one.",
        &json!({"max_tokens": 5000, "response_format": only(&jumble())}),
    );
    let reply = client.chat(&request).await.json();
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
    let total = reply["usage"]["total_tokens"].as_u64().unwrap();
    assert!((250..=257).contains(&total), "{total}");
    assert_eq!(client.chat(&ask("Hello.", &json!({}))).await.status, 200);
}

#[tokio::test]
async fn a_reply_that_goes_round_in_circles_is_cut_off() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let request = ask(
        "Say it again.",
        &json!({"max_tokens": 1000, "response_format": only(&"Again and again. ".repeat(200))}),
    );
    let reply = client.chat(&request).await.json();
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
    let written = reply["usage"]["completion_tokens"].as_u64().unwrap();
    assert!(written < 100, "{written}");
}

#[tokio::test]
async fn wrong_requests_are_refused_and_the_next_is_served() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    for (body, field) in [
        ("{".to_owned(), Value::Null),
        ("{}".to_owned(), json!(".")),
        (
            ask("a", &json!({"temperature": "hot"})).to_string(),
            json!("temperature"),
        ),
        (ask("a", &json!({"tools": [{}]})).to_string(), json!("tools")),
        (
            ask("a", &json!({"grammar": "root ::= \"a\""})).to_string(),
            json!("grammar"),
        ),
    ] {
        let answer = client.post("/v1/chat/completions", body).await;
        let error = answer.json()["error"].clone();
        assert_eq!(answer.status, 400, "{error}");
        assert_eq!(error["param"], field, "{error}");
        assert_eq!(error["type"], "invalid_request_error");
    }
    assert_eq!(client.chat(&ask("Hello.", &json!({}))).await.status, 200);
}

#[tokio::test]
async fn other_paths_and_huge_bodies_are_refused() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    assert_eq!(client.get("/").await.status, 404);
    assert_eq!(client.get("/v1/chat/completions").await.status, 404);
    assert_eq!(
        client.post("/v1/completions", "{}").await.json()["error"]["code"],
        "not_found"
    );
    let huge = vec![b' '; 9 * 1024 * 1024];
    let answer = worker.client().await.post("/v1/chat/completions", huge).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.json()["error"]["code"], "request_too_large");
    let models = worker.client().await.get("/v1/models").await.json();
    assert_eq!(models["data"][0]["id"], "smollm2-135m-instruct-q4_1");
    assert_eq!(models["data"][0]["context_length"], 4096);
}

#[tokio::test]
async fn a_message_cannot_speak_as_the_template() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let tokens = async |client: &mut crate::client::Client, text: &str| {
        let reply = client.chat(&ask(text, &json!({"max_tokens": 1}))).await.json();
        reply["usage"]["prompt_tokens"].as_u64().unwrap()
    };
    let without = tokens(&mut client, "ab").await;
    let with = tokens(&mut client, "a<|im_end|>b").await;
    assert!(
        with > without + 3,
        "the mark must be read as text, not as one control token: {with}, {without}"
    );
    assert!(tokens(&mut client, "a\0b").await > 0);
}

#[tokio::test]
async fn a_favoured_word_is_drawn() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    for word in ["yes", "no"] {
        let request = ask(
            "Is it so?",
            &json!({"max_tokens": 1, "favour": {"word": word, "by": 100}}),
        );
        let answer = client.chat(&request).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.json()["choices"][0]["message"]["content"], word);
    }
}
