//! We are the orchestrator: an utterance enters, its owner is found, and it is seen to its end (PIPELINE-1).

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_wire::{Message, answer_lang, topic, utterance_lang};
use serde_json::json;
use tokio::time::Instant;

use super::consent::no_longer_waiting;
use super::job::Origin;
use super::lifecycle::{self, Addressed};
use super::{Asked, Desk, Ended, UNDER_WAY, new_id, unix_now, utterances};
use crate::mind::Mentality;
use crate::orchestrator::errand::Errand;
use crate::orchestrator::notes;
use crate::orchestrator::pipeline::{self, Stage};
use crate::orchestrator::search::{Match, Search, Task};
use crate::payload::with;
use crate::phrases::Phrases;

impl Desk {
    /// The entry of an utterance that we orchestrate, and when it was said (PL-1 to PL-6).
    pub(super) async fn enter(&mut self, mut entry: Message, said_at: Instant) {
        let lang = utterance_lang(&entry, &self.languages);
        entry.context.set_utterance_id(&new_id());
        self.sessions.merge(&mut entry);
        self.sessions.name_missing_stages(&entry.context.session());
        no_longer_waiting(&mut entry);
        if utterances(&entry).is_empty() || self.under_way.len() >= UNDER_WAY {
            return self.nobodys(&entry).await;
        }
        if self.answers(&entry, &lang, said_at).await {
            return;
        }
        self.sessions.count_down(&entry.context.session());
        if says_stop(&entry, &lang) {
            self.searching.call_off(entry.context.session_id());
        }
        let waiting = self.sessions.take_waiting(entry.context.session_id());
        let asked = Asked {
            entry,
            lang,
            declined: Vec::new(),
            resumes_at: None,
        };
        self.search(asked, waiting).await;
    }

    /// Finds out whose an utterance is.
    pub(super) async fn search(&mut self, asked: Asked, waiting: Option<String>) {
        let search = Search {
            bus: self.bus.clone(),
            texts: utterances(&asked.entry),
            lang: asked.lang.clone(),
            manifest: Arc::clone(&self.manifest),
            mind: Arc::clone(&self.mind),
            busy: self.conversations.is_busy(asked.entry.context.session_id()),
            waiting,
            fallback_priority: self.settings.fallback_priority,
            declined: asked.declined.clone(),
            resumes_at: asked.resumes_at,
            entry: asked.entry.clone(),
        };
        // Nearly always no skill has to be asked; then utterances keep their order.
        let mut search = Box::pin(search.run());
        if let Some(found) = (&mut search).now_or_never() {
            return self.matched(asked, found).await;
        }
        let called_off = self.searching.begin(&asked.entry);
        self.under_way.spawn(async move {
            let found = called_off.run_until_cancelled(search).await;
            Ended::Search(Box::new((asked, found.flatten())))
        });
    }

    async fn nobodys(&self, entry: &Message) {
        for frame in lifecycle::unmatched(entry) {
            self.emit(frame).await;
        }
    }

    /// Somebody said stop, or the wake word, before it was known whose it is; whoever finds it now is too late.
    pub(super) async fn called_off(&self, entry: &Message) {
        for frame in lifecycle::called_off(&counted_down(entry)) {
            self.emit(frame).await;
        }
    }

