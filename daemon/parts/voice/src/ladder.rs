//! Which rung makes speech: the first that speaks the language and works, and the next where it fails.
//!
//! Clones are one; sentences are made one after the other, in the order in which they were asked for.

use std::sync::Arc;
use std::time::Duration;

use loquat_failure::{Backoff, with_causes};
use tokio::sync::{Mutex, MutexGuard, mpsc};
use tokio::time::Instant;

use super::piece::{MakeSpeechError, Piece, Pieces};
use super::rung::Rung;

/// A rung that failed is left alone for this long while there is another.
const RESTS: Backoff = Backoff::doubling(Duration::from_secs(2), Duration::from_secs(60));

/// Pieces of a sentence that wait to be played: all of a long one, so that nothing that speaks waits for the loudspeaker.
const WAITING_PIECES: usize = 1_024;

/// The rungs from the best to the last.
#[derive(Debug, Clone)]
pub(super) struct Ladder(Arc<Mutex<Vec<Step>>>);

#[derive(Debug)]
struct Step {
    rung: Rung,
    failures: u32,
    rests_until: Option<Instant>,
}

/// Makes the channel by which a rung hands pieces on.
pub(super) fn pieces() -> (Pieces, mpsc::Receiver<Piece>) {
    mpsc::channel(WAITING_PIECES)
}

impl Ladder {
    pub(super) fn new(rungs: Vec<Rung>) -> Self {
        let step = |rung| Step {
            rung,
            failures: 0,
            rests_until: None,
        };
        Self(Arc::new(Mutex::new(rungs.into_iter().map(step).collect())))
    }

    /// Has what is kept running loaded, or ended while another program speaks.
    pub(super) async fn keep_ready(&self, ready: bool) {
        for step in &mut *self.0.lock().await {
            match (&mut step.rung, ready) {
                (Rung::Process(process), true) => {
                    if let Err(error) = process.warm() {
                        step.failed(&error);
                    }
                }
                (Rung::Process(process), false) => process.cool(),
                _ => {}
            }
        }
    }

    /// Makes speech of a sentence. Where a rung fails in its middle the next makes all of it: a word that is heard twice is
    /// better than one that is not heard. A program that died and has no other behind it is started anew and makes it once more.
    /// Says how the last failed where all did.
    pub(super) async fn make(
        &self,
        sentence: &str,
        lang: &str,
        pieces: &Pieces,
    ) -> Result<(), MakeSpeechError> {
        let mut steps = self.0.lock().await;
        let (mut last, mut died) = (None, None);
        for at in order(&steps, lang) {
            let Some(step) = steps.get_mut(at) else { continue };
            match step.make(sentence, lang, pieces).await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    let has_died = matches!(error, MakeSpeechError::Ended { .. });
                    died = died.or(has_died.then_some(at));
                    last = Some(error);
                }
            }
        }
        match died.and_then(|at| steps.get_mut(at)) {
            Some(step) => step.make(sentence, lang, pieces).await,
            None => last.map_or(Ok(()), Err),
        }
    }

    /// Makes speech of several sentences, all by one rung.
    pub(super) async fn make_all(
        &self,
        sentences: &[&str],
        lang: &str,
    ) -> Result<Vec<Piece>, MakeSpeechError> {
        let tried = order(&self.0.lock().await, lang);
        let mut last = None;
        for at in tried {
            match self.make_all_by(at, sentences, lang).await {
                Ok(made) => return Ok(made),
                Err(error) => last = Some(error),
            }
        }
        last.map_or_else(|| Ok(Vec::new()), Err)
    }

    /// Makes sentences one after the other; between two of them what this device says itself comes first.
    async fn make_all_by(
        &self,
        at: usize,
        sentences: &[&str],
        lang: &str,
    ) -> Result<Vec<Piece>, MakeSpeechError> {
        let mut made = Vec::new();
        for sentence in sentences {
            let mut steps: MutexGuard<'_, Vec<Step>> = self.0.lock().await;
            let Some(step) = steps.get_mut(at) else { break };
            let (sender, mut receiver) = pieces();
            let outcome = {
                let collect = async {
                    while let Some(piece) = receiver.recv().await {
                        made.push(piece);
                    }
                };
                let make = async {
                    let outcome = step.rung.make(sentence, lang, &sender).await;
                    drop(sender);
                    outcome
                };
                tokio::join!(make, collect).0
            };
            if let Err(error) = outcome {
                step.failed(&error);
                return Err(error);
            }
            step.worked();
        }
        Ok(made)
    }
}

/// Orders the rungs for a language as they are tried: those that rest come last, and so do those that speak
/// another.
fn order(steps: &[Step], lang: &str) -> Vec<usize> {
    let now = Instant::now();
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(|at| {
        steps.get(*at).map(|step| {
            let rests = step.rests_until.is_some_and(|until| now < until);
            (!step.rung.speaks(lang), rests)
        })
    });
    order
}

impl Step {
    async fn make(&mut self, sentence: &str, lang: &str, pieces: &Pieces) -> Result<(), MakeSpeechError> {
        let made = self.rung.make(sentence, lang, pieces).await;
        match &made {
            Ok(()) => self.worked(),
            Err(error) => self.failed(error),
        }
        made
    }

    fn worked(&mut self) {
        if std::mem::take(&mut self.failures) > 0 {
            tracing::info!(rung = self.rung.name(), "speech is made by it again");
        }
        self.rests_until = None;
    }

    /// Logs a failure once, and not at every sentence.
    fn failed(&mut self, error: &MakeSpeechError) {
        self.rests_until = Some(Instant::now() + RESTS.after(self.failures));
        if self.failures == 0 {
            tracing::warn!(error = with_causes(error), "another way to speak is tried");
        } else {
            tracing::debug!(error = with_causes(error), "it still makes no speech");
        }
        self.failures = self.failures.saturating_add(1);
    }
}
