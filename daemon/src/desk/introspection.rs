//! What an orchestrator tells about itself: intents, skills, stages, who may converse (PL-17, PL-19, PL-20).
//!
//! Only the orchestrator of a bus answers; beside an ovos-core we are silent.

use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::lifecycle::{self, SKILL_ID};
use super::{Desk, Mode, unix_now};
use crate::orchestrator::pipeline::{Stage, USUAL};
use crate::orchestrator::registration;
use crate::orchestrator::search::CHAT;
use crate::payload::with;

const TOPICS: [&str; 5] = [
    topic::INTENT_LIST,
    topic::INTENT_DESCRIBE,
    topic::SKILLS_LIST,
    topic::CONVERSE_ACTIVE_LIST,
    topic::ACTIVE_SKILLS_GET,
];

/// What is asked of an orchestrator.
pub(super) fn topics() -> Vec<String> {
    let stages = USUAL.iter().map(|stage| topic::pipeline_intents(stage.id()));
    TOPICS
        .iter()
        .map(|name| (*name).to_owned())
        .chain(stages)
        .collect()
}

impl Desk {
    pub(super) async fn introspect(&self, canonical: &str, request: &Message) {
        if *self.mode.borrow() != Mode::Solo {
            return;
        }
        let text = |key: &str| request.data.get(key).and_then(Value::as_str);
        let (lang, skill_id) = (text("lang").map(registration::spelled), text("skill_id"));
        let lang = lang.as_deref();
        let answer = match canonical {
            topic::INTENT_LIST => {
                request.response(json!({"ok": true, "intents": self.manifest.listing(lang, skill_id)}))
            }
            topic::INTENT_DESCRIBE => {
                let name = text("intent_name").unwrap_or_default();
                let found = self.manifest.description(skill_id.unwrap_or_default(), name);
                let data = json!({"ok": !found.is_empty(), "intents": found});
                request.response(if found.is_empty() {
                    with(data, "error", "unknown intent")
                } else {
                    data
                })
            }
            topic::SKILLS_LIST => request.response(json!({"ok": true, "skills": self.manifest.skills()})),
            topic::CONVERSE_ACTIVE_LIST => {
                request.response(json!({"converse_handlers": self.conversing(request)}))
            }
            topic::ACTIVE_SKILLS_GET => {
                let ids: Vec<Value> = self
                    .conversing(request)
                    .iter()
                    .filter_map(|handler| handler.get("skill_id").cloned())
                    .collect();
                request.reply(topic::ACTIVE_SKILLS_REPLY, json!({"skills": ids}))
            }
            other => {
                let stage = USUAL
                    .into_iter()
                    .find(|stage| topic::pipeline_intents(stage.id()) == other);
                let Some(stage) = stage else { return };
                let intents = self.intents_of(stage, lang, skill_id);
                request.response(json!({"pipeline_id": stage.id(), "intents": intents}))
            }
        };
        self.emit(answer).await;
    }

    fn conversing(&self, request: &Message) -> Vec<Value> {
        let mut request = request.clone();
        let mut sessions = self.sessions.clone();
        sessions.merge(&mut request);
        lifecycle::live_handlers(&request.context.session(), "converse_handlers", unix_now())
    }

    fn intents_of(&self, stage: Stage, lang: Option<&str>, skill_id: Option<&str>) -> Vec<Value> {
        let listing = self.manifest.listing(lang, skill_id);
        let is_ours = |entry: &Value| entry.get("skill_id").and_then(Value::as_str) == Some(SKILL_ID);
        let short = |entry: &Value| {
            let field = |key: &str| entry.get(key).cloned().unwrap_or_default();
            json!({"intent_name": field("intent_name"), "skill_id": field("skill_id"), "lang": field("lang")})
        };
        let fixed = |owner: &str, intent: &str| {
            let wanted = skill_id.is_none_or(|id| id == owner);
            let entry = json!({"intent_name": intent, "skill_id": owner, "lang": self.settings.lang});
            wanted.then_some(entry).into_iter().collect::<Vec<_>>()
        };
        match stage {
            Stage::Intents => listing.iter().map(short).collect(),
            Stage::Persona => {
                let own = listing.iter().filter(|entry| is_ours(entry)).map(short);
                own.chain(fixed(SKILL_ID, CHAT)).collect()
            }
            Stage::PersonaFallback => fixed(SKILL_ID, CHAT),
            Stage::Stop => fixed(Stage::Stop.id(), "global_stop"),
            _ => Vec::new(),
        }
    }
}
