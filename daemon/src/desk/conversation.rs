//! What the desk knows of each session: its history, the turn that runs and the utterances that wait.
//!
//! One turn of a person at a time per session; sessions never see each other. Histories are bounded in length, number and
//! bytes, and so are the turns of all sessions together: who finds no room is told so.
//!
//! What is asked out of band in a session waits for nobody: a tool that asks a persona would wait for the turn that waits
//! for the tool, and a query that comes of a query likewise.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use loquat_agent::brain::ChatMessage;
use loquat_agent::record::Reason;
use loquat_agent::reflection::remembered;
use loquat_agent::turn::Stopper;
use loquat_wire::session::DEFAULT_SESSION_ID;
use tokio::time::Instant;

use super::job::{Job, Origin};
use crate::mind::ReadyPersona;
use crate::state::Remembered;

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

/// Places among the turns, the waiting, and the waiting of a session that only what our own ear or terminal hears may
/// have: however much programs ask, a person gets a turn.
const OWN_RESERVE: usize = 8;

/// Bytes that a session's history may have, and those of what it is looked back on.
const HISTORY: usize = 256 * 1024;

/// Bytes of all that is remembered of all sessions.
const ALL_HISTORIES: usize = 32 * 1024 * 1024;

/// Bytes of one message in a history.
const MESSAGE: usize = 16 * 1024;

/// Sessions remembered at once; those that were silent longest are forgotten first.
const SESSIONS: usize = 1000;

/// Sessions forgotten at once, so that not every new one has all others looked through.
const FORGOTTEN: usize = 100;

/// A session to look back on.
#[derive(Debug)]
pub(super) struct Due {
    pub(super) session_id: String,
    pub(super) persona: Arc<ReadyPersona>,
    pub(super) notes: Option<String>,
    pub(super) messages: Vec<ChatMessage>,
}

/// All conversations.
#[derive(Debug)]
pub(super) struct Conversations {
    /// Utterances remembered per session at most; each comes with its answer.
    history_turns: usize,
    /// After so many turns a session is looked back on; zero is never.
    reflection_turns: usize,
    by_session: HashMap<String, Conversation>,
}

#[derive(Debug)]
struct Conversation {
    history: VecDeque<ChatMessage>,
    /// What was written down of what was said before.
    notes: Option<String>,
    /// What has been said since, and in how many turns.
    fresh: VecDeque<ChatMessage>,
    fresh_turns: usize,
    /// Who answered last.
    persona: Option<Arc<ReadyPersona>>,
    running: Option<Running>,
    waiting: VecDeque<Job>,
    queries: Vec<Running>,
    last_used: Instant,
}

impl Conversation {
    fn is_busy(&self) -> bool {
        self.running.is_some() || !self.queries.is_empty()
    }

    /// What the person says to our own ear or terminal goes before what programs say.
    fn wait(&mut self, job: Job) {
        let foreign = self.waiting.iter().position(|waiting| !waiting.own);
        match foreign.filter(|_| job.own) {
            Some(place) => self.waiting.insert(place, job),
            None => self.waiting.push_back(job),
        }
    }

    /// Bytes of what is remembered.
    fn bytes(&self) -> usize {
        bytes(&self.history) + bytes(&self.fresh) + self.notes.as_ref().map_or(0, String::len)
    }

    fn under_way(&self) -> impl Iterator<Item = &Running> {
        self.running.iter().chain(&self.queries)
    }
}

/// Where a job is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Now,
    Waiting,
}

/// A turn in progress.
#[derive(Debug)]
pub(super) struct Running {
    /// What it answers.
    pub(super) job: Job,
    /// Stops it.
    pub(super) stopper: Stopper,
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

fn keep_newest(messages: &mut VecDeque<ChatMessage>, most: usize) {
    let surplus = messages.len().saturating_sub(most);
    messages.drain(..surplus);
}

/// Forgets the older half, question with answer, until the rest is small enough.
fn keep_small(messages: &mut VecDeque<ChatMessage>) {
    while bytes(&*messages) > HISTORY {
        let half = messages.len().div_ceil(4) * 2;
        messages.drain(..half.min(messages.len()));
    }
}

fn bytes<'a>(messages: impl IntoIterator<Item = &'a ChatMessage>) -> usize {
    messages.into_iter().map(|message| message.content.len()).sum()
}

/// A message as it is remembered.
fn shortened(mut message: ChatMessage) -> ChatMessage {
    if message.content.len() > MESSAGE {
        let fits = |end: &usize| message.content.is_char_boundary(*end);
        let end = (0..=MESSAGE).rev().find(fits).unwrap_or(0);
        message.content.truncate(end);
    }
    message
}

