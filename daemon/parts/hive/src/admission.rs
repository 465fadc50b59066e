//! Connections that have not proved yet who they are: so many at once, and a new one in the place of the oldest that has not
//! even said whose key it has. So a program that only opens connections keeps no satellite out, not even from behind the same
//! address.
//!
//! A client that says a key proves it with few others of that key at a time, and one that was wrong keeps its place for a pause:
//! passwords are tried slowly, and only by those that know the key.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::sleep;

/// Connections of one machine that have said nothing yet of who they are.
const OF_A_MACHINE: usize = 16;

/// Connections that have proved nothing yet.
const MOST: usize = 64;

/// At most this many connections prove themselves with one key at a time.
const OF_A_KEY: usize = 2;

/// A connection whose password was wrong keeps its place for this long.
const PAUSE: Duration = Duration::from_secs(1);

/// The place of one connection that has not proved yet who it is.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    machine: IpAddr,
    is_named: Arc<AtomicBool>,
    keys: Keys,
}

/// Counts who proves the key of which client, at which machine: an access key is said in the clear, and a machine
/// that has heard it keeps the satellite itself out nowhere else.
type Keys = Arc<Mutex<HashMap<(String, IpAddr), Arc<Semaphore>>>>;

/// The turn of one connection to prove its key.
#[derive(Debug)]
pub(super) struct Turn(#[expect(dead_code, reason = "dropping it ends the turn")] OwnedSemaphorePermit);

impl Candidate {
    /// The connection has a key of this client. Waits for its turn to prove it.
    pub(super) async fn names(&self, client: &str) -> Option<Turn> {
        let turns = {
            let mut keys = self.keys.lock();
            // Those that no connection waits for or holds are as good as new.
            keys.retain(|_, turns| Arc::strong_count(turns) > 1);
            let turns = keys.entry((client.to_owned(), self.machine));
            Arc::clone(turns.or_insert_with(|| Arc::new(Semaphore::new(OF_A_KEY))))
        };
        let turn = turns.acquire_owned().await.ok()?;
        self.is_named.store(true, Ordering::Release);
        Some(Turn(turn))
    }
}

impl Turn {
    /// The password was wrong: the place is kept for a pause, and then given back.
    pub(super) async fn was_wrong(self) {
        sleep(PAUSE).await;
    }
}

/// All connections that have not proved yet who they are, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Admissions {
    there: Vec<Waiting>,
    keys: Keys,
}

#[derive(Debug)]
struct Waiting {
    candidate: Candidate,
    task: AbortHandle,
}

impl Waiting {
    fn is_named(&self) -> bool {
        self.candidate.is_named.load(Ordering::Acquire)
    }
}

impl Admissions {
    /// Finds a place for one more connection of this machine. There is none where all others have said who they are.
    pub(super) fn room(&mut self, machine: IpAddr) -> Option<Candidate> {
        self.there.retain(|waiting| !waiting.task.is_finished());
        let unnamed = self.there.iter().filter(|waiting| !waiting.is_named());
        let of_machine = unnamed
            .filter(|waiting| waiting.candidate.machine == machine)
            .count();
        if of_machine >= OF_A_MACHINE {
            self.let_go(|waiting| waiting.candidate.machine == machine);
        } else if self.there.len() >= MOST && !self.let_go(|_| true) {
            return None;
        }
        Some(Candidate {
            machine,
            is_named: Arc::default(),
            keys: Arc::clone(&self.keys),
        })
    }

    /// Notes the task in which the candidate proves itself, so that it can be ended for another one.
    pub(super) fn enter(&mut self, candidate: Candidate, task: AbortHandle) {
        self.there.push(Waiting { candidate, task });
    }

    /// Ends the oldest of these that has not said who it is; whether there was one.
    fn let_go(&mut self, is_meant: impl Fn(&Waiting) -> bool) -> bool {
        let oldest = self
            .there
            .iter()
            .position(|waiting| !waiting.is_named() && is_meant(waiting));
        match oldest {
            Some(oldest) => {
                self.there.remove(oldest).task.abort();
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinSet;
    use tokio::time::{Instant, timeout};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn comes(admissions: &mut Admissions, tasks: &mut JoinSet<()>, machine: IpAddr) -> Option<Candidate> {
        let candidate = admissions.room(machine)?;
        let task = tasks.spawn(std::future::pending());
        admissions.enter(candidate.clone(), task);
        Some(candidate)
    }

    #[tokio::test]
    async fn the_oldest_that_says_nothing_makes_room_and_who_says_its_key_stays() {
        let (mut admissions, mut tasks) = (Admissions::default(), JoinSet::new());
        let first = comes(&mut admissions, &mut tasks, HERE).unwrap();
        let _turn = first.names("kitchen").await.unwrap();
        comes(&mut admissions, &mut tasks, THERE).unwrap();
        for _ in 0..200 {
            assert!(comes(&mut admissions, &mut tasks, HERE).is_some());
        }
        assert_eq!(admissions.there.len(), 2 + OF_A_MACHINE);
        assert!(admissions.there[0].is_named());
        assert_eq!(admissions.there[1].candidate.machine, THERE);
    }

    #[tokio::test]
    async fn where_all_have_said_their_key_one_more_waits_outside() {
        let (mut admissions, mut tasks) = (Admissions::default(), JoinSet::new());
        let mut turns = Vec::new();
        for number in 0..MOST {
            let candidate = comes(&mut admissions, &mut tasks, HERE).unwrap();
            turns.push(candidate.names(&format!("client {number}")).await.unwrap());
        }
        assert!(comes(&mut admissions, &mut tasks, THERE).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_passwords_are_tried_slowly_for_one_key() {
        let mut admissions = Admissions::default();
        let candidate = admissions.room(HERE).unwrap();
        let began = Instant::now();
        let mut tries = JoinSet::new();
        for _ in 0..20 {
            let candidate = candidate.clone();
            tries.spawn(async move { candidate.names("kitchen").await.unwrap().was_wrong().await });
        }
        let other = timeout(PAUSE, candidate.names("hall")).await;
        let elsewhere = admissions.room(THERE).unwrap();
        let elsewhere = timeout(PAUSE, elsewhere.names("kitchen")).await;
        assert!(other.is_ok() && elsewhere.is_ok() && began.elapsed() < PAUSE);
        tries.join_all().await;
        assert_eq!(began.elapsed(), PAUSE * 10);
    }
}
