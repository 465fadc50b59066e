//! The last turns, as the stream of events tells of them. Shows none of it.

mod kept;

use std::collections::VecDeque;
use std::sync::Arc;

use loquat_part::events::News;
use loquat_wire::session::DEFAULT_SESSION_ID;
use parking_lot::{Mutex, MutexGuard};

pub(super) use self::kept::{Bar, KeptTurn, Kind, Outcome};

/// Turns that are kept.
const MOST_TURNS: usize = 200;

/// Bytes of all that is kept of them; the oldest go first.
const MOST_BYTES: usize = 8 << 20;

/// The turns since the start.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<VecDeque<KeptTurn>>);

impl Turns {
    pub(super) fn take(&self, news: &News) {
        let (id, session) = (Arc::clone(&news.turn_id), Arc::clone(&news.session_id));
        self.with(id, session, |turn| turn.take(&news.event));
    }

    /// A turn of this page is about to begin, and is looked at before it does.
    pub(super) fn expect(&self, id: &str) {
        self.with(id.into(), DEFAULT_SESSION_ID.into(), |turn| {
            turn.is_of_form = true;
        });
    }

    /// It did not begin, for this reason.
    pub(super) fn fail(&self, id: &str, why: &str) {
        self.with(id.into(), DEFAULT_SESSION_ID.into(), |turn| turn.fail(why));
    }

    /// Changes one, which is begun where it is not there yet; the oldest make room.
    fn with(&self, id: Arc<str>, session: Arc<str>, change: impl FnOnce(&mut KeptTurn)) {
        let mut turns = self.0.lock();
        let known = turns.iter().rposition(|turn| turn.id == id);
        let at = known.unwrap_or_else(|| {
            turns.push_back(KeptTurn::new(id, session));
            turns.len() - 1
        });
        if let Some(turn) = turns.get_mut(at) {
            change(turn);
        }
        while turns.len() > MOST_TURNS || turns.iter().map(KeptTurn::bytes).sum::<usize>() > MOST_BYTES {
            turns.pop_front();
        }
    }

    /// Locks all of them, the oldest first.
    pub(super) fn all(&self) -> MutexGuard<'_, VecDeque<KeptTurn>> {
        self.0.lock()
    }

    /// Copies one of them.
    pub(super) fn find(&self, id: &str) -> Option<KeptTurn> {
        let turns = self.0.lock();
        turns.iter().rev().find(|turn| &*turn.id == id).cloned()
    }

    #[cfg(test)]
    fn count(&self) -> usize {
        self.0.lock().len()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loquat_agent::event::Event;
    use loquat_agent::record::Reason;

    use super::*;

    fn news(turn: usize, event: Event) -> News {
        News {
            session_id: "default".into(),
            turn_id: format!("turn-{turn}").into(),
            persona: "Tester".into(),
            event,
        }
    }

    #[test]
    fn ten_thousand_turns_take_no_more_room_than_two_hundred() {
        let turns = Turns::default();
        for turn in 0..10_000 {
            let utterance = "a".repeat(100_000);
            turns.take(&news(
                turn,
                Event::TurnStarted {
                    utterance,
                    engine: "react".to_owned(),
                },
            ));
            for step in 0..3 {
                turns.take(&news(
                    turn,
                    Event::ToolReturned {
                        step,
                        call_id: format!("c{step}"),
                        tool: "look".to_owned(),
                        ok: true,
                        observation: "b".repeat(20_000).into(),
                        elapsed: Duration::from_millis(3),
                    },
                ));
            }
            turns.take(&news(
                turn,
                Event::TurnEnded {
                    reason: Reason::Answered,
                    answer: "Yes.".to_owned(),
                    elapsed: Duration::from_secs(1),
                },
            ));
        }
        assert_eq!(turns.count(), MOST_TURNS);
        let bytes: usize = turns.0.lock().iter().map(KeptTurn::bytes).sum();
        assert!(bytes <= MOST_BYTES, "{bytes}");
        assert!(turns.find("turn-9999").is_some() && turns.find("turn-9000").is_none());
    }

    #[test]
    fn one_turn_that_never_ends_is_bounded_too() {
        let turns = Turns::default();
        for step in 0..100_000 {
            turns.take(&news(
                0,
                Event::Thought {
                    step,
                    text: "c".repeat(5_000),
                },
            ));
        }
        assert!(turns.0.lock().iter().map(KeptTurn::bytes).sum::<usize>() <= MOST_BYTES);
        assert_eq!(turns.count(), 1);
    }
}
