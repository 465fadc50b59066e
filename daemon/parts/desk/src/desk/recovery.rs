//! What has to be answered is written down, so that after a crash every utterance still has its end.

use std::time::Duration;

use loquat_agent::Speaker;
use loquat_agent::journal::{Entry, may_go_on};
use loquat_agent::record::Reason;
use loquat_mind::Reply;
use loquat_phrases::Phrases;
use loquat_state::{Moment, PendingTurn};
use loquat_wire::{Message, with};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::job::{BegunBy, Job, Origin, Voice};
use super::ledger::Ledger;
use super::{Desk, Mode, sampling, unix_now};
use crate::kept::Kept;

/// Clients that were on our bus when it died with us need a moment to come back and hear the answer.
pub(super) const RETURN: Duration = Duration::from_secs(3);

/// Seconds after which an ovos-core ends an utterance whose handler says nothing, unless it is told otherwise.
const CORE_PATIENCE: Duration = Duration::from_secs(300);

/// The age of a frame whose age cannot be told.
const LONG_AGO: Duration = Duration::from_secs(24 * 3600);

/// How often a turn that had begun is gone on with. One that takes the daemon down each time must not do so for ever.
const ATTEMPTS: u32 = 2;

/// What it takes to go on with a job.
#[derive(Debug, Serialize, Deserialize)]
struct Cause {
    origin: Origin,
    /// It is the frame as text.
    frame: String,
    lang: String,
    persona_id: String,
    #[serde(default)]
    said_by: Speaker,
    #[serde(default)]
    voice: Option<Voice>,
    #[serde(default)]
    kept: Option<Kept>,
}

/// Says of what is written of the end of a turn that its answer was begun before it was complete.
const BEGUN: &str = "begun";

/// What is written of the end of a turn.
struct Written {
    begun: BegunBy,
    /// What was being said. Where only that is known that something was, nothing is said again.
    closing: Option<Reply>,
}

impl Written {
    fn of(text: Option<&str>) -> Self {
        let value: Option<Value> = text.map(|text| serde_json::from_str(text).unwrap_or_default());
        let is_begun = |value: &Value| value.get(BEGUN) == Some(&Value::Bool(true));
        let begun = value.as_ref().is_some_and(is_begun);
        let is_complete = |value: &Value| !begun || value.get("reason").is_some();
        let closing = value
            .filter(is_complete)
            .map(|value| serde_json::from_value(value).unwrap_or_else(|_| Reply::silence(Reason::LlmError)));
        let begun = if begun { BegunBy::Earlier } else { BegunBy::Nobody };
        Self { begun, closing }
    }
}

impl Ledger {
    /// Writes down that our voice begins with the answer of a turn, which is not complete.
    pub(super) async fn note_begun(&self, turn_id: &str) {
        if let Some(state) = &self.state {
            state.closing(turn_id, json!({BEGUN: true}).to_string()).await;
        }
    }
}

impl Desk {
    /// Writes down that this job has to be answered. From then on its frames are derived from what is written, since reading
    /// may round numbers and the next process has to send equal frames.
    pub(super) async fn note_pending(&self, job: &mut Job) {
        let Some(state) = &self.ledger.state else {
            return;
        };
        let frame = job.cause.to_text();
        if let Ok(as_written) = Message::parse(&frame) {
            job.cause = as_written;
        }
        let cause = Cause {
            origin: job.origin,
            frame,
            lang: job.lang.clone(),
            persona_id: job.persona.id.clone(),
            said_by: job.speaker.clone(),
            voice: job.voice.clone(),
            kept: job.kept.clone(),
        };
        let pending = PendingTurn {
            turn_id: job.turn_id.clone(),
            session_id: job.session.id().to_owned(),
            utterance: job.utterance.clone(),
            // Texts can always be written as JSON.
            cause: serde_json::to_string(&cause).unwrap_or_default(),
            since: Moment::now(unix_now()),
            opened: false,
            attempts: 0,
            is_whole: true,
            closing: None,
        };
        state.note_pending(pending).await;
    }

    /// Writes down what is about to be said at the end of a job, and gives it as it will be read.
    pub(super) async fn note_closing(&self, job: &Job, said: Reply) -> Reply {
        let (Some(state), Ok(text)) = (&self.ledger.state, serde_json::to_string(&said)) else {
            return said;
        };
        let as_written = serde_json::from_str(&text).unwrap_or(said);
        let text = match serde_json::from_str(&text) {
            Ok(value) if job.begun != BegunBy::Nobody => with(value, BEGUN, true).to_string(),
            _ => text,
        };
        state.closing(&job.turn_id, text).await;
        as_written
    }

    /// Emits a frame of a job, marked as a repetition if a process that was cut off may have sent it.
    pub(super) async fn emit_of(&self, job: &Job, frame: Message) {
        let Some(since) = &job.since else {
            return self.emit(frame).await;
        };
        let age = since.age_at(&Moment::now(unix_now())).unwrap_or(LONG_AGO);
        let name = frame.topic.clone();
        if let Err(error) = self.bus.emit_again(frame, age).await {
            tracing::warn!(topic = name, %error, "failed to emit");
        }
    }

    pub(super) async fn settled(&self, job: &Job) {
        if let Some(state) = &self.ledger.state {
            state.settled(&job.turn_id).await;
        }
    }

