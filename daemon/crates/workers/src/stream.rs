//! The journal of a turn as entries of a stream of NATS. Each entry is stored only directly behind the last one that its
//! writer knows of; so of two workers that have the same turn one finds that it is no more the turn's, and writes nothing.

use async_nats::jetstream::context::{Context, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use futures_util::future::BoxFuture;
use loquat_agent::journal::{Care, Entry, Journal, Unwritten};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::message::{run_of, sealed};
use crate::seal::SealKey;

/// Entries that wait to be stored; a turn that writes one more waits.
const WAITING: usize = 64;

/// More entries than any turn writes.
const MOST: usize = 10_000;

/// An entry, and where it is said whether it is stored.
type Waiting = (Entry, Option<oneshot::Sender<bool>>);

/// The journal of one run.
#[derive(Debug, Clone)]
pub(crate) struct StreamJournal(mpsc::Sender<Waiting>);

impl Journal for StreamJournal {
    fn write(&self, entry: Entry, care: Care) -> BoxFuture<'_, Result<(), Unwritten>> {
        Box::pin(async move {
            let (stored, is_stored) = oneshot::channel();
            let told = (care == Care::Durable).then_some(stored);
            self.0.send((entry, told)).await.map_err(|_| Unwritten)?;
            match care {
                Care::Usual => Ok(()),
                Care::Durable => is_stored.await.unwrap_or_default().then_some(()).ok_or(Unwritten),
            }
        })
    }
}

/// Stores the entries of one run, one after the other.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) jetstream: Context,
    pub(crate) subject: String,
    pub(crate) run: String,
    pub(crate) key: SealKey,
    /// The last entry of the turn in the stream; 0 where there is none.
    pub(crate) last: u64,
    /// Cancelled when an entry was not stored: nothing behind it is.
    pub(crate) fenced: CancellationToken,
    queue: mpsc::Receiver<Waiting>,
}

impl Writer {
    pub(crate) fn new(
        jetstream: Context,
        subject: String,
        run: String,
        key: SealKey,
        last: u64,
    ) -> (StreamJournal, Self) {
        let (sender, queue) = mpsc::channel(WAITING);
        let writer = Self {
            jetstream,
            subject,
            run,
            key,
            last,
            fenced: CancellationToken::new(),
            queue,
        };
        (StreamJournal(sender), writer)
    }

    /// Writes until nothing can be written any more.
    pub(crate) async fn run(mut self) {
        while let Some((entry, told)) = self.queue.recv().await {
            let is_stored = !self.fenced.is_cancelled() && self.store(&entry).await;
            if !is_stored {
                self.fenced.cancel();
            }
            if let Some(told) = told {
                // A turn that was dropped does not want to know.
                told.send(is_stored).unwrap_or_default();
            }
        }
    }

    async fn store(&mut self, entry: &Entry) -> bool {
        let Ok(payload) = serde_json::to_vec(entry) else {
            return false;
        };
        let message = PublishMessage::build()
            .headers(sealed(&self.key, &self.subject, &self.run, &payload))
            .payload(payload.into())
            .expected_last_subject_sequence(self.last);
        let sent = self.jetstream.send_publish(self.subject.clone(), message).await;
        let stored = match sent {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        match stored {
            Ok(stored) => {
                self.last = stored.sequence;
                true
            }
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                tracing::info!(
                    run = self.run,
                    "another worker has gone on with this turn; this one leaves it"
                );
                false
            }
            Err(error) => {
                tracing::warn!(
                    error = loquat_failure::with_causes(&error),
                    "failed to store an entry of a turn"
                );
                false
            }
        }
    }
}

/// Says why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The broker does not give it.
    #[error("failed to read the journal of a turn from NATS: {0}")]
    Broker(String),
    /// An entry was not written by a run of this turn.
    #[error("failed to read the journal of a turn: entry {0} does not have the turn's seal")]
    Forged(u64),
    /// An entry is no entry.
    #[error("failed to read the journal of a turn: entry {0} makes no sense")]
    Garbled(u64),
    /// There are too many.
    #[error("failed to read the journal of a turn: it has more than {MOST} entries")]
    Endless,
}

/// Reads what is written of a turn, and the place of the last entry.
pub(crate) async fn read(
    stream: &Stream<()>,
    subject: &str,
    key: &SealKey,
) -> Result<(Vec<Entry>, u64), ReadError> {
    let (mut entries, mut last) = (Vec::new(), 0);
    while entries.len() < MOST {
        // From the leader, since a copy may be behind.
        let message = match stream.get_first_raw_message_by_subject(subject, last + 1).await {
            Ok(message) => message,
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok((entries, last)),
            Err(error) => return Err(ReadError::Broker(loquat_failure::with_causes(&error))),
        };
        last = message.sequence;
        run_of(Some(&message.headers), key, subject, &message.payload).ok_or(ReadError::Forged(last))?;
        let entry = serde_json::from_slice(&message.payload).map_err(|_| ReadError::Garbled(last))?;
        entries.push(entry);
    }
    Err(ReadError::Endless)
}
