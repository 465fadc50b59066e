//! Every utterance that the desk knows of, in one place: its state, and what an order to stop does in each state.
//!
//! Beside a core an utterance is [held](Utterance::Held) until the core shows that it has it, and is then
//! [at the core](Utterance::AtCore) until it is brought to us or lapses. Where we orchestrate, its owner is
//! [searched](Utterance::Searching) and a [skill](Utterance::AtSkill) may have it. What is ours to answer
//! [waits](Utterance::Waiting), [runs](Utterance::Running) and may [ask](Running::question) its person. An utterance whose end
//! is the core's has [ended](Utterance::Ended) for us, and is kept until the core has ended it too.
//!
//! A session has one turn of a person at a time. What a program asks out of band waits for nothing: a tool that asks a
//! persona would wait for the turn that waits for the tool. All states are bounded, over all sessions and in each.
//! The registry sends no frame and decides for no owner.
//!
//! | State | Until | Stop | Wake word | Emergency stop | Shutdown |
//! | --- | --- | --- | --- | --- | --- |
//! | held | a core shows that it has it, or is gone | ended without a word when it is ours | as stop | – | – |
//! | at the core | the core brings it to us, or 15 s | ended without a word when it is brought; not what was said after the word that stops | as stop, all of it | – | – |
//! | searched | a stage matches | called off | called off | refused with a sentence when it is ours | called off |
//! | at a skill | the skill is done | goes on, and is not searched again when the skill declines | as stop | goes on | called off |
//! | waiting | the running turn ends | ended | ended | ended | ended |
//! | running | the turn ends | stopped | stopped, but not what programs ask | stopped | stopped |
//! | asking | an answer, or the patience | stopped; the answer was no | goes on, since the word may introduce the answer | stopped | stopped |
//! | ended | the core sends the end marker, or we do after 5 s | – | – | – | – |

mod beside_core;

use std::collections::HashMap;

use loquat_agent::record::Reason;
use loquat_agent::turn::Stopper;
use loquat_wire::Message;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::beside_core::Heard;
pub(super) use self::beside_core::{Brought, TakenUp};
use super::consent::OpenQuestion;
use super::job::{Job, Origin};

/// Utterances of one session that may wait behind the running turn. A person does not say more than that while
/// waiting for an answer; a program that does is told that we are busy.
const WAITING: usize = 8;

/// Queries of one session at once. One more gets an error, which ends personas that ask each other without end.
const QUERIES: usize = 8;

/// Turns that run at once in all sessions together.
const TURNS: usize = 64;

/// Queries among them.
const ALL_QUERIES: usize = 16;

/// Utterances that wait in all sessions together.
const ALL_WAITING: usize = 256;

/// Places among the turns, the waiting, and the waiting of a session that only what the owner says may
/// have: however much programs ask, a person gets a turn.
const OWN_RESERVE: usize = 8;

/// What ends utterances before their answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The person, a core or a program says stop.
    Stop,
    /// The person says the wake word.
    BargeIn,
    /// Nothing more is thought and no tool is run.
    EmergencyStop,
    /// The daemon ends.
    Shutdown,
}

impl Order {
    /// How turns end by it.
    pub(super) fn reason(self) -> Reason {
        match self {
            Self::BargeIn => Reason::BargeIn,
            Self::Stop | Self::EmergencyStop | Self::Shutdown => Reason::Stopped,
        }
    }
}

/// An utterance in one of its states.
#[derive(Debug)]
enum Utterance {
    /// Said to a core that has not shown that it has it, or before it is known who answers.
    Held { heard: Heard, entry: Box<Message> },
    /// A core has it, and may bring it to us.
    AtCore(Heard),
    /// Its owner is being searched.
    Searching {
        id: String,
        called_off: CancellationToken,
        /// Cancelled when those behind it need not wait for it any more, at the latest when the search is over.
        overtaken: CancellationToken,
        _over: DropGuard,
    },
    /// A skill has it, and may decline it.
    AtSkill {
        id: String,
        skill_id: String,
        called_off: CancellationToken,
        /// Tells the dispatch that its skill was told to stop.
        stopped: CancellationToken,
    },
    /// Ours, behind the turn that runs.
    Waiting(Box<Job>),
    /// Ours, in its turn.
    Running(Box<Running>),
    /// Over for us; the core sends its end.
    Ended { cause: Box<Message>, since: Instant },
}

/// A turn in progress.
#[derive(Debug)]
pub(super) struct Running {
    /// What it answers.
    pub(super) job: Job,
    stopper: Stopper,
    /// What its person was asked and has not answered.
    question: Option<OpenQuestion>,
}

