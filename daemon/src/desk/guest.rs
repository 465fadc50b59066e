//! Beside an ovos-core: fallback handler, owner of intents, participant of conversations. It orchestrates, we answer.

use std::sync::Arc;

use loquat_agent::record::Reason;
use loquat_wire::{Message, topic, utterance_lang};
use serde_json::{Value, json};

use super::consent::no_longer_waiting;
use super::job::{Job, Origin};
use super::lifecycle::{self, SKILL_ID};
use super::shim::DISMISSED;
use super::{Desk, Mode, utterances};
use crate::mind::{Mentality, Said};
use crate::orchestrator::commands;
use crate::orchestrator::search::CHAT;
use crate::phrases::Phrases;

const FALLBACK: &str = "loquat:fallback";
const CONVERSE: &str = "loquat:converse";
const CONVERSE_REQUEST: &str = "loquat.converse.request";
const CONVERSE_PING: &str = "loquat.converse.ping";
const RESPONSE: &str = "loquat:response";
const GET_RESPONSE: &str = "loquat.converse.get_response";

/// What an ovos-core asks of us, apart from stopping.
pub(super) fn topics() -> Vec<String> {
    let fixed = [
        topic::FALLBACK_PING,
        topic::CONVERSE_PING,
        lifecycle::FALLBACK_REQUEST,
        FALLBACK,
        CONVERSE,
        CONVERSE_REQUEST,
        CONVERSE_PING,
        RESPONSE,
        GET_RESPONSE,
    ];
    let intents = commands::ALL
        .iter()
        .chain([&CHAT])
        .map(|name| topic::dispatch(SKILL_ID, name));
    fixed
        .iter()
        .map(|name| (*name).to_owned())
        .chain(intents)
        .collect()
}

/// Whether a topic is one of these.
pub(super) fn is_ours(canonical: &str) -> bool {
    topics().iter().any(|name| name == canonical)
}

impl Desk {
    pub(super) async fn guest_request(&mut self, canonical: &str, message: Message) {
        match canonical {
            topic::FALLBACK_PING | topic::CONVERSE_PING | CONVERSE_PING => {
                self.guest_ping(canonical, &message).await;
            }
            // Solo these are dispatches of ours, or somebody's mistake.
            _ if *self.mode.borrow() != Mode::Guest => {}
            lifecycle::FALLBACK_REQUEST | FALLBACK => self.brought(Origin::Fallback, message, None).await,
            CONVERSE | CONVERSE_REQUEST => self.brought(Origin::Converse, message, None).await,
            // What was no answer after all is an utterance like any other.
            RESPONSE | GET_RESPONSE => self.brought(Origin::Intent, message, None).await,
            dispatch => {
                let intent = dispatch.rsplit(':').next().unwrap_or_default().to_owned();
                self.brought(Origin::Intent, message, Some(&intent)).await;
            }
        }
    }

    /// The core brings us an utterance, perhaps as an intent of ours. The answer to a question of ours, and what was
    /// stopped on the way, are ended without a word.
    async fn brought(&mut self, origin: Origin, mut message: Message, intent: Option<&str>) {
        no_longer_waiting(&mut message);
        let is_stopped = self.overheard.arrived(&message);
        let lang = utterance_lang(&message, &self.languages);
        if is_stopped || self.questions.takes_from_core(&message, &lang) {
            let persona = self.guest_persona(&message, &lang);
            let text = utterances(&message).into_iter().next().unwrap_or_default();
            let job = Job::new(origin, message, persona, (text, &lang));
            let reason = if is_stopped { Reason::Stopped } else { Reason::Noop };
            return self.close(&job, Said::silence(reason), true).await;
        }
        match intent {
            Some(intent) => self.own_intent(intent, message).await,
            None => self.guest_answer(origin, message).await,
        }
    }

    async fn guest_ping(&mut self, canonical: &str, ping: &Message) {
        self.orphans.adopted(ping);
        if canonical == topic::FALLBACK_PING {
            self.fallback_ping(ping).await;
        } else {
            self.converse_ping(ping).await;
        }
    }

