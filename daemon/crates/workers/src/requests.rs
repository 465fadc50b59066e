//! What the brain of a turn's worker was asked and what it replied, as far as the device's turn has not come to it. Bounded in
//! number, bytes and age, since a worker writes as much as it likes: what waits too long is forgotten, and the device asks its
//! own brain where its turn comes to it after all; a worker that writes more than may wait has the turn no longer.

use std::time::Duration;

use loquat_agent::brain::{BrainError, ChatReply};
use tokio::time::Instant;

/// Requests that may wait, with a reply or without one: more than any engine asks at once.
const MOST: usize = 256;

/// All entries that wait may have this many bytes, as they were written. A reply has 1 MiB at most.
const LARGEST: usize = 8 << 20;

/// An entry may wait this long. The device's turn comes to it long before, whatever a tool or a person may take.
const OLDEST: Duration = Duration::from_secs(900);

/// More waits than may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// The requests of one turn, in the order in which they were asked.
#[derive(Debug, Default)]
pub(crate) struct Requests(Vec<Waiting>);

#[derive(Debug)]
struct Waiting {
    number: u32,
    key: String,
    reply: Option<Result<ChatReply, BrainError>>,
    /// Says whether the device's turn waits for its reply.
    is_claimed: bool,
    bytes: usize,
    since: Instant,
}

impl Requests {
    /// The brain is asked; the entry that says so has so many bytes.
    pub(crate) fn ask(&mut self, number: u32, key: String, bytes: usize) -> Result<(), TooMuch> {
        self.0.retain(|waiting| waiting.since.elapsed() < OLDEST);
        self.0.push(Waiting {
            number,
            key,
            reply: None,
            is_claimed: false,
            bytes,
            since: Instant::now(),
        });
        self.bound()
    }

    /// The brain has replied. A reply to what was not asked, or is forgotten, is none.
    pub(crate) fn reply(
        &mut self,
        number: u32,
        reply: Result<ChatReply, BrainError>,
        bytes: usize,
    ) -> Result<(), TooMuch> {
        let asked = self.0.iter_mut().find(|waiting| waiting.number == number);
        if let Some(waiting) = asked {
            waiting.reply = Some(reply);
            waiting.bytes += bytes;
        }
        self.bound()
    }

    /// No reply will come to this request.
    pub(crate) fn forget(&mut self, number: u32) {
        self.0.retain(|waiting| waiting.number != number);
    }

    /// No reply will come to any request that is open.
    pub(crate) fn forget_open(&mut self) {
        self.0.retain(|waiting| waiting.reply.is_some());
    }

    pub(crate) fn has(&self, number: u32) -> bool {
        self.0.iter().any(|waiting| waiting.number == number)
    }

    /// Finds the first one with this key that the device's turn does not wait for yet.
    pub(crate) fn claim(&mut self, key: &str) -> Option<u32> {
        let mut free = self.0.iter_mut().filter(|waiting| !waiting.is_claimed);
        let waiting = free.find(|waiting| waiting.key == key)?;
        waiting.is_claimed = true;
        Some(waiting.number)
    }

    /// Gives the reply to this one, which waits no longer then.
    pub(crate) fn take(&mut self, number: u32) -> Option<Result<ChatReply, BrainError>> {
        let place = self
            .0
            .iter()
            .position(|waiting| waiting.number == number && waiting.reply.is_some())?;
        self.0.remove(place).reply
    }

    fn bound(&self) -> Result<(), TooMuch> {
        let bytes: usize = self.0.iter().map(|waiting| waiting.bytes).sum();
        if self.0.len() > MOST || bytes > LARGEST {
            return Err(TooMuch);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn failed() -> Result<ChatReply, BrainError> {
        Err(BrainError::Unreachable {
            address: "there".to_owned(),
            reason: "it is gone".to_owned(),
        })
    }

    #[tokio::test(start_paused = true)]
    async fn equal_requests_have_their_replies_in_the_order_in_which_they_were_asked() {
        let mut requests = Requests::default();
        for number in [3, 4] {
            requests.ask(number, "same".to_owned(), 10).unwrap();
        }
        requests.reply(4, failed(), 10).unwrap();
        assert_eq!(requests.claim("same"), Some(3));
        assert!(requests.take(3).is_none(), "it is open");
        assert_eq!(requests.claim("same"), Some(4));
        assert_eq!(requests.claim("same"), None);
        assert!(requests.take(4).is_some() && !requests.has(4));
        requests.forget_open();
        assert!(!requests.has(3));
        requests.reply(9, failed(), 10).unwrap();
        assert!(!requests.has(9), "it was never asked");
    }

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_writes_without_end_is_bounded() {
        let mut requests = Requests::default();
        let many = (0..1000).position(|number| requests.ask(number, number.to_string(), 10).is_err());
        assert_eq!(many, Some(MOST));
        let mut requests = Requests::default();
        let large = (0..1000).position(|number| {
            let asked = requests.ask(number, number.to_string(), 0);
            asked.is_err() || requests.reply(number, failed(), 1 << 20).is_err()
        });
        assert_eq!(large, Some(LARGEST >> 20));
    }

    #[tokio::test(start_paused = true)]
    async fn what_waits_too_long_is_forgotten() {
        let mut requests = Requests::default();
        requests.ask(1, "old".to_owned(), LARGEST).unwrap();
        requests.reply(1, failed(), 0).unwrap();
        advance(OLDEST).await;
        requests.ask(2, "new".to_owned(), LARGEST).unwrap();
        assert!(!requests.has(1) && requests.has(2));
    }
}
