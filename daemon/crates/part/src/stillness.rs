//! Stillness at the device while its person is asked for a yes: no program may have a sound played then, since it could be a
//! voice that says yes. What is spoken and what the device plays of itself is no concern of it.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// It goes on for so long behind the answer, which may still be on its way to a person who listens.
const LINGERS: Duration = Duration::from_secs(3);

/// A loudspeaker and a room may still be heard for this long.
const FADING: Duration = Duration::from_secs(1);

/// A sound that another program plays may last this long, since that program does not tell when it ends.
const LONGEST_ELSEWHERE: Duration = Duration::from_secs(10);

/// Clones are one.
#[derive(Debug, Clone, Default)]
pub struct Stillness(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Questions that are open.
    questions: usize,
    /// The stillness lingers until then.
    until: Option<Instant>,
    /// Sounds that are heard now.
    sounds: usize,
    /// The moment at which the last sound will have died away.
    sounded_until: Option<Instant>,
}

/// A question that is open; dropped it is over.
#[derive(Debug)]
pub struct Still(Stillness);

/// A sound that is heard; dropped it has ended.
#[derive(Debug)]
pub struct Sounding(Stillness);

impl Stillness {
    /// A question is put at the device.
    pub fn begin(&self) -> Still {
        self.0.lock().questions += 1;
        Still(self.clone())
    }

    /// Tells whether no program may have a sound played now.
    pub fn holds(&self) -> bool {
        let state = self.0.lock();
        state.questions > 0 || state.until.is_some_and(|until| until > Instant::now())
    }

    /// A program's sound is heard from now on; nothing where none may be.
    pub fn sound(&self) -> Option<Sounding> {
        (!self.holds()).then(|| {
            self.0.lock().sounds += 1;
            Sounding(self.clone())
        })
    }

    /// Notes that another program plays a sound.
    pub fn sounds_elsewhere(&self) {
        self.0.lock().sounds_until(Instant::now() + LONGEST_ELSEWHERE);
    }
}

impl State {
    fn sounds_until(&mut self, until: Instant) {
        self.sounded_until = self.sounded_until.max(Some(until));
    }
}

impl Still {
    /// Tells whether a sound was heard after this moment.
    pub fn was_broken_after(&self, began: Instant) -> bool {
        let state = self.0.0.lock();
        state.sounds > 0 || state.sounded_until.is_some_and(|until| until > began)
    }
}

impl Drop for Still {
    fn drop(&mut self) {
        let mut state = self.0.0.lock();
        state.questions -= 1;
        state.until = Some(Instant::now() + LINGERS);
    }
}

impl Drop for Sounding {
    fn drop(&mut self) {
        let mut state = self.0.0.lock();
        state.sounds -= 1;
        state.sounds_until(Instant::now() + FADING);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_holds_while_a_question_is_open_and_a_moment_longer() {
        let stillness = Stillness::default();
        assert!(stillness.sound().is_some());
        let (one, other) = (stillness.begin(), stillness.begin());
        drop(one);
        advance(LINGERS).await;
        assert!(stillness.holds() && stillness.sound().is_none());
        drop(other);
        assert!(stillness.holds());
        advance(LINGERS).await;
        assert!(!stillness.holds());
    }

    #[tokio::test(start_paused = true)]
    async fn a_sound_that_goes_on_breaks_it() {
        let stillness = Stillness::default();
        let sounding = stillness.sound();
        let still = stillness.begin();
        assert!(still.was_broken_after(Instant::now()));
        drop(sounding);
        assert!(still.was_broken_after(Instant::now()), "it dies away");
        advance(FADING).await;
        assert!(!still.was_broken_after(Instant::now()));
        stillness.sounds_elsewhere();
        assert!(still.was_broken_after(Instant::now()));
        advance(LONGEST_ELSEWHERE).await;
        assert!(!still.was_broken_after(Instant::now()));
    }
}
