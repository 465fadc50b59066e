//! How long this person pauses, and how long a silence is waited out because of it. Pure; forgets with the process.

use std::collections::VecDeque;

use crate::completeness::Completeness;
use crate::endpoint::{Pause, frames};
use crate::settings::SpeechSettings;

/// Utterances that are remembered. A household has several voices, and the last ones count.
const REMEMBERED: usize = 12;

/// Fewer say nothing about a person.
const ENOUGH: usize = 3;

/// A silence must be this much longer than a person's own pause to be an end, in per cent.
const LONGER: u32 = 130;

/// For a person who never pauses, this part of the usual silence is waited, in per cent.
const BRISK: u32 = 80;

/// A person's own pauses may stretch the longest wait to this, in per cent.
const STRETCHED: u32 = 150;

/// Waits, in frames.
#[derive(Debug)]
pub(crate) struct Tempo {
    told_after: u32,
    whole: u32,
    usual: u32,
    open: u32,
    /// The longest pause within each of the last utterances.
    pauses: VecDeque<u32>,
    /// The longest pause of the utterance that is being spoken.
    longest: u32,
}

impl Tempo {
    pub(crate) fn new(settings: &SpeechSettings) -> Self {
        let usual = frames(settings.end_silence).max(1);
        Self {
            told_after: frames(settings.early_silence).max(1),
            whole: frames(settings.whole_silence).clamp(1, usual),
            usual,
            open: frames(settings.open_silence).max(usual),
            pauses: VecDeque::with_capacity(REMEMBERED + 1),
            longest: 0,
        }
    }

    /// Says how pauses are looked at. Until the text is known there is no hurry: it is what everything waits for.
    pub(crate) fn pause(&self) -> Option<Pause> {
        (self.told_after < self.usual).then(|| Pause {
            told_after: self.told_after,
            longest: self.wait(Completeness::Open),
        })
    }

    /// Notes that a person spoke on after this many frames.
    pub(crate) fn paused(&mut self, frames: u32) {
        self.longest = self.longest.max(frames);
    }

    /// An utterance is over.
    pub(crate) fn ended(&mut self) {
        self.pauses.push_back(std::mem::take(&mut self.longest));
        if self.pauses.len() > REMEMBERED {
            self.pauses.pop_front();
        }
    }

    /// Gives the silence that ends an utterance whose text is so whole.
    pub(crate) fn wait(&self, text: Completeness) -> u32 {
        let own = self.own();
        match text {
            Completeness::Whole => self.whole,
            Completeness::Open => own.clamp(self.open, self.open * STRETCHED / 100),
            Completeness::Unsure if own == 0 && self.pauses.len() >= 2 * ENOUGH => {
                (self.usual * BRISK / 100).max(self.whole)
            }
            Completeness::Unsure => own.clamp(self.usual, self.open),
        }
    }

    /// Four of five of this person's pauses stay well below this many frames; zero where that is not known.
    fn own(&self) -> u32 {
        if self.pauses.len() < ENOUGH {
            return 0;
        }
        let mut sorted: Vec<u32> = self.pauses.iter().copied().collect();
        sorted.sort_unstable();
        let most = sorted.get(sorted.len() * 4 / 5).copied().unwrap_or_default();
        most * LONGER / 100
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn tempo() -> Tempo {
        Tempo::new(&SpeechSettings::new("whisper", "vad"))
    }

    fn waits(tempo: &Tempo) -> [u32; 3] {
        [Completeness::Whole, Completeness::Unsure, Completeness::Open].map(|text| tempo.wait(text))
    }

    #[test]
    fn what_is_not_known_of_a_person_is_what_the_settings_say() {
        assert_eq!(waits(&tempo()), [13, 22, 38]);
        let mut settings = SpeechSettings::new("whisper", "vad");
        settings.end_silence = Duration::from_millis(320);
        settings.open_silence = Duration::from_millis(100);
        assert_eq!(
            waits(&Tempo::new(&settings)),
            [10, 10, 10],
            "the usual wait bounds both"
        );
        settings.end_silence = settings.early_silence;
        assert_eq!(Tempo::new(&settings).pause(), None, "no time to look");
    }

    #[test]
    fn who_pauses_is_waited_for_and_who_never_does_is_not() {
        let mut slow = tempo();
        for pause in [20, 25, 22, 0, 24] {
            slow.paused(pause / 2);
            slow.paused(pause);
            slow.ended();
        }
        assert_eq!(waits(&slow), [13, 32, 38]);
        for _ in 0..REMEMBERED {
            slow.ended();
        }
        assert_eq!(waits(&slow), [13, 17, 38], "another person speaks");
        for _ in 0..REMEMBERED {
            slow.paused(300);
            slow.ended();
        }
        assert_eq!(waits(&slow), [13, 38, 57], "within bounds");
    }
}
