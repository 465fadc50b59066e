//! Utterances that were put and not answered yet, in their order: each conversation answers one after the other. Says nothing of
//! their words.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Utterances that are known to wait; of one more, the oldest is forgotten.
const MOST: usize = 64;

/// No turn takes longer. What was not ended by then was for a program that ends nothing.
const PATIENCE: Duration = Duration::from_secs(300);

/// One that waits or is answered.
#[derive(Debug)]
struct Put {
    session: String,
    question: Option<String>,
    line: u64,
    since: Instant,
}

/// All of them, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Waiting(VecDeque<Put>);

impl Waiting {
    /// One comes, which is shown as this line.
    pub(super) fn comes(&mut self, session: &str, question: Option<&str>, line: u64) {
        self.0.retain(|put| put.since.elapsed() < PATIENCE);
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(Put {
            session: session.to_owned(),
            question: question.map(str::to_owned),
            line,
            since: Instant::now(),
        });
    }

    /// One was answered: this question, or else the first of its conversation. Gives the lines of those that have moved up.
    pub(super) fn ends(&mut self, session: &str, question: Option<&str>) -> Vec<u64> {
        let is_of = |put: &Put| put.session == session;
        let named = question.and_then(|_| {
            let mut all = self.0.iter();
            all.position(|put| is_of(put) && put.question.as_deref() == question)
        });
        let Some(at) = named.or_else(|| self.0.iter().position(is_of)) else {
            return Vec::new();
        };
        self.0.remove(at);
        let behind = self.0.iter().skip(at).filter(|put| is_of(put));
        behind.map(|put| put.line).collect()
    }

    /// Gives the question that is answered now, where it has an id.
    pub(super) fn first(&self, session: &str) -> Option<&str> {
        let mut all = self.0.iter();
        all.find(|put| put.session == session)?.question.as_deref()
    }

    /// Tells whether one waits or is answered in a conversation.
    pub(super) fn is_waiting(&self, session: &str) -> bool {
        self.0.iter().any(|put| put.session == session)
    }

    /// Tells how many are answered before that of a line.
    pub(super) fn ahead_of(&self, line: u64) -> Option<usize> {
        let put = self.0.iter().find(|put| put.line == line)?;
        let before = self.0.iter().take_while(|other| other.line != line);
        Some(before.filter(|other| other.session == put.session).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn each_conversation_has_a_queue_of_its_own() {
        let mut waiting = Waiting::default();
        waiting.comes("default", Some("a"), 1);
        waiting.comes("default", None, 2);
        waiting.comes("kitchen", None, 3);
        waiting.comes("default", Some("b"), 4);
        assert_eq!(waiting.first("default"), Some("a"));
        let ahead: Vec<_> = [1, 2, 3, 4].map(|line| waiting.ahead_of(line)).to_vec();
        assert_eq!(ahead, [Some(0), Some(1), Some(0), Some(2)]);
        assert_eq!(waiting.ends("default", Some("a")), [2, 4]);
        assert_eq!(waiting.ahead_of(4), Some(1));
        assert_eq!(waiting.ends("default", Some("b")), Vec::<u64>::new(), "a stop");
        assert_eq!(waiting.ends("default", Some("x")), Vec::<u64>::new(), "any other");
        assert!(!waiting.is_waiting("default") && waiting.is_waiting("kitchen"));
        tokio::time::advance(PATIENCE).await;
        waiting.comes("default", None, 5);
        assert!(!waiting.is_waiting("kitchen"), "nobody ends it any more");
    }
}
