//! How the words of a client are answered, and what it is told of them. Never hears them itself.

use std::sync::Arc;

use loquat_hive::HiveMessage;
use loquat_part::hive_place as place;
use loquat_wire::{Message, Session, object, topic};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::crossing::{Denial, frame, wrapped};
use super::service::Service;

/// Knows how the words of a client are answered, whichever way they came.
#[derive(Debug, Clone)]
pub(super) struct Answering {
    pub(super) service: Arc<Service>,
    pub(super) way: mpsc::Sender<HiveMessage>,
    pub(super) client: String,
    /// The type of the message that is answered.
    pub(super) what: String,
    pub(super) session: Session,
}

impl Answering {
    /// The words are said to the device, in the session of the client.
    pub(super) async fn ask(&self, text: &str, lang: &str) -> Option<Denial> {
        let data = object(json!({"utterances": [text], "lang": lang}));
        let frame = frame(topic::UTTERANCE_HANDLE, data, &self.client, &self.session);
        let emitted = self.service.bus.emit(frame).await;
        emitted
            .err()
            .map(|error| Denial::unserved(&self.what, &error.to_string()))
    }

    /// Tells the client a message of the bus; one that does not read learns nothing.
    pub(super) fn tell(&self, topic: &str, data: Value) {
        if self.way.try_send(self.back(topic, data)).is_err() {
            tracing::debug!(
                client = self.client,
                topic,
                "a client does not read what it is told"
            );
        }
    }

    pub(super) async fn deny(&self, denial: &Denial) {
        // A connection that has gone wants no words.
        self.way.send(denial.message(&self.client)).await.ok();
    }

    pub(super) fn back(&self, topic: &str, data: Value) -> HiveMessage {
        let mut session = self.session.clone();
        let declared = place::of_session(self.session.id()).map(|(_, declared)| declared.to_owned());
        session.insert("session_id", declared.unwrap_or_default());
        let mut message = Message::new(topic, data);
        message.context.set_session(&session);
        message.context.set_source("hive");
        message.context.set_destination(&place::peer(&self.client));
        wrapped(&message)
    }
}
