//! The queue: order, bounds, and what is refused.

use loquat_wire::Vocabulary;
use serde_json::json;

use super::*;

const AT_LEAST: Sending = Sending::AtLeastOnce;

const PATIENCE: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_message_and_its_twin_are_one_parcel() {
    let (outbox, mut parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    outbox.put(Message::new(topic::STOP, ()), AT_LEAST).await.unwrap();
    let topics: Vec<_> = parcels
        .recv()
        .await
        .unwrap()
        .frames()
        .map(|frame| Message::parse(&frame).unwrap().topic)
        .collect();
    assert_eq!(topics, ["ovos.stop", "mycroft.stop"]);
}

#[tokio::test(start_paused = true)]
async fn bytes_are_bounded_and_free_again_when_a_parcel_has_gone() {
    let (outbox, mut parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    let large = || Message::new("test.large", json!({"text": "x".repeat(24 << 20)}));
    outbox.put(large(), AT_LEAST).await.unwrap();
    outbox.put(large(), AT_LEAST).await.unwrap();
    assert!(matches!(
        outbox.put(large(), AT_LEAST).await,
        Err(EmitError::Full { .. })
    ));
    drop(parcels.recv().await);
    outbox.put(large(), AT_LEAST).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_sender_waits_for_room_and_gets_it() {
    let (outbox, mut parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    for _ in 0..MAX_WAITING {
        outbox.put(Message::new("test.a", ()), AT_LEAST).await.unwrap();
    }
    let (put, _) = tokio::join!(outbox.put(Message::new("test.b", ()), AT_LEAST), async {
        tokio::time::sleep(PATIENCE / 2).await;
        parcels.recv().await
    });
    put.unwrap();
}

#[tokio::test]
async fn after_the_end_nothing_is_taken() {
    let (outbox, parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    drop(parcels);
    let refused = outbox.put(Message::new("test.a", ()), AT_LEAST).await;
    assert!(matches!(refused, Err(EmitError::Closed { .. })));
}
