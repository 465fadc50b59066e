//! What is said while a core orchestrates, or while that is not known: the core has it first, and a stop reaches it on its
//! way to us. Where the core turns out to be gone it is ours, and so is the end of what the core had not ended.

use loquat_orchestrator::frames;
use loquat_orchestrator::handlers::lists_us;
use loquat_wire::{Message, Session, utterance_lang};

use super::job::Job;
use super::solo::says_stop;
use super::utterances::TakenUp;
use super::{Arrival, Desk, Mode, new_id};

/// Whether a core that hears its person say stop does not know that we are at work, and would stop another skill. A client
/// that keeps a session itself learns of us only at the end of a turn, and an older core never.
fn is_unknown_to_core(job: &Job, session: &Session) -> bool {
    let unstamped = job.cause.context.utterance_id().is_none();
    job.origin.is_from_core() && (unstamped || (!session.is_default() && !lists_us(session)))
}

impl Desk {
    /// A person speaks to the core, if there is one.
    pub(super) async fn hold(&mut self, entry: Message, arrival: Arrival) {
        let lang = utterance_lang(&entry, &self.settings.languages);
        if let Some(voice) = &arrival.voice {
            self.dialogue
                .questions
                .overhear(&mut self.utterances, &entry, &lang, arrival.saying, voice);
        }
        let stops = says_stop(&entry, &lang);
        let session = entry.context.session();
        self.utterances.hold(entry, arrival, stops);
        self.dialogue.talks.said_to_core(session.id());
        if stops {
            self.utterances.stop_word_was_said(session.id());
            let running = self.utterances.running(session.id());
            if running.is_some_and(|job| is_unknown_to_core(job, &session)) {
                self.stop(session.id()).await;
            }
        }
    }

    /// A core shows that an utterance is in its hands.
    pub(super) fn core_at_work(&mut self, sign: &Message) {
        if *self.orchestration.mode.borrow() == Mode::Guest {
            self.utterances.adopted(sign);
        }
    }

    /// An utterance has ended: its end is not awaited any more.
    pub(super) fn core_has_ended(&mut self, end: &Message) {
        self.utterances.end_came(end);
        self.dialogue.talks.ended(end.context.session_id());
        self.core_at_work(end);
    }

    /// A core has come up, perhaps so soon after another's death that it was not missed. What was said between them is
    /// known to us alone.
    pub(super) async fn core_is_up(&mut self) {
        if *self.orchestration.mode.borrow() == Mode::Guest {
            for taken in self.utterances.take_up_unheard() {
                self.take_up(taken).await;
            }
        }
    }

    /// There is no core: what was held is ours.
    pub(super) async fn take_up_all(&mut self) {
        for taken in self.utterances.take_up() {
            self.take_up(taken).await;
        }
    }

    async fn take_up(&mut self, taken: TakenUp) {
        let TakenUp {
            mut entry,
            arrival,
            is_stopped,
        } = taken;
        if !is_stopped {
            return self.enter(entry, arrival).await;
        }
        entry.context.set_utterance_id(&new_id());
        self.called_off(&entry).await;
    }

    /// Ends what a core that died has not ended.
    pub(super) async fn end_overdue(&mut self) {
        for cause in self.utterances.overdue() {
            tracing::warn!("the core has not ended an utterance; it is ended for it");
            self.emit(frames::handled(&cause)).await;
        }
    }
}
