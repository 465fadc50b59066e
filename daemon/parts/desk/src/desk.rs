//! The desk: who answers which utterance, for which persona and session.
//!
//! One actor owns all conversations. Frames come in from the bus; searches, turns and dispatches run in a set of their
//! own, and what they bring back goes out as [`frames`]. The desk itself never waits for a brain or a skill, so
//! stops are answered while turns run; whether it is ready is told beside it. It leaves none of its utterances without an end.

mod admission;
mod arrival;
mod asker;
mod asking_back;
mod bound;
mod calling;
mod consent;
mod conversation;
mod core_intents;
mod core_stage;
mod dialogue;
mod door;
mod early;
mod ending;
mod entrance;
mod guest;
mod heard;
mod held;
mod introspection;
mod job;
mod last_readings;
mod ledger;
mod made_up;
mod memory;
mod notices;
mod orchestration;
mod orders;
mod outline;
mod own_conversation;
mod pin_lock;
pub mod presence;
mod query;
mod reading_ahead;
mod recovery;
mod reflection;
mod repertoire;
mod routes;
mod sampling;
mod saying;
mod sessions;
mod silence;
mod solo;
pub mod status;
mod talking_on;
mod undoing;
mod utterances;
mod work;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use loquat_agent::Speaker;
use loquat_agent::record::Reason;
use loquat_agent::turn::stop_pair;
use loquat_bus::{Bus, Received, Subscription};
use loquat_mind::background::{Background, Notice};
use loquat_mind::spoken_tools::{CurrentSentences, LastSaid, Wanted};
use loquat_mind::tools::Registered;
use loquat_mind::{Mind, Reply, Utterance};
use loquat_orchestrator::dispatch::Returned;
use loquat_orchestrator::frames;
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::registration;
use loquat_orchestrator::search::{FollowUp, Match};
use loquat_part::body::Body;
use loquat_part::guests::Guests;
use loquat_part::health::{PULSE_INTERVAL, Pulse};
use loquat_part::owners_word::{self, OwnersWord};
use loquat_part::stillness::Stillness;
use loquat_phrases::Phrases;
use loquat_skills::rest::Rest;
use loquat_state::{State, unix_now};
use loquat_wire::{Languages, Message, topic, utterance_lang};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinError;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

pub use self::arrival::Attendance;
use self::arrival::{Arrival, Ways};
pub use self::consent::ConsentRules;
use self::conversation::Conversations;
use self::dialogue::Dialogue;
use self::door::Excess;
use self::early::EarlySpeech;
use self::entrance::Entrance;
use self::job::{Job, Origin};
use self::ledger::Ledger;
use self::made_up::is_said_by_nobody;
use self::notices::Unasked;
use self::orchestration::Orchestration;
use self::own_conversation::Left;
pub use self::own_conversation::{OwnConversation, OwnersWishes, Unheeded};
use self::presence::Mode;
use self::reading_ahead::ReadingAhead;
use self::reflection::{LookingBack, Reflected};
use self::repertoire::Repertoire;
use self::routes::Handler;
use self::sessions::Sessions;
use self::silence::Silence;
use self::utterances::{Order, Utterances};
use self::work::Work;
use crate::spoken::{self, utterances};

/// The topic by which the turns of one session are stopped, and nothing of other skills.
pub const STOP_US: &str = loquat_part::STOP_US;

/// Searches, turns and dispatches under way at once; one utterance more is refused.
const UNDER_WAY: usize = 1024;

