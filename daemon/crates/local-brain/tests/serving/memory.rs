//! What is not read again: within a conversation, when an earlier one comes back, and after a start.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::chat::ask;
use crate::worker::{DEADLINE, Worker};

#[tokio::test]
async fn what_is_said_again_comes_from_the_cache() {
    let worker = Worker::ready(&[]).await;
    let mut client = worker.client().await;
    let mut request = ask("My name is Ana and I live in Porto.", &json!({}));
    request["messages"] = json!([
        {"role": "system", "content": "You are a helpful assistant in a kitchen. ".repeat(20)},
        {"role": "user", "content": "My name is Ana and I live in Porto."},
    ]);
    let first = client.chat(&request).await.json();
    assert_eq!(cached(&first), 0, "warming up must leave nothing behind");

    let again = client.chat(&request).await.json();
    assert_eq!(cached(&again), prompt(&again) - 1);
    assert_eq!(
        again["choices"], first["choices"],
        "a cached prompt must not change a greedy reply"
    );

    let reply = first["choices"][0]["message"].clone();
    let messages = request["messages"].as_array_mut().unwrap();
    messages.push(reply);
    messages.push(json!({"role": "user", "content": "Where do I live?"}));
    let onward = client.chat(&request).await.json();
    assert!(
        cached(&onward) >= prompt(&first),
        "{} of {}",
        onward["usage"],
        first["usage"]
    );

    let other = client
        .chat(&ask("Something else entirely.", &json!({})))
        .await
        .json();
    assert!(cached(&other) < 10, "{}", other["usage"]);
}

#[tokio::test]
async fn an_earlier_conversation_is_not_read_again() {
    let in_a = |room: &str| {
        let mut request = ask("What is this room called?", &json!({"max_tokens": 24}));
        let room = format!("This is the {room}. ").repeat(80);
        request["messages"] = json!([
            {"role": "system", "content": room},
            {"role": "user", "content": "What is this room called?"},
        ]);
        request
    };
    // Two are kept, and the third conversation before the last is forgotten.
    for (kept, comes_back) in [("2", [true, true, false]), ("0", [false; 3])] {
        let worker = Worker::ready(&["--earlier", kept]).await;
        let mut client = worker.client().await;
        let rooms = ["kitchen", "cellar", "attic", "garden"].map(in_a);
        let mut first = Vec::new();
        for room in &rooms {
            first.push(client.chat(room).await.json());
            assert!(cached(&first[first.len() - 1]) < 20);
        }
        for (index, comes_back) in [2, 1, 0].into_iter().zip(comes_back) {
            let again = client.chat(&rooms[index]).await.json();
            assert_eq!(again["choices"], first[index]["choices"], "{kept}, {index}");
            let all = prompt(&again) - 1;
            assert_eq!(
                cached(&again) == all,
                comes_back,
                "{kept}, {index}: {}",
                again["usage"]
            );
        }
    }
}

/// Counts the tokens of the prompt that were not read again.
fn cached(reply: &Value) -> u64 {
    let details = &reply["usage"]["prompt_tokens_details"];
    details["cached_tokens"].as_u64().unwrap()
}

/// All tokens of the prompt.
fn prompt(reply: &Value) -> u64 {
    reply["usage"]["prompt_tokens"].as_u64().unwrap()
}

/// A question behind instructions that are worth keeping.
fn instructed(question: &str) -> Value {
    let mut request = ask(question, &json!({}));
    request["messages"] = json!([
        {"role": "system", "content": "You are a helpful assistant in a kitchen. ".repeat(60)},
        {"role": "user", "content": question},
    ]);
    request
}

async fn answered(worker: &Worker, question: &str) -> Value {
    let mut client = worker.client().await;
    client.chat(&instructed(question)).await.json()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect()
}

async fn kept(folder: &Path) -> PathBuf {
    let mut again = tokio::time::interval(Duration::from_millis(20));
    let wait = async {
        loop {
            again.tick().await;
            if let Some(file) = files(folder, "state").pop() {
                return file;
            }
        }
    };
    tokio::time::timeout(DEADLINE, wait)
        .await
        .expect("they should be kept")
}

#[tokio::test]
async fn instructions_outlast_the_program_and_what_was_said_does_not() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("kept");
    let more = ["--instructions", folder.to_str().unwrap()];
    let worker = Worker::ready(&more).await;
    let first = answered(&worker, "Where is the salt?").await;
    assert_eq!(cached(&first), 0);
    let file = kept(&folder).await;
    let onward = answered(&worker, "And the pepper?").await;
    drop(worker);

    let worker = Worker::ready(&more).await;
    let again = answered(&worker, "Where is the salt?").await;
    assert_eq!(again["choices"], first["choices"]);
    let only_instructions = cached(&onward).min(prompt(&again) - 4);
    assert!(
        (400..=only_instructions).contains(&cached(&again)),
        "{} after {}",
        again["usage"],
        onward["usage"]
    );
    drop(worker);
    assert_eq!(files(&folder, "state"), [file.as_path()]);
    assert!(files(&folder, "half").is_empty());

    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let worker = Worker::ready(&more).await;
    assert!(files(&folder, "state").is_empty(), "half a file is of no use");
    let anew = answered(&worker, "Where is the salt?").await;
    assert_eq!(anew["choices"], first["choices"]);
    assert_eq!(cached(&anew), 0);
    kept(&folder).await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_stops_nothing() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let folder = file.join("kept");
    let mut worker = Worker::ready(&["--instructions", folder.to_str().unwrap()]).await;
    let reply = worker
        .client()
        .await
        .chat(&instructed("Where is the salt?"))
        .await;
    assert_eq!(reply.status, 200);
    worker.orphan();
    let end = worker.end().await;
    assert_eq!(end.status.code(), Some(0), "{}", end.errors);
}
