//! Delivery: order, overload, and the end.

use std::sync::atomic::Ordering;

use super::*;

fn received(number: usize) -> Received {
    Received {
        message: Message::new(format!("test.{number}"), ()),
        canonical: format!("test.{number}"),
        own: false,
    }
}

#[tokio::test]
async fn a_slow_subscriber_loses_the_oldest_and_keeps_the_order() {
    let subscribers = Subscribers::default();
    let mut slow = subscribers.add(Topics::all());
    let missed = AtomicU64::new(0);
    for number in 0..MAX_WAITING + 10 {
        subscribers.deliver(&received(number), 100, &missed);
    }
    assert_eq!(missed.load(Ordering::Relaxed), 10);
    assert_eq!(slow.recv().await, Some(received(10)));
    assert_eq!(slow.recv().await, Some(received(11)));
}

#[tokio::test]
async fn large_frames_are_bounded_by_bytes_but_one_always_fits() {
    let subscribers = Subscribers::default();
    let mut slow = subscribers.add(Topics::all());
    let missed = AtomicU64::new(0);
    subscribers.deliver(&received(0), 2 * MAX_WAITING_BYTES, &missed);
    assert_eq!(missed.load(Ordering::Relaxed), 0);
    subscribers.deliver(&received(1), 1, &missed);
    assert_eq!(missed.load(Ordering::Relaxed), 1);
    assert_eq!(slow.recv().await, Some(received(1)));
}

#[tokio::test]
async fn the_end_comes_after_what_waits() {
    let subscribers = Subscribers::default();
    let mut subscription = subscribers.add(Topics::all());
    subscribers.deliver(&received(0), 1, &AtomicU64::new(0));
    subscribers.close();
    subscribers.deliver(&received(1), 1, &AtomicU64::new(0));
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
