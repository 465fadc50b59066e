//! The connections that there are, and in which sessions each speaks, so that what the bus says finds its way. Never waits:
//! a client that does not read loses its connection, and no other message.

use std::collections::VecDeque;

use loquat_hive::HiveMessage;
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use loquat_part::hive_place as place;
use loquat_wire::session::DEFAULT_SESSION_ID;

/// Sessions of one connection that are known; of more, the one is forgotten that was not named for the longest.
const SESSIONS: usize = 16;

/// One client has at most this many connections at once.
const OF_ONE_CLIENT: usize = 4;

/// Messages that wait for one client. With one more its connection ends: it has stopped reading.
pub(super) const WAITING: usize = 64;

#[derive(Debug)]
struct One {
    id: u64,
    client: String,
    sessions: VecDeque<String>,
    way: mpsc::Sender<HiveMessage>,
    end: CancellationToken,
    /// Whether it tells what came of what it was to say.
    tells: bool,
}

/// All of them, the newest last.
#[derive(Debug, Default)]
pub(super) struct Live(Mutex<(u64, Vec<One>)>);

/// A connection's place among those that live. Dropping it gives the place back.
#[derive(Debug)]
pub(super) struct Seat<'a> {
    live: &'a Live,
    id: u64,
    /// Cancelled where the client does not read.
    pub(super) end: CancellationToken,
}

impl Live {
    /// Takes a connection in. Where its client has too many the oldest ends, which may be one that has died unseen.
    pub(super) fn enter(&self, client: &str, way: mpsc::Sender<HiveMessage>) -> Seat<'_> {
        let mut all = self.0.lock();
        let (next, connections) = &mut *all;
        let theirs = |one: &One| one.client == client;
        if connections.iter().filter(|one| theirs(one)).count() >= OF_ONE_CLIENT
            && let Some(oldest) = connections.iter().position(theirs)
        {
            connections.remove(oldest).end.cancel();
        }
        *next += 1;
        let end = CancellationToken::new();
        connections.push(One {
            id: *next,
            client: client.to_owned(),
            sessions: VecDeque::new(),
            way,
            end: end.clone(),
            tells: false,
        });
        Seat {
            live: self,
            id: *next,
            end,
        }
    }

    /// The session in which a client has spoken last, or its usual one, and whether it tells what came of what it was to say; nothing
    /// where it is not there.
    pub(super) fn speaking(&self, client: &str) -> Option<(String, bool)> {
        let all = self.0.lock();
        let newest = all.1.iter().rev().find(|one| one.client == client)?;
        let usual = || place::session(client, DEFAULT_SESSION_ID);
        let session = newest.sessions.back().cloned().or_else(usual)?;
        Some((session, newest.tells))
    }

    /// Sends a message to the connection that speaks in a session, or else to the newest of its client, which may have come
    /// back. False where there is none.
    pub(super) fn send(&self, session: &str, message: HiveMessage) -> bool {
        let Some((client, _)) = place::of_session(session) else {
            return false;
        };
        let all = self.0.lock();
        let theirs = || all.1.iter().rev().filter(|one| one.client == client);
        let speaking = theirs().find(|one| one.sessions.iter().any(|known| known == session));
        let Some(one) = speaking.or_else(|| theirs().next()) else {
            return false;
        };
        if let Err(mpsc::error::TrySendError::Full(_)) = one.way.try_send(message) {
            tracing::warn!(
                client,
                "a client of the hive does not read what it is told; its connection ends"
            );
            one.end.cancel();
        }
        true
    }
}

impl Seat<'_> {
    /// The client tells from now on what came of what it was to say.
    pub(super) fn tells(&self) {
        let mut all = self.live.0.lock();
        if let Some(own) = all.1.iter_mut().find(|one| one.id == self.id) {
            own.tells = true;
        }
    }

    /// Sends frames of this session to this connection from now on.
    pub(super) fn speaks_in(&self, session: &str) {
        let mut all = self.live.0.lock();
        // Another connection of the same client may have spoken there before, and come back as this one.
        let of_another =
            |one: &&mut One| one.id != self.id && one.sessions.iter().any(|known| known == session);
        if let Some(other) = all.1.iter_mut().find(of_another) {
            other.sessions.retain(|known| known != session);
        }
        let Some(own) = all.1.iter_mut().find(|one| one.id == self.id) else {
            return;
        };
        // The one that was named last stands at the end.
        own.sessions.retain(|known| known != session);
        if own.sessions.len() >= SESSIONS {
            own.sessions.pop_front();
        }
        own.sessions.push_back(session.to_owned());
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.live.0.lock().1.retain(|one| one.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use loquat_hive::Kind;
    use serde_json::Map;

    use super::*;

    fn message() -> HiveMessage {
        HiveMessage::new(Kind::Bus, Map::new())
    }

    #[test]
    fn a_message_goes_to_the_connection_of_its_session() {
        let live = Live::default();
        let (first_way, mut first) = mpsc::channel(WAITING);
        let (second_way, mut second) = mpsc::channel(WAITING);
        let (other_way, mut other) = mpsc::channel(WAITING);
        let one = live.enter("kitchen", first_way);
        let two = live.enter("kitchen", second_way);
        let _bath = live.enter("bath", other_way);
        one.speaks_in("hive:kitchen:a");
        two.speaks_in("hive:kitchen:b");
        assert!(live.send("hive:kitchen:a", message()));
        assert!(first.try_recv().is_ok() && second.try_recv().is_err());
        // A session of a connection that has gone is its client's newest.
        drop(one);
        assert!(live.send("hive:kitchen:a", message()));
        assert!(second.try_recv().is_ok() && other.try_recv().is_err());
        two.speaks_in("hive:kitchen:a");
        two.speaks_in("hive:kitchen:b");
        let speaking = live.speaking("kitchen").map(|(session, _)| session);
        assert_eq!(
            speaking.as_deref(),
            Some("hive:kitchen:b"),
            "the one that was named last"
        );
        drop(two);
        assert!(!live.send("hive:kitchen:a", message()));
        assert!(!live.send("default", message()));
    }

    #[test]
    fn whoever_does_not_read_is_let_go() {
        let live = Live::default();
        let (way, _unread) = mpsc::channel(1);
        let seat = live.enter("kitchen", way);
        assert!(live.send("hive:kitchen:a", message()) && !seat.end.is_cancelled());
        assert!(live.send("hive:kitchen:a", message()) && seat.end.is_cancelled());
    }

    #[test]
    fn one_client_has_so_many_connections() {
        let live = Live::default();
        let enter = || live.enter("kitchen", mpsc::channel(1).0);
        let seats: Vec<_> = (0..OF_ONE_CLIENT).map(|_| enter()).collect();
        let _newest = enter();
        let ended: Vec<bool> = seats.iter().map(|seat| seat.end.is_cancelled()).collect();
        assert_eq!(ended, [true, false, false, false], "the oldest");
    }
}
