//! Puts all that happens into one order: a capture, then what was heard in it, then the next.

use std::future::pending;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::early::Early;
use super::handle::Shared;
use super::listener::Report;
use crate::event::EarEvent;
use crate::hearing::{Doubts, Notice, Pauses};
use crate::recognizer::{TranscribeError, Transcript};
use crate::transcriber::{Transcriber, Transcription, Utterance, done};
use crate::trigger::Trigger;
use crate::wake_word::{Detection, likeness};

/// Says what a reported capture still owes its reader.
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
    trigger: Option<Trigger>,
    /// The utterance that is being recognised.
    transcription: Option<Transcription>,
    early: Early,
    doubts: Doubts,
    /// The wake word that whisper is asked about.
    doubt: Option<Doubt>,
    /// What looks whether the person who interrupts has given an order and nothing else.
    glance: Option<Transcription>,
}

/// A wake word that may not have been said.
struct Doubt {
    number: u64,
    wake_word: String,
    transcription: Transcription,
}

impl Conductor {
    pub(super) fn new(
        transcriber: Arc<dyn Transcriber>,
        shared: Arc<Shared>,
        pauses: Pauses,
        doubts: Doubts,
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
            trigger: None,
            transcription: None,
            doubts,
            doubt: None,
            glance: None,
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
        (self.doubt, self.glance) = (None, None);
        self.settle();
    }

    async fn conduct(&mut self, reports: &mut mpsc::Receiver<Report>, mut status: mpsc::Receiver<EarEvent>) {
        let shared = Arc::clone(&self.shared);
        loop {
            let idle = self.transcription.is_none();
            let gives_way = !idle && self.is_interruption();
            tokio::select! {
                biased;
                // First what a person waits for, then the state of the microphone, then the next capture.
                outcome = finished(&mut self.transcription) => self.tell_outcome(outcome).await,
                Ok(permit) = shared.awoken.acquire() => {
                    permit.forget();
                    self.tell(EarEvent::Awoken).await;
                }
                // A person who says the wake word does not wait until it is known what an interruption before it was.
                Ok(_) = shared.wake_words.acquire(), if gives_way => {
                    self.tell_outcome(Err(TranscribeError::NothingHeard)).await;
                }
                Some(event) = status.recv() => self.tell(event).await,
                // Before the careful look, which whisper begins behind it.
                outcome = finished(&mut self.glance) => self.tell_glance(outcome).await,
                found = self.early.found() => if let Some((text, may_be_all)) = found {
                    self.tell(EarEvent::SoFar { text, may_be_all }).await;
                },
                outcome = looked_at(&mut self.doubt) => self.judge(outcome),
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
            Report::Notice(Notice::Doubted {
                doubt,
                wake_word,
                samples,
            }) => {
                let looked = self.transcriber.look(self.utterance(samples));
                self.doubt = Some(Doubt {
                    number: doubt,
                    wake_word,
                    transcription: looked.unwrap_or_else(|| done(Err(TranscribeError::Ended))),
                });
            }
            Report::Notice(Notice::WakeWord(Detection { word, confidence })) => {
                if let Ok(permit) = self.shared.wake_words.try_acquire() {
                    permit.forget();
                }
                self.tell(EarEvent::WakeWord {
                    wake_word: word.name,
                    effect: word.effect,
                    confidence,
                })
                .await;
            }
            Report::Notice(Notice::RecordingStarted(path)) => {
                self.tell(EarEvent::RecordingStarted { path }).await;
            }
            Report::Notice(Notice::RecordingEnded { path, length, end }) => {
                self.tell(EarEvent::RecordingEnded { path, length, end }).await;
            }
            Report::Notice(Notice::Started(trigger)) => {
                self.owed = Owed::EndAndOutcome;
                (self.trigger, self.glance) = (Some(trigger), None);
                self.tell(EarEvent::RecordStarted { trigger }).await;
            }
            Report::Notice(Notice::Paused { pause, samples }) => {
                if self.is_interruption() {
                    self.glance = self.transcriber.glance(self.utterance(samples.clone()));
                }
                // What is looked at may be the word that stops; the pauses of what it is to stop can wait.
                if !self.early.is_behind() {
                    let looked = self.transcriber.look(self.utterance(samples));
                    self.early.look(pause, looked);
                }
            }
            Report::Notice(Notice::WentOn) if self.is_interruption() => self.early.go_on_looking(),
            Report::Notice(Notice::WentOn) => {
                self.early.forget();
                self.tell(EarEvent::WentOn).await;
            }
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
        let is_late = self.is_interruption() && self.shared.wake_words.available_permits() > 0;
        let Some(samples) = samples.filter(|_| !is_late) else {
            return self.tell_outcome(Err(TranscribeError::NothingHeard)).await;
        };
        let whole = self.utterance(samples);
        self.transcription = Some(self.transcriber.transcribe(whole, looked));
    }

    /// Says whether the wake word was said that whisper was asked about.
    fn judge(&mut self, outcome: Result<Transcript, TranscribeError>) {
        let Some(Doubt {
            number, wake_word, ..
        }) = self.doubt.take()
        else {
            return;
        };
        let was_said = match outcome {
            Ok(Transcript { text, lang, .. }) => likeness::holds(&text, &wake_word, &lang),
            Err(TranscribeError::NothingHeard) => false,
            // Without whisper the detector's word is all there is.
            Err(_) => true,
        };
        tracing::debug!(wake_word, was_said, "whisper was asked about a wake word");
        self.doubts.judge(number, was_said);
    }

    /// Tells the order that the person who interrupts may have given.
    async fn tell_glance(&mut self, outcome: Result<Transcript, TranscribeError>) {
        self.glance = None;
        if let Ok(Transcript { text, .. }) = outcome {
            let may_be_all = false;
            self.tell(EarEvent::SoFar { text, may_be_all }).await;
        }
    }

    fn is_interruption(&self) -> bool {
        self.trigger == Some(Trigger::Interruption)
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

/// Waits for the text of the wake word that whisper is asked about, and for ever when there is none.
async fn looked_at(doubt: &mut Option<Doubt>) -> Result<Transcript, TranscribeError> {
    match doubt {
        Some(doubt) => (&mut doubt.transcription).await,
        None => pending().await,
    }
}

/// Waits for the outcome of the utterance that is being recognised, and for ever when there is none.
async fn finished(transcription: &mut Option<Transcription>) -> Result<Transcript, TranscribeError> {
    match transcription {
        Some(transcription) => transcription.await,
        None => pending().await,
    }
}
