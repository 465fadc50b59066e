//! Echoes as receipts: what counts as delivered, and what is sent again.

use proptest::prelude::*;

use super::*;

fn message(text: &str) -> Shipment {
    Shipment::new(text.into(), Purpose::Message)
}

fn sent(texts: &[(&str, Purpose)]) -> Receipts {
    let mut receipts = Receipts::default();
    for (text, purpose) in texts {
        receipts.sent(Shipment::new((*text).into(), *purpose), Instant::now());
    }
    receipts
}

fn unreceived(receipts: &mut Receipts) -> Vec<String> {
    let (again, _) = receipts.take_unreceived(false);
    again.iter().map(|shipment| shipment.text.to_string()).collect()
}

#[test]
fn an_echo_counts_once() {
    let mut receipts = sent(&[("a", Purpose::Message)]);
    assert!(receipts.is_echo("a"));
    assert!(!receipts.is_echo("a"));
}

#[test]
fn what_came_back_is_not_sent_again() {
    let mut receipts = sent(&[
        ("a", Purpose::Message),
        ("b", Purpose::Message),
        ("c", Purpose::Message),
    ]);
    assert!(receipts.is_echo("b"));
    assert_eq!(unreceived(&mut receipts), ["a", "c"]);
    assert!(unreceived(&mut receipts).is_empty());
}

#[test]
fn announcements_are_not_sent_again_because_they_are_said_anew() {
    let mut receipts = sent(&[("a", Purpose::Announcement), ("b", Purpose::Message)]);
    assert_eq!(unreceived(&mut receipts), ["b"]);
}

#[test]
fn a_twin_goes_again_with_its_message_and_alone_only_while_it_is_known_for_what_it_is() {
    let pair = [("a", Purpose::Message), ("twin of a", Purpose::Twin)];
    let late = || Instant::now() + TWIN_STILL_KNOWN + Duration::from_millis(1);
    let (together, _) = sent(&pair).take_unreceived(false);
    assert_eq!(together.len(), 2);
    assert!(together.iter().all(|sent| !sent.is_stale(late())));

    let mut receipts = sent(&pair);
    assert!(receipts.is_echo("a"));
    let (alone, _) = receipts.take_unreceived(false);
    assert_eq!(alone.len(), 1);
    assert!(!alone[0].is_stale(Instant::now()) && alone[0].is_stale(late()));
}

#[test]
fn a_frame_that_breaks_every_connection_is_given_up() {
    let mut receipts = Receipts::default();
    let mut shipment = message("poison");
    for _ in 1..MAX_TRIES {
        receipts.sent(shipment, Instant::now());
        let (mut again, lost) = receipts.take_unreceived(false);
        assert_eq!(lost, 0);
        shipment = again.pop_front().unwrap();
    }
    receipts.sent(shipment, Instant::now());
    let (again, lost) = receipts.take_unreceived(false);
    assert!(again.is_empty());
    assert_eq!(lost, 1);
}

#[test]
fn after_a_close_for_size_the_largest_is_given_up() {
    let mut receipts = sent(&[
        ("a", Purpose::Message),
        ("large", Purpose::Message),
        ("b", Purpose::Message),
    ]);
    let (again, lost) = receipts.take_unreceived(true);
    let texts: Vec<_> = again.iter().map(|shipment| shipment.text.as_str()).collect();
    assert_eq!((texts, lost), (vec!["a", "b"], 1));
}

#[tokio::test(start_paused = true)]
async fn a_bus_that_echoes_nothing_does_not_stop_us_for_ever() {
    let mut receipts = Receipts::default();
    for number in 0..MAX_UNDERWAY {
        assert!(receipts.have_room());
        receipts.sent(message(&number.to_string()), Instant::now());
    }
    assert!(!receipts.have_room());
    receipts.expire(Instant::now() + GIVE_UP);
    assert!(!receipts.have_room());
    receipts.expire(Instant::now() + GIVE_UP + Duration::from_secs(1));
    assert!(receipts.have_room());
}

proptest! {
    #[test]
    fn every_message_is_either_echoed_or_sent_again(
        texts in prop::collection::vec("[a-d]{1,2}", 0..40),
        echoed in prop::collection::vec(any::<bool>(), 40),
    ) {
        let mut receipts = Receipts::default();
        for text in &texts {
            receipts.sent(message(text), Instant::now());
        }
        let mut missing: Vec<_> = Vec::new();
        for (text, back) in texts.iter().zip(echoed) {
            if back {
                prop_assert!(receipts.is_echo(text));
            } else {
                missing.push(text.clone());
            }
        }
        missing.sort();
        let mut again = unreceived(&mut receipts);
        again.sort();
        prop_assert_eq!(again, missing);
        prop_assert_eq!(receipts.bytes, 0);
    }
}

#[test]
fn what_has_an_effect_is_not_sent_again_and_neither_is_its_twin() {
    let mut receipts = sent(&[
        ("call", Purpose::Deed),
        ("twin of call", Purpose::Deed),
        ("b", Purpose::Message),
    ]);
    let (again, lost) = receipts.take_unreceived(false);
    assert_eq!((again.len(), again[0].text.as_str(), lost), (1, "b", 0));
}

#[test]
fn what_is_sent_again_says_so_with_its_age_and_its_echo_is_known() {
    let first = r#"{"type":"a","data":{},"context":{}}"#;
    let start = Instant::now();
    let mut receipts = Receipts::default();
    receipts.sent(message(first), start);
    for seconds in [1, 5] {
        let age = Duration::from_secs(seconds);
        let shipment = receipts.take_unreceived(false).0.pop_front().unwrap();
        let shipment = shipment.repeated(start + age);
        assert_eq!(shipment.text, repeat::repeated(first, age));
        receipts.sent(shipment, start + age);
    }
    assert!(!receipts.is_echo(first));
    assert!(receipts.is_echo(&repeat::repeated(first, Duration::from_secs(5))));
}
