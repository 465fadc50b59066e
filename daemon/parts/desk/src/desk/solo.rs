//! We are the orchestrator: an utterance enters, its owner is found, and it is seen to its end (PIPELINE-1).

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_agent::Speaker;
use loquat_mind::ReadyPersona;
use loquat_orchestrator::dispatch::Dispatch;
use loquat_orchestrator::frames::{self, Addressed};
use loquat_orchestrator::notes;
use loquat_orchestrator::pipeline::{self, Stage};
use loquat_orchestrator::search::{Match, NoAnswer, Personas, Search, Task, ToolIntents};
use loquat_phrases::Phrases;
use loquat_wire::{Message, answer_lang, topic, utterance_lang, with};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::consent::no_longer_waiting;
use super::door::Excess;
use super::job::{Job, Origin};
use super::utterances::Order;
use super::{Arrival, Asked, Desk, Ended, UNDER_WAY, new_id, spoken, unix_now, utterances};

/// What may be under way for our own ear and terminal alone.
const OWN_RESERVE: usize = 64;

/// One session has its part of what may be under way.
const SESSIONS_AT_ONCE: usize = 16;

impl Desk {
    /// The entry of an utterance that we orchestrate (PL-1 to PL-6).
    pub(super) async fn enter(&mut self, mut entry: Message, arrival: Arrival) {
        let lang = utterance_lang(&entry, &self.settings.languages);
        entry.context.set_utterance_id(&new_id());
        let mind = Arc::clone(&self.mind);
        self.sessions
            .merge(&mut entry, &arrival, |id| mind.find(id).is_some());
        self.sessions.name_missing_stages(&entry.context.session());
        self.bind_session(&mut entry, &arrival.speaker);
        no_longer_waiting(&mut entry);
        if utterances(&entry).is_empty() {
            return self.nobodys(&entry).await;
        }
        if !self.may_search(&entry, &arrival.speaker) {
            return self.refuse_outline(entry, &arrival, Excess::Flood).await;
        }
        if self.answers(&entry, &lang, &arrival).await {
            return;
        }
        self.sessions.count_down(&entry.context.session());
        if self.completes(&entry, &lang, &arrival).await {
            return;
        }
        if says_stop(&entry, &lang) {
            self.utterances.call_off_searches(entry.context.session_id());
        }
        if self.dismisses_what_runs(&entry, &lang) {
            self.obey(Order::Stop, entry.context.session_id()).await;
        }
        let follows = self.dialogue.talks.take(&entry, &lang);
        let waiting = self.sessions.take_waiting(entry.context.session_id());
        let last = self
            .dialogue
            .last_readings
            .take(entry.context.session_id(), &arrival.speaker);
        let asked = Asked {
            entry,
            arrival,
            lang,
            declined: Vec::new(),
            resumes_at: None,
            follows,
            last,
        };
        self.search(asked, waiting).await;
    }

    /// Finds out whose an utterance is.
    pub(super) async fn search(&mut self, asked: Asked, waiting: Option<String>) {
        let (asks, before) = (
            CancellationToken::new(),
            self.utterances.last_search(asked.entry.context.session_id()),
        );
        let tools = self.repertoire.tools.behind(asked.last.clone());
        let tools = tools.answered(self.last_answer(&asked));
        let search = Search {
            bus: self.bus.clone(),
            texts: utterances(&asked.entry),
            lang: asked.lang.clone(),
            manifest: self.repertoire.registered.now(),
            commands: Arc::clone(&self.repertoire.commands),
            tools: Arc::new(tools) as Arc<dyn ToolIntents>,
            orders: &Phrases::of(&asked.lang).orders,
            personas: Arc::clone(&self.mind) as Arc<dyn Personas>,
            now_unix: unix_now(),
            busy: self.utterances.is_busy(asked.entry.context.session_id()),
            waiting,
            fallback_priority: self.settings.fallback_priority,
            declined: asked.declined.clone(),
            resumes_at: asked.resumes_at,
            follows: asked.follows.clone(),
            entry: asked.entry.clone(),
            matching: self.repertoire.matching.clone(),
            own: asked.arrival.speaker.is_owner(),
            bound_to: self.bound_id(&asked.arrival.speaker),
            queues: before.is_some(),
            asks: asks.clone(),
        };
        // Nearly always no skill has to be asked and little is compared. Utterances of a session keep their order, except that
        // those for which a skill is asked are not waited for.
        let mut search = Box::pin(async move {
            let found = search.run().await;
            if let Some(before) = before {
                before.cancelled().await;
            }
            found
        });
        if let Some(found) = (&mut search).now_or_never() {
            return self.matched(asked, found).await;
        }
        let called_off = self.utterances.search(&asked.entry, asks);
        self.work.under_way.spawn(async move {
            let found = called_off.run_until_cancelled(search).await;
            Ended::Search(Box::new((asked, found.flatten())))
        });
    }

    /// What was answered last in a session, for its owner alone: a guest may not have been there.
    fn last_answer(&self, asked: &Asked) -> Option<Arc<str>> {
        let session = asked.entry.context.session_id();
        let is_owner = asked.arrival.speaker.is_owner();
        let answer = is_owner.then(|| self.conversations.last_answer(session))?;
        answer.map(Arc::from)
    }

