//! Our stages inside ovos-core's pipeline, which ask whether an utterance is ours (PERSONA-1 §7).
//!
//! The stages are a small Python plugin (`daemon/pipeline`), since nothing else can stand in that place. They know
//! nothing and decide nothing: each sends the utterance with its session and gets a match or none, at once. What
//! follows from a match comes as a dispatch and is a guest's business. Matching starts no turn and changes no session.

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_orchestrator::commands;
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::search::{Match, Personas, Search, Task, ToolIntents};
use loquat_phrases::Phrases;
use loquat_wire::{Message, with};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Desk, unix_now, utterances};

/// The slot in which a dismissal names who was dismissed: the session that comes with it does not know any more.
pub(super) const DISMISSED: &str = "dismissed";

impl Desk {
    /// Answers a stage. It waits a short while only, and takes silence for no.
    pub(super) async fn core_stage_asks(&mut self, request: &Message) {
        self.utterances.adopted(request);
        self.orchestration.core_has_our_stages = true;
        let found = self.core_stage_match(request).map(|found| answer(&found));
        let data = json!({"round": request.data.get("round"), "match": found});
        self.emit(request.response(data)).await;
    }

    fn core_stage_match(&self, request: &Message) -> Option<Match> {
        let text = |key: &str| request.data.get(key).and_then(Value::as_str);
        let stage = text("pipeline_id").and_then(Stage::named)?;
        let texts = utterances(request);
        if texts.is_empty() {
            return None;
        }
        let lang = text("lang").unwrap_or(&self.settings.lang);
        let speaker = self.entrance.ways.brought(request).speaker;
        let mut entry = self.with_persona(request);
        self.bind_session(&mut entry, &speaker);
        let search = Search {
            bus: self.bus.clone(),
            entry,
            texts,
            lang: lang.to_owned(),
            manifest: self.repertoire.registered.now(),
            commands: Arc::clone(&self.repertoire.commands),
            tools: self.repertoire.tools.now() as Arc<dyn ToolIntents>,
            orders: &Phrases::of(lang).orders,
            personas: Arc::clone(&self.mind) as Arc<dyn Personas>,
            now_unix: unix_now(),
            busy: false,
            resumes_at: None,
            follows: None,
            waiting: None,
            fallback_priority: self.settings.fallback_priority,
            declined: Vec::new(),
            matching: self.repertoire.matching.clone(),
            own: false,
            bound_to: self.bound_id(&speaker),
            queues: false,
            asks: CancellationToken::new(),
        };
        // These two stages poll no skill, so there is nothing to wait for.
        let found = match stage {
            Stage::PersonaFallback if !self.settings.handles_fallback => None,
            Stage::Persona | Stage::PersonaFallback => search.through([stage]).now_or_never(),
            _ => None,
        };
        let session = request.context.session();
        let is_owners = |found: &Match| match found.task {
            Task::Summon(_) | Task::Release(_) => session.is_default(),
            _ => false,
        };
        found
            .flatten()
            .filter(|found| speaker.is_owner() || !is_owners(found))
    }

    /// The request with the persona of its session. An older core, which stamps no utterances, forgets who was
    /// summoned in the device's own session; a newer one is believed.
    fn with_persona(&self, request: &Message) -> Message {
        let mut entry = request.clone();
        if request.context.utterance_id().is_none() {
            let mut session = entry.context.session();
            let persona = self.sessions.summoned_beside_core(&session);
            session.set_persona_id(persona.as_deref());
            entry.context.set_session(&session);
        }
        entry
    }
}

/// A match as the stage reads it: `persona_id` is there where the match summons a persona, null where it dismisses.
fn answer(found: &Match) -> Value {
    let mut slots = found.slots.clone();
    let mut answer = json!({"intent_name": found.intent_name, "utterance": found.utterance});
    match &found.task {
        Task::Summon(persona_id) => answer = with(answer, "persona_id", persona_id.as_str()),
        Task::Release(persona_id) => {
            answer = with(answer, "persona_id", Value::Null);
            slots.insert(DISMISSED.to_owned(), json!(persona_id));
        }
        Task::Answer { words, .. } if found.intent_name == commands::ASK => {
            slots.insert("query".to_owned(), json!(words));
        }
        _ => {}
    }
    with(answer, "slots", slots)
}
