//! Sending an utterance to the skill it is for, and seeing it to its end (PIPELINE-1 §7 to §9).
//!
//! Exactly one `ovos.utterance.handled` follows, whatever the skill does. Older skills send it themselves right after
//! they are done; then ours is not sent. A dispatch never speaks.

use std::time::Duration;

use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_wire::{Message, Session, topic};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::changes::Changes;
use super::frames;
use super::poll::same_round;

/// A skill that has not said that it is done is given up after this, as ovos-core does.
const PATIENCE: Duration = Duration::from_secs(300);

/// An order to stop takes a skill no time, and a person who says stop has the end of the word within 300 ms: a skill
/// that has died, or is too busy to listen, does not keep it.
const STOP_PATIENCE: Duration = Duration::from_millis(250);

/// What a skill was doing when it was told to stop ends after this, whether it has stopped or not. One that stops says
/// so within this, and then the end is not told twice.
const STOPPED_PATIENCE: Duration = Duration::from_secs(3);

/// Older skills send the end marker right behind their own end; ovos-messagebus may hold it back for 44 ms.
const SETTLE: Duration = Duration::from_millis(200);

/// What is to be brought to a skill.
#[derive(Debug)]
pub struct Dispatch {
    /// The dispatch: our reply to the entry, with the session that the skill is to see.
    pub dispatch: Message,
    /// The dispatch under the name that older skills listen to, where there is one that is no twin.
    pub older: Option<Message>,
    /// It goes to this skill.
    pub skill_id: String,
    /// Another frame that tells that the skill is done.
    pub done: Option<Done>,
    /// Whether the skill only takes the words and goes on with what it was doing.
    pub brief: bool,
    /// Whether the skill may send the end marker itself.
    pub may_end_itself: bool,
    /// Tells when the skill was told to stop.
    pub stopped: CancellationToken,
}

/// A frame by which a skill tells that it is done, beside `mycroft.skill.handler.complete`.
#[derive(Debug, Clone)]
pub struct Done {
    /// It is sent on this topic.
    pub topic: String,
}

/// What a dispatch comes back with.
#[derive(Debug)]
pub enum Returned {
    /// The utterance has ended; what the skill changed in its session.
    Done(Changes),
    /// The skill had claimed the utterance and then did not want it: it has not ended, and belongs to another stage. Old
    /// fallback skills claim everything.
    Declined,
}

/// How it went.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Complete,
    Declined,
    Error(String),
}

impl Dispatch {
    /// Goes, and sees the utterance to its end unless the skill declines it.
    pub async fn run(self, bus: Bus, cancel: CancellationToken) -> Returned {
        let mut frames = bus.subscribe(self.topics());
        self.announce(&bus).await;
        let (end, session, handled) = tokio::select! {
            biased;
            () = cancel.cancelled() => (End::Error("the orchestrator is going down".to_owned()), None, false),
            end = self.end(&mut frames) => end,
        };
        let mut own = self.dispatch.context.session();
        let changes = session.map_or_else(Changes::default, |session| Changes::between(&own, &session));
        changes.apply(&mut own);
        let mut cause = self.dispatch.clone();
        cause.context.set_session(&own);
        let exception = match &end {
            End::Complete => None,
            End::Declined => Some("declined"),
            End::Error(text) => Some(text.as_str()),
        };
        emit(&bus, frames::outcome(&cause, exception)).await;
        if end == End::Declined && !self.ended_by_itself(&mut frames, &cancel).await {
            return Returned::Declined;
        }
        let ended = handled || end == End::Declined || self.ended_by_itself(&mut frames, &cancel).await;
        if !ended {
            emit(&bus, frames::handled(&cause)).await;
        }
        Returned::Done(changes)
    }

    fn topics(&self) -> Topics {
        let topics = Topics::of([
            topic::SKILL_HANDLER_COMPLETE,
            topic::SKILL_HANDLER_ERROR,
            topic::UTTERANCE_HANDLED,
        ]);
        match &self.done {
            Some(done) => topics.or([&done.topic]),
            None => topics,
        }
    }

