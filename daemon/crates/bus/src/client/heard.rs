//! What was heard of late, so that a frame that is sent again because the bus died is taken for what it is.
//!
//! Sent again is what the sender has no echo of; a bus that dies while it writes a frame to one client after the other has
//! then told it to some. Such a frame says so ([`loquat_wire::repeat`]), and only such frames are ever dropped here.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use loquat_wire::repeat;
use tokio::time::Instant;

/// This many frames are remembered. A turn causes about ten.
const KEPT: usize = 1024;

/// The second copy may have been under way for this much longer than the first.
const SLACK: Duration = Duration::from_secs(2);

/// The last frames of others, hashed, with the moments at which they came.
#[derive(Debug, Default)]
pub(super) struct Heard {
    frames: VecDeque<(u64, Instant)>,
}

impl Heard {
    /// Tells whether this frame of another client was heard before and now came again. Every frame has to pass
    /// through here.
    pub(super) fn is_known(&mut self, text: &str, now: Instant) -> bool {
        let Some((first, age)) = repeat::first_of(text) else {
            self.note(hash(text), now);
            return false;
        };
        let own = hash(&first);
        // The same words long before were another event.
        let known = |(frame, at): &(u64, Instant)| *frame == own && now.duration_since(*at) <= age + SLACK;
        if self.frames.iter().any(known) {
            return true;
        }
        self.note(own, now);
        false
    }

    fn note(&mut self, frame: u64, now: Instant) {
        if self.frames.len() == KEPT {
            self.frames.pop_front();
        }
        self.frames.push_back((frame, now));
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = r#"{"type":"a","data":{},"context":{}}"#;
    const AGE: Duration = Duration::from_secs(3);

    #[test]
    fn a_repetition_is_known_if_its_first_was_heard_then_or_later() {
        let start = Instant::now();
        let again = repeat::repeated(FIRST, AGE);
        let mut heard = Heard::default();
        assert!(!heard.is_known(FIRST, start));
        assert!(heard.is_known(&again, start + AGE));
        assert!(!heard.is_known(&again, start + AGE + SLACK + Duration::from_millis(1)));
    }

    #[test]
    fn a_repetition_of_what_was_not_heard_is_news_once() {
        let start = Instant::now();
        let mut heard = Heard::default();
        assert!(!heard.is_known(&repeat::repeated(FIRST, AGE), start));
        assert!(heard.is_known(&repeat::repeated(FIRST, AGE), start + Duration::from_secs(1)));
    }

    #[test]
    fn the_same_words_twice_are_two_events() {
        let mut heard = Heard::default();
        for _ in 0..=KEPT {
            assert!(!heard.is_known(FIRST, Instant::now()));
        }
        assert_eq!(heard.frames.len(), KEPT);
    }
}
