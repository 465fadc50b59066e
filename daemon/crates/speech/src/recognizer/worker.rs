//! The whisper thread: one job after the other, until told to stop.

use std::sync::mpsc as std_mpsc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::whisper::Whisper;
use super::{TranscribeError, Transcript};
use crate::known::Known;
use crate::model_file::LoadModelError;
use crate::settings::SpeechSettings;

#[derive(Debug)]
pub(super) enum Request {
    /// Turn samples into text.
    Transcribe(Job),
    /// Wake up and see that the token is cancelled.
    Stop,
}

/// How carefully whisper looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// As carefully as it takes.
    Whole,
    /// For a few words alone.
    Glance,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) samples: Vec<f32>,
    pub(super) lang: Option<String>,
    pub(super) depth: Depth,
    /// Cancelled when nothing waits for the answer any more.
    pub(super) cancelled: CancellationToken,
    pub(super) reply: oneshot::Sender<Result<Transcript, TranscribeError>>,
}

/// Starts the thread and waits until the model is loaded; the token returned is cancelled when the thread is done.
pub(super) fn start(
    settings: &SpeechSettings,
    known: Known,
    inbox: mpsc::Receiver<Request>,
    stop: CancellationToken,
) -> Result<CancellationToken, LoadModelError> {
    let settings = settings.clone();
    let ended = CancellationToken::new();
    let ended_with_thread = ended.clone();
    // One message: whether the model was loaded.
    let (loaded, outcome) = std_mpsc::sync_channel(1);
    std::thread::Builder::new()
        .name("loquat-whisper".into())
        .spawn(move || {
            // Dropped last, after the model.
            let _ended = ended_with_thread.drop_guard();
            let load = || Whisper::load(&settings, known);
            run(load, &loaded, inbox, &stop);
        })
        .map_err(|source| LoadModelError::NoThread { source })?;
    let gone = |_| LoadModelError::NoThread {
        source: std::io::Error::other("it ended while loading"),
    };
    outcome.recv().map_err(gone)??;
    Ok(ended)
}

fn run(
    load: impl FnOnce() -> Result<Whisper, LoadModelError>,
    loaded: &std_mpsc::SyncSender<Result<(), LoadModelError>>,
    mut inbox: mpsc::Receiver<Request>,
    stop: &CancellationToken,
) {
    let mut whisper = match load() {
        Ok(whisper) => whisper,
        Err(error) => {
            drop(loaded.send(Err(error)));
            return;
        }
    };
    drop(loaded.send(Ok(())));
    while let Some(Request::Transcribe(job)) = inbox.blocking_recv() {
        if stop.is_cancelled() {
            return;
        }
        if job.cancelled.is_cancelled() {
            continue;
        }
        let (samples, lang) = (&job.samples, job.lang.as_deref());
        let outcome = match job.depth {
            Depth::Whole => whisper.transcribe(samples, lang, &job.cancelled),
            Depth::Glance => whisper.glance(samples, lang, &job.cancelled),
        };
        // The caller may have gone away meanwhile.
        drop(job.reply.send(outcome));
    }
}