/// What became of a job that was handed in.
#[derive(Debug)]
pub(super) enum Admission {
    /// Nothing runs: start it now.
    Start(Job),
    /// It waits for the running turn.
    Waits,
    /// Too many run or wait already.
    Refused(Job),
}

/// Where a job is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Now,
    Waiting,
}

impl Running {
    fn is_query(&self) -> bool {
        self.job.origin == Origin::Query
    }

    fn is_asking(&self) -> bool {
        self.question.as_ref().is_some_and(OpenQuestion::is_open)
    }
}

impl Utterance {
    /// Obeys an order. `is_meant` is false for what was said to a core after the word that the order passes on.
    fn obey(&mut self, order: Order, is_meant: bool) {
        match (self, order) {
            // It is ended without a word when it is brought to us, or when we take it up.
            (Self::Held { heard, .. } | Self::AtCore(heard), Order::Stop | Order::BargeIn) => {
                heard.is_stopped |= is_meant;
            }
            (Self::Held { .. } | Self::AtCore(_), Order::EmergencyStop | Order::Shutdown) => {}
            // A skill that is at work goes on, unless it declines; then nothing else is searched.
            (
                Self::Searching { called_off, .. } | Self::AtSkill { called_off, .. },
                Order::Stop | Order::BargeIn | Order::Shutdown,
            ) => called_off.cancel(),
            // It may be a skill's, which no stop of ours concerns. A turn that comes of it is refused with a sentence.
            (Self::Searching { .. } | Self::AtSkill { .. }, Order::EmergencyStop) => {}
            // What programs ask goes on when a person wants to be heard.
            (Self::Running(running), Order::BargeIn) if running.is_query() => {}
            (Self::Running(running), order) => {
                running.question = None;
                running.stopper.stop(order.reason());
            }
            // Those that wait are given back to be ended with a word; those that have ended stay so.
            (Self::Waiting(_) | Self::Ended { .. }, _) => {}
        }
    }

    fn running(&self) -> Option<&Running> {
        match self {
            Self::Running(running) => Some(running),
            _ => None,
        }
    }

    fn is_query(&self) -> bool {
        self.running().is_some_and(Running::is_query)
    }

    fn is_turn_of_person(&self) -> bool {
        self.running().is_some_and(|running| !running.is_query())
    }

    fn is_turn(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    fn is_waiting(&self) -> bool {
        matches!(self, Self::Waiting(_))
    }

    fn is_on_its_way(&self) -> bool {
        matches!(self, Self::Searching { .. } | Self::AtSkill { .. })
    }

    fn job(&self) -> Option<&Job> {
        match self {
            Self::Waiting(job) => Some(job),
            Self::Running(running) => Some(&running.job),
            _ => None,
        }
    }
}

/// All utterances, by session in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Utterances {
    by_session: HashMap<String, Vec<Utterance>>,
}

impl Utterances {
    /// Obeys an order in one session. Gives back the jobs that waited there and get no turn any more.
    ///
    /// A wake word is not obeyed where a turn waits for a yes: the word may well introduce it.
    pub(super) fn obey(&mut self, order: Order, session_id: &str) -> Vec<Job> {
        if order == Order::BargeIn && self.is_asking(session_id) {
            return Vec::new();
        }
        let word = match order {
            Order::Stop => self.place_of_stop_word(session_id),
            _ => None,
        };
        let Some(list) = self.by_session.get_mut(session_id) else {
            return Vec::new();
        };
        for (place, utterance) in list.iter_mut().enumerate() {
            utterance.obey(order, word.is_none_or(|word| place < word));
        }
        std::iter::from_fn(|| self.take_job(session_id)).collect()
    }

    /// Obeys an order in all sessions.
    pub(super) fn obey_everywhere(&mut self, order: Order) -> Vec<Job> {
        let sessions: Vec<String> = self.by_session.keys().cloned().collect();
        let jobs = sessions
            .iter()
            .flat_map(|session_id| self.obey(order, session_id));
        jobs.collect()
    }

    /// The owner of an utterance is being searched; utterances behind it wait until `overtaken` is cancelled. The token tells when
    /// it is called off.
    pub(super) fn search(&mut self, entry: &Message, overtaken: CancellationToken) -> CancellationToken {
        let called_off = CancellationToken::new();
        let searching = Utterance::Searching {
            id: id_of(entry),
            called_off: called_off.clone(),
            _over: overtaken.clone().drop_guard(),
            overtaken,
        };
        self.replace(entry, searching);
        called_off
    }

    /// A skill has an utterance. The token tells when the skill was told to stop.
    pub(super) fn bring(&mut self, entry: &Message, skill_id: &str) -> CancellationToken {
        let stopped = CancellationToken::new();
        let at_skill = Utterance::AtSkill {
            id: id_of(entry),
            skill_id: skill_id.to_owned(),
            called_off: CancellationToken::new(),
            stopped: stopped.clone(),
        };
        self.replace(entry, at_skill);
        stopped
    }

