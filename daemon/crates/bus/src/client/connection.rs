//! One connection from its handshake to its end: announcing, sending, receiving and noticing that the bus is dead.

use std::collections::VecDeque;
use std::io;

use loquat_wire::context::REPEATED;
use loquat_wire::{Message, ParseError, TwinFilter, Vocabulary, stub, topic, topic_of, twin};
use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Utf8Bytes};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::heard::Heard;
use super::receipts::{Purpose, Receipts, Shipment};
use super::{ClientOptions, TURN};
use crate::MAX_READ_BYTES;
use crate::link::{Incoming, Link, encode_text};
use crate::outbox::{Parcel, Sending};
use crate::received::{Cut, Received};
use crate::shared::Shared;
use crate::state::{ConnectError, ConnectionState, count_and_tell};

/// This many frames are read before others get a turn.
const BATCH: usize = 64;

/// Sending pauses when this many bytes were written and not taken by the system.
const MAX_BACKLOG: usize = 1 << 20;

/// All that outlives a connection.
#[derive(Debug)]
pub(super) struct Traffic {
    pub(super) receipts: Receipts,
    /// The frames that the connection before did not deliver.
    pub(super) again: VecDeque<Shipment>,
    heard: Heard,
    filter: TwinFilter,
    epoch: Instant,
    outbox_open: bool,
}

impl Traffic {
    pub(super) fn new() -> Self {
        Self {
            receipts: Receipts::default(),
            again: VecDeque::new(),
            heard: Heard::default(),
            filter: TwinFilter::new(),
            epoch: Instant::now(),
            outbox_open: true,
        }
    }
}

/// A connection that stands.
pub(super) struct Connection<'a> {
    pub(super) link: Link,
    pub(super) url: &'a str,
    pub(super) options: &'a ClientOptions,
    pub(super) shared: &'a Shared,
    pub(super) outbox: &'a mut mpsc::Receiver<Parcel>,
    pub(super) traffic: &'a mut Traffic,
    pub(super) pinged_at: Option<Instant>,
}

