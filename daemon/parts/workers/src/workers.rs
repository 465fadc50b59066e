//! Workers as the device has them: places the turns of the personas that they may think. Never thinks one itself.

use std::sync::Arc;

use loquat_agent::engine::{Engine, INTENT};
use loquat_agent::turn::{Means, Question};
use loquat_part::Ground;
use loquat_part::elsewhere::Elsewhere;
use loquat_workers::{Condition, Device};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::settings;
use super::sign_in::device_settings;

/// The channel of what programs ask.
const PROGRAMS: &str = "query";

/// This device's way to workers: which personas may be thought elsewhere, and the connection.
#[derive(Debug)]
pub struct Workers {
    device: Arc<Device>,
    /// The personas whose turns they think; all where none is named.
    personas: Vec<String>,
}

impl Workers {
    /// Makes them, where the settings name a server. Nothing is connected to yet.
    pub fn of(ground: &Ground) -> Option<Arc<Self>> {
        let settings = ground.table::<settings::Workers>();
        let personas = settings.personas.iter();
        Some(Arc::new(Self {
            device: Device::new(device_settings(ground)?),
            personas: personas.map(|name| name.trim().to_lowercase()).collect(),
        }))
    }

    /// Looks for the server and serves workers until cancelled.
    pub async fn run(self: Arc<Self>, cancel: CancellationToken) {
        Arc::clone(&self.device).run(cancel).await;
    }

    /// Follows where turns are thought, for the status line.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.device.condition()
    }
}

impl Elsewhere for Workers {
    /// Places a turn at a worker, where what a program asks leaves the last free place to a person.
    fn place(&self, persona: &str, engine: &Engine, question: &Question, means: Means) -> Means {
        let is_theirs = self.personas.is_empty() || self.personas.contains(&persona.to_lowercase());
        if is_theirs && engine.id != INTENT.id {
            let is_urgent = question.channel.as_deref() != Some(PROGRAMS);
            self.device.place(engine, is_urgent, question, means)
        } else {
            means
        }
    }
}
