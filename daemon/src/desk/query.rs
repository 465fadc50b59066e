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
                let speaker = self.ways.asker(query.context.session_id());
                let job = Job::new(Origin::Query, query, persona, (utterance, &lang));
                self.take(Job { speaker, ..job }).await;
            }
            Err(error) => {
                self.emit(frames::refused_query(&query, error)).await;
            }
        }
    }

    /// Tells which personas there are.
    pub(super) async fn persona_list(&self, request: &Message) {
        let data = json!({"pipeline_id": SKILL_ID, "fallback_pipeline_id": Stage::PersonaFallback.id(),
                          "personas": self.mind.listing()});
        self.emit(request.response(data)).await;
    }

    /// Offers a persona, or takes it back. Idempotent and never answered (PE-19).
    pub(super) fn offer(&self, message: &Message, offered: bool) {
        if let Some(id) = message.data.get("persona_id").and_then(Value::as_str) {
            self.mind.offer(id, offered);
        }
    }
}
