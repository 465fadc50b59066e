//! Whether we are there and ready, in the words in which OVOS services ask each other.
//!
//! For ourselves always. Where we orchestrate we also answer for the skills service: skills that run in a process of
//! their own ask it at their start, and without an answer never load. Never for `intents`, by which everybody, we
//! included, tells that an ovos-core is there.
//!
//! Whether we live and are ready is answered beside the desk, so that it does not wait behind what the desk has to read.
//! Whether all is loaded is answered by the desk itself: what was registered before the question is known then.

use std::time::Duration;

use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_part::health::{PULSE_INTERVAL, Pulse};
use loquat_wire::{Message, topic};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::door::Door;
use super::routes::SKILLS;
use super::{Desk, Mode};

/// Who is asked about.
const SERVICES: [&str; 2] = [SKILL_ID, SKILLS];

/// A desk that has not turned for so long is not ready. With nothing to do it turns every second.
const STUCK: Duration = Duration::from_secs(5);

impl Desk {
    /// Skills register in the order in which they are read, so there is but one answer, or none.
    pub(super) async fn tell_loaded(&self, service: &str, question: &Message) {
        if *self.orchestration.mode.borrow() == Mode::Solo || service == SKILL_ID {
            self.emit(answer(question, true)).await;
        }
    }

    /// What tells whether this desk is there and ready.
    pub fn status(&self) -> Status {
        Status {
            bus: self.bus.clone(),
            mode: self.orchestration.mode.clone(),
            desk: Turning::of(self.pulse()),
            door: Door::default(),
        }
    }
}

/// Tells whether we live and are ready, whatever the desk is at.
#[derive(Debug)]
pub struct Status {
    bus: Bus,
    mode: watch::Receiver<Mode>,
    desk: Turning,
    door: Door,
}

impl Status {
    /// The questions. Overload: what gave way to others in a flood of questions gets no answer.
    pub fn subscribe(&self) -> Subscription {
        let asked = SERVICES.map(|service| [topic::is_alive(service), topic::is_ready(service)]);
        self.bus.subscribe(Topics::of(asked.concat()))
    }

    /// Answers until cancelled, one question after the other.
    pub async fn run(mut self, mut questions: Subscription, cancel: CancellationToken) {
        let mut tick = tokio::time::interval(PULSE_INTERVAL);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                _ = tick.tick() => self.desk.look(),
                question = questions.recv() => match question {
                    Some(question) => self.answer(question).await,
                    None => return,
                },
            }
        }
    }

    async fn answer(&mut self, question: Received) {
        let Received {
            mut message,
            canonical,
            cut,
            ..
        } = question;
        if cut.is_some() || self.door.pass(&canonical, &mut message).is_some() {
            return;
        }
        let is_about =
            |service| canonical == topic::is_alive(service) || canonical == topic::is_ready(service);
        if !is_about(SKILL_ID) && *self.mode.borrow() != Mode::Solo {
            return;
        }
        self.desk.look();
        let asks_for_life = SERVICES.map(topic::is_alive).contains(&canonical);
        let answer = answer(&message, asks_for_life || self.desk.is_ready());
        if let Err(error) = self.bus.emit(answer).await {
            tracing::warn!(topic = canonical, %error, "failed to tell the status");
        }
    }
}

/// Whether a loop turns, as often as it is looked at.
#[derive(Debug)]
struct Turning {
    pulse: Pulse,
    count: u64,
    /// When it was first seen to have turned so often.
    at: Option<Instant>,
}

impl Turning {
    fn of(pulse: Pulse) -> Self {
        let (count, at) = (pulse.count(), None);
        Self { pulse, count, at }
    }

    fn look(&mut self) {
        let count = self.pulse.count();
        if count != self.count {
            (self.count, self.at) = (count, Some(Instant::now()));
        }
    }

    fn is_ready(&self) -> bool {
        self.at.is_some_and(|at| at.elapsed() < STUCK)
    }
}

fn answer(question: &Message, status: bool) -> Message {
    frames::ours(question.response(json!({"status": status})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_a_desk_that_turns_is_ready() {
        let pulse = Pulse::default();
        let mut desk = Turning::of(pulse.clone());
        desk.look();
        assert!(!desk.is_ready(), "it has not begun");
        for _ in 0..10 {
            pulse.beat();
            desk.look();
            assert!(desk.is_ready());
            tokio::time::advance(STUCK / 2).await;
            assert!(desk.is_ready());
        }
        tokio::time::advance(STUCK).await;
        desk.look();
        assert!(!desk.is_ready(), "it stands still");
    }
}
