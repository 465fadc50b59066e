//! The guesses about what was said last. One utterance is asked about several times on its way, and a guess is the dearest
//! comparison there is. Never guesses itself.

use std::collections::VecDeque;

use parking_lot::Mutex;

use crate::spoken_tools::Wish;

/// Guesses that are kept: the hypotheses of two utterances at once.
const MOST: usize = 8;

/// A text, its language and the count of the home's changes, for which a guess is right.
type About<'a> = (&'a str, &'a str, u64);

/// One guess, perhaps that there is none to make.
#[derive(Debug, Clone)]
struct Guess {
    text: String,
    lang: String,
    changes: u64,
    wish: Option<Wish>,
}

/// The last guesses.
#[derive(Debug, Default)]
pub(in crate::spoken_tools) struct Guesses(Mutex<VecDeque<Guess>>);

impl Guesses {
    /// The guess that was made about this, or else this one.
    pub(super) fn of(&self, about: About<'_>, guess: impl FnOnce() -> Option<Wish>) -> Option<Wish> {
        if let Some(kept) = self.kept(about) {
            return kept.wish;
        }
        // It takes its time, in which others may look theirs up.
        let wish = guess();
        self.keep(about, wish.clone());
        wish
    }

    fn kept(&self, (text, lang, changes): About<'_>) -> Option<Guess> {
        let kept = self.0.lock();
        let is_about_it =
            |guess: &&Guess| guess.changes == changes && guess.text == text && guess.lang == lang;
        kept.iter().find(is_about_it).cloned()
    }

    fn keep(&self, (text, lang, changes): About<'_>, wish: Option<Wish>) {
        let mut kept = self.0.lock();
        kept.truncate(MOST - 1);
        kept.push_front(Guess {
            text: text.to_owned(),
            lang: lang.to_owned(),
            changes,
            wish,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn each_is_made_once_until_the_home_changes_or_others_come() {
        let (guesses, made) = (Guesses::default(), Cell::new(0));
        let asked = |text: &str, lang: &str, changes: u64| {
            let guess = || {
                made.set(made.get() + 1);
                None
            };
            assert!(guesses.of((text, lang, changes), guess).is_none());
            made.get()
        };
        assert_eq!(asked("turn on on it", "en-US", 0), 1);
        assert_eq!(asked("turn on on it", "en-US", 0), 1);
        assert_eq!(asked("turn on on it", "de-DE", 0), 2);
        assert_eq!(asked("turn on on it", "en-US", 1), 3);
        for number in 0..MOST as u64 {
            asked("other", "en-US", number);
        }
        assert_eq!(guesses.0.lock().len(), MOST);
        assert_eq!(asked("turn on on it", "en-US", 0), 3 + MOST + 1);
    }
}
