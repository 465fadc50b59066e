//! The short form of `make soak`: some hundred utterances, a few faults of each kind, and nothing lost or doubled.
#![cfg(test)]

use loquat_tests::soak::{Plan, soak};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_whatever_dies() {
    let report = soak(Plan::SHORT).await;
    assert!(report.is_green(), "{report}");
}
