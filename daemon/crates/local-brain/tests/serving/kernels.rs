//! What computes: the fastest kernel that the processor runs, or the one that is asked for.

use loquat_kernels::Kernel;
use serde_json::json;

use crate::chat::ask;
use crate::worker::{Worker, small_model};

#[tokio::test]
async fn every_kernel_answers_and_tells_that_it_computes() {
    for kernel in Kernel::usable() {
        let worker = Worker::ready(&["--kernel", kernel.name()]).await;
        assert_eq!(computes(&worker).await, kernel.to_string());
        let instructions = json!({"role": "system", "content": "Answer in one sentence."});
        let question = json!({"role": "user", "content": "What is the capital of France?"});
        let question = ask("", &json!({"messages": [instructions, question]}));
        let reply = worker.client().await.chat(&question).await.content();
        assert!(reply.contains("Paris"), "{kernel}: {reply}");
    }
}

#[tokio::test]
async fn the_best_kernel_computes_where_none_is_asked_for() {
    let worker = Worker::ready(&[]).await;
    assert_eq!(computes(&worker).await, Kernel::best().to_string());
}

async fn computes(worker: &Worker) -> String {
    let health = worker.client().await.get("/health").await.json();
    health["kernel"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_kernel_that_the_processor_cannot_run_is_refused() {
    let mut worker = Worker::start(&small_model(), &["--kernel", "abacus"]);
    let end = worker.end().await;
    assert_eq!(end.status.code(), Some(64));
    assert!(end.errors.contains("this processor runs "), "{}", end.errors);
}
