//! Who may speak on with whom: what is said after the question of a persona is the answer to it, and a person may leave a
//! conversation without being answered.
//!
//! What is said next ends the waiting in any case, and so does silence. Words that stop, commands and intents go before.
//! Nothing here asks for a yes, and nothing opens a microphone.

use std::collections::HashMap;
use std::time::Duration;

use loquat_mind::Reply;
use loquat_orchestrator::effort::Effort;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::search::{FollowUp, ToolIntents};
use loquat_part::heard::ADDRESSEE;
use loquat_phrases::Phrases;
use loquat_sentences::words::words;
use loquat_wire::Message;
use tokio::time::Instant;

use super::job::{Job, Origin};
use super::{Desk, utterances};

/// Conversations that may be open in all sessions together.
const MOST: usize = 256;

/// For how long a person speaks, and whisper listens, on a small machine.
const SPEAKING_AND_RECOGNISING: Duration = Duration::from_secs(30);

/// As slow voices speak.
const LETTERS_A_SECOND: usize = 12;

/// Questions in a row that open the microphone. A television would answer for ever.
const QUESTIONS_IN_A_ROW: u8 = 25;

/// What may stand behind the mark of a question.
const CLOSING_MARKS: [char; 8] = ['"', '\'', '”', '’', '»', ')', '*', '…'];

/// The conversations that may go on, by session.
#[derive(Debug)]
pub(super) struct Talks {
    /// How long after an answer a person may speak on; zero is never.
    follow_up: Duration,
    by_session: HashMap<String, Talk>,
}

#[derive(Debug)]
struct Talk {
    /// This persona answered.
    persona_id: String,
    /// The turn that answered.
    turn_id: String,
    asked: Asked,
    /// How many questions before it were answered, one after the other.
    answered: u8,
    next: Next,
    until: Instant,
}

/// Whether an answer asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Nothing,
    /// It answers by writing, to a person who types here.
    InWriting,
    /// So that the microphone is opened for what is said next.
    Aloud,
}

/// Where that is which was said next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Awaited,
    AtCore,
    Came,
}

impl Talks {
    /// None yet.
    pub(super) fn new(follow_up: Duration) -> Self {
        let by_session = HashMap::new();
        Self {
            follow_up,
            by_session,
        }
    }

    fn open(&mut self, job: &Job, text: &str) {
        let now = Instant::now();
        self.by_session.retain(|_, talk| talk.until > now);
        let before = self.by_session.remove(job.session.id());
        let is_answer = |talk: &Talk| talk.next == Next::Came && talk.asked != Asked::Nothing;
        let answers = before.filter(is_answer);
        let answered = answers.map_or(0, |talk| talk.answered.saturating_add(1));
        if self.by_session.len() >= MOST {
            return;
        }
        let is_typed_here = job.is_heard_here() && job.channel() == "text";
        let asked = match is_question(text) {
            false => Asked::Nothing,
            true if is_typed_here || answered >= QUESTIONS_IN_A_ROW => Asked::InWriting,
            true => Asked::Aloud,
        };
        let talk = Talk {
            persona_id: job.persona.id.clone(),
            turn_id: job.turn_id.clone(),
            asked,
            answered,
            next: Next::Awaited,
            until: now + spoken_in(text) + self.follow_up + SPEAKING_AND_RECOGNISING,
        };
        self.by_session.insert(job.session.id().to_owned(), talk);
    }

    fn of(&self, session_id: &str) -> Option<&Talk> {
        let talk = self.by_session.get(session_id)?;
        (talk.next != Next::Came && talk.until > Instant::now()).then_some(talk)
    }

    /// Whether the answer of this turn is a question.
    pub(super) fn is_asked(&self, job: &Job) -> bool {
        let talk = self.of(job.session.id());
        talk.is_some_and(|talk| talk.asked != Asked::Nothing && talk.turn_id == job.turn_id)
    }

    /// Whether the microphone is opened for what is said to the answer of this turn.
    pub(super) fn is_asked_aloud(&self, job: &Job) -> bool {
        let talk = self.of(job.session.id());
        talk.is_some_and(|talk| talk.asked == Asked::Aloud && talk.turn_id == job.turn_id)
    }

