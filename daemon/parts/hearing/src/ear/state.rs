//! In which mode the device listens and what it does at present, under the names of shipped listeners. Moves no microphone.

use std::time::Duration;

use loquat_speech::ListenMode;
use serde_json::{Value, json};

use crate::settings::Listening;

/// Suspended until it is woken: a mode and a state.
pub(super) const SLEEPING: &str = "sleeping";

/// Waits for the wake word: a mode and a state.
pub(super) const WAKE_WORD: &str = "wakeword";

/// Waits for a voice: a mode and a state.
pub(super) const CONTINUOUS: &str = "continuous";

/// All sound goes into a file: a state.
pub(super) const RECORDING: &str = "recording";

/// With the wake word at first: a mode.
const HYBRID: &str = "hybrid";

/// What became of the last capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Capture {
    /// None is open.
    #[default]
    None,
    Open,
    /// It is being understood.
    Ended,
    /// In its place all sound is recorded.
    Recording,
}

/// The mode, and what depends on it.
#[derive(Debug)]
pub(super) struct Modes {
    mode: Listening,
    /// How long "hybrid" waits for a person who speaks on.
    hybrid: Duration,
    /// How long any other mode with a wake word does.
    follow_up: Duration,
    /// Whether a word that stops is listened for over our own voice where anything else needs a wake word.
    stop_over_speech: bool,
    capture: Capture,
}

impl Default for Modes {
    fn default() -> Self {
        Self::new(Listening::PushToTalk, Duration::ZERO)
    }
}

impl Modes {
    pub(super) fn new(mode: Listening, hybrid: Duration) -> Self {
        Self {
            mode,
            hybrid,
            follow_up: Duration::ZERO,
            stop_over_speech: false,
            capture: Capture::None,
        }
    }

    /// Finds the mode of this name.
    pub(super) fn named(name: &str) -> Option<Listening> {
        match name {
            WAKE_WORD => Some(Listening::PushToTalk),
            HYBRID => Some(Listening::Hybrid),
            CONTINUOUS => Some(Listening::Continuous),
            _ => None,
        }
    }

    pub(super) fn choose(&mut self, mode: Listening) {
        self.mode = mode;
    }

    pub(super) fn await_follow_ups(&mut self, patience: Duration) {
        self.follow_up = patience;
    }

    pub(super) fn hear_stop_over_speech(&mut self, hears: bool) {
        self.stop_over_speech = hears;
    }

    /// Tells whether words over speech are watched for, which is `ours` where our own voice speaks: of what
    /// another program plays, the echo would pass for a person. With "continuous" the ear watches all the
    /// time by itself.
    pub(super) fn watches_over_speech(&self, ours: bool) -> bool {
        match self.mode {
            Listening::PushToTalk => self.stop_over_speech && ours,
            Listening::Hybrid => true,
            Listening::Continuous => false,
        }
    }

    /// Tells whether an utterance begins with a wake word or with being asked.
    pub(super) fn needs_word(&self) -> bool {
        self.mode == Listening::PushToTalk
    }

    pub(super) fn is_hybrid(&self) -> bool {
        self.mode == Listening::Hybrid
    }

    /// Tells how long a person who speaks on is waited for. Where it listens all the time, every utterance is
    /// a follow-up already.
    pub(super) fn patience(&self) -> Duration {
        match self.mode {
            Listening::PushToTalk => self.follow_up,
            Listening::Hybrid => self.hybrid,
            Listening::Continuous => Duration::ZERO,
        }
    }

    /// Tells when the ear opens captures by itself.
    pub(super) fn of_the_ear(&self) -> ListenMode {
        match self.mode {
            Listening::PushToTalk | Listening::Hybrid => ListenMode::PushToTalk,
            Listening::Continuous => ListenMode::Continuous,
        }
    }

    pub(super) fn capture_began(&mut self) {
        self.capture = Capture::Open;
    }

    pub(super) fn recording_began(&mut self) {
        self.capture = Capture::Recording;
    }

    pub(super) fn is_recording(&self) -> bool {
        self.capture == Capture::Recording
    }

    pub(super) fn capture_ended(&mut self) {
        self.capture = Capture::Ended;
    }

    pub(super) fn is_understood(&mut self) {
        self.capture = Capture::None;
    }

    /// Makes `{mode, state}` of `recognizer_loop:state`.
    pub(super) fn told(&self, is_asleep: bool) -> Value {
        let mode = match self.mode {
            _ if is_asleep => SLEEPING,
            Listening::PushToTalk => WAKE_WORD,
            Listening::Hybrid => HYBRID,
            Listening::Continuous => CONTINUOUS,
        };
        let state = match (self.capture, self.mode) {
            _ if is_asleep => SLEEPING,
            (Capture::Recording, _) => RECORDING,
            (Capture::Open, _) => "in_cmd",
            (Capture::Ended, _) => "after_cmd",
            (Capture::None, Listening::Continuous) => CONTINUOUS,
            (Capture::None, _) => WAKE_WORD,
        };
        json!({"mode": mode, "state": state})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mode_and_state_have_the_names_of_shipped_listeners() {
        let mut modes = Modes::new(Listening::PushToTalk, Duration::from_secs(45));
        let told = |modes: &Modes, is_asleep| modes.told(is_asleep);
        assert_eq!(
            told(&modes, false),
            json!({"mode": "wakeword", "state": "wakeword"})
        );
        assert_eq!(
            told(&modes, true),
            json!({"mode": "sleeping", "state": "sleeping"})
        );
        modes.capture_began();
        assert_eq!(
            told(&modes, false),
            json!({"mode": "wakeword", "state": "in_cmd"})
        );
        modes.capture_ended();
        assert_eq!(
            told(&modes, false),
            json!({"mode": "wakeword", "state": "after_cmd"})
        );
        modes.recording_began();
        assert_eq!(
            told(&modes, false),
            json!({"mode": "wakeword", "state": "recording"})
        );
        modes.is_understood();
        modes.choose(Listening::Continuous);
        assert_eq!(
            told(&modes, false),
            json!({"mode": "continuous", "state": "continuous"})
        );
        modes.choose(Listening::Hybrid);
        assert_eq!(
            told(&modes, false),
            json!({"mode": "hybrid", "state": "wakeword"})
        );
    }

    #[test]
    fn each_mode_waits_for_a_person_who_speaks_on_as_long_as_it_should() {
        let mut modes = Modes::new(Listening::PushToTalk, Duration::from_secs(45));
        modes.await_follow_ups(Duration::from_secs(5));
        for (name, seconds) in [("wakeword", 5), ("hybrid", 45), ("continuous", 0)] {
            modes.choose(Modes::named(name).unwrap());
            assert_eq!(modes.patience(), Duration::from_secs(seconds), "{name}");
        }
        assert_eq!(Modes::named("sleeping"), None);
    }

    #[test]
    fn where_a_wake_word_is_needed_only_our_own_voice_is_watched_and_only_if_that_is_wanted() {
        let mut modes = Modes::default();
        assert!(modes.needs_word() && !modes.watches_over_speech(true));
        modes.hear_stop_over_speech(true);
        for (mode, ours, others) in [
            (Listening::PushToTalk, true, false),
            (Listening::Hybrid, true, true),
            (Listening::Continuous, false, false),
        ] {
            modes.choose(mode);
            let watches = (modes.watches_over_speech(true), modes.watches_over_speech(false));
            assert_eq!(watches, (ours, others), "{mode:?}");
        }
        assert!(!modes.needs_word());
    }
}
