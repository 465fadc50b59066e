//! The client's end of its queue: what it is to be sent next, and when.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use super::receipt::{Receipt, Share};

#[derive(Debug)]
pub(super) struct Delivery {
    frame: Bytes,
    /// The client's own frame, which it is to have after all others.
    receipt: Option<Receipt>,
    /// Belongs to another client, which waits for this to be written.
    share: Option<Share>,
}

/// The client's end.
#[derive(Debug)]
pub(super) struct Ticket {
    hub: Arc<Hub>,
    id: u64,
    frames: mpsc::Receiver<Delivery>,
    /// The next frame, where it was looked at and could not be sent yet.
    head: Option<Delivery>,
    /// The shares of frames that were handed out and perhaps not written.
    shares: Vec<Share>,
    standing: Arc<Standing>,
}

/// How it is with one client, as both ends of its queue know it.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The bytes that wait.
    waiting: AtomicUsize,
    /// The system takes no more for the client.
    behind: AtomicBool,
    cut: CancellationToken,
    excess: CancellationToken,
}

impl Delivery {
    /// Makes a frame that nothing waits for.
    pub(super) fn plain(frame: &Bytes) -> Self {
        Self::shared(frame, None)
    }

    /// Makes a frame whose sender may wait for it.
    pub(super) fn shared(frame: &Bytes, share: Option<Share>) -> Self {
        Self {
            frame: frame.clone(),
            receipt: None,
            share,
        }
    }

    pub(super) fn own(frame: &Bytes, receipt: Option<Receipt>) -> Self {
        Self {
            frame: frame.clone(),
            receipt,
            share: None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.frame.len()
    }
}

impl Ticket {
    pub(super) fn new(
        hub: Arc<Hub>,
        id: u64,
        frames: mpsc::Receiver<Delivery>,
        standing: Arc<Standing>,
    ) -> Self {
        Self {
            hub,
            id,
            frames,
            head: None,
            shares: Vec::new(),
            standing,
        }
    }

    /// Gives the number by which the hub knows the client.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Waits until there is a frame that may be sent. Cancel safe.
    pub(super) async fn ready(&mut self) {
        if self.head.is_none() {
            self.head = self.frames.recv().await;
        }
        match &self.head {
            Some(Delivery {
                receipt: Some(receipt),
                ..
            }) => receipt.due().await,
            Some(_) => {}
            // The client was cut off, of which it learns in another way.
            None => pending().await,
        }
    }

    /// Gives the next frame for the client, if there is one that may be sent.
    pub(super) fn try_next(&mut self) -> Option<Bytes> {
        let delivery = self.head.take().or_else(|| self.frames.try_recv().ok())?;
        if delivery.receipt.as_ref().is_some_and(|receipt| !receipt.is_due()) {
            self.head = Some(delivery);
            return None;
        }
        self.standing
            .waiting
            .fetch_sub(delivery.bytes(), Ordering::Relaxed);
        self.shares.extend(delivery.share);
        Some(delivery.frame)
    }

    /// Notes that all that was handed out was written, or only a part: then the client is behind, and nothing waits
    /// for it.
    pub(super) fn written(&mut self, all: bool) {
        self.standing.behind.store(!all, Ordering::Relaxed);
        if all {
            self.shares.clear();
        }
    }

    /// Counts the bytes that wait.
    pub(super) fn waiting(&self) -> usize {
        self.standing.waiting.load(Ordering::Relaxed)
    }

    /// Is cancelled when the client keeps more of unfinished frames than any other, and all together too much.
    pub(super) fn excess(&self) -> CancellationToken {
        self.standing.excess.clone()
    }

    /// Is cancelled when the hub has given the client up.
    pub(super) fn cut_off(&self) -> CancellationToken {
        self.standing.cut.clone()
    }
}

impl Standing {
    /// Tells whether the system takes no more for the client, so that nothing can wait for it.
    pub(super) fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }

    /// Counts a frame among those that wait; false where that is too much. A single frame always fits.
    pub(super) fn has_room(&self, bytes: usize, most: usize) -> bool {
        let waiting = self.waiting.fetch_add(bytes, Ordering::Relaxed);
        waiting == 0 || waiting + bytes <= most
    }

    /// Gives the client up.
    pub(super) fn cut_off(&self) {
        self.cut.cancel();
    }

    /// Has the client go for what it holds of unfinished frames.
    pub(super) fn exceed(&self) {
        self.excess.cancel();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.hub.leave(self.id);
    }
}