/// Turns that are stopped at the end get this long to say so.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the desk is told at the start.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own in the settings"
)]
pub struct DeskSettings {
    /// The device speaks this language.
    pub lang: String,
    /// The languages that are understood.
    pub languages: Languages,
    /// Languages in which the commands are registered with an ovos-core beside that of the device.
    pub secondary_langs: Vec<String>,
    /// Whether the default persona answers, beside an ovos-core, what no skill does.
    pub handles_fallback: bool,
    /// It counts utterances remembered in each session.
    pub history_turns: usize,
    /// Where we stand among ovos-core's fallback handlers.
    pub fallback_priority: i64,
    /// How long after its beginning a turn is gone on with after a crash.
    pub resume_within: Duration,
    /// Who may say yes to a tool that may do harm.
    pub consent: ConsentRules,
    /// Whether the asker may say how the answer is drawn.
    pub sampling_by_asker: bool,
    /// After so many turns of a session it is looked back on; zero is never.
    pub reflection_turns: usize,
    /// Whether the bus is told how turns came out.
    pub tells_results: bool,
    /// Whether a wake word ends what is being thought and spoken.
    pub barge_in: bool,
    /// The word of the owner that a command gives.
    pub owners_word: OwnersWord,
    /// How long after an answer a person may speak on without the wake word; zero where a question of a persona does not
    /// open the microphone either.
    pub follow_up: Duration,
    /// How long a person who has asked aloud hears nothing before a word is said; zero is never.
    pub silence: Duration,
}

/// The actor.
#[derive(Debug)]
pub struct Desk {
    bus: Bus,
    mind: Arc<Mind>,
    settings: DeskSettings,
    pulse: Pulse,
    /// How frames come in.
    entrance: Entrance,
    /// What is understood here.
    repertoire: Repertoire,
    /// We orchestrate, or a core beside us does.
    orchestration: Orchestration,
    utterances: Utterances,
    conversations: Conversations,
    sessions: Sessions,
    /// What a person may say next, and what it then means.
    dialogue: Dialogue,
    /// What is told without being asked for.
    unasked: Unasked,
    /// What has to be answered also after a crash.
    ledger: Ledger,
    /// Searches, turns and dispatches that run.
    work: Work,
    /// What is done while no person speaks.
    looking_back: LookingBack,
    /// What the owner wishes of the device's own conversation.
    wishes: OwnersWishes,
    /// What is said while a person waits.
    silence: Silence,
    /// What is said of an answer before it is complete.
    early: EarlySpeech,
    /// What is read of a question before it is complete.
    reading_ahead: ReadingAhead,
    /// What gives answers; absent where it is not known that nothing does.
    body: Option<Body>,
}

/// Something that was under way and has ended.
#[derive(Debug)]
enum Ended {
    /// In this session, the turn of this id.
    Turn(Box<(String, String, Reply)>),
    /// The search for whose this utterance is. Of one that was called off nothing is known.
    Search(Box<(Asked, Option<Match>)>),
    /// A conversation was looked back on.
    Reflection(String, Reflected),
    /// A dispatch for this utterance to this skill is over.
    Dispatch(Box<(Asked, String, Returned)>),
}

/// An utterance that we orchestrate.
#[derive(Debug, Clone)]
struct Asked {
    /// It is stamped.
    entry: Message,
    /// How it came in, and who says it.
    arrival: Arrival,
    /// The utterance is in this language alone.
    lang: String,
    /// Skills that have had it and did not want it.
    declined: Vec<String>,
    /// The stage that found the last of them: those before it have been asked.
    resumes_at: Option<Stage>,
    /// What they mean in the conversation in which they are said.
    follows: Option<FollowUp>,
    /// What was understood last there.
    last: Option<Arc<LastSaid>>,
}

impl Desk {
    /// A desk that has not begun to listen.
    pub fn new(
        bus: Bus,
        mind: Arc<Mind>,
        tools: CurrentSentences,
        settings: DeskSettings,
        mode: watch::Receiver<Mode>,
    ) -> Self {
        Self {
            entrance: Entrance::new(&settings, &tools),
            repertoire: Repertoire::new(tools),
            orchestration: Orchestration::new(mode),
            utterances: Utterances::default(),
            conversations: Conversations::new(settings.history_turns, settings.reflection_turns),
            sessions: Sessions::default(),
            dialogue: Dialogue::new(&settings),
            unasked: Unasked::default(),
            ledger: Ledger::default(),
            work: Work::default(),
            looking_back: LookingBack::default(),
            wishes: OwnersWishes::default(),
            silence: Silence::new(settings.silence),
            early: EarlySpeech::default(),
            reading_ahead: ReadingAhead::default(),
            body: None,
            pulse: Pulse::default(),
            bus,
            mind,
            settings,
        }
    }

