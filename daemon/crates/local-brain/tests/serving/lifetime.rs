//! Beginning and end: the parent's death, signals, the socket, the command line.

use std::process::Stdio;

use serde_json::json;
use tokio::process::Command;

use crate::chat::{ask, jumble, only};
use crate::worker::{Worker, small_model};

#[tokio::test]
async fn it_ends_with_its_parent_and_leaves_no_socket() {
    let mut worker = Worker::ready(&[]).await;
    worker.orphan();
    let end = worker.end().await;
    assert_eq!(end.status.code(), Some(0), "{}", end.errors);
    assert_eq!(end.errors, "");
    assert!(!worker.socket.exists());
}

#[tokio::test]
async fn it_ends_while_it_loads() {
    let mut worker = Worker::start(&small_model(), &[]);
    worker.orphan();
    let end = worker.end().await;
    assert_eq!(end.status.code(), Some(0), "{}", end.errors);
}

#[tokio::test]
async fn signals_end_it_even_in_the_middle_of_a_reply() {
    for signal in ["TERM", "INT"] {
        let mut worker = Worker::ready(&[]).await;
        let mut client = worker.client().await;
        let request = ask(
            "Go on.",
            &json!({"stream": true, "max_tokens": 100_000, "response_format": only(&jumble())}),
        );
        let mut stream = client.open_chat(&request).await;
        stream.first_text().await;
        worker.signal(signal).await;
        let end = worker.end().await;
        assert_eq!(end.status.code(), Some(0), "{signal}: {}", end.errors);
        assert!(!worker.socket.exists());
    }
}

#[tokio::test]
async fn a_socket_that_cannot_be_is_said() {
    let served = Worker::ready(&[]).await;
    let file = served.folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    for (socket, part) in [
        (
            served.folder.path().join("none/brain.sock"),
            "its folder has to exist",
        ),
        (served.socket.clone(), "another process serves there"),
        (file, "there is a file that is no socket"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_loquat-local-brain"))
            .arg("--model")
            .arg(small_model())
            .arg("--socket")
            .arg(&socket)
            .stdin(Stdio::piped())
            .output()
            .await
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(69), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(
            errors.starts_with(&format!("error: failed to listen on {}: ", socket.display())),
            "{errors}"
        );
        assert!(errors.contains(part), "{errors}");
    }
    assert_eq!(served.client().await.get("/health").await.status, 200);
}

#[tokio::test]
async fn a_wrong_command_line_is_said() {
    let output = Command::new(env!("CARGO_BIN_EXE_loquat-local-brain"))
        .arg("--modle")
        .output()
        .await
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(64), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(
        errors.starts_with("error: failed to understand the command line: "),
        "{errors}"
    );
}
