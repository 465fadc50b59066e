//! How often something may be said in other rooms: often enough for people, and too seldom for a flood. Says nothing.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Announcements of one station in a [`SPAN`], and of all of them.
const OF_ONE: usize = 10;
const OF_ALL: usize = 40;

/// So long an announcement counts.
const SPAN: Duration = Duration::from_secs(60);

/// What was said lately.
#[derive(Debug, Default)]
pub(super) struct Pace {
    of_all: VecDeque<(Instant, String)>,
}

impl Pace {
    /// Takes one more from a station; false where that would be too many.
    pub(super) fn takes(&mut self, station: &str) -> bool {
        let now = Instant::now();
        while self
            .of_all
            .front()
            .is_some_and(|(at, _)| now.duration_since(*at) >= SPAN)
        {
            self.of_all.pop_front();
        }
        let own = self.of_all.iter().filter(|(_, other)| other == station).count();
        let fits = self.of_all.len() < OF_ALL && own < OF_ONE;
        if fits {
            self.of_all.push_back((now, station.to_owned()));
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_room_cannot_flood_the_others_and_may_speak_again_a_minute_later() {
        let mut pace = Pace::default();
        let taken = (0..2 * OF_ONE).filter(|_| pace.takes("hive:kitchen")).count();
        assert_eq!(taken, OF_ONE);
        assert!(pace.takes("hive:bath"), "others still may");
        let taken = (0..OF_ALL)
            .filter(|number| pace.takes(&format!("hive:{number}")))
            .count();
        assert_eq!(taken, OF_ALL - OF_ONE - 1, "all together have a bound, too");
        tokio::time::advance(SPAN).await;
        assert!(pace.takes("hive:kitchen"));
        assert_eq!(pace.of_all.len(), 1);
    }
}
