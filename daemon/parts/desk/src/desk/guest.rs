//! Beside an ovos-core: fallback handler, owner of intents, participant of conversations. It orchestrates, we answer.

use std::sync::Arc;

use loquat_agent::record::Reason;
use loquat_mind::{ReadyPersona, Reply};
use loquat_orchestrator::commands;
use loquat_orchestrator::effort::Effort;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_orchestrator::search::FollowUp;
use loquat_phrases::Phrases;
use loquat_sentences::words::words;
use loquat_wire::{Message, Session, topic, utterance_lang};
use serde_json::{Value, json};

use super::consent::no_longer_waiting;
use super::core_stage::DISMISSED;
use super::door::Excess;
use super::job::{Arrival, Job, Origin};
use super::made_up::is_said_by_nobody;
use super::utterances::Brought;
use super::{Desk, Mode, spoken, utterances};

impl Desk {
    /// The core brings us an utterance that is larger than what is taken. It waits for an end.
    pub(super) async fn guest_refuses(&mut self, origin: Origin, message: Message, excess: Excess) {
        if *self.orchestration.mode.borrow() != Mode::Guest {
            return;
        }
        let lang = utterance_lang(&message, &self.settings.languages);
        let persona = self.guest_persona(&message, &lang);
        let job = Job::new(origin, message, persona, String::new(), &lang);
        let said = Reply::instead(Reason::Noop, &excess.sentence(Phrases::of(&job.lang)));
        self.end(&job, said, true).await;
    }

    /// The core brings us an utterance, perhaps as an intent of ours. The answer to a question of ours, and what was
    /// stopped on the way, are ended without a word.
    pub(super) async fn brought(&mut self, origin: Origin, mut message: Message, intent: Option<&str>) {
        // Solo this is a dispatch of ours, or a mistake of its sender.
        if *self.orchestration.mode.borrow() != Mode::Guest {
            return;
        }
        no_longer_waiting(&mut message);
        let Brought { is_stopped, arrival } = self.utterances.brought(&message);
        let arrival = arrival.unwrap_or_else(|| self.entrance.ways.brought(&message));
        let lang = utterance_lang(&message, &self.settings.languages);
        if is_stopped
            || self
                .dialogue
                .questions
                .takes_from_core(&mut self.utterances, &message, &lang)
        {
            let persona = self.guest_persona(&message, &lang);
            let text = utterances(&message).into_iter().next().unwrap_or_default();
            let job = Job::new(origin, message, persona, text, &lang);
            let reason = if is_stopped { Reason::Stopped } else { Reason::Noop };
            return self.close(&job, Reply::silence(reason), true).await;
        }
        let follows = self.dialogue.talks.take(&message, &lang);
        match intent {
            Some(intent) => self.own_intent(intent, message, arrival).await,
            None => self.guest_answer(origin, message, arrival, follows).await,
        }
    }

    /// The words are for the summoned persona, else for the default one. A session may name a persona of another program;
    /// still ovos-core came to us.
    /// What goes on with a conversation is for the persona that asked.
    async fn guest_answer(
        &mut self,
        origin: Origin,
        request: Message,
        arrival: Arrival,
        follows: Option<FollowUp>,
    ) {
        let lang = utterance_lang(&request, &self.settings.languages);
        let text = utterances(&request).into_iter().next().unwrap_or_default();
        let persona = match &follows {
            Some(FollowUp::Answers(id)) => self.mind.find(id),
            _ => None,
        };
        let persona = persona.unwrap_or_else(|| self.guest_persona(&request, &lang));
        if follows == Some(FollowUp::Ends) && origin != Origin::Intent {
            let job = Job::new(origin, request, persona, text, &lang);
            return self.close(&job, Reply::silence(Reason::Noop), true).await;
        }
        let wanted = self.completed(request.context.session_id(), &text, &lang);
        let mut job = Job::new(origin, request, persona, text, &lang).said_by(&arrival);
        job.wanted = wanted;
        self.take(job).await;
    }

    fn guest_persona(&self, request: &Message, lang: &str) -> Arc<ReadyPersona> {
        let session = request.context.session();
        let active = self.summoned(&session);
        active
            .or_else(|| self.mind.default_persona())
            .unwrap_or_else(|| Arc::new(ReadyPersona::apologising(Phrases::of(lang).no_persona.clone())))
    }

    /// Our persona that the session has summoned.
    fn summoned(&self, session: &Session) -> Option<Arc<ReadyPersona>> {
        self.sessions
            .summoned_beside_core(session)
            .and_then(|id| self.mind.find(&id))
    }

