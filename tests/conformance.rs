//! The recorded scenarios of agent loops, and the rows of the OVOS specifications that a device alone has to hold, through
//! the running daemon. `make conformance` and `make conformance-ovos` print them with their evidence.

#![cfg(test)]

use loquat_tests::citizen::{self, Stand};
use loquat_tests::conformance::play::{play, recorded};
use loquat_tests::conformance::scenario::Scenario;
use loquat_tests::conformance::table::{Row, table};

#[tokio::test]
async fn every_recorded_scenario_is_satisfied() {
    let scenarios = Scenario::read_all(&recorded()).unwrap();
    let rows = play(&scenarios).await.unwrap();
    assert!(!rows.iter().any(Row::is_failure), "{}", table(&rows));
}

#[tokio::test]
async fn a_device_alone_holds_every_row_of_the_specifications() {
    let stand = Stand::alone().await;
    let mut failed = Vec::new();
    for row in &citizen::solo() {
        if let Err(evidence) = stand.play(row).await {
            failed.push(format!("{} {}: {evidence}", row.id, row.what));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
