//! Has the media players give way while the device listens or speaks, and come back afterwards.
//!
//! What the device does it learns from the bus, whichever program hears and speaks there. Players are the skill's;
//! nothing here knows one.

use std::sync::Arc;

use loquat_bus::Bus;
use loquat_skills::Players;
use tokio_util::sync::CancellationToken;

use crate::attention::{self, Follower, TOPICS};

/// Has players give way.
#[derive(Debug)]
pub struct GivingWay {
    bus: Bus,
    players: Arc<Players>,
}

impl GivingWay {
    /// Has these players give way, by what this bus tells.
    pub fn new(bus: Bus, players: Arc<Players>) -> Self {
        Self { bus, players }
    }

    /// Runs until cancelled; then the players come back at once.
    pub async fn run(self, cancel: CancellationToken) {
        attention::follow(self.bus, TOPICS, Way(self.players), cancel).await;
    }
}

struct Way(Arc<Players>);

impl Follower for Way {
    async fn begin(&self) {
        self.0.give_way().await;
    }

    async fn end(&self) {
        self.0.come_back().await;
    }
}