impl Connection<'_> {
    /// Serves until the token is cancelled, which ends in a farewell, or until the connection is lost.
    pub(super) async fn serve(&mut self, number: u64, stop: &CancellationToken) -> Result<(), ConnectError> {
        self.shared.announcements.renew();
        self.send();
        self.flush()?;
        self.shared
            .state
            .send_replace(ConnectionState::Connected { connection: number });
        loop {
            self.shared.beat();
            let is_all = self.receive()?;
            self.send();
            self.flush()?;
            if !is_all {
                // Where there is one thread for all, those who are to hear what was read have their turn now.
                yield_now().await;
            }
            let check_at = self.check_alive()?;
            let may_send = self.traffic.outbox_open && self.may_send();
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                ready = self.link.ready() => ready.map_err(|error| self.broken(Error::Io(error)))?,
                () = self.shared.announcements.changed() => {}
                parcel = self.outbox.recv(), if may_send => match parcel {
                    Some(parcel) => self.send_parcel(parcel),
                    // No handle is left that could emit; subscribers still listen.
                    None => self.traffic.outbox_open = false,
                },
                () = sleep_until(check_at.min(Instant::now() + TURN)) => {}
            }
        }
        self.say_farewell().await;
        Ok(())
    }

    /// Reads what is there; false when there may be more.
    fn receive(&mut self) -> Result<bool, ConnectError> {
        for _ in 0..BATCH {
            match self.link.read() {
                None => return Ok(true),
                Some(Ok(Incoming::Text(text))) => self.hear(&text),
                Some(Ok(Incoming::NotText)) => self.drop_bad("a frame that is not UTF-8"),
                Some(Ok(Incoming::Binary(_) | Incoming::Sign)) => {}
                Some(Ok(Incoming::Goodbye(code))) => {
                    // The answer to it is a courtesy that may fail.
                    self.link.flush().unwrap_or_default();
                    return Err(self.closed(code));
                }
                Some(Err(Error::ConnectionClosed | Error::AlreadyClosed)) => return Err(self.closed(None)),
                Some(Err(error)) => return Err(self.broken(error)),
            }
        }
        Ok(false)
    }

    fn hear(&mut self, text: &Utf8Bytes) {
        let now = Instant::now();
        let own = self.traffic.receipts.is_echo(text);
        if own && !self.is_wanted_back(text) {
            return;
        }
        if !own && self.traffic.heard.is_known(text, now) {
            return debug!("dropped a frame that was heard before the bus died");
        }
        let (mut message, cut) = match read(text) {
            Ok(read) => read,
            Err(error) => return self.drop_bad(&error.to_string()),
        };
        // Whether it came again is settled here, and no concern of subscribers.
        message.context.remove(REPEATED);
        let arrived = now.duration_since(self.traffic.epoch);
        if self.traffic.filter.is_duplicate(&message, arrived) {
            return;
        }
        let canonical = topic::canonical_of(&message.topic);
        if !self.shared.subscribers.any_want(canonical, own) {
            return;
        }
        let received = Received {
            canonical: canonical.to_owned(),
            message: twin::modernised(message),
            own,
            cut,
        };
        let missed = &self.shared.counters.missed_by_subscribers;
        let bytes = received.cut.map_or(text.len(), |_| 0);
        self.shared.subscribers.deliver(received, bytes, missed);
    }

    /// Tells whether anybody listens to this frame of ours. Where we speak both vocabularies the filter has no use
    /// for it either: a frame and its twin cancel each other out.
    fn is_wanted_back(&self, text: &str) -> bool {
        let wanted = |topic: &str| self.shared.subscribers.any_want(topic::canonical_of(topic), true);
        self.options.vocabulary != Vocabulary::Both || topic_of(text).is_none_or(|topic| wanted(&topic))
    }

    fn drop_bad(&self, reason: &str) {
        debug!(reason, "dropped a bad frame");
        if let Some(count) = count_and_tell(&self.shared.counters.bad_frames) {
            warn!(
                count,
                reason, "somebody on the bus sends frames that are no messages"
            );
        }
    }

    /// Queues what is to be sent: announcements, then what was not delivered before, then what waits.
    fn send(&mut self) {
        for message in self.shared.announcements.take_due() {
            for frame in Parcel::pack(message, self.options.vocabulary).frames() {
                self.ship(Shipment::new(frame, Purpose::Announcement));
            }
        }
        while self.may_send() {
            if let Some(shipment) = self.traffic.again.pop_front() {
                self.ship_again(shipment);
            } else if let Ok(parcel) = self.outbox.try_recv() {
                self.send_parcel(parcel);
            } else {
                break;
            }
        }
    }

    fn may_send(&self) -> bool {
        self.traffic.receipts.have_room() && self.link.backlog() < MAX_BACKLOG
    }

    fn send_parcel(&mut self, parcel: Parcel) {
        let Parcel {
            frame, twin, sending, ..
        } = parcel;
        let (first, then) = match sending {
            Sending::AtLeastOnce | Sending::Again(_) => {
                (Shipment::new(frame, Purpose::Message), Purpose::Twin)
            }
            Sending::AtMostOnce(unsure) => (Shipment::deed(frame, unsure), Purpose::Deed),
        };
        self.ship(first);
        if let Some(twin) = twin {
            self.ship(Shipment::new(twin, then));
        }
    }

    fn ship_again(&mut self, shipment: Shipment) {
        let now = Instant::now();
        if !shipment.is_stale(now) {
            self.ship(shipment.repeated(now));
        }
    }

    fn ship(&mut self, shipment: Shipment) {
        self.link.push(encode_text(shipment.text.clone(), Role::Client));
        self.traffic.receipts.sent(shipment, Instant::now());
    }

    fn flush(&mut self) -> Result<(), ConnectError> {
        self.link.flush().map_err(|error| {
            self.salvage();
            self.broken(Error::Io(error))
        })
    }

    /// Reads the echoes that arrived before the connection broke, so that what the bus relayed is not sent again.
    fn salvage(&mut self) {
        while let Some(Ok(incoming)) = self.link.read() {
            if let Incoming::Text(text) = incoming {
                self.hear(&text);
            }
        }
    }

    /// Asks a silent bus whether it lives; when to look again.
    fn check_alive(&mut self) -> Result<Instant, ConnectError> {
        let now = Instant::now();
        self.traffic.receipts.expire(now);
        let heard_at = self.link.heard_at();
        self.pinged_at = self.pinged_at.filter(|pinged_at| *pinged_at > heard_at);
        if let Some(pinged_at) = self.pinged_at {
            let deadline = pinged_at + self.options.ping_timeout;
            if now >= deadline {
                return Err(ConnectError::Dead {
                    url: self.url.to_owned(),
                    silent: now - heard_at,
                });
            }
            return Ok(deadline);
        }
        if now >= heard_at + self.options.ping_after {
            self.link.ping();
            self.flush()?;
            self.pinged_at = Some(now);
            return Ok(now + self.options.ping_timeout);
        }
        Ok(heard_at + self.options.ping_after)
    }

    /// Sends everything that waits, says goodbye and waits for the answer, all within the limit.
    async fn say_farewell(&mut self) {
        self.outbox.close();
        while let Some(shipment) = self.traffic.again.pop_front() {
            self.ship_again(shipment);
        }
        while let Ok(parcel) = self.outbox.try_recv() {
            self.send_parcel(parcel);
        }
        self.link.close(CloseCode::Normal);
        if timeout(self.options.farewell, self.finish()).await.is_err() {
            warn!(
                bytes = self.link.backlog(),
                "the bus did not take everything before the end"
            );
        }
    }

    /// Writes the backlog while reading on, until the bus has closed its side.
    async fn finish(&mut self) {
        loop {
            if self.link.flush().is_err() {
                return;
            }
            loop {
                match self.link.read() {
                    None => break,
                    Some(Ok(Incoming::Text(text))) => self.hear(&text),
                    Some(Ok(_)) => {}
                    Some(Err(_)) => return,
                }
            }
            if self.link.ready().await.is_err() {
                return;
            }
        }
    }

    fn closed(&self, code: Option<u16>) -> ConnectError {
        ConnectError::Closed {
            url: self.url.to_owned(),
            code,
        }
    }

    fn broken(&self, error: Error) -> ConnectError {
        if is_gone(&error) {
            return self.closed(None);
        }
        ConnectError::Broken {
            url: self.url.to_owned(),
            source: Box::new(error),
        }
    }
}

/// The message in a frame, or its outline where it is too large to be a message that anybody here needs.
fn read(text: &str) -> Result<(Message, Option<Cut>), ParseError> {
    if text.len() > MAX_READ_BYTES {
        return Ok((stub::read(text)?, Some(Cut::TooLarge)));
    }
    Ok((Message::parse(text)?, None))
}

/// Tells whether the bus simply went away, as one does that is killed.
fn is_gone(error: &Error) -> bool {
    use tokio_tungstenite::tungstenite::error::ProtocolError;
    match error {
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => true,
        Error::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionAborted
        ),
        _ => false,
    }
}
