//! How far a question has come to its person. It is heard when it has been spoken to its end, and read a moment after it was
//! written; what was said before that is no answer to it.

use std::time::Duration;

use loquat_part::stillness::Still;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::desk::saying::Saying;

/// As people speak; for questions of which nothing tells when they are spoken.
const WORDS_A_SECOND: f64 = 2.5;

/// What is typed sooner than this behind a question was begun before it. Programs that answer for a person are quick, too.
const READING: Duration = Duration::from_millis(300);

/// A voice that has spoken in this session before begins within this.
const VOICE_BEGINS: Duration = Duration::from_secs(10);

/// People begin to answer a little before the last word has died away.
const OVERLAP: Duration = Duration::from_millis(300);

/// What nothing has ended for so long is spoken no more.
pub(super) const LONGEST_SPEECH: Duration = Duration::from_secs(300);

/// Whether what was said can be an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The question was heard or read before.
    Heard,
    /// It was not yet, or something else was heard at the same time.
    NotYet,
    /// It was not, and has to be asked again: it was hushed before its end, or the answer began too early.
    Cut,
}

/// One question on its way.
#[derive(Debug)]
pub(super) struct Reception {
    text: String,
    put: Instant,
    /// When it has been spoken, if nothing tells.
    estimated: Instant,
    patience: Duration,
    /// Since when the device speaks in its session.
    speaking_since: Option<Instant>,
    /// When that ended last, and how often it did.
    ended: Option<(Instant, u32)>,
    is_cut: bool,
    /// Until when an answer is waited for.
    deadline: watch::Sender<Instant>,
    /// At the device nothing else is to be heard meanwhile.
    still: Option<Still>,
}

impl Reception {
    /// Of a question that is put now. It is known whether a voice has spoken in its session, and since when it does.
    pub(super) fn begin(
        text: &str,
        has_voice: bool,
        speaking_since: Option<Instant>,
        patience: Duration,
        deadline: watch::Sender<Instant>,
    ) -> Self {
        let put = Instant::now();
        let begins = if has_voice { VOICE_BEGINS } else { Duration::ZERO };
        let estimated = put + spoken_in(text) + begins;
        deadline.send_replace(estimated + patience);
        Self {
            text: text.to_owned(),
            put,
            estimated,
            patience,
            speaking_since,
            ended: None,
            is_cut: false,
            deadline,
            still: None,
        }
    }

    /// Adds the stillness in which it is put.
    pub(super) fn in_stillness(self, still: Option<Still>) -> Self {
        Self { still, ..self }
    }

    /// The device begins to speak in its session, or has ended.
    pub(super) fn speech(&mut self, begins: bool) {
        let now = Instant::now();
        if begins {
            self.speaking_since = Some(now);
        } else if self.speaking_since.take().is_some() {
            let rounds = self.ended.map_or(0, |(_, rounds)| rounds);
            if rounds == 0 {
                self.deadline.send_replace(now + self.patience);
            }
            self.ended = Some((now, rounds.saturating_add(1)));
        }
    }

    /// This was to be spoken, and was not heard to its end.
    pub(super) fn interrupted(&mut self, said: &str) {
        self.is_cut |= said == self.text;
    }

    /// Whether it was put before this was said.
    pub(super) fn is_put_before(&self, saying: Saying) -> bool {
        self.put <= saying.began
    }

    /// Whether what was said so can be an answer to it.
    pub(super) fn reach(&self, saying: Saying) -> Reach {
        let since = self
            .speaking_since
            .filter(|since| since.elapsed() < LONGEST_SPEECH);
        let heard_at = match (since, self.ended) {
            (Some(_), _) => None,
            // What came behind the question may be a voice that says yes.
            (None, Some((at, 1))) => Some(at.checked_sub(OVERLAP).unwrap_or(at)),
            (None, Some((at, _))) => Some(at),
            (None, None) => Some(self.estimated),
        };
        let is_broken = self
            .still
            .as_ref()
            .is_some_and(|still| still.was_broken_after(saying.began));
        let is_heard = !is_broken && heard_at.is_some_and(|at| at <= saying.began);
        if saying.is_typed && (self.put + READING <= saying.began || is_heard) {
            Reach::Heard
        } else if self.is_cut {
            Reach::Cut
        } else if is_heard {
            Reach::Heard
        } else {
            Reach::NotYet
        }
    }
}