    /// Adds when the device is quiet, so that conversations are looked back on then.
    #[must_use]
    pub fn with_rest(mut self, rest: Arc<Rest>) -> Self {
        self.looking_back.rest = Some(rest);
        self
    }

    /// Adds the place where it is written what has to be answered. What a crash left there gets its answer.
    #[must_use]
    pub fn with_state(mut self, state: Option<State>) -> Self {
        self.ledger = Ledger::of(state);
        self
    }

    /// Adds what goes on after its turn, and the news of it.
    #[must_use]
    pub fn with_background(mut self, background: Arc<Background>, news: mpsc::Receiver<Notice>) -> Self {
        self.unasked = Unasked::of(background, news);
        self
    }

    /// Adds the stillness in which questions for a yes are asked.
    #[must_use]
    pub fn with_stillness(mut self, stillness: Stillness) -> Self {
        self.dialogue.questions.ask_in(stillness);
        self
    }

    /// Adds the way on which the owner says who answers in the device's own conversation, and what of it is known.
    #[must_use]
    pub fn with_wishes(self, wishes: OwnersWishes) -> Self {
        Self { wishes, ..self }
    }

    /// Adds who comes in by the doors of this process.
    #[must_use]
    pub fn with_guests(mut self, guests: Guests) -> Self {
        self.entrance.ways = Ways::new(guests, self.settings.consent.attendance.clone());
        self
    }

    /// Shares with others what skills register.
    #[must_use]
    pub fn with_registered(mut self, registered: Registered) -> Self {
        self.repertoire.share(registered);
        self
    }

    /// Beats as long as the desk turns.
    pub fn pulse(&self) -> Pulse {
        self.pulse.clone()
    }

    /// What the desk listens to. Subscribed before the daemon says that it is ready, so that nothing is missed.
    pub fn subscribe(&self) -> Subscription {
        self.bus.subscribe(self.entrance.routes.topics())
    }