impl Conversations {
    pub(super) fn new(history_turns: usize, reflection_turns: usize) -> Self {
        Self {
            history_turns,
            reflection_turns,
            by_session: HashMap::new(),
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
                self.get(job.session.id()).wait(job);
                Admission::Waits
            }
        }
    }

    fn place(&self, job: &Job) -> Option<Place> {
        let own = job.own;
        let conversation = self.by_session.get(job.session.id());
        if job.origin == Origin::Query {
            let here = conversation.map_or(0, |conversation| conversation.queries.len());
            let queries = self.count(|conversation| conversation.queries.len());
            return (here < QUERIES && queries < ALL_QUERIES && self.may_begin(own)).then_some(Place::Now);
        }
        if conversation.is_none_or(|conversation| conversation.running.is_none()) {
            return self.may_begin(own).then_some(Place::Now);
        }
        let here = conversation.map_or(0, |conversation| conversation.waiting.len());
        let waiting = self.count(|conversation| conversation.waiting.len());
        let room = |there: usize, most: usize| there < most + if own { OWN_RESERVE } else { 0 };
        (room(here, WAITING) && room(waiting, ALL_WAITING)).then_some(Place::Waiting)
    }

    fn may_begin(&self, own: bool) -> bool {
        let turns = self.count(|conversation| conversation.under_way().count());
        turns < if own { TURNS } else { TURNS - OWN_RESERVE }
    }

    fn count(&self, of: impl Fn(&Conversation) -> usize) -> usize {
        self.by_session.values().map(of).sum()
    }

    /// A turn has begun.
    pub(super) fn began(&mut self, job: Job, stopper: Stopper) {
        let conversation = self.get(job.session.id());
        if job.origin == Origin::Query {
            conversation.queries.push(Running { job, stopper });
        } else {
            conversation.persona = Some(Arc::clone(&job.persona));
            conversation.running = Some(Running { job, stopper });
        }
    }

    /// A turn has ended; returns what it was about.
    pub(super) fn ended(&mut self, session_id: &str, turn_id: &str) -> Option<Running> {
        let conversation = self.by_session.get_mut(session_id)?;
        let is_it = |running: &Running| running.job.turn_id == turn_id;
        if let Some(place) = conversation.queries.iter().position(is_it) {
            return Some(conversation.queries.swap_remove(place));
        }
        conversation.running.take_if(|running| is_it(running))
    }

    /// The next utterance of a session, if nothing that a person said runs in it.
    pub(super) fn next(&mut self, session_id: &str) -> Option<Job> {
        let conversation = self.by_session.get_mut(session_id)?;
        if conversation.running.is_some() {
            return None;
        }
        conversation.waiting.pop_front()
    }

    /// Earlier utterances and answers, oldest first, behind the notes on what was said before.
    pub(super) fn history(&mut self, session_id: &str) -> Vec<ChatMessage> {
        let conversation = self.get(session_id);
        let notes = conversation.notes.as_deref().map(remembered);
        notes
            .into_iter()
            .chain(conversation.history.iter().cloned())
            .collect()
    }

    /// Remembers what a turn added. What is too much goes by halves: a brain that keeps what it has read of a prompt has to
    /// read all of the history anew whenever its beginning goes, and a small one needs seconds for that.
    pub(super) fn remember(&mut self, session_id: &str, messages: Vec<ChatMessage>) {
        let limit = self.history_turns.saturating_mul(2);
        let half = self.history_turns.div_ceil(2) * 2;
        // Whoever cannot look back loses the oldest, and whoever never does keeps nothing.
        let fresh = self.reflection_turns.saturating_mul(4);
        let messages: Vec<ChatMessage> = messages.into_iter().map(shortened).collect();
        let conversation = self.get(session_id);
        conversation.fresh_turns += 1;
        conversation.fresh.extend(messages.iter().cloned());
        conversation.history.extend(messages);
        if conversation.history.len() > limit {
            keep_newest(&mut conversation.history, half);
        }
        keep_newest(&mut conversation.fresh, fresh);
        keep_small(&mut conversation.history);
        keep_small(&mut conversation.fresh);
        self.forget_surplus();
    }

    /// Forgets what was said in the sessions that were silent longest, until what is remembered of all is small enough.
    fn forget_surplus(&mut self) {
        let mut all = self.count(Conversation::bytes);
        if all <= ALL_HISTORIES {
            return;
        }
        for (_, id) in self.silent() {
            if all <= ALL_HISTORIES {
                return;
            }
            let forgotten = self.by_session.remove(&id);
            all -= forgotten.map_or(0, |conversation| conversation.bytes());
        }
    }

    /// The sessions in which nothing runs or waits, the longest silent first. The device's own is none of them: whatever
    /// others say, its person is remembered.
    fn silent(&self) -> Vec<(Instant, String)> {
        let silent = self.by_session.iter().filter(|(id, conversation)| {
            *id != DEFAULT_SESSION_ID && !conversation.is_busy() && conversation.waiting.is_empty()
        });
        let mut silent: Vec<_> = silent
            .map(|(id, conversation)| (conversation.last_used, id.clone()))
            .collect();
        silent.sort_unstable();
        silent
    }

    /// What a session's next turn would be shown of its past.
    pub(super) fn remembered(&self, session_id: &str) -> Option<Remembered> {
        let conversation = self.by_session.get(session_id)?;
        Some(Remembered {
            session_id: session_id.to_owned(),
            messages: conversation.history.iter().cloned().collect(),
            notes: conversation.notes.clone(),
        })
    }

    /// Takes in what was said before a restart, in sessions that have said nothing since.
    pub(super) fn recall(&mut self, all: Vec<Remembered>) {
        let limit = self.history_turns.saturating_mul(2);
        // Those that spoke last come last, as if they had just spoken one after the other.
        for remembered in all.into_iter().rev() {
            let conversation = self.get(&remembered.session_id);
            if conversation.history.is_empty() && conversation.notes.is_none() {
                let surplus = remembered.messages.len().saturating_sub(limit);
                let messages = remembered.messages.into_iter().skip(surplus);
                conversation.history = messages.map(shortened).collect();
                keep_small(&mut conversation.history);
                conversation.notes = remembered.notes;
            }
        }
        self.forget_surplus();
    }

    /// A session that has not been looked back on for long enough, if nothing runs anywhere.
    pub(super) fn due(&self) -> Option<Due> {
        let turns = self.reflection_turns;
        let idle = turns > 0 && !self.by_session.values().any(Conversation::is_busy);
        let mut sessions = self.by_session.iter().filter(|_| idle);
        let (session_id, conversation) =
            sessions.find(|(_, conversation)| conversation.fresh_turns >= turns)?;
        Some(Due {
            session_id: session_id.clone(),
            persona: conversation.persona.clone()?,
            notes: conversation.notes.clone(),
            messages: conversation.fresh.iter().cloned().collect(),
        })
    }

    /// A session has been looked back on.
    pub(super) fn looked_back(&mut self, session_id: &str, notes: Option<String>) {
        if let Some(conversation) = self.by_session.get_mut(session_id) {
            conversation.fresh_turns = 0;
            if notes.is_some() {
                conversation.notes = notes;
                conversation.fresh.clear();
            }
        }
    }

    /// Stops what runs in a session and gives back what waited. Others go on.
    pub(super) fn stop(&mut self, session_id: &str, reason: Reason) -> Vec<Job> {
        self.end(session_id, reason, |_| true)
    }

    /// Stops what a person has running in a session and gives back what waited; what programs ask goes on.
    pub(super) fn interrupt(&mut self, session_id: &str, reason: Reason) -> Vec<Job> {
        self.end(session_id, reason, |running| running.job.origin != Origin::Query)
    }

    fn end(&mut self, session_id: &str, reason: Reason, meant: fn(&&Running) -> bool) -> Vec<Job> {
        let Some(conversation) = self.by_session.get_mut(session_id) else {
            return Vec::new();
        };
        for running in conversation.under_way().filter(meant) {
            running.stopper.stop(reason);
        }
        conversation.waiting.drain(..).collect()
    }

    /// Stops everything and gives back what waited.
    pub(super) fn stop_all(&mut self, reason: Reason) -> Vec<Job> {
        let sessions: Vec<String> = self.by_session.keys().cloned().collect();
        sessions
            .iter()
            .flat_map(|session_id| self.stop(session_id, reason))
            .collect()
    }

    /// Whether something runs in this session.
    pub(super) fn is_busy(&self, session_id: &str) -> bool {
        let conversation = self.by_session.get(session_id);
        conversation.is_some_and(Conversation::is_busy)
    }

    /// What a person has running in this session.
    pub(super) fn running(&self, session_id: &str) -> Option<&Job> {
        let running = self.by_session.get(session_id)?.running.as_ref()?;
        Some(&running.job)
    }

    /// Whether this turn runs or waits.
    pub(super) fn holds(&self, turn_id: &str) -> bool {
        self.by_session.values().any(|conversation| {
            let under_way = conversation.under_way().map(|running| &running.job);
            let mut jobs = under_way.chain(&conversation.waiting);
            jobs.any(|job| job.turn_id == turn_id)
        })
    }

    fn get(&mut self, session_id: &str) -> &mut Conversation {
        if !self.by_session.contains_key(session_id) {
            self.make_room();
        }
        let conversation = self.by_session.entry(session_id.to_owned());
        let conversation = conversation.or_insert_with(|| Conversation {
            history: VecDeque::new(),
            notes: None,
            fresh: VecDeque::new(),
            fresh_turns: 0,
            persona: None,
            running: None,
            waiting: VecDeque::new(),
            queries: Vec::new(),
            last_used: Instant::now(),
        });
        conversation.last_used = Instant::now();
        conversation
    }

    fn make_room(&mut self) {
        if self.by_session.len() < SESSIONS {
            return;
        }
        for (_, id) in self.silent().into_iter().take(FORGOTTEN) {
            self.by_session.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests;
