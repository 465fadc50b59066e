//! Where that comes from which was said in each room last, so that it can be answered for a while. Says nothing.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// So long what was said in a room can be answered.
const ANSWERABLE: Duration = Duration::from_secs(30 * 60);

/// Rooms of which is known what was said there last; of more, the oldest is forgotten.
const MOST: usize = 256;

/// What was said in a room last.
#[derive(Debug)]
struct Heard {
    from: String,
    at: Instant,
}

/// What was said in each room last.
#[derive(Debug, Default)]
pub(super) struct Answers(Mutex<HashMap<String, Heard>>);

impl Answers {
    /// Whether something was said in any room lately.
    pub(super) fn are_possible(&self) -> bool {
        let heard = self.0.lock();
        heard.values().any(|last| last.at.elapsed() < ANSWERABLE)
    }

    /// The station from which that comes which was said at another one last, if that is not long ago.
    pub(super) fn of(&self, station: &str) -> Option<String> {
        let heard = self.0.lock();
        let last = heard.get(station)?;
        (last.at.elapsed() < ANSWERABLE).then(|| last.from.clone())
    }

    /// The station from which that comes which was said last at any of several.
    pub(super) fn newest(&self, stations: impl Iterator<Item = String>) -> Option<String> {
        let heard = self.0.lock();
        let told = stations.filter_map(|station| heard.get(&station));
        let last = told.max_by_key(|heard| heard.at)?;
        (last.at.elapsed() < ANSWERABLE).then(|| last.from.clone())
    }

    /// Something from a station was said at another one just now.
    pub(super) fn note(&self, station: &str, from: &str) {
        let mut heard = self.0.lock();
        let is_full = heard.len() >= MOST && !heard.contains_key(station);
        let oldest = heard.iter().min_by_key(|(_, heard)| heard.at);
        if let Some(oldest) = oldest.map(|(id, _)| id.clone()).filter(|_| is_full) {
            heard.remove(&oldest);
        }
        let (from, at) = (from.to_owned(), Instant::now());
        heard.insert(station.to_owned(), Heard { from, at });
    }
}