    /// What these words mean in the conversation of their session, if one is open.
    fn meant(&self, entry: &Message, lang: &str) -> Option<FollowUp> {
        let talk = self.of(entry.context.session_id())?;
        let said = utterances(entry).into_iter().next()?;
        if Phrases::of(lang).orders.is_dismissal(&said) {
            return Some(FollowUp::Ends);
        }
        (talk.asked != Asked::Nothing).then(|| FollowUp::Answers(talk.persona_id.clone()))
    }

    /// What these words mean in the conversation of their session, or for whom they are by the wake word before them. Nothing
    /// more is waited for there.
    pub(super) fn take(&mut self, entry: &Message, lang: &str) -> Option<FollowUp> {
        let meant = match self.meant(entry, lang) {
            Some(FollowUp::Ends) => Some(FollowUp::Ends),
            answers => called_by_name(entry).or(answers),
        };
        if let Some(talk) = self.by_session.get_mut(entry.context.session_id()) {
            talk.next = Next::Came;
        }
        meant
    }

    /// The person of a session wants silence.
    pub(super) fn close(&mut self, session_id: &str) {
        self.by_session.remove(session_id);
    }

    /// A core has what was said next.
    pub(super) fn said_to_core(&mut self, session_id: &str) {
        if let Some(talk) = self.awaiting(session_id, Next::Awaited) {
            talk.next = Next::AtCore;
        }
    }

    /// An utterance has ended: if it was what was said next, another than we has answered it.
    pub(super) fn ended(&mut self, session_id: &str) {
        if let Some(talk) = self.awaiting(session_id, Next::AtCore) {
            talk.next = Next::Came;
        }
    }

    fn awaiting(&mut self, session_id: &str, next: Next) -> Option<&mut Talk> {
        let talk = self.by_session.get_mut(session_id)?;
        (talk.next == next).then_some(talk)
    }
}

/// The persona whose wake word was said before these words, as the ear tells it.
fn called_by_name(entry: &Message) -> Option<FollowUp> {
    let name = entry.context.get(ADDRESSEE)?.as_str()?;
    Some(FollowUp::Answers(name.to_owned()))
}

impl Desk {
    /// Notes that a person may speak on to the answer of this turn.
    pub(super) fn note_talk(&mut self, job: &Job, said: &Reply) {
        let is_answer = said.reason.is_success() && !said.text.trim().is_empty();
        let goes_on = is_answer && job.origin != Origin::Query && !self.dialogue.open_calls.is_of(job);
        if goes_on && !self.settings.follow_up.is_zero() {
            self.dialogue.talks.open(job, &said.text);
        }
    }

    /// Whether words that a core asks about go on with our conversation. Conversing goes before intents there, so what is
    /// known to be one is left to the core.
    pub(super) fn would_speak_on(&self, words: &Message, lang: &str) -> bool {
        self.dialogue.talks.meant(words, lang).is_some() && !self.is_known_intent(words, lang)
    }

    fn is_known_intent(&self, ping: &Message, lang: &str) -> bool {
        let said = utterances(ping).into_iter().next().unwrap_or_default();
        let session = ping.context.session();
        let mut effort = Effort::LITTLE;
        let found =
            self.repertoire
                .registered
                .now()
                .recognise(&words(&said), lang, &session, SKILL_ID, &mut effort);
        !found.is_empty() || self.repertoire.tools.now().recognise(&said, lang).is_some()
    }
}

fn is_question(text: &str) -> bool {
    let text =
        text.trim_end_matches(|letter: char| letter.is_whitespace() || CLOSING_MARKS.contains(&letter));
    text.ends_with(['?', '？'])
}

/// How long a text is spoken at most.
fn spoken_in(text: &str) -> Duration {
    let seconds = text.chars().count() / LETTERS_A_SECOND;
    Duration::from_secs(seconds.try_into().unwrap_or(u64::MAX)).min(Duration::from_secs(600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_ends_in_its_mark_and_nothing_else_does() {
        for text in [
            "Which city?",
            "Est-ce que tu veux du thé ?",
            "She asked: \"Why?\"  ",
            "好吗？",
        ] {
            assert!(is_question(text), "{text}");
        }
        for text in ["Paris.", "Which city? I know of two.", "", "one; two;"] {
            assert!(!is_question(text), "{text}");
        }
    }
}
