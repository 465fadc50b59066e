//! What callers hold of an ear, and the state they share with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc};

use super::listener::Order;
use crate::event::EarEvent;
use crate::hearing::Attention;
use crate::settings::{ListenMode, RecordingSettings};
use crate::sound_check::{SoundCheck, SoundFault};
use crate::wake_word::WakeWord;

/// This part of a level is left from one piece of sound to the next, of which there are some tens a second.
const FADING: f32 = 0.9;

/// Says why `listen()` did not open a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListenRefused {
    /// The ear sleeps.
    #[error("failed to listen: the ear is asleep, wake it first")]
    Asleep,
    /// The microphone is muted.
    #[error("failed to listen: the microphone is muted")]
    Muted,
    /// No sound arrives. The last `Unavailable` event said why.
    #[error("failed to listen: no sound comes from a microphone")]
    NoSound,
    /// The ear's actor is not running, or is too far behind to take orders.
    #[error("failed to listen: the ear is not running")]
    NotRunning,
}

/// The switches that handle, keeper, listener and conductor look at. Each is a value of its own; none guards another.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) muted: AtomicBool,
    pub(super) asleep: AtomicBool,
    /// Says whether the device speaks.
    pub(super) speaking: AtomicBool,
    /// Says whether the device rings.
    pub(super) ringing: AtomicBool,
    /// Holds a permit for each wake word that is on its way to the conductor.
    pub(super) wake_words: Semaphore,
    /// Says whether a source delivers sound.
    pub(super) sounding: AtomicBool,
    /// Holds a permit for each time that the ear was woken and the reader was not told yet.
    pub(super) awoken: Semaphore,
    /// The last loudness, as the bits of a number from 0 to 1.
    level: AtomicU32,
    /// The last probability of speech, likewise.
    speech: AtomicU32,
    words: Mutex<Vec<WordScore>>,
    sound: Mutex<Sound>,
    lang: Mutex<Option<String>>,
}

/// Collects what is known of the sound of the microphone that is open.
#[derive(Debug, Default)]
struct Sound {
    check: SoundCheck,
    is_monitor: bool,
}

/// Shows a person what an ear hears at this moment, in numbers from 0 to 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Meter {
    /// The last loudness.
    pub level: f32,
    /// The probability of speech; 0 while none is waited for.
    pub speech: f32,
    /// The detector's certainty of each wake word; empty while none is listened for.
    pub wake_words: Vec<WordScore>,
}

/// A detector's certainty of a wake word.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WordScore {
    /// The name of the wake word.
    pub wake_word: String,
    /// The certainty from 0 to 1.
    pub score: f32,
}

impl Shared {
    pub(super) fn new(lang: Option<String>) -> Self {
        Self {
            muted: AtomicBool::new(false),
            asleep: AtomicBool::new(false),
            speaking: AtomicBool::new(false),
            ringing: AtomicBool::new(false),
            wake_words: Semaphore::new(0),
            sounding: AtomicBool::new(false),
            awoken: Semaphore::new(0),
            level: AtomicU32::new(0),
            speech: AtomicU32::new(0),
            words: Mutex::default(),
            sound: Mutex::default(),
            lang: Mutex::new(lang),
        }
    }

    /// Tells how much of the sound counts.
    pub(super) fn attention(&self) -> Attention {
        if self.muted.load(Ordering::SeqCst) {
            Attention::Deaf
        } else if self.asleep.load(Ordering::SeqCst) {
            Attention::Asleep
        } else {
            Attention::Awake
        }
    }

    /// Notes how loud a piece of sound is. What was louder fades away, so that a reader who looks seldom sees it too.
    pub(super) fn note_level(&self, samples: &[f32]) {
        let peak = samples
            .iter()
            .fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
        let faded = f32::from_bits(self.level.load(Ordering::Relaxed)) * FADING;
        self.level
            .store(peak.max(faded).min(1.0).to_bits(), Ordering::Relaxed);
    }

    /// The sound that comes from now on is another microphone's.
    pub(super) fn begin_sound(&self, is_monitor: bool) {
        let check = SoundCheck::default();
        *self.sound.lock() = Sound { check, is_monitor };
    }

    /// Takes note of a piece of sound that is listened to, for those who look whether the microphone is in order.
    pub(super) fn note_sound(&self, samples: &[f32]) {
        self.sound.lock().check.take(samples);
    }

    /// Takes note of what was found in the sound.
    pub(super) fn note_findings(&self, speech: f32, scores: &[f32]) {
        self.speech.store(speech.to_bits(), Ordering::Relaxed);
        for (word, score) in self.words.lock().iter_mut().zip(scores) {
            word.score = *score;
        }
    }

    /// These are the words that are listened for.
    pub(super) fn name_words(&self, words: Vec<WakeWord>) {
        let named = |word: WakeWord| WordScore {
            wake_word: word.name,
            score: 0.0,
        };
        *self.words.lock() = words.into_iter().map(named).collect();
    }

    pub(super) fn lang(&self) -> Option<String> {
        self.lang.lock().clone()
    }
}

/// Commands to a running ear; cheap to clone. None of them waits.
#[derive(Debug, Clone)]
pub struct EarHandle {
    pub(super) events: Arc<Mutex<Option<mpsc::Receiver<EarEvent>>>>,
    pub(super) orders: SyncSender<Order>,
    pub(super) shared: Arc<Shared>,
}

impl EarHandle {
    /// Takes the ear's events, which are given once. The ear waits for a reader that is behind, so read them all.
    pub fn take_events(&self) -> Option<mpsc::Receiver<EarEvent>> {
        self.events.lock().take()
    }

