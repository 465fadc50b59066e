//! Puts the rest of the device off while it listens, thinks or speaks, so that a yes to "restart" is answered to the end
//! before the device goes.
//!
//! logind waits for a few seconds at most; nothing here keeps the device awake for longer.

use std::sync::Arc;

use loquat_bus::Bus;
use loquat_skills::Inhibitor;
use loquat_wire::topic;
use tokio_util::sync::CancellationToken;

use crate::attention::{self, Follower, TOPICS};

/// Holds the device awake.
#[derive(Debug)]
pub struct HoldingAwake {
    bus: Bus,
    inhibitor: Arc<Inhibitor>,
}

impl HoldingAwake {
    /// Holds the device awake with this, by what this bus tells.
    pub fn new(bus: Bus, inhibitor: Arc<Inhibitor>) -> Self {
        Self { bus, inhibitor }
    }

    /// Runs until cancelled; then it lets go.
    pub async fn run(self, cancel: CancellationToken) {
        // What was typed is answered too.
        let topics = TOPICS.into_iter().chain([topic::UTTERANCE_HANDLE]);
        attention::follow(self.bus, topics, Hold(self.inhibitor), cancel).await;
    }
}

struct Hold(Arc<Inhibitor>);

impl Follower for Hold {
    async fn begin(&self) {
        self.0.hold().await;
    }

    async fn end(&self) {
        self.0.release().await;
    }
}