    fn replace(&mut self, entry: &Message, utterance: Utterance) {
        self.arrived_back(entry);
        self.list(entry.context.session_id()).push(utterance);
    }

    /// Its owner was found, or its skill is done with it. Whether it was called off on the way.
    pub(super) fn arrived_back(&mut self, entry: &Message) -> bool {
        let sought = id_of(entry);
        let is_it = |utterance: &Utterance| match utterance {
            Utterance::Searching { id, .. } | Utterance::AtSkill { id, .. } => *id == sought,
            _ => false,
        };
        match self.take(entry.context.session_id(), is_it) {
            Some(Utterance::Searching { called_off, .. } | Utterance::AtSkill { called_off, .. }) => {
                called_off.is_cancelled()
            }
            _ => false,
        }
    }

    /// How many utterances of a session are searched or at skills.
    pub(super) fn on_their_way(&self, session_id: &str) -> usize {
        let here = self.of(session_id).iter();
        here.filter(|utterance| utterance.is_on_its_way()).count()
    }

    /// Until when the last utterance of a session whose owner is being searched must not be overtaken.
    pub(super) fn last_search(&self, session_id: &str) -> Option<CancellationToken> {
        let mut here = self.of(session_id).iter().rev();
        here.find_map(|utterance| match utterance {
            Utterance::Searching { overtaken, .. } => Some(overtaken.clone()),
            _ => None,
        })
    }

    /// Calls off the searches of a session, because its person has said stop; what that stops is searched like any word.
    pub(super) fn call_off_searches(&self, session_id: &str) {
        for utterance in self.of(session_id) {
            if let Utterance::Searching { called_off, .. } | Utterance::AtSkill { called_off, .. } = utterance
            {
                called_off.cancel();
            }
        }
    }

    /// A skill was told to stop in a session; without one, all skills were.
    pub(super) fn skill_was_stopped(&self, session_id: &str, told: Option<&str>) {
        for utterance in self.of(session_id) {
            match utterance {
                Utterance::AtSkill {
                    skill_id, stopped, ..
                } if told.is_none_or(|told| told == skill_id) => {
                    stopped.cancel();
                }
                _ => {}
            }
        }
    }

    /// Whether a job may begin now, or wait.
    pub(super) fn has_room(&self, job: &Job) -> bool {
        self.place(job).is_some()
    }

    /// Hands a job in.
    pub(super) fn admit(&mut self, job: Job) -> Admission {
        match self.place(&job) {
            None => Admission::Refused(job),
            Some(Place::Now) => Admission::Start(job),
            Some(Place::Waiting) => {
                self.wait(job);
                Admission::Waits
            }
        }
    }

    fn place(&self, job: &Job) -> Option<Place> {
        let own = job.speaker.is_owner();
        let here = self.of(job.session.id());
        if job.origin == Origin::Query {
            let queries = here.iter().filter(|utterance| utterance.is_query()).count();
            let has_room = queries < QUERIES && self.count(Utterance::is_query) < ALL_QUERIES;
            return (has_room && self.may_begin(own)).then_some(Place::Now);
        }
        if !here.iter().any(Utterance::is_turn_of_person) {
            return self.may_begin(own).then_some(Place::Now);
        }
        let waiting = here.iter().filter(|utterance| utterance.is_waiting()).count();
        let room = |there: usize, most: usize| there < most + if own { OWN_RESERVE } else { 0 };
        let has_room = room(waiting, WAITING) && room(self.count(Utterance::is_waiting), ALL_WAITING);
        has_room.then_some(Place::Waiting)
    }

    fn may_begin(&self, own: bool) -> bool {
        self.count(Utterance::is_turn) < if own { TURNS } else { TURNS - OWN_RESERVE }
    }

    /// What the owner says goes before what programs say.
    fn wait(&mut self, job: Job) {
        let list = self.list(job.session.id());
        let is_of_program =
            |utterance: &Utterance| matches!(utterance, Utterance::Waiting(job) if !job.speaker.is_owner());
        let program = list
            .iter()
            .position(is_of_program)
            .filter(|_| job.speaker.is_owner());
        list.insert(program.unwrap_or(list.len()), Utterance::Waiting(Box::new(job)));
    }

    /// A turn has begun.
    pub(super) fn began(&mut self, job: Job, stopper: Stopper) {
        let session_id = job.session.id().to_owned();
        let running = Running {
            job,
            stopper,
            question: None,
        };
        self.list(&session_id).push(Utterance::Running(Box::new(running)));
    }

