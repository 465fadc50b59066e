//! The short form of `make bench-skills`: every tool called over the bus by the stock client of one generation, and what
//! people say most, without a model. What a small model makes of requests is left to the long form.
#![cfg(test)]

use loquat_benchmarks::skills::{Room, calls, sentences};
use loquat_tests::home::Home;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;

#[tokio::test]
async fn every_tool_keeps_its_promise_to_a_stock_client() {
    let peers = Peers::of(Generation::Stable);
    let room = Room::open_at(peers.home())
        .await
        .expect("the files of the skills");
    let tally = calls::call_all(&peers, &room.entries).await.expect("all calls");
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    assert!(tally.count() > 500, "{} calls", tally.count());
}

#[tokio::test]
async fn what_people_say_most_is_understood_in_six_languages() {
    let home = Home::without_bus();
    let room = Room::open_at(&home).await.expect("the files of the skills");
    let mut faults = Vec::new();
    let mut understood = 0;
    for entry in &room.entries {
        for heard in sentences::say_all(&room, entry).await {
            understood += heard.took.len();
            faults.extend(heard.faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(understood >= 300, "{understood} sentences");
}
