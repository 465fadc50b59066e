//! Who is on the bus, and the relay itself. Never waits for anybody.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::BusLimits;

/// All clients of the bus.
#[derive(Debug)]
pub(super) struct Hub {
    limits: BusLimits,
    next: AtomicU64,
    /// One lock for all: frames reach every client in the same order.
    seats: Mutex<HashMap<u64, Seat>>,
}

/// The hub's end of one client.
#[derive(Debug)]
struct Seat {
    frames: mpsc::Sender<Bytes>,
    waiting: Arc<AtomicUsize>,
    cut: CancellationToken,
}

/// The client's end.
#[derive(Debug)]
pub(super) struct Ticket {
    hub: Arc<Hub>,
    id: u64,
    frames: mpsc::Receiver<Bytes>,
    waiting: Arc<AtomicUsize>,
    cut: CancellationToken,
}

impl Hub {
    pub(super) fn new(limits: BusLimits) -> Self {
        Self {
            limits,
            next: AtomicU64::new(0),
            seats: Mutex::default(),
        }
    }

    /// Adds a client, whose first frame is the greeting.
    pub(super) fn join(self: &Arc<Self>, greeting: &Bytes) -> Ticket {
        // Overload: the client that is behind by this many frames, or by too many bytes, is cut off.
        let (frames, receiver) = mpsc::channel(self.limits.max_waiting.max(1));
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let seat = Seat {
            frames,
            waiting: Arc::default(),
            cut: CancellationToken::new(),
        };
        let ticket = Ticket {
            hub: Arc::clone(self),
            id,
            frames: receiver,
            waiting: Arc::clone(&seat.waiting),
            cut: seat.cut.clone(),
        };
        seat.put(greeting, &self.limits);
        self.lock().insert(id, seat);
        ticket
    }

    /// Hands encoded frames to everybody, in this order.
    pub(super) fn relay(&self, frames: &[Bytes]) {
        if frames.is_empty() {
            return;
        }
        self.lock().retain(|_, seat| {
            let kept = frames.iter().all(|frame| seat.put(frame, &self.limits));
            if !kept {
                seat.cut.cancel();
            }
            kept
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Seat>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Queues a frame; false when the client is too far behind. A single frame always fits.
    fn put(&self, frame: &Bytes, limits: &BusLimits) -> bool {
        let waiting = self.waiting.fetch_add(frame.len(), Ordering::Relaxed);
        let fits = waiting == 0 || waiting + frame.len() <= limits.max_waiting_bytes;
        fits && self.frames.try_send(frame.clone()).is_ok()
    }
}

impl Ticket {
    /// The next frame for the client; `None` after it was cut off. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        let frame = self.frames.recv().await?;
        self.waiting.fetch_sub(frame.len(), Ordering::Relaxed);
        Some(frame)
    }

    /// The next frame if there is one already.
    pub(super) fn try_next(&mut self) -> Option<Bytes> {
        let frame = self.frames.try_recv().ok()?;
        self.waiting.fetch_sub(frame.len(), Ordering::Relaxed);
        Some(frame)
    }

    /// Bytes that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Is cancelled when the hub has given the client up.
    pub(super) fn cut_off(&self) -> CancellationToken {
        self.cut.clone()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.hub.lock().remove(&self.id);
    }
}