    /// One of our own intents, matched by ovos-core.
    async fn own_intent(&mut self, intent: &str, mut dispatch: Message, arrival: Arrival) {
        let lang = utterance_lang(&dispatch, &self.settings.languages);
        self.bind_session(&mut dispatch, &arrival.speaker);
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
        if is_owners_alone(intent, &session) && !arrival.speaker.is_owner() {
            let said = phrases.elsewhere.clone();
            return self.said_by_intent(&dispatch, said, &lang, None).await;
        }
        let (said, event) = match intent {
            commands::SUMMON => match self.reached(&asked, &arrival.speaker) {
                Some(persona) => {
                    session.set_persona_id(Some(&persona.id));
                    let event = (topic::PERSONA_ACTIVATED, persona.id.clone());
                    (phrases.summoned(&persona.name), Some(event))
                }
                None => (phrases.unknown_persona(&asked), None),
            },
            // Who is bound to a persona speaks to it again at once.
            commands::RELEASE if arrival.speaker.bound_to().is_some() => {
                return self.guest_answer(Origin::Intent, dispatch, arrival, None).await;
            }
            commands::RELEASE => match active {
                Some(persona) => {
                    session.set_persona_id(None);
                    self.stop(session.id()).await;
                    let event = (topic::PERSONA_DISMISSED, persona.id.clone());
                    (phrases.released(&persona.name), Some(event))
                }
                None => (phrases.nobody_active.clone(), None),
            },
            commands::UNDO => return self.guest_undo(dispatch, &lang, &arrival).await,
            commands::BACKGROUND => (self.told_background(session.id(), &lang), None),
            commands::CANCEL_BACKGROUND => match self.cancel_background(session.id(), &lang) {
                Some(said) => (said, None),
                None => return self.guest_undo(dispatch, &lang, &arrival).await,
            },
            commands::LIST => (phrases.listed(&self.names(&arrival.speaker)), None),
            commands::CHECK => match active {
                Some(persona) => (phrases.active(&persona.name), None),
                None => (phrases.nobody_active.clone(), None),
            },
            commands::ASK => match self.reached(&asked, &arrival.speaker) {
                Some(persona) => {
                    let job = Job::new(Origin::Intent, dispatch, persona, query, &lang);
                    return self.take(job.said_by(&arrival)).await;
                }
                None => (phrases.unknown_persona(&asked), None),
            },
            other => match commands::sets_emergency_stop(other) {
                Some(set) => {
                    self.set_emergency_stop(set).await;
                    (phrases.emergency_stop(set).to_owned(), None)
                }
                None => return self.guest_answer(Origin::Intent, dispatch, arrival, None).await,
            },
        };
        if event.is_some() {
            self.sessions.note_summoned(&session);
        }
        dispatch.context.set_session(&session);
        self.said_by_intent(&dispatch, said, &lang, event).await;
    }

    async fn guest_undo(&mut self, dispatch: Message, lang: &str, arrival: &Arrival) {
        let words = utterances(&dispatch).into_iter().next().unwrap_or_default();
        self.undo(Origin::Intent, dispatch, words, lang, arrival).await;
    }

