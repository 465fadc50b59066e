//! What the ear tells its owner.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::hearing::RecordingEnd;
use crate::recognizer::Transcript;
use crate::trigger::Trigger;
use crate::wake_word::WakeWordEffect;

/// Something that the ear did or noticed.
///
/// For every capture the order is `WakeWord` (only if one opened it), `RecordStarted`, `RecordEnded`, then exactly one
/// of `Heard` and `NothingHeard`; a next capture is reported only after that. While a capture is open, `SoFar` and `WentOn` may come, and
/// `WakeWord` where a voice had opened it: it then goes on as what is said behind the word. A `WakeWord` whose effect opens no
/// capture, `Ready`, `Unavailable` and `Awoken` may come between any two of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EarEvent {
    /// Sound arrives from this device or file.
    Ready {
        /// A name for people.
        device: String,
    },
    /// No sound can be had at present. The ear keeps trying.
    Unavailable {
        /// Says in one sentence what is wrong and what to do.
        reason: String,
    },
    /// A wake word was heard; a capture follows if that is its effect.
    WakeWord {
        /// The detector's name for it, such as `hey_mycroft`.
        wake_word: String,
        /// The effect of the word.
        effect: WakeWordEffect,
        /// The detector's certainty between 0 and 1.
        confidence: f32,
    },
    /// A capture began.
    RecordStarted {
        /// Says what opened it.
        trigger: Trigger,
    },
    /// Words were said in the open capture until the person paused. More may follow, and what is heard in the end may
    /// differ.
    SoFar {
        /// The words so far.
        text: String,
        /// Whether they may be all: nothing in them asks for more.
        may_be_all: bool,
    },
    /// The person speaks on behind a pause.
    WentOn,
    /// The capture ended. This promises nothing about its worth.
    RecordEnded,
    /// Words were said in the capture that ended last.
    Heard(Transcript),
    /// The capture that ended last had no usable text.
    NothingHeard,
    /// The ear left its sleep.
    Awoken,
    /// All sound goes into this file, and nothing is listened to. A capture that was open has ended before.
    RecordingStarted {
        /// The path of the file.
        path: PathBuf,
    },
    /// The recording has ended, or could not begin.
    RecordingEnded {
        /// The path of the file.
        path: PathBuf,
        /// The length of the recording.
        length: Duration,
        /// Says why it ended.
        end: RecordingEnd,
    },
}
