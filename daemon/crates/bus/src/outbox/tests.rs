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

#[tokio::test]
async fn a_context_that_has_grown_too_large_is_reduced_to_its_ids() {
    let (outbox, mut parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    let mut end = Message::new(topic::STOP, json!({"kept": true}));
    let session = json!({"session_id": "kitchen", "junk": "x".repeat(13 << 20)});
    end.context.insert("session", session);
    end.context.set_utterance_id("u-1");
    outbox.put(end.clone(), AT_LEAST).await.unwrap();
    end.context.insert("junk", "x".repeat(13 << 20));
    outbox.put(end, AT_LEAST).await.unwrap();
    for _ in 0..2 {
        for frame in parcels.recv().await.unwrap().frames() {
            let sent = Message::parse(&frame).unwrap();
            assert!(frame.len() < 1000, "{} bytes", frame.len());
            assert_eq!(sent.data, json!({"kept": true}).as_object().cloned().unwrap());
            let ids = (sent.context.session_id(), sent.context.utterance_id());
            assert_eq!(ids, ("kitchen", Some("u-1")));
        }
    }
}

#[tokio::test]
async fn large_data_goes_with_its_whole_context() {
    let (outbox, mut parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    let mut large = Message::new("test.large", json!({"text": "x".repeat(2 << 20)}));
    large
        .context
        .insert("session", json!({"session_id": "kitchen", "lang": "de"}));
    outbox.put(large.clone(), AT_LEAST).await.unwrap();
    let sent = Message::parse(&parcels.recv().await.unwrap().frame).unwrap();
    assert_eq!(sent, large);
}

#[tokio::test]
async fn what_an_earlier_process_may_have_sent_is_marked_with_its_twin() {
    let (outbox, mut parcels) = Outbox::new(PATIENCE, Vocabulary::Both);
    let age = Duration::from_secs(7);
    let mut frames = Vec::new();
    for sending in [AT_LEAST, Sending::Again(age)] {
        outbox.put(Message::new(topic::STOP, ()), sending).await.unwrap();
        let parcel = parcels.recv().await.unwrap();
        frames.push(parcel.frames().collect::<Vec<_>>());
    }
    let first = |frame: &Utf8Bytes| repeat::first_of(frame).unwrap();
    let firsts: Vec<_> = frames[1].iter().map(first).collect();
    let sent: Vec<_> = frames[0].iter().map(|frame| (frame.to_string(), age)).collect();
    assert_eq!(firsts, sent);
}