    /// Whether a person does not want the answer any more that is being thought.
    fn dismisses_what_runs(&self, entry: &Message, lang: &str) -> bool {
        let said = utterances(entry).into_iter().next().unwrap_or_default();
        self.utterances.running(entry.context.session_id()).is_some()
            && (Phrases::of(lang).orders.is_dismissal(&said)
                || self.repertoire.tools.now().is_dismissal(&said, lang))
    }

    /// Whether it may be found out whose an utterance is. What programs say leaves room for what is said to our own ear or
    /// terminal, and one session has a part of the room only.
    fn may_search(&self, entry: &Message, speaker: &Speaker) -> bool {
        let all = self.work.under_way.len();
        speaker.is_owner() && all < UNDER_WAY
            || all < UNDER_WAY - OWN_RESERVE
                && self.repertoire.matching.has_room()
                && self.utterances.on_their_way(entry.context.session_id()) < UNDER_WAY / SESSIONS_AT_ONCE
    }

    async fn nobodys(&self, entry: &Message) {
        for frame in frames::unmatched(entry) {
            self.emit(frame).await;
        }
    }

    /// Ends an utterance that was stopped before its owner was found.
    pub(super) async fn called_off(&self, entry: &Message) {
        for frame in frames::called_off(&counted_down(entry)) {
            self.emit(frame).await;
        }
    }

