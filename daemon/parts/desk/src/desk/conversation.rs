//! What is remembered of each session: what was said, and notes on what was said before.
//!
//! Sessions never see each other. Histories are bounded in length, number and bytes; sessions that were silent longest are
//! forgotten first. What is said now is in [`Utterances`].

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use loquat_agent::brain::{ChatMessage, Role};
use loquat_agent::reflection::remembered;
use loquat_mind::ReadyPersona;
use loquat_state::Remembered;
use loquat_wire::session::DEFAULT_SESSION_ID;
use tokio::time::Instant;

use super::heard::heard_of;
use super::job::{Job, Origin};
use super::utterances::Utterances;

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

/// After so many turns a session is looked back on while the device is quiet; of one alone there is little to note.
const QUIET_TURNS: usize = 2;

/// Answers that may be waiting to be spoken, or are.
const WAITING_ANSWERS: usize = 8;

/// A session to look back on.
#[derive(Debug)]
pub(super) struct Due {
    pub(super) session_id: String,
    pub(super) persona: Arc<ReadyPersona>,
    pub(super) notes: Option<String>,
    pub(super) messages: Vec<ChatMessage>,
}

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
    /// As much of the last answer as was heard, until the next turn is told.
    interrupted: Option<String>,
    /// What was said before it was begun anew, for as long as that may be taken back.
    aside: Option<Aside>,
    /// Who answered last.
    persona: Option<Arc<ReadyPersona>>,
    last_used: Instant,
}

/// What was said in a conversation that is set aside.
#[derive(Debug, Default)]
struct Aside {
    history: VecDeque<ChatMessage>,
    notes: Option<String>,
}

impl Aside {
    fn bytes(&self) -> usize {
        bytes(&self.history) + self.notes.as_ref().map_or(0, String::len)
    }
}

impl Conversation {
    /// Earlier utterances and answers, behind the notes on what was said before.
    fn shown(&self) -> Vec<ChatMessage> {
        let notes = self.notes.as_deref().map(remembered).into_iter();
        notes.chain(self.history.iter().cloned()).collect()
    }

    /// Bytes of what is remembered.
    fn bytes(&self) -> usize {
        let aside = self.aside.as_ref().map_or(0, Aside::bytes);
        bytes(&self.history) + bytes(&self.fresh) + self.notes.as_ref().map_or(0, String::len) + aside
    }

    /// Forgets what was said since it was begun anew, and what was not looked back on.
    fn clear(&mut self) {
        self.history.clear();
        self.fresh.clear();
        self.fresh_turns = 0;
        self.notes = None;
        self.interrupted = None;
    }
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

    fn count(&self, of: impl Fn(&Conversation) -> usize) -> usize {
        self.by_session.values().map(of).sum()
    }

    /// What a turn that began now would be shown; nothing is noted.
    pub(super) fn so_far(&self, session_id: &str) -> Vec<ChatMessage> {
        let conversation = self.by_session.get(session_id);
        conversation.map(Conversation::shown).unwrap_or_default()
    }

    /// What was answered last.
    pub(super) fn last_answer(&self, session_id: &str) -> Option<&str> {
        let mut earlier = self.by_session.get(session_id)?.history.iter().rev();
        let answer = earlier.find(|message| message.role == Role::Assistant)?;
        Some(&answer.content)
    }

    /// What a turn that begins is shown: earlier utterances and answers, oldest first, behind the notes on what was said
    /// before.
    pub(super) fn history(&mut self, job: &Job, utterances: &Utterances) -> Vec<ChatMessage> {
        let conversation = self.get(job.session.id(), utterances);
        if job.origin != Origin::Query {
            conversation.persona = Some(Arc::clone(&job.persona));
        }
        conversation.shown()
    }

    /// As much of the last answer as was heard, where the person interrupted it; told once.
    pub(super) fn interruption(&mut self, job: &Job) -> Option<String> {
        let conversation = self.by_session.get_mut(job.session.id())?;
        conversation.interrupted.take_if(|_| job.origin != Origin::Query)
    }

    /// Of this text, which may be one of a session's last answers, no more was heard than that. Says whether it was.
    pub(super) fn cut_short(&mut self, session_id: &str, said: &str, heard: &str) -> bool {
        let Some(conversation) = self.by_session.get_mut(session_id) else {
            return false;
        };
        let mut cut = None;
        for messages in [&mut conversation.history, &mut conversation.fresh] {
            let answers = messages
                .iter_mut()
                .rev()
                .filter(|message| message.role == Role::Assistant);
            for (ago, answer) in answers.take(WAITING_ANSWERS).enumerate() {
                if let Some(left) = heard_of(&answer.content, said, heard) {
                    answer.content = left;
                    cut = Some(ago);
                    break;
                }
            }
        }
        if cut == Some(0) {
            conversation.interrupted = Some(heard.to_owned());
        }
        cut.is_some()
    }

    /// Remembers what a turn added. What is too much goes by halves: a brain that keeps what it has read of a prompt has to
    /// read all of the history anew whenever its beginning goes, and a small one needs seconds for that.
    pub(super) fn remember(&mut self, session_id: &str, messages: Vec<ChatMessage>, utterances: &Utterances) {
        let limit = self.history_turns.saturating_mul(2);
        let half = self.history_turns.div_ceil(2) * 2;
        // A brain that cannot look back loses the oldest; where looking back is switched off, nothing is kept.
        let fresh = self.reflection_turns.saturating_mul(4);
        let messages: Vec<ChatMessage> = messages.into_iter().map(shortened).collect();
        let conversation = self.get(session_id, utterances);
        conversation.interrupted = None;
        conversation.fresh_turns += 1;
        conversation.fresh.extend(messages.iter().cloned());
        conversation.history.extend(messages);
        if conversation.history.len() > limit {
            keep_newest(&mut conversation.history, half);
        }
        keep_newest(&mut conversation.fresh, fresh);
        keep_small(&mut conversation.history);
        keep_small(&mut conversation.fresh);
        self.forget_surplus(utterances);
    }

