//! What the program can still do once it serves, as the kernel tells.

use std::fs;

use serde_json::json;

use crate::chat::ask;
use crate::worker::{Worker, small_model};

#[tokio::test]
async fn it_answers_with_all_its_rights_given_up() {
    let worker = Worker::ready(&["--sandbox", "required"]).await;
    let mut client = worker.client().await;
    let reply = client.chat(&ask("Say a word.", &json!({"max_tokens": 8}))).await;
    assert_eq!(reply.status, 200);
    let health = client.get("/health").await.json();
    assert_eq!(health["sandbox"]["lacks"], json!([]), "{health}");
    assert_eq!(
        health["sandbox"]["held_by"].as_array().unwrap().len(),
        4,
        "{health}"
    );

    let process = format!("/proc/{}", worker.child.id().unwrap());
    for task in fs::read_dir(format!("{process}/task")).unwrap() {
        let status = fs::read_to_string(task.unwrap().path().join("status")).unwrap();
        for line in ["Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000"] {
            assert!(status.contains(line), "{status}");
        }
    }
    let limits = fs::read_to_string(format!("{process}/limits")).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size"));
    assert_eq!(
        core.unwrap()
            .split_whitespace()
            .skip(4)
            .take(2)
            .collect::<Vec<_>>(),
        ["0", "0"]
    );
    assert_eq!(
        fs::read_to_string(format!("{process}/oom_score_adj"))
            .unwrap()
            .trim(),
        "500"
    );
}

#[tokio::test]
async fn it_says_that_it_is_not_confined_when_that_is_switched_off() {
    let worker = Worker::ready(&["--sandbox", "off"]).await;
    let health = worker.client().await.get("/health").await.json();
    assert_eq!(health["sandbox"]["held_by"], json!([]));
    assert_eq!(health["sandbox"]["lacks"], json!(["it is switched off"]));
}

#[tokio::test]
async fn a_model_behind_a_link_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.gguf");
    std::os::unix::fs::symlink(small_model(), &link).unwrap();
    let worker = Worker::start(&link, &["--sandbox", "required"]);
    worker.wait_until_ready().await;
}
