//! Others ask our personas out of band, see which there are, and take them back (PERSONA-1 §8.5 to §9).

use std::sync::Arc;

use loquat_wire::{Message, topic, utterance_lang};
use serde_json::{Value, json};

use super::job::Origin;
use super::lifecycle::{self, SKILL_ID};
use super::{Desk, new_id};
use crate::orchestrator::pipeline::Stage;

/// What is asked of us about personas.
pub(super) const TOPICS: [&str; 4] = [
    topic::PERSONA_QUERY,
    topic::PERSONA_LIST,
    topic::PERSONA_REGISTER,
    topic::PERSONA_DEREGISTER,
];

/// Why a query is not begun.
pub(super) const BUSY: &str = "busy: this session asks as many questions at once as it may";

impl Desk {
    pub(super) async fn persona_request(&mut self, canonical: &str, message: Message) {
        match canonical {
            topic::PERSONA_QUERY => self.query(message).await,
            topic::PERSONA_LIST => self.persona_list(&message).await,
            topic::PERSONA_REGISTER => self.offer(&message, true),
            topic::PERSONA_DEREGISTER => self.offer(&message, false),
            _ => {}
        }
    }

    /// Every query is answered once, with a response or an error (PE-13).
    async fn query(&mut self, mut query: Message) {
        if query.context.utterance_id().is_none() {
            query.context.set_utterance_id(&new_id());
        }
        let text = |key: &str| {
            query
                .data
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .trim()
        };
        let (asked, utterance) = (text("persona_id").to_owned(), text("utterance").to_owned());
        let found = self.mind.find_offered(&asked);
        let persona = match (found, utterance.is_empty()) {
            (_, true) => Err("malformed query: utterance is missing"),
            (None, _) if asked.is_empty() => Err("malformed query: persona_id is missing"),
            (None, _) => Err("unsupported persona_id"),
            (Some(persona), _) => Ok(persona),
        };
        match persona {
            Ok(persona) => {
                let lang = utterance_lang(&query, &self.languages);
                self.take(Origin::Query, query, Arc::clone(&persona), (utterance, &lang))
                    .await;
            }
            Err(error) => {
                self.emit(lifecycle::refused_query(&query, error)).await;
            }
        }
    }

    async fn persona_list(&self, request: &Message) {
        let data = json!({"pipeline_id": SKILL_ID, "fallback_pipeline_id": Stage::PersonaFallback.id(),
                          "personas": self.mind.listing()});
        self.emit(request.response(data)).await;
    }

    /// Idempotent and never answered (PE-19).
    fn offer(&self, message: &Message, offered: bool) {
        if let Some(id) = message.data.get("persona_id").and_then(Value::as_str) {
            self.mind.offer(id, offered);
        }
    }
}
