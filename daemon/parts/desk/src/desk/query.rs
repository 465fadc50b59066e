//! Others ask our personas out of band, see which there are, and take them back (PERSONA-1 §8.5 to §9).

use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_orchestrator::pipeline::Stage;
use loquat_wire::{Message, utterance_lang};
use serde_json::{Value, json};

use super::job::{Job, Origin};
use super::{Desk, new_id};

/// Why a query is not begun.
pub(super) const BUSY: &str = "busy: as many questions are asked at once as may be";

impl Desk {
    /// Every query is answered once, with a response or an error (PE-13).
    pub(super) async fn query(&mut self, mut query: Message) {
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
        let speaker = self.entrance.ways.asker(query.context.session_id());
        let found = self.reached(&asked, &speaker);
        let persona = match (found, utterance.is_empty()) {
            (_, true) => Err("malformed query: utterance is missing"),
            (None, _) if asked.is_empty() => Err("malformed query: persona_id is missing"),
            (None, _) => Err("unsupported persona_id"),
            (Some(persona), _) => Ok(persona),
        };
        match persona {
            Ok(persona) => {
                let lang = utterance_lang(&query, &self.settings.languages);
                let job = Job::new(Origin::Query, query, persona, utterance, &lang);
                self.take(Job { speaker, ..job }).await;
            }
            Err(error) => {
                self.emit(frames::refused_query(&query, error)).await;
            }
        }
    }

    /// Tells which personas there are for who asks.
    pub(super) async fn persona_list(&self, request: &Message) {
        let speaker = self.entrance.ways.asker(request.context.session_id());
        let bound_to = self.bound_id(&speaker);
        let mut personas = self.mind.listing();
        personas.retain(|entry| bound_to.as_deref().is_none_or(|id| entry["persona_id"] == id));
        let data = json!({"pipeline_id": SKILL_ID, "fallback_pipeline_id": Stage::PersonaFallback.id(),
                          "personas": personas});
        self.emit(request.response(data)).await;
    }

    /// Offers a persona, or takes it back. Idempotent and never answered (PE-19). Guests decide nothing for others.
    pub(super) fn offer(&self, message: &Message, offered: bool) {
        let session_id = message.context.session_id();
        if !self.entrance.ways.asker(session_id).is_program() {
            return tracing::warn!(
                session_id,
                "a guest may neither offer a persona nor take one back"
            );
        }
        if let Some(id) = message.data.get("persona_id").and_then(Value::as_str) {
            self.mind.offer(id, offered);
        }
    }
}