/// How long it takes to say this.
fn spoken_in(text: &str) -> Duration {
    Duration::from_secs_f64(text.split_whitespace().count() as f64 / WORDS_A_SECOND)
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    /// Five seconds long.
    const TEXT: &str = "Shall I do this: unlock door, text: front, unlock door, thanks?";

    fn question(has_voice: bool, speaking_since: Option<Instant>) -> (Reception, watch::Receiver<Instant>) {
        let (deadline, until) = watch::channel(Instant::now());
        (
            Reception::begin(TEXT, has_voice, speaking_since, PATIENCE, deadline),
            until,
        )
    }

    fn said(is_typed: bool) -> Saying {
        let began = Instant::now();
        Saying { began, is_typed }
    }

    async fn seconds(seconds: f64) {
        advance(Duration::from_secs_f64(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn without_news_of_speech_it_is_heard_when_it_can_have_been_said() {
        let (question, _until) = question(false, None);
        seconds(4.0).await;
        assert_eq!(question.reach(said(false)), Reach::NotYet);
        let early = said(false);
        seconds(1.0).await;
        assert_eq!(question.reach(early), Reach::NotYet, "it began before");
        assert_eq!(question.reach(said(false)), Reach::Heard);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_written_is_read_in_a_moment() {
        let (question, _until) = question(false, None);
        seconds(0.2).await;
        assert_eq!(question.reach(said(true)), Reach::NotYet);
        seconds(0.1).await;
        assert_eq!(question.reach(said(true)), Reach::Heard);
        assert_eq!(question.reach(said(false)), Reach::NotYet);
    }

    #[tokio::test(start_paused = true)]
    async fn with_a_voice_it_is_heard_when_the_voice_has_ended() {
        let (mut question, until) = question(true, None);
        seconds(7.0).await;
        assert_eq!(question.reach(said(false)), Reach::NotYet, "the voice is slow");
        question.speech(true);
        seconds(12.0).await;
        assert_eq!(question.reach(said(false)), Reach::NotYet, "it speaks");
        let overlapping = said(false);
        seconds(0.2).await;
        question.speech(false);
        assert_eq!(
            question.reach(overlapping),
            Reach::Heard,
            "people begin a little early"
        );
        assert_eq!(*until.borrow(), Instant::now() + PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_voice_behind_the_question_is_no_answer() {
        let (mut question, until) = question(false, None);
        question.speech(false);
        assert_eq!(question.reach(said(false)), Reach::NotYet, "nothing had begun");
        question.speech(true);
        question.speech(false);
        let deadline = *until.borrow();
        seconds(3.0).await;
        question.speech(true);
        let overlapping = said(false);
        assert_eq!(question.reach(overlapping), Reach::NotYet);
        seconds(0.2).await;
        question.speech(false);
        assert_eq!(question.reach(overlapping), Reach::NotYet);
        assert_eq!(question.reach(said(false)), Reach::Heard);
        assert_eq!(*until.borrow(), deadline, "nobody prolongs it by speaking");
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_that_was_hushed_was_not_heard() {
        let (mut question, _until) = question(true, Some(Instant::now()));
        question.interrupted("something else");
        question.speech(false);
        assert_eq!(question.reach(said(false)), Reach::Heard);
        question.interrupted(TEXT);
        assert_eq!(question.reach(said(false)), Reach::Cut);
        seconds(1.0).await;
        assert_eq!(question.reach(said(true)), Reach::Heard, "it was read");
    }
}
