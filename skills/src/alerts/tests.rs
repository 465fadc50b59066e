//! What is set is due once, whatever becomes of the device's clock.

use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;

use super::alert::{Alert, Kind, Person};
use super::book::{Alerts, Turn};
use super::now::Now;
use crate::records::Volatile;

fn at(wall: i64, uptime: f64) -> Now {
    Now {
        wall: Timestamp::from_second(wall).expect("a moment"),
        uptime,
        boot: "one".to_owned(),
    }
}

#[tokio::test]
async fn setting_the_clock_moves_no_timer_and_it_rings_once() {
    let now = Arc::new(Mutex::new(at(1_000_000, 10.0)));
    let clock = Arc::clone(&now);
    let alerts = Alerts::by(
        Arc::new(Volatile::default()),
        Arc::new(move || clock.lock().clone()),
    );
    let due = alerts.now().after(60.0);
    let timer = |id| Alert {
        id,
        kind: Kind::Timer,
        name: None,
        person: Person::default(),
        due: due.wall,
        due_after_span: Some(due),
        span_seconds: Some(60.0),
        repetition: None,
        ringing: None,
    };
    alerts.add(timer).await.expect("room");
    *now.lock() = at(2_000_000, 69.0);
    assert_eq!(alerts.turn().await, []);
    *now.lock() = at(500_000, 70.5);
    assert!(matches!(alerts.turn().await.as_slice(), [Turn::Rings(_)]));
    assert_eq!(alerts.turn().await, [], "it rings already");
    assert_eq!(alerts.silence(None).await.len(), 1);
    *now.lock() = at(1_000_000, 100.0);
    assert_eq!(alerts.turn().await, []);
}