    /// The search has ended: the utterance is dispatched, or ends without an owner.
    pub(super) async fn matched(&mut self, mut asked: Asked, found: Option<Match>) {
        let (entry, lang) = (&asked.entry, asked.lang.as_str());
        let Some(mut found) = found.filter(|_| !self.work.closing_down) else {
            return self.nobodys(&counted_down(entry)).await;
        };
        self.restrict(&mut found, entry, &asked.arrival.speaker);
        let dispatch = self.addressed(entry, lang, &found);
        let before = entry.context.session();
        let lang = &answer_lang(&before, lang);
        let phrases = Phrases::of(lang);
        match found.task {
            Task::Answer { persona_id, words } => {
                let persona = self.persona(&persona_id, lang);
                let mut job = Job::new(Origin::Solo, dispatch, persona, words, lang);
                job.last = asked.last;
                self.take(job.said_by(&asked.arrival)).await;
            }
            Task::Summon(persona_id) => {
                let said = phrases.summoned(&self.name_of(&persona_id));
                let event = (topic::PERSONA_ACTIVATED, persona_id.as_str());
                self.at_once(&dispatch, &said, lang, Some(event)).await;
            }
            Task::Release(persona_id) => {
                self.stop(before.id()).await;
                let said = phrases.released(&self.name_of(&persona_id));
                let event = (topic::PERSONA_DISMISSED, persona_id.as_str());
                self.at_once(&dispatch, &said, lang, Some(event)).await;
            }
            Task::List => {
                let said = phrases.listed(&self.names(&asked.arrival.speaker));
                self.at_once(&dispatch, &said, lang, None).await;
            }
            Task::Check => {
                let summoned = before.persona_id().map(|id| self.name_of(id));
                let usual = || Some(self.mind.default_persona()?.name.clone());
                let active = summoned.or_else(usual).map(|name| phrases.active(&name));
                let said = active.unwrap_or_else(|| phrases.no_persona.clone());
                self.at_once(&dispatch, &said, lang, None).await;
            }
            Task::Undo => self.undo_as_asked(&asked, dispatch, &found.utterance).await,
            Task::TellBackground => {
                let said = self.told_background(before.id(), lang);
                self.at_once(&dispatch, &said, lang, None).await;
            }
            Task::CancelBackground => self.cancel_as_asked(&asked, dispatch, &found.utterance).await,
            Task::Say(text) => self.at_once(&dispatch, &text, lang, None).await,
            Task::EmergencyStop(set) => {
                self.set_emergency_stop(set).await;
                self.at_once(&dispatch, phrases.emergency_stop(set), lang, None)
                    .await;
            }
            Task::Apologise(why) => {
                let said = apology(&why, phrases);
                self.at_once(&dispatch, &said, lang, None).await;
            }
            Task::StopUs => {
                self.stop(before.id()).await;
                self.silence(&dispatch).await;
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
                    self.silence(&dispatch).await;
                    self.utterances
                        .skill_was_stopped(before.id(), Some(&found.skill_id));
                }
                let skill_id = found.skill_id.clone();
                let dispatch = Dispatch {
                    dispatch,
                    older,
                    skill_id: found.skill_id,
                    done,
                    brief,
                    may_end_itself,
                    stopped: self.utterances.bring(&asked.entry, &skill_id),
                };
                let run = dispatch.run(self.bus.clone(), self.work.dispatches.clone());
                asked.resumes_at = Some(found.stage);
                self.work
                    .under_way
                    .spawn(async move { Ended::Dispatch(Box::new((asked, skill_id, run.await))) });
            }
        }
    }

    /// Takes away what a speaker may not do: only the owner ends the emergency stop, and has another persona answer in the
    /// device's own session.
    fn restrict(&self, found: &mut Match, entry: &Message, speaker: &Speaker) {
        let session = entry.context.session();
        let is_owners = match found.task {
            Task::EmergencyStop(set) => !set,
            Task::Summon(_) | Task::Release(_) => session.is_default(),
            Task::StopAll if session.is_default() && !speaker.is_owner() => {
                found.session.set_persona_id(session.persona_id());
                false
            }
            _ => false,
        };
        if is_owners && !speaker.is_owner() {
            let lang = answer_lang(&session, &utterance_lang(entry, &self.settings.languages));
            found.session = session;
            found.task = Task::Say(Phrases::of(&lang).elsewhere.clone());
        }
    }

    /// The dispatch of an utterance to its owner; what lasts of its session is kept.
    fn addressed(&mut self, entry: &Message, lang: &str, found: &Match) -> Message {
        let mut session = self.sessions.rebased(&entry.context.session(), &found.session);
        if let Task::Summon(persona_id) = &found.task {
            session.set_persona_id(Some(persona_id));
        }
        let addressed = Addressed {
            skill_id: &found.skill_id,
            intent: &found.intent_name,
            pipeline_id: found.stage.id(),
            lang,
            utterance: &found.utterance,
            slots: &found.slots,
            session: &session,
        };
        let dispatch = frames::dispatch(entry, &addressed, unix_now());
        self.sessions.adopt(&dispatch.context.session());
        if matches!(found.task, Task::Summon(_) | Task::Release(_) | Task::StopAll) {
            self.sessions.note_summoned(&dispatch.context.session());
        }
        dispatch
    }

    /// A handler of ours that needs no brain: says something, perhaps, and is done.
    pub(super) async fn at_once(
        &self,
        dispatch: &Message,
        text: &str,
        lang: &str,
        event: Option<(&str, &str)>,
    ) {
        for frame in frames::announcement(dispatch) {
            self.emit(frame).await;
        }
        if !text.is_empty() {
            self.emit(spoken::speak(dispatch, text, lang)).await;
        }
        if let Some((topic, persona_id)) = event {
            let session_id = dispatch.context.session_id().to_owned();
            let data = json!({"persona_id": persona_id, "session_id": session_id});
            self.emit(dispatch.forward(topic, data)).await;
        }
        self.emit(frames::outcome(dispatch, None)).await;
        self.emit(frames::handled(dispatch)).await;
    }

    /// Everything in the session, ours first and without a detour (SP-9).
    async fn stop_all(&mut self, dispatch: &Message, session_id: &str) {
        self.utterances.skill_was_stopped(session_id, None);
        self.stop(session_id).await;
        for frame in frames::announcement(dispatch) {
            self.emit(frame).await;
        }
        let mut stop = dispatch.forward(topic::STOP, json!({}));
        stop.context.set_skill_id(Stage::Stop.id());
        self.emit(stop).await;
        self.emit(frames::outcome(dispatch, None)).await;
        self.emit(frames::handled(dispatch)).await;
    }

    /// The persona of this id, or one that says that there is none.
    fn persona(&self, id: &str, lang: &str) -> Arc<ReadyPersona> {
        let found = self.mind.find(id);
        found.unwrap_or_else(|| Arc::new(ReadyPersona::apologising(Phrases::of(lang).no_persona.clone())))
    }

    pub(super) fn name_of(&self, id: &str) -> String {
        let persona = self.mind.find(id);
        persona.map_or_else(
            || id.to_owned(),
            |persona: Arc<ReadyPersona>| persona.name.clone(),
        )
    }

    /// The names of the personas that a speaker may reach.
    pub(super) fn names(&self, speaker: &Speaker) -> Vec<String> {
        let bound_to = self.bound_id(speaker);
        let may_reach = |id: &str| bound_to.as_deref().is_none_or(|bound_to| bound_to == id);
        let offered = self.mind.offered().into_iter();
        let reached = offered.filter(|persona| may_reach(&persona.id));
        reached.map(|persona| persona.name.clone()).collect()
    }
}

/// An utterance whose search has found no owner: what was noted in its session lives for one utterance less.
fn counted_down(entry: &Message) -> Message {
    let mut entry = entry.clone();
    let mut session = entry.context.session();
    notes::count_down(&mut session);
    entry.context.set_session(&session);
    entry
}

fn apology(why: &NoAnswer, phrases: &Phrases) -> String {
    match why {
        NoAnswer::UnknownPersona(id) => phrases.unknown_persona(id),
        NoAnswer::NoPersona => phrases.no_persona.clone(),
        NoAnswer::Unknown => phrases.dont_know.clone(),
    }
}

/// Whether an utterance is the word that stops, in a session where that word counts.
pub(super) fn says_stop(entry: &Message, lang: &str) -> bool {
    let said = utterances(entry).into_iter().next().unwrap_or_default();
    Phrases::of(lang).orders.stops(&said)
        && pipeline::effective(&entry.context.session()).contains(&Stage::Stop)
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
