//! Those who talk: each session says one thing after the other and waits for its end.
//!
//! They know what a real client knows. What they sent without an echo they send again once the bus is back, and say that
//! they do. What was said to a daemon that died before it took any notice is said again in new words.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::errand::Errand;
use super::ledger::{Ledger, Progress};
use super::plan::Plan;
use super::stage::Line;
use crate::frame::REPEATED;
use crate::turn::Utterance;

/// An utterance without an end after so long has none.
const PATIENCE: Duration = Duration::from_secs(60);

/// A daemon goes on with what it was told within three seconds of its start; one that says nothing for so long was not
/// told.
const SILENCE: Duration = Duration::from_secs(10);

/// All sessions.
#[derive(Debug)]
pub(super) struct Crowd {
    seed: u64,
    utterances: usize,
    ledger: Arc<Ledger>,
    line: watch::Receiver<Option<Line>>,
    begun: AtomicUsize,
    keys: AtomicU64,
    finished: watch::Sender<usize>,
}

impl Crowd {
    /// Makes a crowd that has so much to say.
    pub(super) fn new(
        plan: &Plan,
        utterances: usize,
        ledger: &Arc<Ledger>,
        line: watch::Receiver<Option<Line>>,
    ) -> Self {
        Self {
            seed: plan.seed,
            utterances,
            ledger: Arc::clone(ledger),
            line,
            begun: AtomicUsize::new(0),
            keys: AtomicU64::new(0),
            finished: watch::channel(0).0,
        }
    }

    /// Waits until so many utterances are over.
    pub(super) async fn finished(&self, count: usize) {
        let mut finished = self.finished.subscribe();
        let reached = finished.wait_for(|finished| *finished >= count).await;
        reached.map(drop).expect("the crowd outlives those who watch it");
    }

    /// Talks until all is said.
    pub(super) async fn converse(self: Arc<Self>, session: usize) {
        while self.begun.fetch_add(1, Ordering::Relaxed) < self.utterances {
            while !self.say(session).await {}
            self.finished.send_modify(|finished| *finished += 1);
        }
    }

    /// Says one thing and waits for what comes of it; false when it has to be said again.
    async fn say(&self, session: usize) -> bool {
        let errand = Errand::drawn(self.keys.fetch_add(1, Ordering::Relaxed), self.seed);
        let utterance = Utterance::new(&errand.question()).in_session(&errand.session(session));
        let progress = self.ledger.open(&utterance, errand);
        let mut end = progress.clone();
        let first = self.next_line(0).await;
        let sent = Instant::now();
        let mut line = first.clone();
        line.probe.try_send(&utterance.frame().to_string()).await;
        let mut deadline = sent + PATIENCE;
        loop {
            tokio::select! {
                () = ended(&mut end) => return true,
                next = self.next_line(line.number) => {
                    line = next;
                    let now = *progress.borrow();
                    if !now.echoed {
                        self.send_again(&utterance, &line, sent).await;
                    }
                    deadline = Instant::now() + patience(now, line.life != first.life);
                }
                () = sleep_until(deadline) => {
                    let unheard = !progress.borrow().taken && line.life != first.life;
                    self.ledger.note(&utterance, |entry| entry.replaced = unheard);
                    return !unheard;
                }
            }
        }
    }

    /// Sends the frame once more, marked as our own clients mark it.
    async fn send_again(&self, utterance: &Utterance, line: &Line, sent: Instant) {
        self.ledger.note(utterance, |entry| entry.sent_again = true);
        let mut frame = utterance.frame();
        frame["context"][REPEATED] = json!(sent.elapsed().as_millis() as u64);
        line.probe.try_send(&frame.to_string()).await;
    }

    /// Waits for the way to the daemon after this one. Cancel safe.
    async fn next_line(&self, number: u64) -> Line {
        let mut lines = self.line.clone();
        let newer = |line: &Option<Line>| line.as_ref().is_some_and(|line| line.number > number);
        let line = lines.wait_for(newer).await.expect("the stage outlives the crowd");
        line.clone().expect("what was waited for is there")
    }
}

/// Waits for the end of an utterance. Cancel safe.
async fn ended(progress: &mut watch::Receiver<Progress>) {
    let reached = progress.wait_for(|progress| progress.ended).await;
    reached
        .map(drop)
        .expect("the ledger outlives those who look into it");
}

/// Tells how long the end of an utterance is waited for from now on.
fn patience(progress: Progress, is_another_life: bool) -> Duration {
    if is_another_life && (!progress.taken || progress.forgettable) {
        SILENCE
    } else {
        PATIENCE
    }
}
