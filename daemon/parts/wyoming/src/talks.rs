//! What is waited for in each conversation: one answer at a time, which several utterances may have a part in.
//!
//! A question of ours ends the waiting and leaves the utterance open: what is said next in the conversation answers it, and
//! is answered when both have ended. Bounded in number, size and time. Knows no bus and no peer.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

/// Conversations in which something is waited for at once, ours that wait for a person included.
const TALKS: usize = 256;

/// Utterances of one conversation that have not ended.
const OPEN: usize = 8;

/// One answer has at most this many bytes of text; the rest is left out.
const LONGEST_ANSWER: usize = 64 * 1024;

/// A question of ours that nothing was said to is forgotten after this, which is longer than any is waited for.
const FORGOTTEN: Duration = Duration::from_secs(900);

/// The answer to an utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// All sentences, one a line. It is empty where something was done without a word.
    pub(super) text: String,
    /// Says whether the utterance had an owner.
    pub(super) is_handled: bool,
}

/// Says why nothing is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Busy {
    /// An answer is being waited for there.
    #[error("failed to take the sentence: the one before it in this conversation is not answered yet")]
    Conversation,
    /// Too many conversations are open.
    #[error("failed to take the sentence: too many conversations are open")]
    All,
}

/// All conversations in which an utterance has not ended.
#[derive(Debug, Default)]
pub(super) struct Talks {
    by_session: HashMap<String, Talk>,
    /// The session of each open utterance.
    sessions: HashMap<String, String>,
}

#[derive(Debug)]
struct Talk {
    /// The utterances that have not ended.
    open: Vec<String>,
    said: Vec<String>,
    bytes: usize,
    is_handled: bool,
    waits: Option<oneshot::Sender<Answer>>,
    since: Instant,
}

impl Talk {
    /// Gives what was said since the last time.
    fn deliver(&mut self) {
        let text = std::mem::take(&mut self.said).join("\n");
        self.bytes = 0;
        let is_handled = self.is_handled;
        if let Some(waits) = self.waits.take() {
            // The peer may have gone meanwhile.
            waits.send(Answer { text, is_handled }).ok();
        }
    }
}

impl Talks {
    /// An utterance begins; gives its answer when there is one.
    pub(super) fn begin(
        &mut self,
        session: &str,
        utterance: &str,
    ) -> Result<oneshot::Receiver<Answer>, Busy> {
        self.forget();
        let known = self.by_session.get(session);
        if known.is_some_and(|talk| talk.waits.is_some() || talk.open.len() >= OPEN) {
            return Err(Busy::Conversation);
        }
        if known.is_none() && self.by_session.len() >= TALKS {
            return Err(Busy::All);
        }
        let (waits, answer) = oneshot::channel();
        let talk = self.by_session.entry(session.to_owned());
        let talk = talk.or_insert_with(|| Talk {
            open: Vec::new(),
            said: Vec::new(),
            bytes: 0,
            is_handled: true,
            waits: None,
            since: Instant::now(),
        });
        talk.open.push(utterance.to_owned());
        talk.waits = Some(waits);
        talk.is_handled = true;
        talk.since = Instant::now();
        self.sessions.insert(utterance.to_owned(), session.to_owned());
        Ok(answer)
    }

    /// A sentence was said to an utterance. A question waits for what is said next.
    pub(super) fn said(&mut self, utterance: &str, text: &str, is_question: bool) {
        let Some(talk) = self.of(utterance) else { return };
        if talk.bytes + text.len() <= LONGEST_ANSWER && !text.is_empty() {
            talk.bytes += text.len();
            talk.said.push(text.to_owned());
        }
        if is_question {
            talk.deliver();
        }
    }

    /// No skill and no persona took the utterance.
    pub(super) fn unmatched(&mut self, utterance: &str) {
        if let Some(talk) = self.of(utterance) {
            talk.is_handled = false;
        }
    }

    /// An utterance has ended. The answer is given with the last.
    pub(super) fn ended(&mut self, utterance: &str) {
        let Some(session) = self.sessions.remove(utterance) else {
            return;
        };
        let Some(talk) = self.by_session.get_mut(&session) else {
            return;
        };
        talk.open.retain(|open| open != utterance);
        if talk.open.is_empty() {
            talk.deliver();
            self.by_session.remove(&session);
        }
    }

