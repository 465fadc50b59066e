//! Who is on the bus, and the relay itself. Never waits for anybody.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc;

use super::BusLimits;
use super::receipt::Receipt;
use super::ticket::{Delivery, Standing, Ticket};

#[derive(Debug)]
pub(super) struct Hub {
    limits: BusLimits,
    next: AtomicU64,
    /// There is one lock for all, so that frames reach every client in the same order.
    seats: Mutex<HashMap<u64, Seat>>,
}

/// The hub's end of one client.
#[derive(Debug)]
struct Seat {
    frames: mpsc::Sender<Delivery>,
    standing: Arc<Standing>,
    /// Its unfinished frames have so many bytes.
    held: usize,
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
            standing: Arc::default(),
            held: 0,
        };
        let ticket = Ticket::new(Arc::clone(self), id, receiver, Arc::clone(&seat.standing));
        seat.put(Delivery::plain(greeting), &self.limits);
        self.lock().insert(id, seat);
        ticket
    }

    pub(super) fn leave(&self, id: u64) {
        self.lock().remove(&id);
    }

    /// Hands encoded frames of this sender to everybody, in this order. The sender's own copies are its receipt.
    pub(super) fn relay(&self, frames: &[Bytes], sender: u64) {
        let Some((last, others)) = frames.split_last() else {
            return;
        };
        let (receipt, share) = Receipt::new();
        let mut waiting = 0;
        let mut seats = self.lock();
        seats.retain(|id, seat| {
            let kept = if *id == sender {
                seat.put_own(frames, &receipt, &self.limits)
            } else {
                let share = (!seat.standing.is_behind()).then(|| share.clone());
                let mut others = others.iter().map(Delivery::plain);
                others.all(|frame| seat.put(frame, &self.limits))
                    && seat.put(Delivery::shared(last, share), &self.limits)
            };
            if !kept {
                seat.standing.cut_off();
            }
            waiting += seat.frames_waiting();
            kept
        });
        if waiting > self.limits.max_waiting_in_all {
            cut_off_the_last(&mut seats);
        }
    }

    /// A client holds so many bytes of frames that are not there as a whole. Overload: the client that holds the most goes.
    pub(super) fn holds(&self, id: u64, bytes: usize) {
        let mut seats = self.lock();
        if let Some(seat) = seats.get_mut(&id) {
            seat.held = bytes;
        }
        let mut all: usize = seats.values().map(|seat| seat.held).sum();
        while all > self.limits.max_unfinished {
            let Some(most) = seats.values_mut().max_by_key(|seat| seat.held) else {
                return;
            };
            most.standing.exceed();
            all -= std::mem::take(&mut most.held);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Seat>> {
        self.seats.lock()
    }
}

/// Gives up the client for which most frames wait.
fn cut_off_the_last(seats: &mut HashMap<u64, Seat>) {
    let last = seats.iter().max_by_key(|(_, seat)| seat.frames_waiting());
    if let Some(id) = last.map(|(id, _)| *id)
        && let Some(seat) = seats.remove(&id)
    {
        seat.standing.cut_off();
    }
}

impl Seat {
    fn frames_waiting(&self) -> usize {
        self.frames.max_capacity() - self.frames.capacity()
    }

    /// Queues the client's own frames. They are in order, so it is enough to hold up the first.
    fn put_own(&self, frames: &[Bytes], receipt: &Receipt, limits: &BusLimits) -> bool {
        let mut receipt = Some(receipt.clone());
        frames
            .iter()
            .all(|frame| self.put(Delivery::own(frame, receipt.take()), limits))
    }

    /// Queues a frame; false when the client is too far behind.
    fn put(&self, delivery: Delivery, limits: &BusLimits) -> bool {
        self.standing.has_room(delivery.bytes(), limits.max_waiting_bytes)
            && self.frames.try_send(delivery).is_ok()
    }
}
