//! What waits to be sent: bounded, in order, and kept while there is no connection.

use std::sync::Arc;
use std::time::Duration;

use loquat_wire::{Message, Vocabulary, repeat, stub, topic, with_twin};
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::{MAX_FRAME_BYTES, MAX_READ_BYTES};

/// This many messages may wait. A turn emits about ten, so this is far more than a device says while its bus
/// restarts.
const MAX_WAITING: usize = 1024;

/// This many bytes may wait: one of the largest messages with its twin, and room for many small ones.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// Says why a message was not accepted for sending.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmitError {
    /// The topic is none that a producer may use.
    #[error(
        "failed to emit on `{topic}`: a topic has ASCII letters and digits, parted by single `.`, `:`, `_` or `-`"
    )]
    InvalidTopic {
        /// The message has this topic.
        topic: String,
    },
    /// The bus would close the connection over a frame of that size.
    #[error("failed to emit on `{topic}`: the frame has {bytes} bytes and the bus takes {limit}")]
    TooLarge {
        /// The message has this topic.
        topic: String,
        /// The frame has this size in bytes.
        bytes: usize,
        /// No frame may be larger.
        limit: usize,
    },
    /// Too much is waiting already, and nothing was sent for a while.
    #[error("failed to emit on `{topic}`: too many messages have been waiting for the bus for {} s", waited.as_secs())]
    Full {
        /// The message has this topic.
        topic: String,
        /// The message waited this long for room.
        waited: Duration,
    },
    /// The client has ended.
    #[error("failed to emit on `{topic}`: the bus client has ended")]
    Closed {
        /// The message has this topic.
        topic: String,
    },
}

/// Says what becomes of a message that is under way when the connection breaks.
#[derive(Debug)]
pub(crate) enum Sending {
    /// It is sent again, and a client may hear it twice.
    AtLeastOnce,
    /// It is sent again, and says so: an earlier process may have sent it, so long ago at most.
    Again(Duration),
    /// It is not sent again, perhaps no client hears it, and this is told.
    AtMostOnce(oneshot::Sender<()>),
}

/// A message as it goes out: its frame, and that of its twin right behind it.
#[derive(Debug)]
pub(crate) struct Parcel {
    pub(crate) frame: Utf8Bytes,
    pub(crate) twin: Option<Utf8Bytes>,
    pub(crate) sending: Sending,
    /// Held as long as the parcel waits.
    room: Option<OwnedSemaphorePermit>,
}

impl Parcel {
    /// Packs a message without looking at its size.
    pub(crate) fn pack(message: Message, vocabulary: Vocabulary) -> Self {
        let (message, twin) = with_twin(message, vocabulary);
        Self {
            frame: message.to_text().into(),
            twin: twin.map(|twin| twin.to_text().into()),
            sending: Sending::AtLeastOnce,
            room: None,
        }
    }

    /// Keeps the ids of the message's context and nothing else of it, where that makes it small enough: an end
    /// marker has to arrive, however large a session a stranger gave it.
    fn slimmed(self, vocabulary: Vocabulary) -> Self {
        let limit = if self.largest() > MAX_FRAME_BYTES {
            MAX_FRAME_BYTES
        } else {
            MAX_READ_BYTES
        };
        let (Ok(message), Ok(outline)) = (Message::parse(&self.frame), stub::read(&self.frame)) else {
            return self;
        };
        let slim = Self::pack(message.with_context(outline.context), vocabulary);
        if slim.largest() > limit {
            return self;
        }
        Self {
            sending: self.sending,
            ..slim
        }
    }

    /// Marks both frames as sent again.
    fn repeated(mut self, age: Duration) -> Self {
        self.frame = repeat::repeated(&self.frame, age).into();
        self.twin = self.twin.map(|twin| repeat::repeated(&twin, age).into());
        self
    }

    /// They are in the order of sending: the message, then its twin.
    pub(crate) fn frames(self) -> impl Iterator<Item = Utf8Bytes> {
        std::iter::once(self.frame).chain(self.twin)
    }

    fn largest(&self) -> usize {
        self.twin
            .as_ref()
            .map_or(0, |twin| twin.len())
            .max(self.frame.len())
    }

    fn total(&self) -> usize {
        self.frame.len() + self.twin.as_ref().map_or(0, |twin| twin.len())
    }
}

/// The end that fills.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    parcels: mpsc::Sender<Parcel>,
    room: Arc<Semaphore>,
    patience: Duration,
    vocabulary: Vocabulary,
}

impl Outbox {
    /// Makes an outbox whose senders wait at most that long for room, and the end that empties it.
    ///
    /// Overload: a sender waits while 1,024 messages or 64 MiB are waiting, and is refused after its patience. What
    /// waits is never dropped for something newer.
    pub(crate) fn new(patience: Duration, vocabulary: Vocabulary) -> (Self, mpsc::Receiver<Parcel>) {
        let (parcels, receiver) = mpsc::channel(MAX_WAITING);
        let room = Arc::new(Semaphore::new(MAX_WAITING_BYTES));
        let outbox = Self {
            parcels,
            room,
            patience,
            vocabulary,
        };
        (outbox, receiver)
    }

    /// Queues a message and its twin. Where the frame would be larger than 1 MiB for its context, that is
    /// reduced to its ids. Cancel safe: it is queued whole or not at all.
    pub(crate) async fn put(&self, message: Message, sending: Sending) -> Result<(), EmitError> {
        let topic = message.topic.clone();
        if !topic::is_valid(&topic) {
            return Err(EmitError::InvalidTopic { topic });
        }
        let mut parcel = Parcel {
            sending,
            ..Parcel::pack(message, self.vocabulary)
        };
        if parcel.largest() > MAX_READ_BYTES {
            parcel = parcel.slimmed(self.vocabulary);
        }
        if let Sending::Again(age) = parcel.sending {
            parcel = parcel.repeated(age);
        }
        if parcel.largest() > MAX_FRAME_BYTES {
            return Err(EmitError::TooLarge {
                topic,
                bytes: parcel.largest(),
                limit: MAX_FRAME_BYTES,
            });
        }
        match timeout(self.patience, self.make_room(parcel.total())).await {
            Ok(Some((slot, room))) => {
                parcel.room = Some(room);
                slot.send(parcel);
                Ok(())
            }
            Ok(None) => Err(EmitError::Closed { topic }),
            Err(_) => Err(EmitError::Full {
                topic,
                waited: self.patience,
            }),
        }
    }

    async fn make_room(&self, bytes: usize) -> Option<(mpsc::Permit<'_, Parcel>, OwnedSemaphorePermit)> {
        let bytes = u32::try_from(bytes).ok()?;
        let slot = self.parcels.reserve().await.ok()?;
        let room = Arc::clone(&self.room).acquire_many_owned(bytes).await.ok()?;
        Some((slot, room))
    }
}

#[cfg(test)]
mod tests;
