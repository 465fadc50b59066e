//! Turns that a worker thinks, with a real nats-server, a real daemon and real workers. Apart from the other stories, because
//! these stop and kill what they run with.

#![cfg(test)]

mod faults;
mod placement;
mod strangers;

use loquat_tests::brain::Reply;
use serde_json::json;

use loquat_tests::place::{CELLAR, LAMPS, Place};

#[tokio::test]
async fn a_worker_thinks_and_the_device_acts() {
    let place = Place::open().await;
    let _worker = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &json!({"text": "on"})),
            Reply::answers("The lamp is on."),
        ],
    );
    let turn = place.ask("Switch the lamp on").await;
    assert_eq!(turn.answer(), "The lamp is on.");
    turn.assert_ended_once();
    assert_eq!(place.lamps.calls().len(), 1, "{LAMPS} is at the device");
    assert!(place.own_requests().is_empty(), "the device's own brain has rest");
    assert_eq!(place.brain.requests(CELLAR).len(), 2);
    let (_, replayed) = place.replay().await;
    assert!(replayed.contains("The lamp is on."), "{replayed}");
}
