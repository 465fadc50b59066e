//! What triggers wait for: how it is now is looked at twice a second, beside what rings, and messages of the bus are taken as they
//! come.
//!
//! Decides nothing: the book of alerts knows what counts, and how often.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use loquat_skills::alerts::{Alert, Alerts, Condition, Glance, Look, Messages, Turn, Understands};
use loquat_skills::mcp::Update;
use serde_json::{Map, Value};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// From one look to the next.
const EVERY: Duration = Duration::from_millis(500);

/// What does not say by then how it is now, such as a player that hangs, is asked again.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is known anew.
#[derive(Debug)]
pub(super) enum News {
    /// How it is now with what a trigger waits for, where that is known.
    Looked(u64, Option<Glance>),
    /// A resource has changed.
    Updated(Update),
}

/// What has happened.
#[derive(Debug, Default)]
pub(super) struct Events {
    understands: Option<Arc<dyn Understands>>,
    topics: BTreeSet<String>,
    /// Absent as long as nothing that is waited for has to be looked at.
    next: Option<Instant>,
    /// One for each trigger that is looked at now: what rings waits for none of them.
    looks: JoinSet<(u64, Option<Glance>)>,
    looked_at: BTreeSet<u64>,
    /// What MCP servers tell of their resources; absent where there are none, or no more.
    updates: Option<broadcast::Receiver<Update>>,
}

impl Events {
    pub(super) fn new(
        understands: Option<Arc<dyn Understands>>,
        messages: &Messages,
        updates: broadcast::Receiver<Update>,
    ) -> Self {
        Self {
            understands,
            updates: Some(updates),
            topics: messages.topics().map(str::to_owned).collect(),
            ..Self::default()
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

    /// How long it is to the next look; nothing where nothing has to be looked at.
    pub(super) fn next_look(&self) -> Option<Duration> {
        self.next
            .map(|next| next.saturating_duration_since(Instant::now()))
    }

    /// Begins to look at what is waited for, where it is time for that.
    pub(super) async fn begin(&mut self, alerts: &Alerts) {
        if self.next.is_some_and(|next| Instant::now() < next) {
            return;
        }
        self.next = None;
        let Some(understands) = &self.understands else {
            return;
        };
        for alert in waiting(alerts).await {
            let Some(Condition::So(call)) = alert.on.map(|event| event.condition) else {
                continue;
            };
            self.next = Some(Instant::now() + EVERY);
            if self.looked_at.insert(alert.id) {
                let (understands, person) = (Arc::clone(understands), alert.person.circumstances());
                self.looks.spawn(async move {
                    let look = tokio::time::timeout(PATIENCE, understands.look(&call, &person)).await;
                    (alert.id, look.ok().flatten())
                });
            }
        }
    }

    /// What comes next of all that is waited for and is no message of the bus. Cancel safe.
    pub(super) async fn next(&mut self) -> News {
        loop {
            tokio::select! {
                Some(looked) = self.looks.join_next() => match looked {
                    Ok((id, look)) => {
                        self.looked_at.remove(&id);
                        return News::Looked(id, look);
                    }
                    // Which one broke is not known: all that are under way may be begun once more.
                    Err(error) => {
                        tracing::error!(%error, "failed to look at what is waited for");
                        self.looked_at.clear();
                    }
                },
                update = updated(&mut self.updates) => return News::Updated(update),
            }
        }
    }

    /// What a message of the bus brings.
    pub(super) async fn message(&self, alerts: &Alerts, topic: &str, data: &Map<String, Value>) -> Vec<Turn> {
        let is_it = |condition: &Condition| matches!(condition, Condition::Message(expected) if expected.is(topic, data));
        happened(alerts, is_it).await
    }

    /// What a changed resource brings.
    pub(super) async fn update(&self, alerts: &Alerts, update: &Update) -> Vec<Turn> {
        let is_it = |condition: &Condition| {
            matches!(condition, Condition::Resource(resource)
                if resource.server == update.server && resource.uri == update.uri)
        };
        happened(alerts, is_it).await
    }
}

/// A resource that has changed; nothing comes where nothing tells of any.
async fn updated(updates: &mut Option<broadcast::Receiver<Update>>) -> Update {
    while let Some(told) = updates {
        match told.recv().await {
            Ok(update) => return update,
            // In a flood one counts as well as another.
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => *updates = None,
        }
    }
    std::future::pending().await
}

/// What comes of it that this has happened.
async fn happened(alerts: &Alerts, is_it: impl Fn(&Condition) -> bool) -> Vec<Turn> {
    let mut happened = Vec::new();
    for alert in waiting(alerts).await {
        if alert.on.is_some_and(|event| is_it(&event.condition)) {
            happened.extend(alerts.see(alert.id, Look::So(true).into()).await);
        }
    }
    happened
}

/// The triggers.
async fn waiting(alerts: &Alerts) -> Vec<Alert> {
    let all = alerts.all().await.into_iter();
    all.filter(|alert| alert.on.is_some()).collect()
}
