//! Which frames of ours the bus has relayed. The bus sends every frame back to its sender, byte for byte: that echo is
//! the receipt.
//!
//! It serves two ends. A frame that comes back is our own and no news. A frame that did not come back before the
//! connection broke is sent again on the next one. A bus that relays a frame and dies before its echo is written makes
//! others hear that frame twice; so it says that it is a repetition, and a client that knows the sign hears it once.
//! What is done by being heard is not sent again at all.
//!
//! Our own bus writes the echo last. Of other buses not even that is known: one that writes the echo first and dies has
//! lost the frame for others, unnoticed. ovos-messagebus closes the connection of the client that speaks while another
//! client vanishes: who connected after that client then misses the frame although we have its echo, which no program can
//! tell from here.

use std::collections::VecDeque;
use std::time::Duration;

use loquat_wire::repeat;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::MAX_FRAME_BYTES;

/// This many frames may be on their way. More wait in the outbox until echoes come back.
const MAX_UNDERWAY: usize = 1024;

/// This many bytes may be on their way.
const MAX_UNDERWAY_BYTES: usize = 32 << 20;

/// After this time no echo comes any more. It is longer than a silent bus is borne with.
const GIVE_UP: Duration = Duration::from_secs(60);

/// A twin is known for what it is for this long after its message (MSG-1 twins: one second), with time to connect
/// again.
const TWIN_STILL_KNOWN: Duration = Duration::from_millis(600);

/// A frame is tried on this many connections. One that breaks every connection must not do so for ever.
const MAX_TRIES: u8 = 4;

/// The purpose of a frame, which decides whether it is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is said anew on every connection anyway.
    Announcement,
    Message,
    /// It is the twin of the message before it. Alone and late it would be taken for a new event.
    Twin,
    /// A message that has an effect by being heard. It may be lost with the bus, and must not happen twice.
    Deed,
}

/// A frame to send, or on its way.
#[derive(Debug)]
pub(super) struct Shipment {
    pub(super) text: Utf8Bytes,
    pub(super) purpose: Purpose,
    tries: u8,
    /// The moment at which it was sent the first time; absent until then.
    since: Option<Instant>,
    /// Is told when it cannot be known whether the frame was heard.
    unsure: Option<oneshot::Sender<()>>,
    /// The message of this twin was relayed, and the twin was not. Peers that know nothing but the older name have
    /// heard nothing; so the twin goes alone, but only until this moment.
    alone_until: Option<Instant>,
}

impl Shipment {
    pub(super) fn new(text: Utf8Bytes, purpose: Purpose) -> Self {
        Self {
            text,
            purpose,
            tries: 0,
            since: None,
            unsure: None,
            alone_until: None,
        }
    }

    /// Makes a frame that is not sent again. `unsure` is told instead.
    pub(super) fn deed(text: Utf8Bytes, unsure: oneshot::Sender<()>) -> Self {
        Self {
            unsure: Some(unsure),
            ..Self::new(text, Purpose::Deed)
        }
    }

    /// Gives the frame as it goes out once more.
    pub(super) fn repeated(mut self, now: Instant) -> Self {
        let first = repeat::first_of(&self.text).map(|(first, _)| first);
        let first = first.as_deref().unwrap_or(&self.text);
        let age = self.since.map_or(Duration::ZERO, |since| now - since);
        let text = repeat::repeated(first, age);
        if text.len() <= MAX_FRAME_BYTES {
            self.text = text.into();
        }
        self
    }

    /// Tells whether it is too late to send it.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        self.alone_until.is_some_and(|until| now > until)
    }
}

/// Finds when a frame that goes out now was sent the first time, which may have been by an earlier process.
fn first_sent(text: &str, now: Instant) -> Option<Instant> {
    let age = repeat::first_of(text).map_or(Duration::ZERO, |(_, age)| age);
    now.checked_sub(age).or(Some(now))
}

/// The frames on their way, in the order of sending.
#[derive(Debug, Default)]
pub(super) struct Receipts {
    underway: VecDeque<(Shipment, Instant)>,
    bytes: usize,
}

impl Receipts {
    /// Tells whether another frame may be sent.
    pub(super) fn have_room(&self) -> bool {
        self.underway.len() < MAX_UNDERWAY && self.bytes < MAX_UNDERWAY_BYTES
    }

    pub(super) fn sent(&mut self, mut shipment: Shipment, now: Instant) {
        self.bytes += shipment.text.len();
        shipment.tries += 1;
        shipment.since = shipment.since.or_else(|| first_sent(&shipment.text, now));
        self.underway.push_back((shipment, now));
    }

    /// Tells whether a frame that arrived is the echo of one of ours, which is then done with.
    pub(super) fn is_echo(&mut self, text: &str) -> bool {
        let mut underway = self.underway.iter();
        let Some(index) = underway.position(|(sent, _)| sent.text.as_str() == text) else {
            return false;
        };
        self.underway.remove(index);
        self.bytes -= text.len();
        true
    }

    /// Forgets frames whose echo is not to be expected any more.
    pub(super) fn expire(&mut self, now: Instant) {
        while let Some((sent, at)) = self.underway.front()
            && now.duration_since(*at) > GIVE_UP
        {
            self.bytes -= sent.text.len();
            self.underway.pop_front();
        }
    }

    /// The connection broke: what to send again, in order, and how many messages are given up.
    ///
    /// After a close for size it is the largest frame that the bus refused.
    pub(super) fn take_unreceived(&mut self, refused_for_size: bool) -> (VecDeque<Shipment>, u64) {
        let mut unreceived: VecDeque<_> = std::mem::take(self)
            .underway
            .into_iter()
            .map(|(mut sent, at)| {
                sent.alone_until = Some(at + TWIN_STILL_KNOWN);
                sent
            })
            .collect();
        for unsure in unreceived.iter_mut().filter_map(|sent| sent.unsure.take()) {
            // The caller may have given up meanwhile.
            unsure.send(()).unwrap_or_default();
        }
        unreceived.retain(|sent| !matches!(sent.purpose, Purpose::Announcement | Purpose::Deed));
        // Echoes come in the order of sending, so it is the first whose message may have been relayed.
        let mut with_its_message = false;
        for sent in &mut unreceived {
            if sent.purpose != Purpose::Twin || with_its_message {
                sent.alone_until = None;
            }
            with_its_message = true;
        }
        let wanted = unreceived.len();
        if refused_for_size {
            let largest = unreceived.iter().map(|sent| sent.text.len()).max();
            unreceived.retain(|sent| Some(sent.text.len()) != largest);
        }
        unreceived.retain(|sent| sent.tries < MAX_TRIES);
        let lost = wanted - unreceived.len();
        (unreceived, lost as u64)
    }
}

#[cfg(test)]
mod tests;