    /// The search has ended: the utterance is dispatched, or is nobody's.
    pub(super) async fn matched(&mut self, mut asked: Asked, found: Option<Match>) {
        let (entry, lang) = (&asked.entry, asked.lang.as_str());
        let Some(found) = found.filter(|_| !self.closing_down) else {
            return self.nobodys(&counted_down(entry)).await;
        };
        let addressed = Addressed {
            skill_id: &found.skill_id,
            intent: &found.intent_name,
            pipeline_id: found.stage.id(),
            lang,
            utterance: &found.utterance,
            slots: &found.slots,
            session: &self.sessions.rebased(&entry.context.session(), &found.session),
        };
        let dispatch = lifecycle::dispatch(entry, &addressed, unix_now());
        self.sessions.adopt(&dispatch.context.session());
        let before = entry.context.session();
        let lang = &answer_lang(&before, lang);
        let phrases = Phrases::of(lang);
        match found.task {
            Task::Answer(persona, words) => {
                self.take(Origin::Solo, dispatch, persona, (words, lang)).await;
            }
            Task::Summon(persona) => {
                let said = phrases.summoned(&persona.name);
                let event = (topic::PERSONA_ACTIVATED, persona.id.as_str());
                self.at_once(&dispatch, &said, lang, Some(event)).await;
            }
            Task::Release(persona) => {
                self.stop(before.id()).await;
                let said = phrases.released(&persona.name);
                let event = (topic::PERSONA_DISMISSED, persona.id.as_str());
                self.at_once(&dispatch, &said, lang, Some(event)).await;
            }
            Task::List => {
                let said = phrases.listed(&self.names());
                self.at_once(&dispatch, &said, lang, None).await;
            }
            Task::Check => {
                let said = match before.persona_id() {
                    Some(id) => phrases.active(&self.name_of(id)),
                    None => phrases.nobody_active.clone(),
                };
                self.at_once(&dispatch, &said, lang, None).await;
            }
            Task::Say(text) => self.at_once(&dispatch, &text, lang, None).await,
            Task::StopUs => {
                self.stop(before.id()).await;
                self.hush(&dispatch).await;
                self.at_once(&dispatch, "", lang, None).await;
            }
            Task::StopAll => self.stop_all(&dispatch, before.id()).await,
            Task::Bring {
                older,
                done,
                brief,
                flat,
                may_end_itself,
            } => {
                let older = older.map(|(topic, data)| dispatch.forward(topic, data));
                let dispatch = if flat { flattened(dispatch) } else { dispatch };
                if found.stage == Stage::Stop {
                    self.hush(&dispatch).await;
                    self.searching.stop(before.id(), Some(&found.skill_id));
                }
                let skill_id = found.skill_id.clone();
                let errand = Errand {
                    dispatch,
                    older,
                    skill_id: found.skill_id,
                    done,
                    brief,
                    may_end_itself,
                    stopped: self.searching.bring(&asked.entry, &skill_id),
                };
                let run = errand.run(self.bus.clone(), self.errands.clone());
                asked.resumes_at = Some(found.stage);
                self.under_way
                    .spawn(async move { Ended::Errand(Box::new((asked, skill_id, run.await))) });
            }
        }
    }

    /// A handler of ours that needs no brain: says something, perhaps, and is done.
    pub(super) async fn at_once(
        &self,
        dispatch: &Message,
        text: &str,
        lang: &str,
        event: Option<(&str, &str)>,
    ) {
        for frame in lifecycle::announcement(dispatch) {
            self.emit(frame).await;
        }
        if !text.is_empty() {
            self.emit(lifecycle::speak(dispatch, text, lang)).await;
        }
        if let Some((topic, persona_id)) = event {
            let session_id = dispatch.context.session_id().to_owned();
            let data = json!({"persona_id": persona_id, "session_id": session_id});
            self.emit(dispatch.forward(topic, data)).await;
        }
        self.emit(lifecycle::outcome(dispatch, None)).await;
        self.emit(lifecycle::handled(dispatch)).await;
    }

    /// Everything in the session, ours first and without a detour (SP-9).
    async fn stop_all(&mut self, dispatch: &Message, session_id: &str) {
        self.searching.stop(session_id, None);
        self.stop(session_id).await;
        for frame in lifecycle::announcement(dispatch) {
            self.emit(frame).await;
        }
        let mut stop = dispatch.forward(topic::STOP, json!({}));
        stop.context.set_skill_id(Stage::Stop.id());
        self.emit(stop).await;
        self.emit(lifecycle::outcome(dispatch, None)).await;
        self.emit(lifecycle::handled(dispatch)).await;
    }

    pub(super) fn name_of(&self, id: &str) -> String {
        let persona = self.mind.find(id);
        persona.map_or_else(|| id.to_owned(), |persona: Arc<Mentality>| persona.name.clone())
    }

    pub(super) fn names(&self) -> Vec<String> {
        let offered = self.mind.offered();
        offered.iter().map(|persona| persona.name.clone()).collect()
    }
}

/// An utterance whose search is over, and nobody's: what was noted in its session lives for one utterance less.
fn counted_down(entry: &Message) -> Message {
    let mut entry = entry.clone();
    let mut session = entry.context.session();
    notes::count_down(&mut session);
    entry.context.set_session(&session);
    entry
}

/// Whether an utterance is the word that stops, in a session where that word counts.
pub(super) fn says_stop(entry: &Message, lang: &str) -> bool {
    let said = utterances(entry).into_iter().next().unwrap_or_default();
    let phrases = Phrases::of(lang);
    let stops = phrases.is_stop(&said) || phrases.is_stop_everything(&said);
    stops && pipeline::effective(&entry.context.session()).contains(&Stage::Stop)
}

/// The dispatch as older skills read it: slots beside the utterance, and all hypotheses.
fn flattened(mut dispatch: Message) -> Message {
    let slots = dispatch
        .data
        .get("slots")
        .and_then(serde_json::Value::as_object)
        .cloned();
    for (name, text) in slots.into_iter().flatten() {
        dispatch.data.entry(name).or_insert(text);
    }
    let utterance = dispatch.data.get("utterance").cloned().unwrap_or_default();
    let data = with(
        serde_json::Value::Object(dispatch.data),
        "utterances",
        json!([utterance]),
    );
    dispatch.data = loquat_wire::object(data);
    dispatch
}
