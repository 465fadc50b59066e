//! Replies while they are written: chunks, stop texts, clients that leave, the queue.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::chat::{ask, jumble, only};
use crate::client::Client;
use crate::worker::Worker;

/// Keeps the model at work until its window is full.
fn endless() -> Value {
    ask(
        "Go on.",
        &json!({"stream": true, "max_tokens": 100_000, "response_format": only(&jumble())}),
    )
}

#[tokio::test]
async fn a_streamed_reply_is_the_plain_one_in_pieces() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let plain = client.chat(&ask("Name three colours.", &json!({}))).await;
    let stream = client
        .open_chat(&ask("Name three colours.", &json!({"stream": true})))
        .await;
    let mut events = stream.rest().await;
    assert_eq!(events.pop().unwrap(), "[DONE]");
    let chunks: Vec<Value> = events
        .iter()
        .map(|event| serde_json::from_str(event).unwrap())
        .collect();
    assert!(
        chunks
            .iter()
            .all(|chunk| chunk["object"] == "chat.completion.chunk")
    );
    assert!(chunks.iter().all(|chunk| chunk["id"] == chunks[0]["id"]));
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");

    let usage = chunks.last().unwrap();
    assert_eq!(usage["choices"], json!([]));
    assert_eq!(
        usage["usage"]["completion_tokens"],
        plain.json()["usage"]["completion_tokens"]
    );
    let finish = &chunks[chunks.len() - 2]["choices"][0]["finish_reason"];
    assert_eq!(finish, &plain.json()["choices"][0]["finish_reason"]);

    let text: String = chunks
        .iter()
        .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str())
        .collect();
    assert_eq!(text, plain.content());
    assert!(chunks.len() > 5, "{chunks:?}");
}

#[tokio::test]
async fn a_stop_text_is_not_shown_in_part_nor_whole() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let fields = |more: Value| {
        let mut fields =
            json!({"response_format": only("Thought: easy. Observation: invented."), "max_tokens": 100});
        fields
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        ask("Think.", &fields)
    };
    let whole = client.chat(&fields(json!({}))).await;
    assert_eq!(whole.content(), r#""Thought: easy. Observation: invented.""#);

    for stop in [json!(". Observation:"), json!(["Never", ". Observation:"])] {
        let plain = client.chat(&fields(json!({"stop": stop}))).await;
        assert_eq!(plain.content(), "\"Thought: easy");
        assert_eq!(plain.json()["choices"][0]["finish_reason"], "stop");
        let events = client
            .open_chat(&fields(json!({"stop": stop, "stream": true})))
            .await
            .rest()
            .await;
        let text: String = events
            .iter()
            .filter_map(|event| serde_json::from_str::<Value>(event).ok())
            .filter_map(|chunk| {
                chunk["choices"][0]["delta"]["content"]
                    .as_str()
                    .map(ToOwned::to_owned)
            })
            .collect();
        assert_eq!(text, "\"Thought: easy");
    }
}

#[tokio::test]
async fn a_client_that_leaves_frees_the_model_for_the_next() {
    let worker = Worker::ready(&[]).await;
    for _ in 0..3 {
        let mut leaving = worker.client().await;
        let mut stream = leaving.open_chat(&endless()).await;
        stream.first_text().await;
        drop((stream, leaving));
        let answer = worker
            .client()
            .await
            .chat(&ask("Hello.", &json!({"max_tokens": 2})))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

#[tokio::test]
async fn a_client_that_leaves_while_it_waits_is_passed_over() {
    let worker = Worker::ready(&[]).await;
    let mut at_work = worker.client().await;
    let mut stream = at_work.open_chat(&endless()).await;
    stream.first_text().await;
    let mut waiting = worker.client().await;
    let asked = async move { waiting.chat(&endless()).await };
    let mut left = JoinSet::new();
    left.spawn(asked);
    assert_eq!(worker.client().await.get("/health").await.status, 200);
    left.shutdown().await;
    drop((stream, at_work));
    let answer = worker
        .client()
        .await
        .chat(&ask("Hello.", &json!({"max_tokens": 2})))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[tokio::test]
async fn eight_wait_and_the_others_are_told_when_to_come_again() {
    let worker = Worker::ready(&[]).await;
    let mut at_work = worker.client().await;
    let mut stream = at_work.open_chat(&endless()).await;
    stream.first_text().await;
    let mut asked = JoinSet::new();
    for _ in 0..12 {
        let mut client = Client::try_connect(&worker.socket).await.unwrap();
        asked.spawn(async move { client.chat(&ask("Hello.", &json!({"max_tokens": 1}))).await });
    }
    for _ in 0..4 {
        let answer = asked.join_next().await.unwrap().unwrap();
        assert_eq!(answer.status, 503, "{}", answer.body);
        assert_eq!(answer.retry_after.as_deref(), Some("5"));
        assert_eq!(answer.json()["error"]["code"], "busy");
    }
    drop((stream, at_work));
    while let Some(answer) = asked.join_next().await {
        assert_eq!(answer.unwrap().status, 200);
    }
}
