//! What computes: the fastest kernel that the processor runs, or the one that is asked for.

use serde_json::json;

use crate::chat::ask;
use crate::worker::{Worker, small_model};

#[tokio::test]
async fn the_plain_kernel_answers_and_tells_that_it_computes() {
    let plain = Worker::ready(&["--kernel", "plain"]).await;
    let mut client = plain.client().await;
    let name = client.get("/health").await.json()["kernel"].clone();
    assert!(name.as_str().unwrap().starts_with("plain"), "{name}");
    let question = ask("What is the capital of France?", &json!({}));
    let reply = client.chat(&question).await.content();
    assert!(reply.contains("Paris"), "{reply}");

    let best = Worker::ready(&[]).await;
    let mut client = best.client().await;
    let name = client.get("/health").await.json()["kernel"].clone();
    assert_eq!(name, loquat_kernels::Kernel::best().to_string());
    let reply = client.chat(&question).await.content();
    assert!(reply.contains("Paris"), "{reply}");
}

#[tokio::test]
async fn a_kernel_that_the_processor_cannot_run_is_refused() {
    let mut worker = Worker::start(&small_model(), &["--kernel", "abacus"]);
    let end = worker.end().await;
    assert_eq!(end.status.code(), Some(64));
    assert!(end.errors.contains("this processor runs plain"), "{}", end.errors);
}
