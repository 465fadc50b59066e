//! Counts wrong secrets in a row by who has tried them, and lets that one try no more for a while after too many. Knows no
//! secret.
//!
//! Who is at the device itself has a count of their own: a guess from elsewhere takes none of their tries. All others
//! together have one as well, so that changing one's name or address is no way to try for ever.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// Wrong ones of all that are elsewhere, for each that one of them may try.
const ELSEWHERE: u32 = 10;

/// Who tries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Guesser {
    /// It is the person at the device itself.
    Here,
    /// A person or program elsewhere that is known by this name or address only.
    Elsewhere(String),
}

/// The counts.
#[derive(Debug)]
pub struct Lockout {
    most: u32,
    span: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    here: Tries,
    /// Of the last span only. What all together may try bounds how many there are.
    elsewhere: HashMap<String, Tries>,
    all_elsewhere: Tries,
}

#[derive(Debug, Default)]
struct Tries {
    wrong: u32,
    last: Option<Instant>,
    locked_at: Option<Instant>,
}

impl Tries {
    fn is_within(since: Option<Instant>, span: Duration) -> bool {
        since.is_some_and(|since| since.elapsed() < span)
    }

    fn is_locked(&self, span: Duration) -> bool {
        Self::is_within(self.locked_at, span)
    }

    fn note_wrong(&mut self, most: u32) {
        self.wrong += 1;
        self.last = Some(Instant::now());
        if self.wrong >= most {
            self.wrong = 0;
            self.locked_at = self.last;
        }
    }
}

impl Lockout {
    /// Locks for this span after so many wrong guesses in a row.
    pub fn new(most: u32, span: Duration) -> Self {
        Self {
            most,
            span,
            state: Mutex::default(),
        }
    }

    /// Tells whether none is taken of this one now.
    pub fn is_locked(&self, guesser: &Guesser) -> bool {
        let state = self.state.lock();
        match guesser {
            Guesser::Here => state.here.is_locked(self.span),
            Guesser::Elsewhere(name) => {
                let own = state.elsewhere.get(name);
                state.all_elsewhere.is_locked(self.span) || own.is_some_and(|own| own.is_locked(self.span))
            }
        }
    }

    /// One more was wrong. Noted before the comparison, so that calling it off is no way to try for free.
    pub fn note_wrong(&self, guesser: &Guesser) {
        let mut state = self.state.lock();
        let name = match guesser {
            Guesser::Here => return state.here.note_wrong(self.most),
            Guesser::Elsewhere(name) => name,
        };
        state
            .elsewhere
            .retain(|_, tries| Tries::is_within(tries.last, self.span));
        state
            .elsewhere
            .entry(name.clone())
            .or_default()
            .note_wrong(self.most);
        if !Tries::is_within(state.all_elsewhere.last, self.span) {
            state.all_elsewhere = Tries::default();
        }
        state.all_elsewhere.note_wrong(self.most * ELSEWHERE);
    }

    /// The last one was right.
    pub fn forgive(&self, guesser: &Guesser) {
        let mut state = self.state.lock();
        match guesser {
            Guesser::Here => state.here = Tries::default(),
            Guesser::Elsewhere(name) => {
                let forgiven = state.elsewhere.remove(name).map_or(0, |tries| tries.wrong);
                state.all_elsewhere.wrong = state.all_elsewhere.wrong.saturating_sub(forgiven);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const SPAN: Duration = Duration::from_secs(300);

    fn from(name: &str) -> Guesser {
        Guesser::Elsewhere(name.to_owned())
    }

    fn tries(lockout: &Lockout, guesser: &Guesser, times: u32) {
        for _ in 0..times {
            lockout.note_wrong(guesser);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_tries_too_often_locks_nobody_else_out() {
        let lockout = Lockout::new(5, SPAN);
        tries(&lockout, &from("10.0.0.9"), 5);
        assert!(lockout.is_locked(&from("10.0.0.9")));
        assert!(!lockout.is_locked(&Guesser::Here) && !lockout.is_locked(&from("10.0.0.2")));
        tries(&lockout, &Guesser::Here, 5);
        assert!(lockout.is_locked(&Guesser::Here) && !lockout.is_locked(&from("10.0.0.2")));
        advance(SPAN).await;
        assert!(!lockout.is_locked(&Guesser::Here) && !lockout.is_locked(&from("10.0.0.9")));
    }

    #[tokio::test(start_paused = true)]
    async fn other_names_are_no_way_to_try_for_ever() {
        let lockout = Lockout::new(5, SPAN);
        for number in 0..50 {
            assert!(!lockout.is_locked(&from(&number.to_string())), "{number}");
            lockout.note_wrong(&from(&number.to_string()));
        }
        assert!(lockout.is_locked(&from("another")) && !lockout.is_locked(&Guesser::Here));
        assert!(lockout.state.lock().elsewhere.len() <= 50);
        advance(SPAN).await;
        lockout.note_wrong(&from("another"));
        assert_eq!(
            lockout.state.lock().elsewhere.len(),
            1,
            "the others are forgotten"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_right_one_forgives_who_knew_it() {
        let lockout = Lockout::new(5, SPAN);
        tries(&lockout, &from("a"), 4);
        tries(&lockout, &from("b"), 4);
        lockout.forgive(&from("a"));
        tries(&lockout, &from("a"), 4);
        assert!(!lockout.is_locked(&from("a")));
        tries(&lockout, &from("b"), 1);
        assert!(lockout.is_locked(&from("b")));
    }
}
