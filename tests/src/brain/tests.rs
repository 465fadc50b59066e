//! The scripted brain itself, driven over a plain socket.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::wait::PATIENCE;

async fn post(brain: &ScriptedBrain, lane: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(brain.address).await.unwrap();
    let body = body.to_string();
    let head = format!(
        "POST /{lane}/v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .await
        .unwrap();
    stream
}

async fn whole(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

fn question(text: &str) -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": text}]})
}

#[tokio::test]
async fn lanes_have_scripts_of_their_own() {
    let brain = ScriptedBrain::start();
    brain.script("a", [Reply::says("first"), Reply::says("second")]);
    brain.whenever("b", "weather", Reply::says("rain"));
    for (lane, text, expected) in [
        ("a", "x", "first"),
        ("b", "the weather?", "rain"),
        ("a", "x", "second"),
    ] {
        let got = whole(post(&brain, lane, &question(text)).await).await;
        assert!(got.contains(&format!("\"content\":\"{expected}\"")), "{got}");
    }
    assert!(
        whole(post(&brain, "a", &question("x")).await)
            .await
            .contains(EXHAUSTED)
    );
    assert_eq!(brain.requests("a").len(), 3);
}

#[tokio::test]
async fn a_stream_comes_as_events_and_a_cut_one_without_its_end() {
    let brain = ScriptedBrain::start();
    let long = Reply::says("a reply of some length").delivered(Delivery::Pieces);
    brain.script("a", [long.clone(), long.delivered(Delivery::CutInHalf)]);
    let mut body = question("x");
    body["stream"] = json!(true);
    let got = whole(post(&brain, "a", &body).await).await;
    assert!(
        got.contains("\"content\":\"a reply\"") && got.contains("data: [DONE]"),
        "{got}"
    );
    let cut = whole(post(&brain, "a", &body).await).await;
    assert!(cut.contains("200 OK") && !cut.contains("[DONE]"), "{cut}");
    assert_eq!(brain.given_up("a"), 0);
}

#[tokio::test]
async fn a_client_that_goes_away_is_noticed() {
    let brain = ScriptedBrain::start();
    brain.script("a", [Reply::says("x").delivered(Delivery::Never)]);
    let stream = post(&brain, "a", &question("x")).await;
    brain.asked("a", 1, PATIENCE).await;
    drop(stream);
    brain.abandoned("a", 1, PATIENCE).await;
}

#[tokio::test]
async fn what_strict_servers_refuse_is_a_violation() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1"}]});
    let result = json!({"role": "tool", "tool_call_id": "c1", "content": "4"});
    let system = json!({"role": "system", "content": "Be kind."});
    let user = json!({"role": "user", "content": "Hi"});
    let cases = [
        (vec![&system, &user, &call, &result], 0),
        (vec![&user, &call], 1),
        (vec![&user, &call, &user], 1),
        (vec![&user, &call, &result, &result], 1),
        (vec![&system, &system, &user], 1),
        (vec![], 1),
    ];
    for (messages, expected) in cases {
        let body = json!({"model": "m", "messages": messages});
        let request = Request::new(body.to_string().into(), None);
        assert_eq!(request.violations().len(), expected, "{:?}", request.violations());
    }
}