    async fn said_by_intent(
        &mut self,
        dispatch: &Message,
        said: String,
        lang: &str,
        event: Option<(&'static str, String)>,
    ) {
        let start = dispatch.forward(topic::SKILL_HANDLER_START, json!({"name": "loquat.command"}));
        self.emit(frames::ours(start)).await;
        self.emit(spoken::speak(dispatch, &said, lang)).await;
        if let Some((topic, persona_id)) = event {
            let session_id = dispatch.context.session_id().to_owned();
            let data = json!({"persona_id": persona_id, "session_id": session_id});
            self.emit(frames::ours(dispatch.forward(topic, data))).await;
        }
        for frame in frames::guest_end(dispatch, None) {
            self.emit(frame).await;
        }
    }

    /// Decided without a brain, because the window is half a second (FALLBACK-1 §6.1).
    pub(super) async fn fallback_ping(&mut self, ping: &Message) {
        self.utterances.adopted(ping);
        let session = ping.context.session();
        let denied = session.blacklisted_skills().contains(&SKILL_ID);
        let takes = self.settings.handles_fallback || self.summoned(&session).is_some();
        let takes = takes && !is_said_by_nobody(ping);
        let can_handle = takes && !denied && self.mind.default_persona().is_some();
        let utterance = utterances(ping).into_iter().next().unwrap_or_default();
        let data = json!({"skill_id": SKILL_ID, "can_handle": can_handle, "utterance": utterance});
        self.emit(frames::ours(ping.reply(topic::FALLBACK_PONG, data)))
            .await;
    }

    /// Conversing goes before skills, so we go on only where the person has summoned a persona of ours. The broadcast
    /// is answered only where the session lists us (CV-1), the question to us alone always.
    pub(super) async fn converse_ping(&mut self, ping: &Message, to_us_alone: bool) {
        self.utterances.adopted(ping);
        let session = ping.context.session();
        let listed = session.get("converse_handlers").and_then(Value::as_array);
        let is_us = |handler: &Value| handler.get("skill_id").and_then(Value::as_str) == Some(SKILL_ID);
        let is_listed = listed.is_some_and(|handlers| handlers.iter().any(is_us));
        // A newer core asks both ways; the broadcast is the one that is answered.
        let twice = to_us_alone && is_listed;
        if twice || (!to_us_alone && !is_listed) {
            return;
        }
        let denied = session.blacklisted_skills().contains(&SKILL_ID);
        let lang = utterance_lang(ping, &self.settings.languages);
        let answers = self
            .utterances
            .question(session.id())
            .is_some_and(|asked| asked.is_answered_by(ping, &lang))
            || self.would_complete(ping, &lang);
        let command = self.is_command(ping);
        let answers = answers || !command && self.would_speak_on(ping, &lang);
        let denied = denied || is_said_by_nobody(ping);
        // Our own stage, where the core has it, stands behind the skills, as a persona should (PERSONA-1 §10).
        let goes_on =
            !command && !self.orchestration.core_has_our_stages && self.summoned(&session).is_some();
        let claims = !denied && (answers || goes_on);
        // Both names that the field has had.
        let data = json!({"skill_id": SKILL_ID, "can_handle": claims, "result": claims});
        let pong = if to_us_alone {
            topic::SKILL_CONVERSE_PONG
        } else {
            topic::CONVERSE_PONG
        };
        self.emit(frames::ours(ping.reply(pong, data))).await;
    }

    /// Commands reach us as intents, and stop words the stop stage.
    fn is_command(&self, ping: &Message) -> bool {
        let lang = utterance_lang(ping, &self.settings.languages);
        let text = utterances(ping).into_iter().next().unwrap_or_default();
        let orders = &Phrases::of(&lang).orders;
        let mut effort = Effort::LITTLE;
        orders.stops(&text)
            || !commands::recognise(
                &self.repertoire.commands,
                &words(&text),
                &lang,
                orders,
                &mut effort,
            )
            .is_empty()
    }

    pub(super) async fn mode_changed(&mut self) {
        let mode = *self.orchestration.mode.borrow_and_update();
        self.repertoire.registered.set_orchestrated(mode == Mode::Solo);
        match mode {
            Mode::Guest => {
                let data = json!({"skill_id": SKILL_ID, "priority": self.settings.fallback_priority});
                let register = frames::originated(topic::FALLBACK_REGISTER, data);
                self.bus.announce("fallback", vec![register]);
                let langs = [&self.settings.lang]
                    .into_iter()
                    .chain(&self.settings.secondary_langs);
                let langs: Vec<&str> = langs.map(String::as_str).collect();
                let orders = langs.iter().map(|lang| (*lang, &Phrases::of(lang).orders));
                let tools = self.repertoire.tools.now();
                let registrations = commands::registrations(orders, tools.offered(&langs));
                self.bus.announce("intents", registrations);
                self.repertoire.core_intents.ask(&self.bus);
                self.orchestration.calls_at = None;
            }
            Mode::Solo => {
                self.orchestration.core_has_our_stages = false;
                self.repertoire.core_intents.forget(&self.bus);
                for key in ["fallback", "intents"] {
                    self.bus.withdraw(key);
                }
                self.call_for_registrations().await;
                self.take_up_all().await;
            }
            Mode::Unknown => {}
        }
    }

    /// Takes back what was registered with an ovos-core.
    pub(super) async fn deregister(&mut self) {
        if *self.orchestration.mode.borrow() != Mode::Guest {
            return;
        }
        let data = json!({"skill_id": SKILL_ID});
        for topic in [topic::FALLBACK_DEREGISTER, topic::SKILL_DEREGISTER] {
            self.emit(frames::originated(topic, data.clone())).await;
        }
    }
}

/// Whether a command is the owner's alone: to end the emergency stop, and to have another persona answer in the device's
/// own session.
fn is_owners_alone(intent: &str, session: &Session) -> bool {
    match intent {
        commands::END_EMERGENCY_STOP => true,
        commands::SUMMON | commands::RELEASE => session.is_default(),
        _ => false,
    }
}
