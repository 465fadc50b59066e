//! Utterances between two orchestrators: those that came in while it was not known who answers, or for a core that may
//! just have died, and ends that a core owes. Nobody's utterance is answered twice, and nobody's is lost.

use std::collections::VecDeque;
use std::time::Duration;

use loquat_orchestrator::frames;
use loquat_orchestrator::poll::same_round;
use loquat_wire::Message;
use tokio::time::Instant;

use super::{Arrival, Desk, Mode};

/// A core that listens has an utterance in its hands well before.
const TAKING: Duration = Duration::from_secs(2);

/// Utterances held at once; a person does not say more before it is known who answers.
const HELD: usize = 16;

/// Ends owed at once.
const OWED: usize = 64;

/// Nobody expects an answer after this; a core is known to be gone well before.
const PATIENCE: Duration = Duration::from_secs(15);

/// A core that lives sends the end marker within milliseconds.
const OWED_LIFE: Duration = Duration::from_secs(5);

/// What waits for an orchestrator.
#[derive(Debug, Default)]
pub(super) struct Orphans {
    entries: VecDeque<(Message, Arrival)>,
    owed: VecDeque<(Message, Instant)>,
}

impl Orphans {
    /// Holds an utterance. Overload: the oldest of another client's is given up, or the oldest.
    pub(super) fn hold(&mut self, entry: Message, arrival: Arrival) {
        if self.entries.len() >= HELD {
            tracing::warn!("an utterance was dropped: too many came before it was known who answers");
            let foreign = self.entries.iter().position(|(_, arrival)| !arrival.own);
            self.entries.remove(foreign.unwrap_or(0));
        }
        self.entries.push_back((entry, arrival));
    }

    /// A core has this utterance in its hands.
    pub(super) fn adopted(&mut self, sign: &Message) {
        let session = sign.context.session();
        self.entries
            .retain(|(entry, _)| entry.context.session_id() != session.id());
    }

    /// The core will send the end marker that belongs to this. Overload: the oldest is forgotten.
    pub(super) fn owe(&mut self, cause: Message) {
        if self.owed.len() >= OWED {
            self.owed.pop_front();
        }
        self.owed.push_back((cause, Instant::now()));
    }

    fn paid(&mut self, end: &Message) {
        self.owed.retain(|(cause, _)| !same_round(end, cause));
    }

    /// What is ours to answer now, and how it came in.
    pub(super) fn take(&mut self) -> Vec<(Message, Arrival)> {
        let entries = std::mem::take(&mut self.entries).into_iter();
        entries
            .filter(|(_, arrival)| arrival.at.elapsed() < PATIENCE)
            .collect()
    }

    /// What a core that has just come up cannot have heard, and how it came in.
    fn unheard(&mut self) -> Vec<(Message, Arrival)> {
        let (unheard, held) = self
            .take()
            .into_iter()
            .partition(|(_, arrival): &(Message, Arrival)| arrival.at.elapsed() >= TAKING);
        let held: Vec<(Message, Arrival)> = held;
        self.entries = held.into();
        unheard
    }

    fn overdue(&mut self) -> Vec<Message> {
        self.entries
            .retain(|(_, arrival)| arrival.at.elapsed() < PATIENCE);
        let (late, owed) = std::mem::take(&mut self.owed)
            .into_iter()
            .partition(|(_, since): &(Message, Instant)| since.elapsed() >= OWED_LIFE);
        self.owed = owed;
        let late: VecDeque<(Message, Instant)> = late;
        late.into_iter().map(|(cause, _)| cause).collect()
    }
}

impl Desk {
    /// A core shows that an utterance is in its hands.
    pub(super) fn core_at_work(&mut self, sign: &Message) {
        if *self.mode.borrow() == Mode::Guest {
            self.orphans.adopted(sign);
        }
    }

    /// An utterance has ended: a core that owed its end owes it no more.
    pub(super) fn core_has_ended(&mut self, end: &Message) {
        self.orphans.paid(end);
        self.core_at_work(end);
    }

    /// A core has come up, perhaps so soon after another's death that nobody missed that one. What was said between
    /// them nobody else has heard.
    pub(super) async fn core_is_up(&mut self) {
        if *self.mode.borrow() == Mode::Guest {
            for (entry, arrival) in self.orphans.unheard() {
                self.enter(entry, arrival).await;
            }
        }
    }

    /// Pays what a core that died still owed.
    pub(super) async fn settle(&mut self) {
        for cause in self.orphans.overdue() {
            tracing::warn!("the core has not ended an utterance; it is ended for it");
            self.emit(frames::handled(&cause)).await;
        }
    }
}