    /// A turn has ended; returns what it was about.
    pub(super) fn turn_ended(&mut self, session_id: &str, turn_id: &str) -> Option<Job> {
        let is_it = |utterance: &Utterance| {
            utterance
                .running()
                .is_some_and(|running| running.job.turn_id == turn_id)
        };
        match self.take(session_id, is_it) {
            Some(Utterance::Running(running)) => Some(running.job),
            _ => None,
        }
    }

    /// The next utterance of a session, if nothing that a person said runs in it.
    pub(super) fn next(&mut self, session_id: &str) -> Option<Job> {
        match self.running(session_id) {
            Some(_) => None,
            None => self.take_job(session_id),
        }
    }

    fn take_job(&mut self, session_id: &str) -> Option<Job> {
        match self.take(session_id, Utterance::is_waiting) {
            Some(Utterance::Waiting(job)) => Some(*job),
            _ => None,
        }
    }

    /// Whether something runs in this session.
    pub(super) fn is_busy(&self, session_id: &str) -> bool {
        self.of(session_id).iter().any(Utterance::is_turn)
    }

    /// Whether something runs in any session.
    pub(super) fn is_any_running(&self) -> bool {
        self.all().any(Utterance::is_turn)
    }

    /// Whether something runs or waits in this session.
    pub(super) fn has_jobs(&self, session_id: &str) -> bool {
        self.of(session_id)
            .iter()
            .any(|utterance| utterance.job().is_some())
    }

    /// What a person has running in this session.
    pub(super) fn running(&self, session_id: &str) -> Option<&Job> {
        let mut here = self.of(session_id).iter();
        here.find(|utterance| utterance.is_turn_of_person())
            .and_then(Utterance::job)
    }

    /// Whether this turn runs or waits.
    pub(super) fn holds(&self, turn_id: &str) -> bool {
        let mut jobs = self.all().filter_map(Utterance::job);
        jobs.any(|job| job.turn_id == turn_id)
    }

    /// The person of this session is asked something; of a turn that has ended nothing is.
    pub(super) fn ask(&mut self, session_id: &str, question: OpenQuestion) {
        if let Some(running) = self.turn_of_person(session_id) {
            running.question = Some(question);
        }
    }

    /// Whether the person of this session has been asked something.
    pub(super) fn is_asking(&self, session_id: &str) -> bool {
        let mut here = self.of(session_id).iter().filter_map(Utterance::running);
        here.any(Running::is_asking)
    }

    /// What the person of this session has been asked.
    pub(super) fn question(&mut self, session_id: &str) -> Option<&mut OpenQuestion> {
        self.turn_of_person(session_id)?.question.as_mut()
    }

    /// The question is over: it was answered, or nothing that is said any more is its answer.
    pub(super) fn take_question(&mut self, session_id: &str) -> Option<OpenQuestion> {
        self.turn_of_person(session_id)?.question.take()
    }

    fn turn_of_person(&mut self, session_id: &str) -> Option<&mut Running> {
        let list = self.by_session.get_mut(session_id)?;
        let turn = list.iter_mut().find(|utterance| utterance.is_turn_of_person())?;
        match turn {
            Utterance::Running(running) => Some(running),
            _ => None,
        }
    }

    fn of(&self, session_id: &str) -> &[Utterance] {
        self.by_session.get(session_id).map_or(&[], Vec::as_slice)
    }

    fn all(&self) -> impl Iterator<Item = &Utterance> {
        self.by_session.values().flatten()
    }

    fn count(&self, is_meant: impl Fn(&Utterance) -> bool) -> usize {
        self.all().filter(|utterance| is_meant(utterance)).count()
    }

    fn list(&mut self, session_id: &str) -> &mut Vec<Utterance> {
        self.by_session.entry(session_id.to_owned()).or_default()
    }

    /// Takes the first such utterance out of a session.
    fn take(&mut self, session_id: &str, is_it: impl Fn(&Utterance) -> bool) -> Option<Utterance> {
        let place = self.of(session_id).iter().position(is_it)?;
        self.take_at(session_id, place)
    }

    fn take_at(&mut self, session_id: &str, place: usize) -> Option<Utterance> {
        let list = self.by_session.get_mut(session_id)?;
        let taken = list.remove(place);
        if list.is_empty() {
            self.by_session.remove(session_id);
        }
        Some(taken)
    }

    fn take_all(&mut self, is_meant: impl Fn(&Utterance) -> bool) -> Vec<Utterance> {
        let lists = self.by_session.values_mut();
        let taken = lists.flat_map(|list| list.extract_if(.., |utterance| is_meant(utterance)));
        let taken = taken.collect();
        self.by_session.retain(|_, list| !list.is_empty());
        taken
    }
}

/// The id of the utterance that a frame belongs to.
fn id_of(entry: &Message) -> String {
    entry.context.utterance_id().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