    /// Nothing is waited for in this conversation any more.
    pub(super) fn abandon(&mut self, session: &str) {
        if let Some(talk) = self.by_session.remove(session) {
            for utterance in talk.open {
                self.sessions.remove(&utterance);
            }
        }
    }

    /// Names the session of an utterance that has not ended.
    pub(super) fn session_of(&self, utterance: &str) -> Option<&str> {
        self.sessions.get(utterance).map(String::as_str)
    }

    fn of(&mut self, utterance: &str) -> Option<&mut Talk> {
        let session = self.sessions.get(utterance)?;
        self.by_session.get_mut(session)
    }

    fn forget(&mut self) {
        let is_stale = |talk: &Talk| talk.waits.is_none() && talk.since.elapsed() > FORGOTTEN;
        let stale = self.by_session.iter().filter(|(_, talk)| is_stale(talk));
        let stale: Vec<String> = stale.map(|(session, _)| session.clone()).collect();
        for session in stale {
            self.abandon(&session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, is_handled: bool) -> Answer {
        let text = text.to_owned();
        Answer { text, is_handled }
    }

    #[test]
    fn an_answer_is_all_that_was_said_until_the_end() {
        let mut talks = Talks::default();
        let mut waits = talks.begin("kitchen", "1").unwrap();
        assert_eq!(talks.begin("kitchen", "2").unwrap_err(), Busy::Conversation);
        talks.said("1", "One moment.", false);
        talks.said("other", "Not for you.", false);
        assert!(waits.try_recv().is_err());
        talks.said("1", "Done.", false);
        talks.ended("1");
        assert_eq!(waits.try_recv(), Ok(answer("One moment.\nDone.", true)));
        assert!(talks.by_session.is_empty() && talks.sessions.is_empty());
    }

    #[test]
    fn what_is_said_to_a_question_is_answered_when_both_have_ended() {
        let mut talks = Talks::default();
        let mut first = talks.begin("kitchen", "1").unwrap();
        talks.said("1", "Shall I?", true);
        assert_eq!(first.try_recv(), Ok(answer("Shall I?", true)));
        let mut second = talks.begin("kitchen", "2").unwrap();
        talks.ended("2");
        assert!(second.try_recv().is_err());
        talks.said("1", "Done.", false);
        talks.ended("1");
        assert_eq!(second.try_recv(), Ok(answer("Done.", true)));
        assert!(talks.by_session.is_empty() && talks.sessions.is_empty());
    }

    #[test]
    fn what_has_no_owner_is_not_handled() {
        let mut talks = Talks::default();
        let mut waits = talks.begin("kitchen", "1").unwrap();
        talks.unmatched("1");
        talks.ended("1");
        assert_eq!(waits.try_recv(), Ok(answer("", false)));
    }

    #[tokio::test(start_paused = true)]
    async fn conversations_are_bounded_and_questions_forgotten() {
        let mut talks = Talks::default();
        for number in 0..TALKS {
            let name = number.to_string();
            drop(talks.begin(&name, &name).unwrap());
            talks.said(&name, "Shall I?", true);
        }
        assert_eq!(talks.begin("more", "more").unwrap_err(), Busy::All);
        talks.abandon("0");
        assert!(talks.begin("more", "more").is_ok());
        tokio::time::advance(FORGOTTEN + Duration::from_secs(1)).await;
        assert!(talks.begin("again", "again").is_ok());
        assert_eq!((talks.by_session.len(), talks.sessions.len()), (2, 2));
    }

    #[test]
    fn an_endless_answer_is_cut() {
        let mut talks = Talks::default();
        let mut waits = talks.begin("kitchen", "1").unwrap();
        for _ in 0..1000 {
            talks.said("1", &"x".repeat(1024), false);
        }
        talks.ended("1");
        assert!(waits.try_recv().unwrap().text.len() <= LONGEST_ANSWER + 64);
    }
}
