//! The desk: who answers which utterance, for which persona and session.
//!
//! One actor owns all conversations. Frames come in from the bus, turns run in a set of their own, and what they
//! bring back goes out through [`lifecycle`]. The desk itself never waits for a brain, so pings and stops are
//! answered while turns run. It speaks for nobody else's utterances and leaves none of its own without an end.

mod conversation;
mod job;
pub mod lifecycle;
pub mod presence;

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::FutureExt;
use loquat_agent::record::Reason;
use loquat_agent::turn::stop_pair;
use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_wire::{Languages, Message, Session, answer_lang, topic, utterance_lang};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use self::conversation::{Admission, Conversations};
use self::job::{Job, Origin};
use self::lifecycle::SKILL_ID;
use self::presence::Mode;
use crate::health::{PULSE_INTERVAL, Pulse};
use crate::mind::{Mentality, Mind, Said, Utterance};
use crate::phrases::Phrases;

/// Utterances held while it is not known yet who answers on this bus.
const UNDECIDED: usize = 16;

/// Turns that are stopped at the end get this long to say so.
const FAREWELL: Duration = Duration::from_secs(2);

const FALLBACK: &str = "loquat:fallback";
const STOP_ME: &str = "loquat:stop";
const STOP_ME_LEGACY: &str = "loquat.stop";
const STOP_PING_LEGACY: &str = "loquat.stop.ping";
const STOP_PONG_LEGACY: &str = "skill.stop.pong";
const STOP_DONE: &str = "loquat.stop.response";
const IS_ALIVE: &str = "mycroft.loquat.is_alive";
const IS_READY: &str = "mycroft.loquat.is_ready";

/// What the desk is told at the start.
#[derive(Debug, Clone)]
pub struct DeskSettings {
    /// The language of the device.
    pub lang: String,
    /// Utterances remembered per session.
    pub history_turns: usize,
    /// Where we stand among ovos-core's fallback handlers.
    pub fallback_priority: i64,
}

/// The actor.
#[derive(Debug)]
pub struct Desk {
    bus: Bus,
    mind: Arc<Mind>,
    settings: DeskSettings,
    languages: Languages,
    mode: watch::Receiver<Mode>,
    pulse: Pulse,
    conversations: Conversations,
    turns: JoinSet<(String, Said)>,
    undecided: VecDeque<Message>,
    /// The device's own session, which clients need not send whole (SESSION-2 §2.3).
    own_session: Session,
    closing_down: bool,
}

impl Desk {
    /// A desk that has not begun to listen.
    pub fn new(bus: Bus, mind: Arc<Mind>, settings: DeskSettings, mode: watch::Receiver<Mode>) -> Self {
        Self {
            languages: Languages::any(&settings.lang),
            conversations: Conversations::new(settings.history_turns),
            bus,
            mind,
            settings,
            mode,
            pulse: Pulse::default(),
            turns: JoinSet::new(),
            undecided: VecDeque::new(),
            own_session: Session::default(),
            closing_down: false,
        }
    }

    /// Beats as long as the desk turns.
    pub fn pulse(&self) -> Pulse {
        self.pulse.clone()
    }

    /// What the desk listens to. Subscribed before the daemon says that it is ready, so that nothing is missed.
    pub fn subscribe(&self) -> Subscription {
        let topics = [
            topic::UTTERANCE_HANDLE,
            topic::STOP,
            topic::STOP_PING,
            topic::FALLBACK_PING,
            topic::PERSONA_QUERY,
            topic::PERSONA_LIST,
            lifecycle::FALLBACK_REQUEST,
            FALLBACK,
            STOP_ME,
            STOP_ME_LEGACY,
            STOP_PING_LEGACY,
            IS_ALIVE,
            IS_READY,
        ];
        self.bus.subscribe(Topics::of(topics).including_own())
    }

