//! Tokens that are read before it is their turn, because the schema forces them or the request guesses them: they cost
//! less, and the reply is the one without.

use serde_json::{Value, json};

use crate::chat::{ask, only};
use crate::client::Client;
use crate::worker::Worker;

/// The only reply that [`certain`] allows.
const CERTAIN: &str = r#"{"thought": "The observation has the result.", "tool": "none", "kind": 7}"#;

/// A request with one possible reply, and this guess of it.
fn certain(guess: &str, more: &Value) -> Value {
    let schema = json!({
        "type": "object",
        "properties": {
            "thought": {"const": "The observation has the result."},
            "tool": {"const": "none"},
            "kind": {"const": 7},
        },
        "required": ["thought", "tool", "kind"],
        "additionalProperties": false,
    });
    let format = json!({"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}});
    let mut request = ask(
        "Go.",
        &json!({"max_tokens": 200, "response_format": format, "guess": guess}),
    );
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

async fn reply(client: &mut Client, request: &Value) -> Value {
    let answer = client.chat(request).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

fn text(reply: &Value) -> &str {
    reply["choices"][0]["message"]["content"].as_str().unwrap()
}

/// Counts the tokens that the request guessed, that were taken of them, and that the schema forced.
fn ahead(reply: &Value) -> [u64; 3] {
    let details = &reply["usage"]["completion_tokens_details"];
    ["guessed_tokens", "accepted_tokens", "forced_tokens"].map(|name| details[name].as_u64().unwrap())
}

fn written(reply: &Value) -> u64 {
    reply["usage"]["completion_tokens"].as_u64().unwrap()
}

#[tokio::test]
async fn a_guess_counts_as_far_as_it_is_right() {
    let worker = Worker::ready(&["--no-forced"]).await;
    let mut client = worker.client().await;
    let without = reply(&mut client, &certain("", &json!({}))).await;
    assert_eq!(text(&without), CERTAIN);
    assert_eq!(ahead(&without), [0, 0, 0]);

    let right = reply(&mut client, &certain(CERTAIN, &json!({}))).await;
    let [guessed, accepted, _] = ahead(&right);
    // The model may cut the text into other tokens than its tokenizer does.
    assert!(accepted >= 8 && accepted <= guessed, "{right}");

    let partly = CERTAIN.replace("result", "answer");
    for (guess, some) in [
        (partly, true),
        (format!("{}<|im_end|> and more", &CERTAIN[..30]), true),
        (CERTAIN.repeat(50), true),
        ("Something else.".to_owned(), false),
        ("<|im_end|>".to_owned(), false),
    ] {
        let with = reply(&mut client, &certain(&guess, &json!({}))).await;
        assert_eq!(text(&with), CERTAIN, "{guess}");
        assert_eq!(written(&with), written(&without), "{guess}");
        let [guessed, accepted, _] = ahead(&with);
        assert!(guessed > 0 && guessed <= 32, "{guess}: {with}");
        assert!(accepted < guessed || guessed == 32, "{guess}: {with}");
        assert_eq!(accepted > 0, some, "{guess}: {with}");
    }
}

#[tokio::test]
async fn limits_and_stop_texts_hold_within_a_guess() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let cut = reply(&mut client, &certain(CERTAIN, &json!({"max_tokens": 5}))).await;
    assert_eq!(
        (written(&cut), &cut["choices"][0]["finish_reason"]),
        (5, &json!("length"))
    );
    assert!(CERTAIN.starts_with(text(&cut)), "{cut}");

    let stopped = certain(CERTAIN, &json!({"stop": "observation"}));
    let stopped = reply(&mut client, &stopped).await;
    assert_eq!(text(&stopped), r#"{"thought": "The "#);
    assert_eq!(stopped["choices"][0]["finish_reason"], "stop");
}

#[tokio::test]
async fn what_is_forced_is_not_drawn_and_the_text_is_the_same() {
    let drawing = Worker::ready(&["--no-forced"]).await;
    let forcing = Worker::ready(&[]).await;
    let (mut drawing, mut forcing) = (drawing.client().await, forcing.client().await);
    for format in [
        certain("", &json!({}))["response_format"].clone(),
        only("Thought: easy. \"Done\"."),
    ] {
        let request = ask("Go.", &json!({"max_tokens": 200, "response_format": format}));
        let drawn = reply(&mut drawing, &request).await;
        let forced = reply(&mut forcing, &request).await;
        assert_eq!(text(&forced), text(&drawn));
        assert_eq!(ahead(&drawn)[2], 0);
        assert!(ahead(&forced)[2] * 2 > written(&forced), "{forced}");
    }
}

#[tokio::test]
async fn nothing_of_a_guess_stays_in_the_conversation() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let request = ask("Name three colours.", &json!({"max_tokens": 40}));
    let first = reply(&mut client, &request).await;
    let mut guessing = request.clone();
    for guess in ["Green grass and a blue sky and more of it.", text(&first)] {
        guessing["guess"] = json!(guess);
        let with = reply(&mut client, &guessing).await;
        assert_eq!(text(&with), text(&first), "{guess}");
        assert_eq!(ahead(&with)[1] > 5, guess == text(&first), "{with}");
    }
    let mut again = request.clone();
    // A guess is computed in one go and a reply token by token, and the sums of both differ in their last digits. A few tokens
    // show what is remembered; behind many, two words may be so nearly as likely that those digits choose between them.
    again["max_tokens"] = json!(12);
    let said = again["messages"].as_array_mut().unwrap();
    said.push(first["choices"][0]["message"].clone());
    said.push(json!({"role": "user", "content": "And one more?"}));
    let onward = reply(&mut client, &again).await;
    let anew = Worker::ready(&[]).await;
    let anew = reply(&mut anew.client().await, &again).await;
    assert_eq!(text(&onward), text(&anew));
}

#[tokio::test]
async fn chance_cannot_be_guessed_and_guesses_can_be_switched_off() {
    let worker = Worker::ready(&["--no-guesses"]).await;
    let off = reply(&mut worker.client().await, &certain(CERTAIN, &json!({}))).await;
    assert_eq!(ahead(&off)[..2], [0, 0]);
    let worker = Worker::ready(&[]).await;
    let warm = certain(CERTAIN, &json!({"temperature": 0.5}));
    let warm = reply(&mut worker.client().await, &warm).await;
    assert_eq!(ahead(&warm)[..2], [0, 0]);
}
