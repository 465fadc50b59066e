//! The brain of a worker, whose words the device hears while they are written.
//!
//! What is told so is for the ear alone: a device takes a reply from the journal. So pieces may be lost, and are where the
//! broker is slower than the brain.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Asking, Brain, BrainError, BrainWrapper, ChatReply, Delta, DeltaSink};
use loquat_agent::journal::request_key;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use crate::line::Line;
use crate::message::{Piece, Telling, sealed};

/// Pieces that wait to be sent; of one more, and all behind it, the device hears nothing.
const PIECES: usize = 256;

/// A worker says this often that it is at work.
const ALIVE: Duration = Duration::from_millis(500);

/// The brain of one run.
#[derive(Debug)]
pub(crate) struct TellingBrain {
    inner: Arc<dyn Brain>,
    askings: AtomicU32,
    pieces: mpsc::Sender<Piece>,
}

impl TellingBrain {
    pub(crate) fn new(inner: Arc<dyn Brain>) -> (Self, mpsc::Receiver<Piece>) {
        let (pieces, told) = mpsc::channel(PIECES);
        let brain = Self {
            inner,
            askings: AtomicU32::new(0),
            pieces,
        };
        (brain, told)
    }
}

impl BrainWrapper for TellingBrain {
    fn inner(&self) -> &dyn Brain {
        &*self.inner
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async move {
            let teller = Teller {
                sink,
                pieces: &self.pieces,
                request: request_key(&asking.for_brain(self.inner.capabilities())),
                asking: self.askings.fetch_add(1, Ordering::Relaxed),
                place: AtomicU32::new(0),
                is_behind: AtomicBool::new(false),
            };
            self.inner.ask(asking, &teller).await
        })
    }
}

/// Hears one reply.
struct Teller<'a> {
    sink: &'a dyn DeltaSink,
    pieces: &'a mpsc::Sender<Piece>,
    request: String,
    asking: u32,
    place: AtomicU32,
    is_behind: AtomicBool,
}

impl DeltaSink for Teller<'_> {
    fn delta(&self, delta: Delta) {
        self.sink.delta(delta.clone());
        if self.is_behind.load(Ordering::Relaxed) {
            return;
        }
        let piece = Piece {
            request: self.request.clone(),
            asking: self.asking,
            place: self.place.fetch_add(1, Ordering::Relaxed),
            what: delta.into(),
        };
        if self.pieces.try_send(piece).is_err() {
            self.is_behind.store(true, Ordering::Relaxed);
        }
    }
}

/// Sends what is told, and otherwise that the worker is at work. Ends when it is dropped.
pub(crate) async fn tell(line: &Line, subject: &str, mut told: mpsc::Receiver<Piece>) {
    let mut alive = interval(ALIVE);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let mut pieces = Vec::new();
        tokio::select! {
            count = told.recv_many(&mut pieces, PIECES) => if count == 0 {
                return std::future::pending().await;
            },
            _ = alive.tick() => {}
        }
        let Ok(payload) = serde_json::to_vec(&Telling { pieces }) else {
            continue;
        };
        let headers = sealed(&line.key, subject, &line.run, &payload);
        let sent = line
            .client
            .publish_with_headers(subject.to_owned(), headers, payload.into());
        if let Err(error) = sent.await {
            tracing::debug!(%error, "a device was not told of a turn");
        }
    }
}
