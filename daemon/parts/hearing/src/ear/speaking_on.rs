//! When the ear waits for a person who speaks on: after the answer to what it heard last was spoken, if that was no question.
//!
//! A question has the microphone opened by whatever speaks it. Nothing here listens.

use std::time::Duration;

use tokio::time::Instant;

/// An answer that comes later is no answer to what was heard.
const ANSWERED_WITHIN: Duration = Duration::from_secs(180);

/// Follow-ups in a row. A television would speak on for ever.
const IN_A_ROW: u8 = 25;

/// What is known of the exchange between the person and the device.
#[derive(Debug)]
pub(super) struct SpeakingOn {
    /// How long a person who speaks on is waited for; zero is never.
    patience: Duration,
    heard_at: Option<Instant>,
    /// Whether an answer came since, and whether it was a question.
    answer: Option<bool>,
    in_a_row: u8,
}

impl SpeakingOn {
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            patience,
            heard_at: None,
            answer: None,
            in_a_row: 0,
        }
    }

    /// Waits so long from now on.
    pub(super) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Tells how long that is, where a person is waited for at all.
    pub(super) fn patience(&self) -> Option<Duration> {
        let waits = !self.patience.is_zero() && self.in_a_row < IN_A_ROW;
        waits.then_some(self.patience)
    }

    /// Something was heard.
    pub(super) fn heard(&mut self) {
        self.heard_at = Some(Instant::now());
        self.answer = None;
    }

    /// The device is to say something.
    pub(super) fn answered(&mut self, is_question: bool) {
        let in_time = self.heard_at.is_some_and(|at| at.elapsed() < ANSWERED_WITHIN);
        self.answer = in_time.then_some(is_question);
    }

    /// The person meant the device without a doubt.
    pub(super) fn was_addressed(&mut self) {
        self.in_a_row = 0;
    }

    /// Nothing was said, or the person wants silence.
    pub(super) fn ended(&mut self) {
        (self.heard_at, self.answer) = (None, None);
    }

    /// The device has spoken: how long a person who speaks on is waited for now.
    pub(super) fn spoke(&mut self) -> Option<Duration> {
        let is_question = self.answer.take()?;
        if is_question {
            return None;
        }
        self.ended();
        if self.patience.is_zero() || self.in_a_row >= IN_A_ROW {
            return None;
        }
        self.in_a_row += 1;
        Some(self.patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(5);

    #[tokio::test(start_paused = true)]
    async fn only_the_answer_to_what_was_heard_is_spoken_on_to() {
        let mut speaking_on = SpeakingOn::new(PATIENCE);
        speaking_on.answered(false);
        assert_eq!(speaking_on.spoke(), None, "a timer rang");
        speaking_on.heard();
        assert_eq!(speaking_on.spoke(), None, "a sound before the answer");
        speaking_on.answered(false);
        assert_eq!(speaking_on.spoke(), Some(PATIENCE));
        assert_eq!(speaking_on.spoke(), None, "once");
        speaking_on.heard();
        speaking_on.answered(true);
        assert_eq!(
            speaking_on.spoke(),
            None,
            "a question opens the microphone itself"
        );
        speaking_on.answered(false);
        assert_eq!(
            speaking_on.spoke(),
            Some(PATIENCE),
            "the answer after the question"
        );
        speaking_on.heard();
        speaking_on.answered(false);
        speaking_on.ended();
        assert_eq!(speaking_on.spoke(), None, "stopped");
        speaking_on.heard();
        tokio::time::advance(ANSWERED_WITHIN).await;
        speaking_on.answered(false);
        assert_eq!(speaking_on.spoke(), None, "much later");
    }

    #[tokio::test(start_paused = true)]
    async fn a_television_does_not_speak_on_for_ever() {
        let mut speaking_on = SpeakingOn::new(PATIENCE);
        let exchange = |speaking_on: &mut SpeakingOn| {
            speaking_on.heard();
            speaking_on.answered(false);
            speaking_on.spoke().is_some()
        };
        let waited = (0..100).filter(|_| exchange(&mut speaking_on)).count();
        assert_eq!(waited, usize::from(IN_A_ROW));
        speaking_on.was_addressed();
        assert!(exchange(&mut speaking_on));
        assert!(!exchange(&mut SpeakingOn::new(Duration::ZERO)));
    }
}
