//! What an orchestrator tells about itself: intents, skills, stages, who may converse (PL-17, PL-19, PL-20).
//!
//! Only the orchestrator of a bus answers; beside an ovos-core we are silent.

use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::handlers;
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::registration;
use loquat_orchestrator::search::CHAT;
use loquat_wire::{Message, topic, with};
use serde_json::{Value, json};

use super::routes::Inquiry;
use super::{Desk, Mode, unix_now};

impl Desk {
    /// Answers a question about what the orchestrator knows.
    pub(super) async fn tell(&self, inquiry: Inquiry, request: &Message) {
        if *self.orchestration.mode.borrow() != Mode::Solo {
            return;
        }
        let text = |key: &str| request.data.get(key).and_then(Value::as_str);
        let (lang, skill_id) = (text("lang").map(registration::spelled), text("skill_id"));
        let lang = lang.as_deref();
        let answer = match inquiry {
            Inquiry::Intents => {
                request.response(json!({"ok": true, "intents": self.listing(lang, skill_id)}))
            }
            Inquiry::Intent => {
                let name = text("intent_name").unwrap_or_default();
                let skill_id = skill_id.unwrap_or_default();
                let own = self.repertoire.tools.now().description(skill_id, name);
                let found: Vec<Value> = self
                    .repertoire
                    .registered
                    .now()
                    .description(skill_id, name)
                    .into_iter()
                    .chain(own)
                    .collect();
                let data = json!({"ok": !found.is_empty(), "intents": found});
                request.response(if found.is_empty() {
                    with(data, "error", "unknown intent")
                } else {
                    data
                })
            }
            Inquiry::Skills => {
                request.response(json!({"ok": true, "skills": self.repertoire.registered.now().skills()}))
            }
            Inquiry::Conversing => request.response(json!({"converse_handlers": self.conversing(request)})),
            Inquiry::ActiveSkills => {
                let ids: Vec<Value> = self
                    .conversing(request)
                    .iter()
                    .filter_map(|handler| handler.get("skill_id").cloned())
                    .collect();
                request.reply(topic::ACTIVE_SKILLS_REPLY, json!({"skills": ids}))
            }
            Inquiry::Stage(stage) => {
                let intents = self.intents_of(stage, lang, skill_id);
                request.response(json!({"pipeline_id": stage.id(), "intents": intents}))
            }
        };
        self.emit(answer).await;
    }

    /// What skills registered, and what our own tools understand.
    fn listing(&self, lang: Option<&str>, skill_id: Option<&str>) -> Vec<Value> {
        let mut listing = self.repertoire.registered.now().listing(lang, skill_id);
        listing.extend(self.repertoire.tools.now().listing(lang, skill_id));
        listing
    }

    fn conversing(&self, request: &Message) -> Vec<Value> {
        let mut request = request.clone();
        let mut sessions = self.sessions.clone();
        let arrival = self.entrance.ways.brought(&request);
        sessions.merge(&mut request, &arrival, |id| self.mind.find(id).is_some());
        handlers::live_handlers(&request.context.session(), "converse_handlers", unix_now())
    }

    fn intents_of(&self, stage: Stage, lang: Option<&str>, skill_id: Option<&str>) -> Vec<Value> {
        let listing = self.repertoire.registered.now().listing(lang, skill_id);
        let tools = self.repertoire.tools.now().listing(lang, skill_id);
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
            Stage::Intents => listing.iter().chain(&tools).map(short).collect(),
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
