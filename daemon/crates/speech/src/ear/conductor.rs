//! Puts all that happens into one order: a capture, then what was heard in it, then the next.

use std::future::pending;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::early::Early;
use super::handle::Shared;
use super::listener::Report;
use crate::event::EarEvent;
use crate::hearing::Notice;
use crate::hearing::pauses::Pauses;
use crate::recognizer::{TranscribeError, Transcript};
use crate::transcriber::{Transcriber, Transcription, Utterance};

/// What a capture that was reported still owes its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owed {
    Nothing,
    EndAndOutcome,
    Outcome,
}

pub(super) struct Conductor {
    transcriber: Arc<dyn Transcriber>,
    shared: Arc<Shared>,
    events: mpsc::Sender<EarEvent>,
    /// Cancelled from outside to end the ear, and by us when there is nothing left to hear.
    done: CancellationToken,
    owed: Owed,
    /// The utterance that is being recognised.
    transcription: Option<Transcription>,
    early: Early,
}

impl Conductor {
    pub(super) fn new(
        transcriber: Arc<dyn Transcriber>,
        shared: Arc<Shared>,
        pauses: Pauses,
        events: mpsc::Sender<EarEvent>,
        done: CancellationToken,
    ) -> Self {
        Self {
            early: Early::new(pauses, Arc::clone(&transcriber)),
            transcriber,
            shared,
            events,
            done,
            owed: Owed::Nothing,
            transcription: None,
        }
    }

    /// Runs until the token is cancelled or a file was heard. Reports are dropped with it.
    pub(super) async fn run(mut self, mut reports: mpsc::Receiver<Report>, status: mpsc::Receiver<EarEvent>) {
        let done = self.done.clone();
        let _nothing_left = done.clone().drop_guard();
        tokio::select! {
            biased;
            () = done.cancelled() => {}
            () = self.conduct(&mut reports, status) => {}
        }
        // Aborts whisper before the reader is told.
        self.transcription = None;
        self.early.forget();
        self.settle();
    }

    async fn conduct(&mut self, reports: &mut mpsc::Receiver<Report>, mut status: mpsc::Receiver<EarEvent>) {
        let shared = Arc::clone(&self.shared);
        loop {
            let idle = self.transcription.is_none();
            tokio::select! {
                biased;
                // First what a person waits for, then the state of the microphone, then the next capture.
                outcome = finished(&mut self.transcription) => self.tell_outcome(outcome).await,
                Ok(permit) = shared.awoken.acquire() => {
                    permit.forget();
                    self.tell(EarEvent::Awoken).await;
                }
                Some(event) = status.recv() => self.tell(event).await,
                text = self.early.found() => if let Some(text) = text {
                    self.tell(EarEvent::SoFar { text }).await;
                },
                report = reports.recv(), if idle => match report {
                    Some(report) => if self.take(report).await { return },
                    None => return self.tell_of_a_dead_listener().await,
                },
            }
        }
    }

    /// The listener does not end by itself; it has panicked, or there was no thread for it, which was told already.
    async fn tell_of_a_dead_listener(&self) {
        tracing::error!("the ear's thread has ended");
        self.tell(EarEvent::Unavailable {
            reason: "failed to listen: the ear's thread has ended".into(),
        })
        .await;
    }

    /// Deals with one report; says whether it was the last.
    async fn take(&mut self, report: Report) -> bool {
        match report {
            Report::Notice(Notice::Awoken) => self.tell(EarEvent::Awoken).await,
            Report::Notice(Notice::WakeWord {
                wake_word,
                confidence,
            }) => {
                self.tell(EarEvent::WakeWord {
                    wake_word,
                    confidence,
                })
                .await;
            }
            Report::Notice(Notice::Started(trigger)) => {
                self.owed = Owed::EndAndOutcome;
                self.tell(EarEvent::RecordStarted { trigger }).await;
            }
            Report::Notice(Notice::Paused { pause, samples }) => {
                let looked = self.transcriber.look(self.utterance(samples));
                self.early.look(pause, looked);
            }
            Report::Notice(Notice::WentOn) => self.early.forget(),
            Report::Notice(Notice::Ended(samples)) => self.recognise(samples).await,
            Report::FileOpened(path) => {
                self.tell(EarEvent::Ready {
                    device: path.display().to_string(),
                })
                .await;
            }
            Report::FileEnded(outcome) => {
                self.settle();
                if let Err(reason) = outcome {
                    self.tell(EarEvent::Unavailable { reason }).await;
                }
                return true;
            }
        }
        false
    }

    async fn recognise(&mut self, samples: Option<Vec<f32>>) {
        self.owed = Owed::Outcome;
        self.tell(EarEvent::RecordEnded).await;
        let looked = self.early.take();
        let Some(samples) = samples else {
            return self.tell_outcome(Err(TranscribeError::NothingHeard)).await;
        };
        let whole = self.utterance(samples);
        self.transcription = Some(self.transcriber.transcribe(whole, looked));
    }

    fn utterance(&self, samples: Vec<f32>) -> Utterance {
        let lang = self.shared.lang();
        Utterance { samples, lang }
    }

    async fn tell_outcome(&mut self, outcome: Result<Transcript, TranscribeError>) {
        self.transcription = None;
        self.owed = Owed::Nothing;
        match outcome {
            Ok(transcript) => self.tell(EarEvent::Heard(transcript)).await,
            Err(TranscribeError::NothingHeard) => self.tell(EarEvent::NothingHeard).await,
            Err(error) => {
                tracing::warn!(%error, "an utterance could not be recognised");
                self.tell(EarEvent::NothingHeard).await;
                self.tell(EarEvent::Unavailable {
                    reason: error.to_string(),
                })
                .await;
            }
        }
    }

    async fn tell(&self, event: EarEvent) {
        // Without a reader there is nothing to tell it to.
        drop(self.events.send(event).await);
    }

    /// Pays what an unfinished capture owes, as far as the reader has room for it.
    fn settle(&mut self) {
        let owed: &[EarEvent] = match std::mem::replace(&mut self.owed, Owed::Nothing) {
            Owed::Nothing => &[],
            Owed::EndAndOutcome => &[EarEvent::RecordEnded, EarEvent::NothingHeard],
            Owed::Outcome => &[EarEvent::NothingHeard],
        };
        for event in owed {
            drop(self.events.try_send(event.clone()));
        }
    }
}

/// The outcome of the utterance that is being recognised; never, when there is none.
async fn finished(transcription: &mut Option<Transcription>) -> Result<Transcript, TranscribeError> {
    match transcription {
        Some(transcription) => transcription.await,
        None => pending().await,
    }
}
