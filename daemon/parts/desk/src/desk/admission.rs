//! What is for us to answer gets a turn, waits for one, or is told that we are busy. Never decides whose an utterance is.

use loquat_agent::record::Reason;
use loquat_mind::Reply;
use loquat_orchestrator::frames;
use loquat_phrases::Phrases;

use super::job::{Job, Origin};
use super::utterances::Admission;
use super::{Desk, query, sampling};

impl Desk {
    /// Lets the session's turn begin or wait, if there is room for it. What there is no room for is not written down.
    pub(super) async fn take(&mut self, mut job: Job) {
        self.bind(&mut job);
        match sampling::wanted(&job.cause, self.settings.sampling_by_asker) {
            Ok(sampling) => job.sampling = sampling,
            Err(error) => {
                tracing::warn!(session = job.session.id(), %error, "a turn is refused");
                let said = Reply::refused(&error.to_string(), Phrases::of(&job.lang).broken());
                return self.end(&job, said, true).await;
            }
        }
        if !self.utterances.has_room(&job) {
            return self.refuse(&job).await;
        }
        self.entrance.outlines.taken(job.session.id());
        self.note_pending(&mut job).await;
        self.admit(job).await;
    }

    pub(super) async fn admit(&mut self, job: Job) {
        self.stop_reflecting();
        match self.utterances.admit(job) {
            Admission::Start(job) => self.start(job).await,
            Admission::Waits => {}
            Admission::Refused(job) => {
                self.refuse(&job).await;
                self.settled(&job).await;
            }
        }
    }

    /// Tells the asker that we are busy.
    async fn refuse(&mut self, job: &Job) {
        if job.origin == Origin::Query {
            self.emit(frames::refused_query(&job.cause, query::BUSY)).await;
        } else {
            let text = if self.may_say(job.session.id(), &job.speaker, job.is_heard_here()) {
                Phrases::of(&job.lang).busy.as_str()
            } else {
                ""
            };
            let busy = Reply::instead(Reason::Noop, text);
            self.end(job, busy, true).await;
        }
    }
}
