//! Who is owed an answer is written down, so that a crash leaves nobody without an end.

use std::time::Duration;

use loquat_agent::journal::Entry;
use loquat_agent::record::Reason;
use loquat_wire::Message;
use serde::{Deserialize, Serialize};

use super::job::{Job, Origin};
use super::{Desk, Mode, sampling, unix_now};
use crate::mind::Said;
use crate::state::Owed;

/// Whoever was on our bus when it died with us needs a moment to come back and hear the answer.
pub(super) const RETURN: Duration = Duration::from_secs(3);

/// Seconds after which an ovos-core ends an utterance whose handler says nothing, unless it is told otherwise.
const CORE_PATIENCE: f64 = 300.0;

/// What it takes to go on with a job.
#[derive(Debug, Serialize, Deserialize)]
struct Cause {
    origin: Origin,
    /// The frame as text.
    frame: String,
    lang: String,
    persona_id: String,
}

impl Desk {
    pub(super) async fn owe(&self, job: &Job) {
        let Some(state) = &self.state else {
            return;
        };
        let cause = Cause {
            origin: job.origin,
            frame: job.cause.to_text(),
            lang: job.lang.clone(),
            persona_id: job.persona.id.clone(),
        };
        let owed = Owed {
            turn_id: job.turn_id.clone(),
            session_id: job.session.id().to_owned(),
            utterance: job.utterance.clone(),
            // Texts can always be written as JSON.
            cause: serde_json::to_string(&cause).unwrap_or_default(),
            since: unix_now(),
            opened: false,
        };
        state.owe(owed).await;
    }

    pub(super) async fn settled(&self, job: &Job) {
        if let Some(state) = &self.state {
            state.settled(&job.turn_id).await;
        }
    }

    /// Goes on with the turns that a crash has cut off. While it is not known whether a core is there, this waits.
    pub(super) async fn pay_debts(&mut self) {
        self.resumes_at = None;
        let mode = *self.mode.borrow();
        if mode == Mode::Unknown {
            self.resumes_at = Some(tokio::time::Instant::now() + RETURN);
            return;
        }
        let Some(state) = self.state.clone() else {
            return;
        };
        for (owed, past) in state.debts().await {
            if self.conversations.holds(&owed.turn_id) {
                continue;
            }
            self.pay(owed, past, mode).await;
        }
    }

    async fn pay(&mut self, owed: Owed, past: Vec<Vec<Entry>>, mode: Mode) {
        let turn_id = owed.turn_id.clone();
        let age = unix_now() - owed.since;
        let job = self.job_of(owed, past);
        // What we began as the orchestrator is not answered beside another; a core waits for us.
        let goes_on = |job: &Job| job.origin != Origin::Solo || mode == Mode::Solo;
        // The end is the core's then, and was sent without us.
        let is_over = |job: &Job| job.is_ended_by_core() && age >= CORE_PATIENCE;
        match job {
            Some(job) if is_over(&job) => {
                tracing::warn!(
                    turn = turn_id,
                    age_seconds = age.round(),
                    "the core has ended a turn that was cut off; it is not gone on with"
                );
                self.settled(&job).await;
            }
            Some(job) if goes_on(&job) && age <= self.settings.resume_within.as_secs_f64() => {
                tracing::info!(turn = turn_id, "going on with a turn that was cut off");
                self.admit(job).await;
            }
            Some(job) => {
                tracing::warn!(
                    turn = turn_id,
                    age_seconds = age.round(),
                    "a turn that was cut off is given up"
                );
                let said = Said::instead(Reason::LlmError, "");
                self.close(&job, said, true).await;
            }
            None => {
                tracing::warn!(
                    turn = turn_id,
                    "what is written of a turn that was cut off cannot be understood"
                );
                if let Some(state) = &self.state {
                    state.settled(&turn_id).await;
                }
            }
        }
    }

    fn job_of(&self, owed: Owed, past: Vec<Vec<Entry>>) -> Option<Job> {
        let cause: Cause = serde_json::from_str(&owed.cause).ok()?;
        let frame = Message::parse(&cause.frame).ok()?;
        let persona = self
            .mind
            .find(&cause.persona_id)
            .or_else(|| self.mind.default_persona())?;
        Some(Job {
            turn_id: owed.turn_id,
            origin: cause.origin,
            session: frame.context.session(),
            // What was refused is owed to nobody.
            sampling: sampling::wanted(&frame, self.settings.sampling_by_asker).unwrap_or_default(),
            cause: frame,
            utterance: owed.utterance,
            lang: cause.lang,
            persona,
            opened: owed.opened,
            past,
        })
    }
}