    /// Serves until cancelled, then ends every turn with a word and an end marker.
    pub async fn run(mut self, mut frames: Subscription, cancel: CancellationToken) {
        let mut tick = tokio::time::interval(PULSE_INTERVAL);
        self.mode_changed().await;
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some(ended) = self.turns.join_next() => self.turn_ended(ended).await,
                Ok(()) = self.mode.changed() => self.mode_changed().await,
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(frame).await,
                    None => break,
                },
                _ = tick.tick() => {}
            }
            self.pulse.beat();
        }
        self.farewell().await;
    }

    async fn frame(
        &mut self,
        Received {
            message,
            canonical,
            own,
        }: Received,
    ) {
        match canonical.as_str() {
            topic::UTTERANCE_HANDLE => self.utterance(message).await,
            topic::STOP => self.stop(message.context.session().id()).await,
            // Everything below is a question to us; our own frames are none.
            _ if own => {}
            STOP_ME | STOP_ME_LEGACY => {
                self.stop(message.context.session().id()).await;
                self.emit(message.reply(STOP_DONE, json!({"skill_id": SKILL_ID, "result": true})))
                    .await;
            }
            topic::STOP_PING | STOP_PING_LEGACY => self.stop_ping(&message).await,
            topic::FALLBACK_PING => self.fallback_ping(&message).await,
            lifecycle::FALLBACK_REQUEST | FALLBACK => self.fallback(message).await,
            topic::PERSONA_QUERY => self.query(message).await,
            topic::PERSONA_LIST => self.persona_list(&message).await,
            IS_ALIVE | IS_READY => self.emit(message.response(json!({"status": true}))).await,
            _ => {}
        }
    }

    async fn utterance(&mut self, entry: Message) {
        let mode = *self.mode.borrow();
        match mode {
            Mode::Guest => {}
            Mode::Solo => self.enter(entry).await,
            Mode::Unknown if self.undecided.len() < UNDECIDED => self.undecided.push_back(entry),
            Mode::Unknown => {
                tracing::warn!("an utterance was dropped: too many came before the bus was known");
            }
        }
    }

    /// The entry of an utterance that we orchestrate (PL-1 to PL-10).
    async fn enter(&mut self, mut entry: Message) {
        let lang = utterance_lang(&entry, &self.languages);
        entry.context.set_utterance_id(&new_id());
        self.merge_own_session(&mut entry);
        let Some(text) = first_utterance(&entry) else {
            for frame in lifecycle::unmatched(&entry) {
                self.emit(frame).await;
            }
            return;
        };
        let dispatch = lifecycle::dispatch(&entry, &text, &lang, unix_now());
        self.take(Origin::Solo, dispatch, text, lang).await;
    }

    /// The device's session lives here: fields that a frame brings replace ours, absent ones stay.
    fn merge_own_session(&mut self, entry: &mut Message) {
        let session = entry.context.session();
        if !session.is_default() {
            return;
        }
        for (field, value) in session.as_map() {
            self.own_session.insert(field.clone(), value.clone());
        }
        entry.context.set_session(&self.own_session);
    }

    /// An utterance that ovos-core found nobody else for.
    async fn fallback(&mut self, request: Message) {
        let lang = utterance_lang(&request, &self.languages);
        let Some(text) = first_utterance(&request) else {
            return;
        };
        self.take(Origin::Fallback, request, text, lang).await;
    }

    async fn query(&mut self, query: Message) {
        let asked = query.data.get("persona_id").and_then(Value::as_str);
        let text = query
            .data
            .get("utterance")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim()
            .to_owned();
        let error = match asked {
            _ if text.is_empty() => Some("malformed query: utterance is missing"),
            Some(id) if self.mind.find(id).is_none() => Some("unsupported persona_id"),
            _ => None,
        };
        if let Some(error) = error {
            let data = json!({"persona_id": asked, "utterance": text, "error": error});
            return self.emit(query.reply(topic::PERSONA_ANSWER, data)).await;
        }
        let lang = utterance_lang(&query, &self.languages);
        self.take(Origin::Query, query, text, lang).await;
    }

    /// Finds who answers, and lets the session's turn begin or wait.
    async fn take(&mut self, origin: Origin, cause: Message, utterance: String, lang: String) {
        let session = cause.context.session();
        let lang = answer_lang(&session, &lang);
        if self.stop_was_said(origin, &cause, &utterance, &lang).await {
            return;
        }
        let asked = match origin {
            Origin::Query => cause
                .data
                .get("persona_id")
                .and_then(Value::as_str)
                .map(str::to_owned),
            Origin::Solo | Origin::Fallback => session.persona_id().map(str::to_owned),
        };
        let persona = match self.persona(origin, asked.as_deref(), &lang) {
            Ok(persona) => persona,
            Err(apology) => Arc::new(Mentality::apologising(apology)),
        };
        let job = Job {
            turn_id: new_id(),
            origin,
            cause,
            session,
            utterance,
            lang,
            persona,
        };
        match self.conversations.admit(job) {
            Admission::Start(job) => self.start(job).await,
            Admission::Waits => {}
            Admission::Refused(job) => {
                let busy = Said::instead(Reason::Noop, &Phrases::of(&job.lang).busy);
                self.close(&job, busy, true).await;
            }
        }
    }

    /// The persona that is asked for, else the default one. A guest's session may name somebody else's persona;
    /// ovos-core came to us all the same, so the default one answers.
    fn persona(&self, origin: Origin, asked: Option<&str>, lang: &str) -> Result<Arc<Mentality>, String> {
        let phrases = Phrases::of(lang);
        match asked.and_then(|id| self.mind.find(id)) {
            Some(persona) => Ok(persona),
            None => match asked {
                Some(name) if origin == Origin::Solo => Err(phrases.unknown_persona(name)),
                _ => self
                    .mind
                    .default_persona()
                    .ok_or_else(|| phrases.no_persona.clone()),
            },
        }
    }

    /// "Stop", said in the middle of a turn, ends it; the word itself is an utterance with an end of its own.
    async fn stop_was_said(&mut self, origin: Origin, cause: &Message, utterance: &str, lang: &str) -> bool {
        if origin != Origin::Solo || !Phrases::of(lang).is_stop(utterance) {
            return false;
        }
        self.stop(cause.context.session().id()).await;
        self.emit(cause.forward(topic::STOP, json!({}))).await;
        self.emit(cause.forward(topic::UTTERANCE_HANDLED, json!({})))
            .await;
        true
    }

    async fn start(&mut self, job: Job) {
        for frame in lifecycle::opening(&job) {
            self.emit(frame).await;
        }
        let (stopper, signal) = stop_pair();
        let session_id = job.session.id().to_owned();
        let history = self.conversations.history(&session_id);
        let utterance = Utterance {
            turn_id: job.turn_id.clone(),
            session: job.session.clone(),
            text: job.utterance.clone(),
            lang: job.lang.clone(),
            channel: job.channel(),
            history,
        };
        let (mind, persona) = (Arc::clone(&self.mind), Arc::clone(&job.persona));
        let broken = Phrases::of(&job.lang).broken();
        self.turns.spawn(async move {
            let answer = AssertUnwindSafe(mind.answer(&persona, utterance, signal))
                .catch_unwind()
                .await;
            (
                session_id,
                answer.unwrap_or_else(|_| Said::instead(Reason::LlmError, broken)),
            )
        });
        self.conversations.began(job, stopper);
    }

    async fn turn_ended(&mut self, ended: Result<(String, Said), JoinError>) {
        let Ok((session_id, said)) = ended else { return };
        if let Some(running) = self.conversations.ended(&session_id) {
            if running.job.origin != Origin::Query {
                self.conversations.remember(&session_id, said.history.clone());
            }
            self.close(&running.job, said, false).await;
        }
        if let Some(next) = self.conversations.next(&session_id) {
            Box::pin(self.start(next)).await;
        }
    }

    /// Says what there is to say and ends the utterance. `unopened` jobs never began and are opened first.
    async fn close(&mut self, job: &Job, mut said: Said, unopened: bool) {
        if unopened {
            for frame in lifecycle::opening(job) {
                self.emit(frame).await;
            }
        }
        if self.closing_down && said.reason == Reason::Stopped {
            said.text.clone_from(&Phrases::of(&job.lang).shutting_down);
        }
        for frame in lifecycle::closing(job, &said) {
            self.emit(frame).await;
        }
    }

    /// Ends what runs and what waits in this session; others go on.
    async fn stop(&mut self, session_id: &str) {
        self.mind.stopped(session_id);
        for job in self.conversations.stop(session_id, Reason::Stopped) {
            self.close(&job, Said::silence(Reason::Stopped), true).await;
        }
    }

    async fn stop_ping(&self, ping: &Message) {
        let busy = self.conversations.is_busy(ping.context.session().id());
        let data = json!({"skill_id": SKILL_ID, "can_handle": busy});
        let pong = if ping.topic == STOP_PING_LEGACY {
            STOP_PONG_LEGACY
        } else {
            topic::STOP_PONG
        };
        self.emit(ping.reply(pong, data)).await;
    }

    /// Decided without a brain, because the window is half a second (FALLBACK-1 §6.1).
    async fn fallback_ping(&self, ping: &Message) {
        let session = ping.context.session();
        let denied = session.blacklisted_skills().contains(&SKILL_ID);
        let can_handle = !denied && self.mind.default_persona().is_some();
        let utterance = first_utterance(ping).unwrap_or_default();
        let data = json!({"skill_id": SKILL_ID, "can_handle": can_handle, "utterance": utterance});
        self.emit(ping.reply(topic::FALLBACK_PONG, data)).await;
    }

    async fn persona_list(&self, request: &Message) {
        let data = json!({"pipeline_id": SKILL_ID, "personas": self.mind.listing()});
        self.emit(request.response(data)).await;
    }

    async fn mode_changed(&mut self) {
        let mode = *self.mode.borrow_and_update();
        match mode {
            Mode::Guest => {
                let data = json!({"skill_id": SKILL_ID, "priority": self.settings.fallback_priority});
                let mut register = Message::new(topic::FALLBACK_REGISTER, data);
                register.context.set_skill_id(SKILL_ID);
                self.bus.announce("fallback", vec![register]);
                // What waited for the decision is the core's business.
                self.undecided.clear();
            }
            Mode::Solo => {
                self.bus.withdraw("fallback");
                for entry in std::mem::take(&mut self.undecided) {
                    self.enter(entry).await;
                }
            }
            Mode::Unknown => {}
        }
    }

    /// Everything that runs or waits gets a word and an end.
    async fn farewell(&mut self) {
        self.closing_down = true;
        for job in self.conversations.stop_all(Reason::Stopped) {
            self.close(&job, Said::silence(Reason::Stopped), true).await;
        }
        let drained = tokio::time::timeout(FAREWELL, async {
            while let Some(ended) = self.turns.join_next().await {
                self.turn_ended(ended).await;
            }
        });
        if drained.await.is_err() {
            tracing::warn!("turns did not end in time");
        }
        if *self.mode.borrow() == Mode::Guest {
            let mut deregister = Message::new(topic::FALLBACK_DEREGISTER, json!({"skill_id": SKILL_ID}));
            deregister.context.set_skill_id(SKILL_ID);
            self.emit(deregister).await;
        }
    }

    async fn emit(&self, message: Message) {
        let name = message.topic.clone();
        if let Err(error) = self.bus.emit(message).await {
            tracing::warn!(topic = name, %error, "failed to emit");
        }
    }
}

/// The best hypothesis, if there is one with words in it.
fn first_utterance(message: &Message) -> Option<String> {
    let listed = message.data.get("utterances").and_then(Value::as_array);
    let texts = listed.into_iter().flatten().chain(message.data.get("utterance"));
    texts
        .filter_map(Value::as_str)
        .map(str::trim)
        .find(|text| !text.is_empty())
        .map(str::to_owned)
}

fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

fn unix_now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
