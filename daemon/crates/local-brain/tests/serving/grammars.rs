//! Replies that have to follow a schema: whatever the model would rather write, the text satisfies it.

use serde_json::{Value, json};

use crate::chat::{ask, only};
use crate::worker::Worker;

fn format(schema: &Value) -> Value {
    json!({
        "max_tokens": 300,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}},
    })
}

fn schemas() -> Vec<Value> {
    let call = json!({
        "type": "object",
        "properties": {
            "tool": {"const": "set_light"},
            "arguments": {
                "type": "object",
                "properties": {
                    "room": {"enum": ["kitchen", "hall", "Küche \"2\""]},
                    "on": {"type": "boolean"},
                    "level": {"type": "integer"},
                },
                "required": ["room", "on"],
                "additionalProperties": false,
            },
        },
        "required": ["tool", "arguments"],
        "additionalProperties": false,
    });
    let answer = json!({
        "type": "object",
        "properties": {"answer": {"type": "string", "maxLength": 30}},
        "required": ["answer"],
        "additionalProperties": false,
    });
    vec![
        json!({
            "type": "object",
            "properties": {"thought": {"type": "string", "maxLength": 40}, "next": {"anyOf": [call, answer]}},
            "required": ["thought", "next"],
            "additionalProperties": false,
        }),
        json!({"type": "array", "items": {"type": "integer", "minimum": -9, "maximum": 99}, "minItems": 2, "maxItems": 4}),
        json!({"oneOf": [{"const": "yes"}, {"const": "no"}, {"type": "null"}]}),
        json!({"type": "object", "properties": {"z": {"type": "boolean"}, "a": {"type": "integer"}}, "required": ["a", "z"], "additionalProperties": false}),
    ]
}

#[tokio::test]
async fn every_reply_satisfies_its_schema_greedy_or_not() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    for schema in schemas() {
        let validator = jsonschema::validator_for(&schema).unwrap();
        for sampling in [
            json!({}),
            json!({"temperature": 1.5, "seed": 3}),
            json!({"temperature": 2.0, "seed": 4}),
        ] {
            let mut fields = format(&schema);
            fields
                .as_object_mut()
                .unwrap()
                .extend(sampling.as_object().unwrap().clone());
            let answer = client.chat(&ask("Switch on the kitchen light!", &fields)).await;
            assert_eq!(
                answer.json()["choices"][0]["finish_reason"],
                "stop",
                "{}",
                answer.body
            );
            let content: Value = serde_json::from_str(&answer.content()).unwrap();
            assert!(validator.is_valid(&content), "{content} against {schema}");
        }
    }
}

#[tokio::test]
async fn properties_come_in_the_order_of_the_schema() {
    let worker = Worker::ready(&[]).await;
    let schema = json!({
        "type": "object",
        "properties": {"z": {"type": "boolean"}, "a": {"const": 1}},
        "required": ["a", "z"],
        "additionalProperties": false,
    });
    let content = worker
        .client()
        .await
        .chat(&ask("Go.", &format(&schema)))
        .await
        .content();
    assert!(
        content.starts_with("{\"z\": ") && content.ends_with(", \"a\": 1}"),
        "{content}"
    );
}

#[tokio::test]
async fn json_object_gives_an_object() {
    let worker = Worker::ready(&[]).await;
    let fields = json!({"response_format": {"type": "json_object"}, "max_tokens": 60});
    let answer = worker
        .client()
        .await
        .chat(&ask("Describe a cat in JSON.", &fields))
        .await;
    let content = answer.content();
    assert!(content.starts_with('{'), "{content}");
    if answer.json()["choices"][0]["finish_reason"] == "stop" {
        assert!(serde_json::from_str::<Value>(&content).unwrap().is_object());
    }
}

#[tokio::test]
async fn letters_beyond_ascii_come_through_a_grammar_whole() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    for word in ["Größe → 日本 😀", "naïve"] {
        let request = ask("Go.", &json!({"response_format": only(word), "max_tokens": 100}));
        assert_eq!(client.chat(&request).await.content(), json!(word).to_string());
    }
}

#[tokio::test]
async fn a_reply_ends_where_its_schema_does() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let request = ask(
        "Go.",
        &json!({"response_format": only("Yes."), "max_tokens": 100}),
    );
    let reply = client.chat(&request).await.json();
    assert_eq!(reply["choices"][0]["finish_reason"], "stop");
    let needed = reply["usage"]["completion_tokens"].clone();
    let request = ask(
        "Go.",
        &json!({"response_format": only("Yes."), "max_tokens": needed}),
    );
    let bounded = client.chat(&request).await.json();
    assert_eq!(bounded["choices"][0], reply["choices"][0]);
}

/// One refers to itself only, one has impossible bounds, one is too large, and over one llguidance panics.
#[tokio::test]
async fn schemas_that_cannot_be_followed_are_refused_and_the_next_is_served() {
    let worker = Worker::ready(&["--sandbox", "required"]).await;
    let mut client = worker.client().await;
    for schema in [
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}),
        json!({"type": "string", "minLength": 5, "maxLength": 2}),
        json!({"const": "a".repeat(300_000)}),
        json!({"type": "string", "minLength": "ü".repeat(200)}),
    ] {
        let answer = client.chat(&ask("Go.", &format(&schema))).await;
        let error = &answer.json()["error"];
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert_eq!(error["param"], "response_format.json_schema.schema", "{error}");
        let words = error["message"].as_str().unwrap();
        assert!(
            words.starts_with("failed to turn the JSON schema into a grammar: "),
            "{error}"
        );
    }
    let nested = (0..60).fold(
        json!({"type": "null"}),
        |inner, _| json!({"type": "array", "items": inner}),
    );
    let links: serde_json::Map<String, Value> = (0..120)
        .map(|n| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)})))
        .chain([("d120".to_owned(), json!({"type": "null"}))])
        .collect();
    for deep in [nested, json!({"$ref": "#/$defs/d0", "$defs": links})] {
        assert_eq!(client.chat(&ask("Go.", &format(&deep))).await.status, 200);
    }
}