    async fn announce(&self, bus: &Bus) {
        for frame in frames::announcement(&self.dispatch) {
            emit(bus, frame).await;
        }
        if let Some(older) = self.older.clone() {
            emit(bus, older).await;
        }
    }

    /// Waits for the end, and gives the session as the skill left it, and whether the skill has sent the end
    /// marker.
    async fn end(&self, frames: &mut Subscription) -> (End, Option<Session>, bool) {
        if self.brief {
            return (End::Complete, None, false);
        }
        let mut is_stopped = false;
        let patience = if self.dispatch.topic.ends_with(":stop") {
            STOP_PATIENCE
        } else {
            PATIENCE
        };
        let mut deadline = Instant::now() + patience;
        let mut given_up = format!("timeout: {} did not end within {patience:?}", self.skill_id);
        loop {
            let frame = tokio::select! {
                biased;
                () = self.stopped.cancelled(), if !is_stopped => {
                    is_stopped = true;
                    deadline = deadline.min(Instant::now() + STOPPED_PATIENCE);
                    given_up = format!("stopped by user: {} did not say that it has ended", self.skill_id);
                    continue;
                }
                frame = timeout_at(deadline, frames.recv()) => frame,
            };
            match frame {
                Ok(Some(frame)) => {
                    if let Some(end) = self.read(&frame) {
                        let session = frame.message.context.session();
                        let handled = frame.canonical == topic::UTTERANCE_HANDLED;
                        return (end, (!session.as_map().is_empty()).then_some(session), handled);
                    }
                }
                Ok(None) => return (End::Error("the bus client has ended".to_owned()), None, false),
                Err(_) => return (End::Error(given_up), None, false),
            }
            // A frame goes before the deadline, and on a busy bus there is always one.
            if Instant::now() >= deadline {
                return (End::Error(given_up), None, false);
            }
        }
    }

    fn read(
        &self,
        Received {
            message, canonical, ..
        }: &Received,
    ) -> Option<End> {
        if !same_round(message, &self.dispatch) {
            return None;
        }
        let by = message.context.skill_id();
        let named = message.data.get("skill_id").and_then(Value::as_str);
        match canonical.as_str() {
            topic::SKILL_HANDLER_COMPLETE if by == Some(&self.skill_id) => Some(End::Complete),
            topic::SKILL_HANDLER_ERROR if by == Some(&self.skill_id) => {
                let exception = message.data.get("exception").and_then(Value::as_str);
                Some(End::Error(exception.unwrap_or("the skill failed").to_owned()))
            }
            // An older skill that says nothing else has at least ended the utterance.
            topic::UTTERANCE_HANDLED => Some(End::Complete),
            other => {
                let done = self.done.as_ref().is_some_and(|done| done.topic == other);
                let ours = done && named.is_none_or(|id| id == self.skill_id);
                let wanted = message.data.get("result").and_then(Value::as_bool) != Some(false);
                ours.then_some(if wanted { End::Complete } else { End::Declined })
            }
        }
    }

    /// Tells whether the skill has sent the end marker, or sends it now.
    async fn ended_by_itself(&self, frames: &mut Subscription, cancel: &CancellationToken) -> bool {
        if !self.may_end_itself || cancel.is_cancelled() {
            return false;
        }
        let deadline = Instant::now() + SETTLE;
        while let Some(Received {
            message, canonical, ..
        }) = frames.recv_by(deadline).await
        {
            if canonical == topic::UTTERANCE_HANDLED && same_round(&message, &self.dispatch) {
                return true;
            }
        }
        false
    }
}

async fn emit(bus: &Bus, message: Message) {
    let name = message.topic.clone();
    if let Err(error) = bus.emit(message).await {
        tracing::warn!(topic = name, %error, "failed to emit");
    }
}
