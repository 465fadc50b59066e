//! Sleep on the bus: what a tool or the clock decides about it is told to every listener, and what is told by others is kept.
//!
//! Closes no ear itself; ours and that of OVOS do so when they hear of it.

use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Received, Topics};
use loquat_orchestrator::frames;
use loquat_skills::rest::Rest;
use loquat_wire::topic;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// How often it is looked whether the time to sleep is over, while the device sleeps.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Joins the state of rest and the bus until cancelled.
pub async fn run(bus: Bus, rest: Arc<Rest>, cancel: CancellationToken) {
    let topics = [
        topic::LISTENER_SLEEP,
        topic::LISTENER_WAKE,
        topic::LEGACY_WAKE_UP,
        topic::LISTENER_AWOKEN,
    ];
    let mut frames = bus.subscribe(Topics::of(topics).including_own());
    let mut changes = rest.sleep_changes();
    // What was chosen before a restart holds still.
    if rest.now().await.asleep {
        tell(&bus, true).await;
    }
    changes.mark_unchanged();
    loop {
        let asleep = *changes.borrow();
        tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            changed = changes.changed() => {
                if changed.is_err() {
                    return cancel.cancelled().await;
                }
                let asleep = *changes.borrow_and_update();
                tell(&bus, asleep).await;
            }
            frame = frames.recv() => match frame {
                Some(frame) => {
                    heed(&rest, &frame).await;
                    // All listeners have heard it as well.
                    changes.mark_unchanged();
                }
                None => return,
            },
            () = tokio::time::sleep(LOOK_EVERY), if asleep => drop(rest.now().await),
        }
    }
}

/// A program, a person at another listener, or the wake word.
async fn heed(rest: &Rest, frame: &Received) {
    match frame.canonical.as_str() {
        topic::LISTENER_SLEEP => rest.sleep(None).await,
        _ => rest.wake().await,
    }
}

async fn tell(bus: &Bus, asleep: bool) {
    let topics: &[&str] = if asleep {
        &[topic::LISTENER_SLEEP]
    } else {
        // Newer listeners know the one, older ones the other; neither is the twin of the other.
        &[topic::LISTENER_WAKE, topic::LEGACY_WAKE_UP]
    };
    for topic in topics {
        if let Err(error) = bus.emit(frames::originated(topic, json!({}))).await {
            tracing::warn!(%error, "failed to tell the listeners whether the device sleeps");
        }
    }
}