    /// Goes on with the turns that a crash has cut off. While it is not known whether a core is there, this waits.
    pub(super) async fn recover(&mut self) {
        self.ledger.resumes_at = None;
        let mode = *self.orchestration.mode.borrow();
        if mode == Mode::Unknown {
            self.ledger.resumes_at = Some(tokio::time::Instant::now() + RETURN);
            return;
        }
        let Some(state) = self.ledger.state.clone() else {
            return;
        };
        for (pending, past) in state.pending().await {
            if self.utterances.holds(&pending.turn_id) {
                continue;
            }
            self.recover_turn(pending, past, mode).await;
        }
    }

    async fn recover_turn(&mut self, pending: PendingTurn, past: Vec<Vec<Entry>>, mode: Mode) {
        let turn_id = pending.turn_id.clone();
        let age = pending.since.age_at(&Moment::now(unix_now()));
        let is_fresh = age.is_some_and(|age| age <= self.settings.resume_within);
        let Written { begun, closing } = Written::of(pending.closing.as_deref());
        let mut can_go_on =
            closing.is_none() && pending.is_whole && past.iter().all(|entries| may_go_on(entries));
        // One that only waited behind another cannot be what took the daemon down.
        if can_go_on && is_fresh && pending.opened {
            can_go_on = pending.attempts < ATTEMPTS && self.counts_attempt(&turn_id).await;
        }
        // What we began as the orchestrator is not answered beside another; a core waits for us.
        let is_ours = |job: &Job| job.origin != Origin::Solo || mode == Mode::Solo;
        // The end is the core's then, and was sent without us.
        let is_over = |job: &Job| job.is_ended_by_core() && age.is_none_or(|age| age >= CORE_PATIENCE);
        let attempts = pending.attempts;
        let job = self.job_of(pending, past).map(|job| Job { begun, ..job });
        match job {
            Some(job) if is_over(&job) => {
                tracing::warn!(
                    turn = turn_id,
                    ?age,
                    "the core has ended a turn that was cut off; it is not gone on with"
                );
                self.settled(&job).await;
            }
            Some(job) if is_ours(&job) && is_fresh && can_go_on => {
                tracing::info!(turn = turn_id, "going on with a turn that was cut off");
                self.admit(job).await;
            }
            Some(job) => {
                tracing::warn!(
                    turn = turn_id,
                    ?age,
                    attempts,
                    "a turn that was cut off is given up"
                );
                // A person who asked long ago, or before the device was switched off, does not wait any more.
                let is_awaited = is_fresh && is_ours(&job);
                let broken = || Reply::instead(Reason::LlmError, Phrases::of(&job.lang).broken());
                let mut said = closing.unwrap_or_else(broken);
                if !is_awaited {
                    said.text.clear();
                }
                let history = job.with_origin(said.history.clone());
                self.close(&job, said, true).await;
                if !history.is_empty() && job.origin != Origin::Query {
                    self.recall().await;
                    self.conversations
                        .remember(job.session.id(), history, &self.utterances);
                    self.keep(job.session.id()).await;
                }
            }
            None => {
                tracing::warn!(
                    turn = turn_id,
                    "what is written of a turn that was cut off cannot be understood"
                );
                if let Some(state) = &self.ledger.state {
                    state.settled(&turn_id).await;
                }
            }
        }
    }

    /// Writes down that a turn is gone on with; whether that is on the disk.
    async fn counts_attempt(&self, turn_id: &str) -> bool {
        match &self.ledger.state {
            Some(state) => state.resumes(turn_id).await,
            None => false,
        }
    }

    fn job_of(&self, pending: PendingTurn, past: Vec<Vec<Entry>>) -> Option<Job> {
        let cause: Cause = serde_json::from_str(&pending.cause).ok()?;
        let frame = Message::parse(&cause.frame).ok()?;
        let persona = self
            .mind
            .find(&cause.persona_id)
            .or_else(|| self.mind.default_persona())?;
        let mut job = Job {
            wanted: None,
            last: None,
            undoes: false,
            turn_id: pending.turn_id,
            origin: cause.origin,
            session: frame.context.session(),
            sampling: sampling::wanted(&frame, self.settings.sampling_by_asker).unwrap_or_default(),
            cause: frame,
            speaker: cause.said_by,
            voice: cause.voice,
            kept: cause.kept,
            heard: None,
            utterance: pending.utterance,
            lang: cause.lang,
            persona,
            opened: pending.opened,
            begun: BegunBy::Nobody,
            since: Some(pending.since),
            past,
        };
        // What was refused is not recovered, and who was bound is so still.
        self.bind(&mut job);
        Some(job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_of_an_end_tells_who_began_it_and_what_was_said() {
        let said = serde_json::to_value(Reply::instead(Reason::Answered, "It rains.")).unwrap();
        let begun = with(said.clone(), BEGUN, true).to_string();
        let read = |text: Option<&str>| {
            let Written { begun, closing } = Written::of(text);
            (begun, closing.map(|said| said.text))
        };
        let rains = Some("It rains.".to_owned());
        assert_eq!(read(None), (BegunBy::Nobody, None));
        assert_eq!(read(Some(&said.to_string())), (BegunBy::Nobody, rains.clone()));
        assert_eq!(read(Some(&begun)), (BegunBy::Earlier, rains));
        assert_eq!(read(Some(r#"{"begun":true}"#)), (BegunBy::Earlier, None));
        assert_eq!(
            read(Some("")),
            (BegunBy::Nobody, Some(String::new())),
            "nothing is said again"
        );
    }
}
