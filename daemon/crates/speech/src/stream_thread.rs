//! Streams of a sound system, each on a thread of its own, because with a sound server that hangs both building and dropping
//! one may never return.
//!
//! Such a thread is left behind; there may be a few, and while there are too many nothing is opened.

use std::sync::Arc;
use std::sync::mpsc as std_mpsc;
use std::time::Duration;

use cpal::Stream;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Opening may take this long. A sound server that has to start needs a second or two.
pub(crate) const OPEN_PATIENCE: Duration = Duration::from_secs(10);

/// Threads that may hang in a sound system at the same time.
const STUCK: usize = 4;

/// Says why no stream could be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StreamThreadError {
    /// The sound system does not answer.
    Hangs,
    /// The system has no thread left.
    NoThread { reason: String },
}

/// Opens streams.
#[derive(Debug, Default)]
pub(crate) struct StreamThreads {
    /// Held by every thread that is still in a sound system.
    held: Arc<()>,
}

/// A stream stays open until this is dropped. Nothing is ever sent.
#[derive(Debug)]
pub(crate) struct KeepsOpen {
    _dropped: std_mpsc::Sender<()>,
}

/// The thread's end of [`KeepsOpen`].
#[derive(Debug)]
pub(crate) struct UntilDropped(std_mpsc::Receiver<()>);

impl UntilDropped {
    /// Waits for it.
    pub(crate) fn wait(&self) {
        // Ends with an error when the other end is dropped, which is the signal.
        let _closed = self.0.recv();
    }

    /// Waits so long at most; says whether it came.
    pub(crate) fn within(&self, patience: Duration) -> bool {
        self.0.recv_timeout(patience) == Err(std_mpsc::RecvTimeoutError::Disconnected)
    }
}

impl StreamThreads {
    /// Opens a stream on a thread of this name, where `hold` says how long it stays open.
    pub(crate) async fn open<T, E>(
        &self,
        name: &str,
        open: impl FnOnce() -> Result<(Stream, T), E> + Send + 'static,
        hold: impl FnOnce(&UntilDropped) + Send + 'static,
    ) -> Result<(T, KeepsOpen), E>
    where
        T: Send + 'static,
        E: From<StreamThreadError> + Send + 'static,
    {
        if Arc::strong_count(&self.held) > STUCK {
            return Err(StreamThreadError::Hangs.into());
        }
        let (dropped, until) = std_mpsc::channel();
        let (opened, outcome) = oneshot::channel();
        let in_thread = Arc::clone(&self.held);
        let thread = move || {
            run(open, opened, || hold(&UntilDropped(until)));
            drop(in_thread);
        };
        std::thread::Builder::new()
            .name(name.into())
            .spawn(thread)
            .map_err(|error| StreamThreadError::NoThread {
                reason: error.to_string(),
            })?;
        let Ok(Ok(outcome)) = timeout(OPEN_PATIENCE, outcome).await else {
            return Err(StreamThreadError::Hangs.into());
        };
        Ok((outcome?, KeepsOpen { _dropped: dropped }))
    }
}

/// The thread: it opens the stream, and holds it as long as it shall.
fn run<T, E>(
    open: impl FnOnce() -> Result<(Stream, T), E>,
    opened: oneshot::Sender<Result<T, E>>,
    hold: impl FnOnce(),
) {
    // libasound writes its complaints to standard error unless told otherwise, which is per thread.
    let _chatter = alsa::Output::local_error_handler();
    match open() {
        Ok((stream, sound)) => {
            if opened.send(Ok(sound)).is_ok() {
                hold();
            }
            drop(stream);
        }
        Err(error) => drop(opened.send(Err(error))),
    }
}
