//! The sound of one capture, cut to what was said in it.

use std::time::Duration;

use crate::endpoint::{EndPointer, Rules, frames};
use crate::settings::SpeechSettings;
use crate::trigger::Trigger;
use crate::voice::FRAME;

/// Silence kept at the end of an utterance; whisper needs some to see that it is over, and time for the rest.
const TAIL_FRAMES: u32 = 12;

/// This many frames are kept before the person speaks, beside the pre-roll. A beginning is always noticed within
/// them.
pub(super) const NOTICING_FRAMES: u32 = 64;

/// When the device has ended speaking, the buffers of a loudspeaker and the echo of a room may last this many frames.
const SETTLING_FRAMES: u32 = 8;

/// A capture, or the watch for one.
#[derive(Debug)]
pub(super) struct Capture {
    pub(super) end_pointer: EndPointer,
    pub(super) samples: Vec<f32>,
    began: bool,
    /// Says what opened it, or opens it when a person speaks.
    pub(super) trigger: Trigger,
    /// Says whether its start was reported, so that its end must be.
    pub(super) announced: bool,
    /// Counts the frames that may still hold the end of the device's own voice.
    pub(super) settling: u32,
    /// The number of the pause that was told and lasts.
    pub(super) pause: Option<u64>,
}

impl Capture {
    pub(super) fn new(rules: Rules, trigger: Trigger, announced: bool) -> Self {
        Self {
            end_pointer: EndPointer::new(rules),
            samples: Vec::new(),
            began: false,
            trigger,
            announced,
            settling: 0,
            pause: None,
        }
    }

    /// Watches for a person who speaks on, for so long, after the last sound of the device has died away.
    pub(super) fn follow_up(watching: Rules, patience: Duration) -> Self {
        let rules = Rules {
            patience: Some(frames(patience).max(1)),
            ..watching
        };
        Self {
            settling: SETTLING_FRAMES,
            ..Self::new(rules, Trigger::FollowUp, false)
        }
    }

    /// Keeps the utterance and the pre-roll.
    pub(super) fn begin(&mut self, keep_frames: u32) {
        self.began = true;
        self.keep_last(keep_frames);
    }

    /// Forgets all but the last bit of sound, since the person has not spoken yet.
    pub(super) fn forget(&mut self, settings: &SpeechSettings) {
        if !self.began {
            self.keep_last(NOTICING_FRAMES + frames(settings.pre_roll));
        }
    }

    fn keep_last(&mut self, keep_frames: u32) {
        let surplus = self.samples.len().saturating_sub(keep_frames as usize * FRAME);
        self.samples.drain(..surplus);
    }

    /// Gives what was said until now, with as much quiet behind it as an utterance has.
    pub(super) fn until_now(&self) -> Vec<f32> {
        let mut samples = self.samples.clone();
        let silent = self.end_pointer.silent();
        let missing = TAIL_FRAMES.saturating_sub(silent) as usize * FRAME;
        let quiet = samples.len().saturating_sub(silent as usize * FRAME);
        let room = samples.get(quiet..).unwrap_or_default().to_vec();
        samples.extend(room.iter().cycle().take(missing));
        samples
    }

    /// Takes the silence that ended the utterance away, but for a rest.
    pub(super) fn trim(&mut self, silent: u32) {
        let surplus = silent.saturating_sub(TAIL_FRAMES) as usize * FRAME;
        self.samples.truncate(self.samples.len().saturating_sub(surplus));
    }
}
