//! Fairness, urgency and overload.

use serde_json::json;

use super::*;

/// As many of the smallest frames as may wait.
const FULL: usize = MAX_WEIGHT / LEAST;

fn frame(topic: &str, session: &str, number: usize) -> Received {
    let mut message = Message::new(topic, json!({ "number": number }));
    message.context.insert("session", json!({"session_id": session}));
    Received {
        canonical: topic.to_owned(),
        message,
        own: false,
        cut: None,
    }
}

fn said(session: &str, number: usize) -> Received {
    frame(topic::UTTERANCE_HANDLE, session, number)
}

fn own(number: usize) -> Received {
    Received {
        own: true,
        ..said("default", number)
    }
}

/// Session and number of what comes next.
fn next(mailbox: &mut Mailbox) -> (String, u64) {
    let (received, _) = mailbox.take().unwrap();
    let number = received
        .message
        .data
        .get("number")
        .and_then(serde_json::Value::as_u64);
    (
        received.message.context.session_id().to_owned(),
        number.unwrap_or(u64::MAX),
    )
}

fn all(mailbox: &mut Mailbox) -> Vec<Received> {
    std::iter::from_fn(|| mailbox.take().map(|(received, _)| received)).collect()
}

#[test]
fn without_a_flood_frames_come_as_they_arrived() {
    let mut mailbox = Mailbox::default();
    for number in 0..3 * QUANTUM {
        let session = ["a", "b", "c"][number % 3];
        assert_eq!(mailbox.put(said(session, number), 100), 0);
    }
    for number in 0..3 * QUANTUM {
        assert_eq!(next(&mut mailbox).1, number as u64);
    }
    assert!(mailbox.take().is_none() && mailbox.lanes.is_empty() && mailbox.weight == 0);
}

#[test]
fn a_flood_in_one_session_delays_another_by_one_quantum_and_keeps_its_own_order() {
    let mut mailbox = Mailbox::default();
    for number in 0..1000 {
        mailbox.put(said("flood", number), 100);
    }
    for number in 0..10 {
        mailbox.put(said("person", number), 100);
    }
    let heard: Vec<_> = (0..1010).map(|_| next(&mut mailbox)).collect();
    let last = heard
        .iter()
        .rposition(|(session, _)| session == "person")
        .unwrap();
    assert!(last < QUANTUM + 10, "{last}");
    for session in ["flood", "person"] {
        let numbers: Vec<_> = heard
            .iter()
            .filter(|(id, _)| id == session)
            .map(|(_, n)| *n)
            .collect();
        assert!(numbers.is_sorted(), "{session}");
    }
}

#[test]
fn what_this_client_said_goes_first_and_never_gives_way() {
    let mut mailbox = Mailbox::default();
    mailbox.put(own(1), 100);
    for number in 0..2 * FULL {
        mailbox.put(said("default", number), 100);
    }
    mailbox.put(own(2), 100);
    let heard = all(&mut mailbox);
    let own: Vec<_> = heard.iter().map(|received| received.own).collect();
    assert_eq!(own.iter().filter(|own| **own).count(), 2);
    assert!(own[0] && own[1]);
    let alone: Vec<_> = (0..2 * FULL)
        .map(|number| mailbox.put(self::own(number), 100))
        .collect();
    assert_eq!(
        alone.iter().sum::<u64>() + mailbox.outlines.len() as u64,
        FULL as u64
    );
}

#[test]
fn an_order_to_stop_goes_to_the_front_behind_what_its_session_said_before() {
    let mut mailbox = Mailbox::default();
    for number in 0..500 {
        mailbox.put(said("flood", number), 100);
    }
    mailbox.put(said("person", 0), 100);
    mailbox.put(frame(topic::STOP, "person", 1), 100);
    mailbox.put(said("person", 2), 100);
    let heard: Vec<_> = (0..503).map(|_| next(&mut mailbox)).collect();
    let place = |number: u64| heard.iter().position(|frame| *frame == ("person".into(), number));
    assert_eq!(place(0), Some(0));
    assert!(place(1) <= Some(2), "{heard:?}");
    assert!(place(1) < place(2));
}

#[test]
fn a_flood_of_orders_to_stop_leaves_every_second_place_to_others() {
    let mut mailbox = Mailbox::default();
    for number in 0..FULL {
        mailbox.put(frame(topic::STOP, "flood", number), 100);
    }
    for number in 0..10 {
        mailbox.put(said("person", number), 100);
    }
    let heard: Vec<_> = (0..20).map(|_| next(&mut mailbox).0).collect();
    assert_eq!(heard.iter().filter(|session| *session == "person").count(), 10);
}

#[test]
fn the_session_that_floods_gives_way_with_its_oldest_and_leaves_outlines() {
    let mut mailbox = Mailbox::default();
    for number in 0..10 {
        mailbox.put(said("person", number), 100);
    }
    let lost: u64 = (0..FULL + 90)
        .map(|number| mailbox.put(said("flood", number), 100))
        .sum();
    assert_eq!((lost, mailbox.outlines.len()), (0, 100));
    let heard = all(&mut mailbox);
    let whole: Vec<_> = heard.iter().filter(|received| received.cut.is_none()).collect();
    assert_eq!((heard.len(), whole.len()), (FULL + 100, FULL));
    let of_person = |received: &&&Received| received.message.context.session_id() == "person";
    assert_eq!(whole.iter().filter(of_person).count(), 10);
    let outline = heard
        .iter()
        .find(|received| received.cut == Some(Cut::Overload))
        .unwrap();
    assert_eq!(outline.message, stub::of(&said("flood", 0).message).unwrap());
}