    /// Serves until cancelled, then ends every turn with a word and an end marker.
    pub async fn run(mut self, mut frames: Subscription, cancel: CancellationToken) {
        let mut tick = tokio::time::interval(PULSE_INTERVAL);
        self.ask_who_knows().await;
        self.mode_changed().await;
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some(ended) = self.work.under_way.join_next() => self.ended(ended).await,
                Ok(()) = self.orchestration.mode.changed() => self.mode_changed().await,
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(frame).await,
                    None => break,
                },
                question = self.dialogue.questions.next() => self.ask_person(question).await,
                notice = self.unasked.notices.next() => self.noticed(notice).await,
                told = self.early.next() => self.tell_voice(told).await,
                wish = self.wishes.next() => self.heed_owner(wish).await,
                by = self.silence.next() => self.break_silence(by).await,
                whole = self.reading_ahead.next() => self.read_ahead(&whole),
                _ = tick.tick() => {
                    self.end_overdue().await;
                    self.call_launched_skills().await;
                    self.tell_notices().await;
                    self.reflect().await;
                }
                () = sleep_until(self.ledger.resumes_at.unwrap_or_else(Instant::now)), if self.ledger.resumes_at.is_some() => {
                    self.recover().await;
                }
            }
            self.tell_who_was_summoned();
            self.pulse.beat();
        }
        self.farewell(&mut frames).await;
    }

    async fn frame(&mut self, frame: Received) {
        let Received {
            mut message,
            canonical,
            own,
            cut,
        } = frame;
        let Some(handler) = self.entrance.routes.handler(&canonical, own) else {
            tracing::error!(
                topic = canonical,
                own,
                "a frame that is listened to has no handler"
            );
            return;
        };
        let excess = match cut {
            Some(cut) => Some(cut.into()),
            None => self.entrance.door.pass(&canonical, &mut message),
        };
        match excess {
            Some(excess) => self.outline(handler, message, own, excess).await,
            None => self.handle(handler, &canonical, message, own).await,
        }
    }

    async fn handle(&mut self, handler: Handler, canonical: &str, message: Message, own: bool) {
        match handler {
            Handler::Utterance => self.utterance(message, own).await,
            Handler::Stop => self.stop_frame(&message, own).await,
            Handler::WakeWord => self.barge_in(&message).await,
            Handler::StopUs => self.stop_us(&message).await,
            Handler::StopPing { older } => self.stop_ping(&message, older).await,
            Handler::StopChosen => self.core_chooses(&message).await,
            Handler::EmergencyStop => self.emergency_stop_order(&message).await,
            Handler::Background => self.background_order(&message).await,
            Handler::SpeechInterrupted => self.speech_interrupted(&message).await,
            Handler::Speech { begins } => self.speech(&message, begins).await,
            Handler::CoreStage => self.core_stage_asks(&message).await,
            Handler::Registration => {
                self.repertoire
                    .registered
                    .change(|manifest| registration::take(manifest, canonical, &message));
            }
            Handler::Note(note) => self.note(note, &message),
            Handler::FallbackPing => self.fallback_ping(&message).await,
            Handler::ConversePing { alone } => self.converse_ping(&message, alone).await,
            Handler::Brought(origin) => self.brought(origin, message, None).await,
            Handler::Intent(intent) => self.brought(Origin::Intent, message, Some(intent)).await,
            Handler::CoreAtWork => self.core_at_work(&message),
            Handler::Ended => self.core_has_ended(&message),
            Handler::CoreLists => self.core_lists(&message).await,
            Handler::CoreDescribes => self.core_describes(&message),
            Handler::CoreUp => self.core_is_up().await,
            Handler::Query => self.query(message).await,
            Handler::Personas => self.persona_list(&message).await,
            Handler::Offer(offered) => self.offer(&message, offered),
            Handler::AllLoaded(service) => self.tell_loaded(service, &message).await,
            Handler::Inquiry(inquiry) => self.tell(inquiry, &message).await,
        }
    }

    async fn utterance(&mut self, entry: Message, own: bool) {
        self.stop_reflecting();
        let mut arrival = self.entrance.ways.arrival(&entry, own);
        if arrival.speaker.is_program() && self.is_of_command_line(&entry).await {
            arrival.speaker = Speaker::Owner;
        }
        self.heed_emergency_stop(&entry, &arrival.speaker).await;
        let mode = *self.orchestration.mode.borrow();
        let is_nobodys = is_said_by_nobody(&entry);
        match mode {
            Mode::Solo if is_nobodys => self.pass_over(&entry).await,
            Mode::Guest | Mode::Unknown if is_nobodys => {}
            Mode::Solo => self.enter(entry, arrival).await,
            // Beside a core it is the core's, unless that turns out to be gone.
            Mode::Guest | Mode::Unknown => {
                let session_id = entry.context.session_id();
                let words = utterances(&entry);
                self.dialogue.last_readings.said_to_core(session_id, words);
                self.hold(entry, arrival).await;
            }
        }
    }

    /// Whether the owner asks this at the command line, and has given their word for it.
    async fn is_of_command_line(&self, entry: &Message) -> bool {
        let id = entry.context.text(owners_word::QUESTION);
        let is_from_there = entry.context.source() == Some(owners_word::COMMAND_LINE);
        match id.filter(|_| is_from_there) {
            Some(id) => self.settings.owners_word.is_given(id).await,
            None => false,
        }
    }

    async fn start(&mut self, mut job: Job) {
        if !job.opened {
            self.open(&job).await;
        }
        self.recall().await;
        let (stopper, signal) = stop_pair();
        let (session_id, turn_id) = (job.session.id().to_owned(), job.turn_id.clone());
        let history = self.conversations.history(&job, &self.utterances);
        let interrupted = self.conversations.interruption(&job);
        let undo = self.undo_of(&mut job).await;
        let last = self.last_reading(&mut job);
        job.wanted = match &undo {
            Some(Ok(undoable)) => Some(Wanted::undoing(undoable.call.clone())),
            Some(Err(_)) => None,
            None => job.wanted.take().or_else(|| self.wanted(&job, last.clone())),
        };
        if undo.is_none() && job.wanted.as_ref().is_some_and(|wanted| wanted.call.undoes) {
            // It is not undone twice.
            self.forget_undoable(&session_id).await;
        }
        let utterance = Utterance {
            undoing: undo
                .as_ref()
                .and_then(|undo| Some(undo.as_ref().ok()?.deed.clone())),
            past: std::mem::take(&mut job.past),
            ..job.said(history, interrupted, last)
        };
        let (mind, persona) = (Arc::clone(&self.mind), Arc::clone(&job.persona));
        let person = self.dialogue.questions.person(&job);
        let broken = Phrases::of(&job.lang).broken();
        let at_once = undo
            .and_then(Result::err)
            .or_else(|| self.asks_what_is_meant(&job))
            .or_else(|| self.has_no_body(&job));
        self.silence.begins(&job);
        self.early.begins(&job);
        self.reading_ahead.ends();
        self.work.under_way.spawn(async move {
            if let Some(said) = at_once {
                return Ended::Turn(Box::new((session_id, turn_id, said)));
            }
            let answer = AssertUnwindSafe(mind.answer(&persona, utterance, signal, person))
                .catch_unwind()
                .await;
            let said = answer.unwrap_or_else(|_| Reply::instead(Reason::LlmError, broken));
            Ended::Turn(Box::new((session_id, turn_id, said)))
        });
        self.utterances.began(job, stopper);
    }

    /// The silence in the place of an answer that nothing could give. What is done without a brain is wanted for itself, who
    /// asks from elsewhere is told there, and what was kept for later may be there for what tools do on the way.
    fn has_no_body(&self, job: &Job) -> Option<Reply> {
        let is_vain = job.kept.is_some() && !job.persona.has_tools();
        let is_of_room = job.session.is_default() && (job.is_heard_here() || is_vain);
        let is_for_nobody = job.origin == Origin::Solo && is_of_room && job.wanted.is_none();
        let body = self.body.as_ref().filter(|_| is_for_nobody)?;
        (!body.is_there()).then(|| Reply::instead(Reason::Noop, ""))
    }

    /// The call that a job asks for which is an intent of our tools, by the frame that brought it, or goes on with what was
    /// understood last.
    fn wanted(&self, job: &Job, last: Option<Arc<LastSaid>>) -> Option<Wanted> {
        let lang = utterance_lang(&job.cause, &self.settings.languages);
        let last = last.filter(|_| job.persona.leaves_to_tools);
        let tools = self.repertoire.tools.behind(last);
        match topic::dispatch_of(&job.cause.topic) {
            Some((_, intent)) => tools.call(intent, &job.utterance, &lang),
            None => tools.goes_on(&job.utterance, &lang),
        }
    }

    async fn ended(&mut self, ended: Result<Ended, JoinError>) {
        match ended {
            Ok(Ended::Turn(ended)) => {
                let (session_id, turn_id, said) = *ended;
                self.turn_ended(&session_id, &turn_id, said).await;
            }
            Ok(Ended::Search(found)) => {
                let (asked, found) = *found;
                if self.utterances.arrived_back(&asked.entry) {
                    return self.called_off(&asked.entry).await;
                }
                self.matched(asked, found).await;
            }
            Ok(Ended::Reflection(session_id, reflected)) => self.reflected(&session_id, reflected).await,
            Ok(Ended::Dispatch(dispatch)) => match *dispatch {
                (asked, _, Returned::Done(changes)) => {
                    self.utterances.arrived_back(&asked.entry);
                    self.sessions.amend(&asked.entry.context.session(), &changes);
                }
                (mut asked, skill_id, Returned::Declined) => {
                    if self.utterances.arrived_back(&asked.entry) {
                        return self.called_off(&asked.entry).await;
                    }
                    asked.declined.push(skill_id);
                    Box::pin(self.search(asked, None)).await;
                }
            },
            Err(error) => tracing::error!(%error, "something that was under way broke"),
        }
    }

    async fn turn_ended(&mut self, session_id: &str, turn_id: &str, mut said: Reply) {
        if let Some(mut job) = self.utterances.turn_ended(session_id, turn_id) {
            let heard = self.end_early_speech(&mut job, &mut said).await;
            if job.session.is_default() && job.origin != Origin::Query {
                self.silence.ends();
            }
            if let Some(sentence) = said.restated.take() {
                self.restate(&mut job, sentence);
            }
            self.note_last_reading(&job, &said);
            let is_remembered = job.origin != Origin::Query;
            let left = is_remembered.then(|| self.wishes.take_left(session_id)).flatten();
            let history = job.with_origin(said.history.clone());
            if self.mind.was_emptied(session_id) || left == Some(Left::Forgotten) {
                self.empty(session_id).await;
            } else if left == Some(Left::Aside) {
                self.conversations.remember_aside(session_id, history);
            } else if is_remembered {
                self.conversations.remember(session_id, history, &self.utterances);
                if let Some(heard) = heard {
                    self.conversations.cut_short(session_id, &said.text, &heard);
                }
            }
            self.note_open_call(&job, &said);
            self.note_talk(&job, &said);
            self.note_undoable(&job, &said).await;
            self.close(&job, said, false).await;
            if is_remembered {
                self.keep(session_id).await;
            }
        }
        match self.utterances.next(session_id) {
            Some(next) => Box::pin(self.start(next)).await,
            None => self.tell_notices().await,
        }
    }

    /// Ends an utterance as [`end`](Self::end) does, and what was owed for it is settled.
    async fn close(&mut self, job: &Job, mut said: Reply, unopened: bool) {
        if self.work.closing_down && said.reason == Reason::Stopped {
            said.text.clone_from(&Phrases::of(&job.lang).shutting_down);
        }
        let said = self.note_closing(job, said).await;
        self.end(job, said, unopened).await;
        self.settled(job).await;
    }

    /// Says what there is to say and ends the utterance. `unopened` jobs never began and are opened first.
    async fn end(&mut self, job: &Job, mut said: Reply, unopened: bool) {
        if unopened && !job.opened {
            self.open(job).await;
        }
        let result = said.result.take().filter(|_| self.settings.tells_results);
        self.stay_active(job).await;
        if let Some(excuse) = job.excuse(&said).filter(|_| job.origin != Origin::Query) {
            self.emit_of(job, excuse).await;
        }
        for frame in ending::closing(job, &said, result) {
            self.emit_of(job, job.as_begun(self.as_question(job, frame)))
                .await;
        }
        if job.is_ended_by_core() {
            self.utterances.await_end(job.cause.clone());
        }
    }

    /// Announces the beginning of a turn.
    async fn open(&self, job: &Job) {
        for frame in frames::opening(job.origin, &job.cause) {
            self.emit_of(job, frame).await;
        }
        if let Some(state) = &self.ledger.state {
            state.opened(&job.turn_id).await;
        }
    }

    /// Everything that runs or waits gets a word and an end.
    async fn farewell(&mut self, frames: &mut Subscription) {
        self.work.closing_down = true;
        self.stop_reflecting();
        self.work.dispatches.cancel();
        self.obey_everywhere(Order::Shutdown).await;
        self.end_what_has_come(frames).await;
        let drained = tokio::time::timeout(FAREWELL, async {
            while let Some(ended) = self.work.under_way.join_next().await {
                self.ended(ended).await;
            }
        });
        if drained.await.is_err() {
            tracing::warn!("turns did not end in time");
        }
        self.deregister().await;
    }

    /// What has come and was not looked at gets its end as well, as far as there is time. Nothing else is done of it.
    async fn end_what_has_come(&mut self, frames: &mut Subscription) {
        let until = Instant::now() + FAREWELL / 2;
        while Instant::now() < until
            && let Some(Some(frame)) = frames.recv().now_or_never()
        {
            let handler = self.entrance.routes.handler(&frame.canonical, frame.own);
            if let Some(handler) = handler.filter(Handler::owes_an_end) {
                self.outline(handler, frame.message, frame.own, Excess::Leaving)
                    .await;
            }
        }
    }

    async fn emit(&self, message: Message) {
        let name = message.topic.clone();
        if let Err(error) = self.bus.emit(message).await {
            tracing::warn!(topic = name, %error, "failed to emit");
        }
    }
}

fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