    /// The words are for the summoned persona, else for the default one. A session may name somebody else's persona;
    /// ovos-core came to us all the same.
    async fn guest_answer(&mut self, origin: Origin, request: Message) {
        let lang = utterance_lang(&request, &self.languages);
        let text = utterances(&request).into_iter().next().unwrap_or_default();
        let persona = self.guest_persona(&request, &lang);
        self.take(origin, request, persona, (text, &lang)).await;
    }

    fn guest_persona(&self, request: &Message, lang: &str) -> Arc<Mentality> {
        let session = request.context.session();
        let active = self.summoned(&session);
        active
            .or_else(|| self.mind.default_persona())
            .unwrap_or_else(|| Arc::new(Mentality::apologising(Phrases::of(lang).no_persona.clone())))
    }

    /// Our persona that the session has summoned.
    fn summoned(&self, session: &loquat_wire::Session) -> Option<Arc<Mentality>> {
        self.sessions
            .summoned_beside_core(session)
            .and_then(|id| self.mind.find(&id))
    }

    /// One of our own intents, matched by ovos-core.
    async fn own_intent(&mut self, intent: &str, mut dispatch: Message) {
        let lang = utterance_lang(&dispatch, &self.languages);
        let slot = |name: &str| {
            let nested = dispatch.data.get("slots").and_then(|slots| slots.get(name));
            let text = nested.or_else(|| dispatch.data.get(name)).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let (asked, query) = (slot("persona"), slot("query"));
        let mut session = dispatch.context.session();
        let phrases = Phrases::of(&lang);
        // Our own stage has taken the dismissed one out of the session already.
        let active = self
            .mind
            .find(&slot(DISMISSED))
            .or_else(|| self.summoned(&session));
        let (said, event) = match intent {
            commands::SUMMON => match self.mind.find_offered(&asked) {
                Some(persona) => {
                    session.set_persona_id(Some(&persona.id));
                    let event = (topic::PERSONA_ACTIVATED, persona.id.clone());
                    (phrases.summoned(&persona.name), Some(event))
                }
                None => (phrases.unknown_persona(&asked), None),
            },
            commands::RELEASE => match active {
                Some(persona) => {
                    session.set_persona_id(None);
                    self.stop(session.id()).await;
                    let event = (topic::PERSONA_DISMISSED, persona.id.clone());
                    (phrases.released(&persona.name), Some(event))
                }
                None => (phrases.nobody_active.clone(), None),
            },
            commands::LIST => (phrases.listed(&self.names()), None),
            commands::CHECK => match active {
                Some(persona) => (phrases.active(&persona.name), None),
                None => (phrases.nobody_active.clone(), None),
            },
            commands::ASK => match self.mind.find_offered(&asked) {
                Some(persona) => {
                    return self.take(Origin::Intent, dispatch, persona, (query, &lang)).await;
                }
                None => (phrases.unknown_persona(&asked), None),
            },
            _ => return self.guest_answer(Origin::Intent, dispatch).await,
        };
        if event.is_some() {
            self.sessions.note_summoned(&session);
        }
        dispatch.context.set_session(&session);
        self.said_by_intent(&dispatch, said, &lang, event).await;
    }

    async fn said_by_intent(
        &mut self,
        dispatch: &Message,
        said: String,
        lang: &str,
        event: Option<(&'static str, String)>,
    ) {
        let start = dispatch.forward(topic::SKILL_HANDLER_START, json!({"name": "loquat.command"}));
        self.emit(lifecycle::ours(start)).await;
        self.emit(lifecycle::speak(dispatch, &said, lang)).await;
        if let Some((topic, persona_id)) = event {
            let session_id = dispatch.context.session_id().to_owned();
            let data = json!({"persona_id": persona_id, "session_id": session_id});
            self.emit(lifecycle::ours(dispatch.forward(topic, data))).await;
        }
        for frame in lifecycle::guest_end(dispatch, None) {
            self.emit(frame).await;
        }
    }

    /// Decided without a brain, because the window is half a second (FALLBACK-1 §6.1).
    async fn fallback_ping(&self, ping: &Message) {
        let session = ping.context.session();
        let denied = session.blacklisted_skills().contains(&SKILL_ID);
        let can_handle = !denied && self.mind.default_persona().is_some();
        let utterance = utterances(ping).into_iter().next().unwrap_or_default();
        let data = json!({"skill_id": SKILL_ID, "can_handle": can_handle, "utterance": utterance});
        self.emit(lifecycle::ours(ping.reply(topic::FALLBACK_PONG, data)))
            .await;
    }

    /// Conversing goes before skills, so we go on only where the person has summoned a persona of ours. The broadcast
    /// is answered only where the session lists us (CV-1), the question to us alone always.
    async fn converse_ping(&self, ping: &Message) {
        let session = ping.context.session();
        let to_us_alone = ping.topic == CONVERSE_PING;
        let listed = session.get("converse_handlers").and_then(Value::as_array);
        let is_us = |handler: &Value| handler.get("skill_id").and_then(Value::as_str) == Some(SKILL_ID);
        let is_listed = listed.is_some_and(|handlers| handlers.iter().any(is_us));
        // A newer core asks both ways; the broadcast is the one that is answered.
        let twice = to_us_alone && is_listed;
        if twice || (!to_us_alone && !is_listed) {
            return;
        }
        let denied = session.blacklisted_skills().contains(&SKILL_ID);
        let lang = utterance_lang(ping, &self.languages);
        let answers = self.questions.waits_for(ping, &lang);
        let command = self.is_command(ping);
        // Our own stage, where the core has it, stands behind the skills, as a persona should (PERSONA-1 §10).
        let goes_on = !command && !self.shim_is_there && self.summoned(&session).is_some();
        let claims = !denied && (answers || goes_on);
        // Both names that the field has had.
        let data = json!({"skill_id": SKILL_ID, "can_handle": claims, "result": claims});
        let pong = if to_us_alone {
            topic::SKILL_CONVERSE_PONG
        } else {
            topic::CONVERSE_PONG
        };
        self.emit(lifecycle::ours(ping.reply(pong, data))).await;
    }

    /// Commands reach us as intents, and stop words the stop stage.
    fn is_command(&self, ping: &Message) -> bool {
        let lang = utterance_lang(ping, &self.languages);
        let text = utterances(ping).into_iter().next().unwrap_or_default();
        let said = crate::orchestrator::words::words(&text);
        let phrases = Phrases::of(&lang);
        phrases.is_stop(&text)
            || phrases.is_stop_everything(&text)
            || !commands::recognise(&said, &lang).is_empty()
    }

    pub(super) async fn mode_changed(&mut self) {
        let mode = *self.mode.borrow_and_update();
        match mode {
            Mode::Guest => {
                let data = json!({"skill_id": SKILL_ID, "priority": self.settings.fallback_priority});
                let register = lifecycle::originated(topic::FALLBACK_REGISTER, data);
                self.bus.announce("fallback", vec![register]);
                let lang = &self.settings.lang;
                self.bus.announce("intents", commands::registrations(lang));
                self.calls_at = None;
            }
            Mode::Solo => {
                self.shim_is_there = false;
                for key in ["fallback", "intents"] {
                    self.bus.withdraw(key);
                }
                self.call_for_registrations().await;
                for (entry, said_at) in self.orphans.take() {
                    self.enter(entry, said_at).await;
                }
            }
            Mode::Unknown => {}
        }
    }

    /// Takes back what was registered with an ovos-core.
    pub(super) async fn deregister(&mut self) {
        if *self.mode.borrow() != Mode::Guest {
            return;
        }
        let data = json!({"skill_id": SKILL_ID});
        for topic in [topic::FALLBACK_DEREGISTER, topic::SKILL_DEREGISTER] {
            self.emit(lifecycle::originated(topic, data.clone())).await;
        }
    }
}