#[test]
fn what_is_owed_nothing_is_counted() {
    let mut mailbox = Mailbox::default();
    let registered = |number| frame("register_vocab", "flood", number);
    let lost: u64 = (0..FULL + 100)
        .map(|number| mailbox.put(registered(number), 100))
        .sum();
    assert_eq!((lost, all(&mut mailbox).len()), (100, FULL));
}

#[test]
fn of_sessions_without_number_the_newest_give_way_and_each_is_told() {
    let mut mailbox = Mailbox::default();
    for number in 0..3 * FULL {
        assert_eq!(mailbox.put(said(&format!("session-{number}"), number), 100), 0);
    }
    assert_eq!((mailbox.frames.len(), mailbox.outlines.len()), (FULL, 2 * FULL));
    mailbox.put(own(7), 100);
    let heard = all(&mut mailbox);
    assert!(heard[0].own && heard.len() == 3 * FULL + 1);
    let first = heard
        .iter()
        .find(|received| received.message.context.session_id() == "session-0");
    assert_eq!(first.unwrap().cut, None);
    assert_eq!(mailbox.outline_bytes, 0);
}

#[test]
fn outlines_are_bounded_in_bytes() {
    let mut mailbox = Mailbox::default();
    let outline = stub::of(&said(&"x".repeat(250), 0).message).unwrap().to_text();
    let room = MAX_OUTLINES / outline.len();
    let id = |number: usize| format!("{number:0>250}");
    let lost: u64 = (0..FULL + room + 10)
        .map(|number| mailbox.put(said(&id(number), number), 100))
        .sum();
    assert_eq!((lost, mailbox.outlines.len()), (10, room));
}

#[test]
fn large_frames_of_one_session_do_not_push_out_small_ones_of_another() {
    let mut mailbox = Mailbox::default();
    for number in 0..100 {
        mailbox.put(said("person", number), 1000);
    }
    for number in 0..100 {
        mailbox.put(frame("a.b", "flood", number), 1 << 20);
    }
    assert!(mailbox.weight <= MAX_WEIGHT);
    let heard = all(&mut mailbox);
    let of_person = |received: &&Received| received.message.context.session_id() == "person";
    assert_eq!(heard.iter().filter(of_person).count(), 100);
}

#[test]
fn a_frame_that_is_larger_than_all_that_may_wait_fits_alone() {
    let mut mailbox = Mailbox::default();
    assert_eq!(mailbox.put(frame("a.b", "x", 0), 2 * MAX_WEIGHT), 0);
    assert_eq!(next(&mut mailbox), ("x".to_owned(), 0));
}

#[test]
fn few_frames_are_one_queue_and_many_have_lanes() {
    let mut mailbox = Mailbox::default();
    for number in 0..QUANTUM {
        mailbox.put(said(&format!("session-{number}"), number), 100);
    }
    assert_eq!((mailbox.few.len(), mailbox.lanes.len()), (QUANTUM, 0));
    mailbox.put(said("one more", QUANTUM), 100);
    assert_eq!((mailbox.few.len(), mailbox.lanes.len()), (0, QUANTUM + 1));
    for number in 0..=QUANTUM as u64 {
        assert_eq!(next(&mut mailbox).1, number);
    }
    mailbox.put(said("a", 0), 100);
    assert_eq!((mailbox.few.len(), mailbox.lanes.len()), (1, 0));
}

#[test]
fn of_few_frames_too_an_own_one_goes_first_and_then_an_order_to_stop() {
    let mut mailbox = Mailbox::default();
    mailbox.put(said("a", 1), 100);
    mailbox.put(said("b", 2), 100);
    mailbox.put(frame(topic::STOP, "b", 3), 100);
    mailbox.put(own(4), 100);
    mailbox.put(own(5), 100);
    let heard: Vec<_> = (0..5).map(|_| next(&mut mailbox).1).collect();
    assert_eq!(heard, [4, 5, 2, 1, 3]);
    assert!(mailbox.take().is_none() && mailbox.weight == 0);
}

#[test]
fn orders_to_stop_give_way_last_whosever_they_are() {
    let mut mailbox = Mailbox::default();
    for number in 0..FULL {
        mailbox.put(said(&format!("session-{number}"), number), 100);
    }
    for number in 0..10 {
        mailbox.put(frame(topic::STOP, &format!("new-{number}"), number), 100);
        mailbox.put(said("flood", number), 100);
    }
    let heard = all(&mut mailbox);
    assert_eq!(heard.iter().filter(|received| stops(received)).count(), 10);
    for number in 0..2 * FULL {
        mailbox.put(frame(topic::STOP, "flood", number), 100);
    }
    assert_eq!(mailbox.lanes[&Some("flood".into())].others, 0);
    mailbox.put(said("flood", 0), 100);
    let heard = all(&mut mailbox);
    assert_eq!(heard.iter().filter(|received| stops(received)).count(), FULL);
}
