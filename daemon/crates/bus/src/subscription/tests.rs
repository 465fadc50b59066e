//! Delivery: order, overload, and the end.

use loquat_wire::Message;

use super::*;

fn received(number: usize) -> Received {
    Received {
        message: Message::new(format!("test.{number}"), ()),
        canonical: format!("test.{number}"),
        own: false,
        cut: None,
    }
}

#[test]
fn the_log_has_one_line_for_all_that_was_lost_in_a_while() {
    let (mut losses, start) = (Losses::default(), Instant::now());
    let told: Vec<u64> = (0..100).filter_map(|_| losses.add(2, start)).collect();
    assert_eq!(told, [2]);
    assert_eq!(losses.add(1, start + LOG_EVERY), Some(199));
}

#[tokio::test]
async fn the_end_comes_after_what_waits() {
    let subscribers = Subscribers::default();
    let mut subscription = subscribers.add(Topics::all());
    subscribers.deliver(received(0), 1, &AtomicU64::new(0));
    subscribers.close();
    subscribers.deliver(received(1), 1, &AtomicU64::new(0));
    assert_eq!(subscription.recv().await, Some(received(0)));
    assert_eq!(subscription.recv().await, None);
    assert_eq!(subscribers.add(Topics::all()).recv().await, None);
}

#[test]
fn nobody_wants_what_a_dropped_subscription_wanted() {
    let subscribers = Subscribers::default();
    let subscription = subscribers.add(Topics::all());
    assert!(subscribers.any_want("test.a", false));
    drop(subscription);
    assert!(!subscribers.any_want("test.a", false));
}