    /// Remembers what was said of our own accord: with what was answered last, since questions and answers alternate.
    pub(super) fn add(&mut self, session_id: &str, deed: &str, said: &ChatMessage, utterances: &Utterances) {
        let conversation = self.get(session_id, utterances);
        for messages in [&mut conversation.history, &mut conversation.fresh] {
            match messages.back_mut() {
                Some(last) if last.role == Role::Assistant => {
                    last.content = [last.content.as_str(), &said.content].join(" ");
                    last.foreign |= said.foreign;
                    *last = shortened(last.clone());
                }
                _ => {
                    messages.push_back(ChatMessage::user(deed));
                    messages.push_back(said.clone());
                }
            }
        }
        self.forget_surplus(utterances);
    }

    /// Forgets all that was said in a session.
    pub(super) fn forget(&mut self, session_id: &str) {
        if let Some(conversation) = self.by_session.get_mut(session_id) {
            conversation.clear();
            conversation.aside = None;
        }
    }

    /// Begins a session anew: what was said is set aside in the place of what was before. Where nothing was said since then,
    /// that stays.
    pub(super) fn set_aside(&mut self, session_id: &str) {
        let Some(conversation) = self.by_session.get_mut(session_id) else {
            return;
        };
        let aside = Aside {
            history: std::mem::take(&mut conversation.history),
            notes: conversation.notes.take(),
        };
        if aside.bytes() > 0 {
            conversation.aside = Some(aside);
        }
        conversation.clear();
    }

    /// Remembers what a turn added that had begun before its session was set aside.
    pub(super) fn remember_aside(&mut self, session_id: &str, messages: Vec<ChatMessage>) {
        if let Some(conversation) = self.by_session.get_mut(session_id) {
            let aside = conversation.aside.get_or_insert_default();
            aside.history.extend(messages.into_iter().map(shortened));
            keep_small(&mut aside.history);
        }
    }

    /// Goes on with what was set aside, as if what was said since had been said behind it; false where nothing was.
    pub(super) fn take_back(&mut self, session_id: &str) -> bool {
        let limit = self.history_turns.saturating_mul(2);
        let Some(conversation) = self.by_session.get_mut(session_id) else {
            return false;
        };
        let Some(Aside { mut history, notes }) = conversation.aside.take() else {
            return false;
        };
        history.append(&mut conversation.history);
        keep_newest(&mut history, limit);
        keep_small(&mut history);
        conversation.history = history;
        let notes = [notes, conversation.notes.take()].into_iter().flatten();
        conversation.notes = notes.reduce(|before, since| [before, since].join("\n"));
        true
    }

    /// Forgets what was said in the sessions that were silent longest, until what is remembered of all is small enough.
    fn forget_surplus(&mut self, utterances: &Utterances) {
        let mut all = self.count(Conversation::bytes);
        if all <= ALL_HISTORIES {
            return;
        }
        for (_, id) in self.silent(utterances) {
            if all <= ALL_HISTORIES {
                return;
            }
            let forgotten = self.by_session.remove(&id);
            all -= forgotten.map_or(0, |conversation| conversation.bytes());
        }
    }

    /// The sessions in which nothing runs or waits, the longest silent first. The device's own is none of them: whatever
    /// others say, its person is remembered.
    fn silent(&self, utterances: &Utterances) -> Vec<(Instant, String)> {
        let is_silent = |id: &&String| *id != DEFAULT_SESSION_ID && !utterances.has_jobs(id);
        let silent = self.by_session.iter().filter(|(id, _)| is_silent(id));
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
    pub(super) fn recall(&mut self, all: Vec<Remembered>, utterances: &Utterances) {
        let limit = self.history_turns.saturating_mul(2);
        // Those that spoke last come last, as if they had just spoken one after the other.
        for remembered in all.into_iter().rev() {
            let conversation = self.get(&remembered.session_id, utterances);
            if conversation.history.is_empty() && conversation.notes.is_none() {
                let surplus = remembered.messages.len().saturating_sub(limit);
                let messages = remembered.messages.into_iter().skip(surplus);
                conversation.history = messages.map(shortened).collect();
                keep_small(&mut conversation.history);
                conversation.notes = remembered.notes;
            }
        }
        self.forget_surplus(utterances);
    }

    /// A session that has not been looked back on for long enough, or, in quiet times, since it was spoken in.
    pub(super) fn due(&self, quiet: bool) -> Option<Due> {
        let turns = if quiet {
            self.reflection_turns.min(QUIET_TURNS)
        } else {
            self.reflection_turns
        };
        let mut sessions = self.by_session.iter().filter(|_| turns > 0);
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

    fn get(&mut self, session_id: &str, utterances: &Utterances) -> &mut Conversation {
        if !self.by_session.contains_key(session_id) {
            self.make_room(utterances);
        }
        let conversation = self.by_session.entry(session_id.to_owned());
        let conversation = conversation.or_insert_with(|| Conversation {
            history: VecDeque::new(),
            notes: None,
            fresh: VecDeque::new(),
            fresh_turns: 0,
            interrupted: None,
            aside: None,
            persona: None,
            last_used: Instant::now(),
        });
        conversation.last_used = Instant::now();
        conversation
    }

    fn make_room(&mut self, utterances: &Utterances) {
        if self.by_session.len() < SESSIONS {
            return;
        }
        for (_, id) in self.silent(utterances).into_iter().take(FORGOTTEN) {
            self.by_session.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests;