    /// Opens a capture without a wake word. Nothing more happens if one is open already, or while all sound is recorded.
    pub fn listen(&self) -> Result<(), ListenRefused> {
        self.order_if_it_hears(Order::Listen)
    }

    /// Records all sound instead of listening, until [`EarHandle::stop_recording`] or what the settings say; told by
    /// `RecordingStarted` and `RecordingEnded`. Nothing more happens if a recording goes on already. While muted nothing
    /// is recorded.
    pub fn record(&self, settings: RecordingSettings) -> Result<(), ListenRefused> {
        self.order_if_it_hears(Order::Record(settings))
    }

    fn order_if_it_hears(&self, order: Order) -> Result<(), ListenRefused> {
        if self.shared.asleep.load(Ordering::SeqCst) {
            return Err(ListenRefused::Asleep);
        }
        if self.shared.muted.load(Ordering::SeqCst) {
            return Err(ListenRefused::Muted);
        }
        if !self.shared.sounding.load(Ordering::SeqCst) {
            return Err(ListenRefused::NoSound);
        }
        self.orders.try_send(order).map_err(|_| ListenRefused::NotRunning)
    }

    /// Waits so long for a person who speaks on without a wake word. Who does is captured; where it stays silent, nothing is
    /// told. Does nothing while the ear sleeps, is muted or has a capture open.
    pub fn await_follow_up(&self, patience: Duration) {
        self.order_or_warn(Order::FollowUp(patience));
    }

    /// Waits no more for a follow-up that has not begun.
    pub fn end_follow_up(&self) {
        self.order_or_warn(Order::NoFollowUp);
    }

    fn order_or_warn(&self, order: Order) {
        if let Err(TrySendError::Full(order)) = self.orders.try_send(order) {
            tracing::warn!(?order, "the ear is too far behind to take an order");
        }
    }

    /// Begins captures so from now on. One that is open goes on.
    pub fn set_mode(&self, mode: ListenMode) {
        self.order_or_warn(Order::Mode(mode));
    }

    /// Ends the open capture, if there is one, and what was said until now is recognised; or the recording.
    pub fn stop_recording(&self) {
        if let Err(TrySendError::Full(_)) = self.orders.try_send(Order::Stop) {
            tracing::warn!("the ear is too far behind to stop a recording; silence will end it");
        }
    }

    /// Drops all sound until unmuted; an open capture ends with nothing heard.
    pub fn mute(&self, muted: bool) {
        self.shared.muted.store(muted, Ordering::SeqCst);
    }

    /// The device speaks from now on, or does not any more: an unasked voice that begins meanwhile is told as an
    /// interruption.
    pub fn note_speech(&self, speaking: bool) {
        self.shared.speaking.store(speaking, Ordering::SeqCst);
    }

    /// The device rings from now on, or does not any more: a word that counts over its sound alone ends that.
    pub fn note_ringing(&self, ringing: bool) {
        self.shared.ringing.store(ringing, Ordering::SeqCst);
    }

    /// Tells whether the microphone is muted.
    pub fn is_muted(&self) -> bool {
        self.shared.muted.load(Ordering::SeqCst)
    }

    /// Gives the last loudness, from 0 to 1 of what the microphone can take.
    pub fn level(&self) -> f32 {
        f32::from_bits(self.shared.level.load(Ordering::Relaxed))
    }

    /// Shows what is heard at this moment.
    pub fn meter(&self) -> Meter {
        let number = |bits: &AtomicU32| f32::from_bits(bits.load(Ordering::Relaxed));
        Meter {
            level: self.level(),
            speech: number(&self.shared.speech),
            wake_words: self.shared.words.lock().clone(),
        }
    }

    /// Judges the microphone by what came from it since it was opened. `spoken` says that a voice should have been
    /// among it.
    pub fn sound_fault(&self, spoken: bool) -> Option<SoundFault> {
        let sound = self.shared.sound.lock();
        if sound.is_monitor {
            return Some(SoundFault::WrongDevice);
        }
        sound.check.fault(spoken)
    }

    /// Suspends capture until [`EarHandle::wake`] or a wake word; an open capture ends with nothing heard.
    pub fn sleep(&self) {
        self.shared.asleep.store(true, Ordering::SeqCst);
    }

    /// Tells whether capture is suspended by [`EarHandle::sleep`].
    pub fn is_asleep(&self) -> bool {
        self.shared.asleep.load(Ordering::SeqCst)
    }

    /// Leaves the sleep, which is reported with `Awoken`; does nothing when awake.
    pub fn wake(&self) {
        if self.shared.asleep.swap(false, Ordering::SeqCst) {
            self.shared.awoken.add_permits(1);
        }
    }

    /// Sets the language of what is recognised from now on, as a tag; absent lets the model detect it.
    pub fn set_lang(&self, lang: Option<String>) {
        *self.shared.lang.lock() = lang;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_follows_what_is_loud_and_fades() {
        let shared = Shared::new(None);
        let level = || f32::from_bits(shared.level.load(Ordering::Relaxed));
        shared.note_level(&[]);
        assert!(level() == 0.0);
        shared.note_level(&[0.1, -0.8, 0.3]);
        assert!((level() - 0.8).abs() < 0.001);
        shared.note_level(&[0.0; 4]);
        assert!(level() < 0.8 && level() > 0.5);
        shared.note_level(&[7.0, f32::NAN]);
        assert!((level() - 1.0).abs() < 0.001);
    }
}
