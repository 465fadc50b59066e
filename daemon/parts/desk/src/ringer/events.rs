//! What triggers wait for: whether it is so is looked at every second, and messages of the bus are taken as they come.
//!
//! Decides nothing: the book of alerts knows what counts, and how often.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use loquat_skills::alerts::{Alert, Alerts, Condition, Messages, Turn, Understands};
use serde_json::{Map, Value};
use tokio::time::Instant;

/// From one look to the next.
const EVERY: Duration = Duration::from_secs(1);

/// What has happened.
#[derive(Debug, Default)]
pub(super) struct Events {
    understands: Option<Arc<dyn Understands>>,
    topics: BTreeSet<String>,
    /// Absent as long as nothing is waited for.
    next: Option<Instant>,
}

impl Events {
    pub(super) fn new(understands: Option<Arc<dyn Understands>>, messages: &Messages) -> Self {
        Self {
            understands,
            topics: messages.topics().map(str::to_owned).collect(),
            next: None,
        }
    }

    /// The topics of messages that may be waited for.
    pub(super) fn topics(&self) -> impl Iterator<Item = &str> {
        self.topics.iter().map(String::as_str)
    }

    /// Whether messages of a topic may be waited for.
    pub(super) fn is_of(&self, topic: &str) -> bool {
        self.topics.contains(topic)
    }

    /// How long it is to the next look; nothing where nothing is waited for.
    pub(super) fn next_look(&self) -> Option<Duration> {
        self.next
            .map(|next| next.saturating_duration_since(Instant::now()))
    }

    /// What has become so since the last look.
    pub(super) async fn look(&mut self, alerts: &Alerts) -> Vec<Turn> {
        if self.next.is_some_and(|next| Instant::now() < next) {
            return Vec::new();
        }
        let waiting: Vec<Alert> = waiting(alerts).await;
        self.next = (!waiting.is_empty()).then(|| Instant::now() + EVERY);
        let Some(understands) = &self.understands else {
            return Vec::new();
        };
        let mut happened = Vec::new();
        for alert in &waiting {
            let Some(Condition::So(call)) = alert.on.as_ref().map(|event| &event.condition) else {
                continue;
            };
            if let Some(is_so) = understands.is_so(call, &alert.person.circumstances()).await {
                happened.extend(alerts.see(alert.id, is_so).await);
            }
        }
        happened
    }

    /// What a message of the bus brings.
    pub(super) async fn message(&self, alerts: &Alerts, topic: &str, data: &Map<String, Value>) -> Vec<Turn> {
        let mut happened = Vec::new();
        for alert in waiting(alerts).await {
            let event = alert.on.as_ref().map(|event| &event.condition);
            let is_it = matches!(event, Some(Condition::Message(expected)) if expected.is(topic, data));
            if is_it {
                happened.extend(alerts.see(alert.id, true).await);
            }
        }
        happened
    }
}

/// The triggers.
async fn waiting(alerts: &Alerts) -> Vec<Alert> {
    let all = alerts.all().await.into_iter();
    all.filter(|alert| alert.on.is_some()).collect()
}
