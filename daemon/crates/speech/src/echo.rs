//! Our own voice, taken out of what the microphone hears while we speak.
//!
//! Between the microphone and everything that listens to it. It costs something only while something is played, and shortly
//! after; the rest of the time the sound is handed on as it is. It never decides what counts of the sound.
//!
//! The canceller has two stages and gives two streams. Wake words and whisper hear what the filter leaves: a faint rest
//! of the echo, and all of the person's voice. Voice activity hears what the suppressor leaves of that: the device is
//! silent in it, and a person's voice has holes. Of recorded wake words 12 dB below the echo, the first stream shows
//! nine of nine and the second three. What the ear does not want or has lost is left out of both what is played and
//! what is heard, so that they stay in step.

mod aec3;
mod alignment;
#[cfg(test)]
mod tests;

use crate::playback::{FarEndReader, far_end};

pub(crate) use aec3::Aec3;
use alignment::Alignment;

/// This many samples are worked on at a time: 4 ms.
pub(crate) const FRAME: usize = 64;

/// This many samples of the microphone wait for what was played with them, half a second: a player that has stopped
/// may not say so.
const LONGEST_WAIT: usize = 8_000;

/// Takes what is played out of what is heard.
pub(crate) trait EchoCanceller: Send {
    /// Takes 4 ms of what is played, and 4 ms that the microphone has heard; what was played must be heard in these or in
    /// later ones, within half a second.
    fn cancel(&mut self, played: &[f32; FRAME], heard: &[f32; FRAME]) -> Cancelled;
}

/// A frame without its echo, in two forms.
pub(crate) struct Cancelled {
    /// Without all that may be echo: it is silent where no person speaks, and a person's voice has holes.
    pub(crate) clear: [f32; FRAME],
    /// Without the echo as far as it can be reckoned: it has a rest of the echo, and all of a person's voice.
    pub(crate) whole: [f32; FRAME],
}

/// A recording is taken apart by this many samples of the microphone: 80 ms.
const PIECE: usize = 1_280;

/// Gives what wake words and whisper would hear of a recording of a microphone while that is played. Both have
/// [`SAMPLE_RATE`](crate::SAMPLE_RATE).
pub fn without_echo(played: &[f32], heard: &[f32]) -> Vec<f32> {
    passed(played, heard).whole
}

fn passed(played: &[f32], heard: &[f32]) -> Passed {
    let (mut writer, reader) = far_end();
    let mut filter = EchoFilter::new(reader);
    let mut all = Passed::default();
    for (played, heard) in played.chunks(PIECE).zip(heard.chunks(PIECE)) {
        writer.write(played);
        let Passed { clear, whole } = filter.pass(heard);
        all.clear.extend(clear);
        all.whole.extend(whole);
    }
    all
}

/// The way from the microphone to who listens.
pub(crate) struct EchoFilter {
    played: FarEndReader,
    alignment: Alignment,
    canceller: Box<dyn EchoCanceller>,
    /// The samples that do not fill a frame yet.
    pending: Vec<f32>,
}

/// A piece of sound as it is handed on; both forms are as long.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    /// For voice activity, which must not hear the device.
    pub(crate) clear: Vec<f32>,
    /// For wake words and whisper, which make words out beside a faint echo, and not in a voice with holes.
    pub(crate) whole: Vec<f32>,
}

impl EchoFilter {
    /// Takes out what this reader says is played.
    pub(crate) fn new(played: FarEndReader) -> Self {
        Self {
            played,
            alignment: Alignment::default(),
            canceller: Box::new(Aec3::default()),
            pending: Vec::with_capacity(FRAME),
        }
    }

    /// Takes the next 16 kHz samples of the microphone and gives what is no echo in them. What is not known yet to have been
    /// played with them is waited for, so that the two stay in step however unevenly they come.
    pub(crate) fn pass(&mut self, heard: &[f32]) -> Passed {
        self.pending.extend_from_slice(heard);
        let mut passed = Passed::default();
        let mut done = 0;
        while let Some(frame) = self.frame_at(done) {
            self.pass_frame(&frame, &mut passed);
            done += FRAME;
        }
        self.pending.drain(..done);
        passed
    }

    /// Gives the frame that begins there, if it is whole and need not wait.
    fn frame_at(&self, done: usize) -> Option<[f32; FRAME]> {
        let rest = self.pending.get(done..)?;
        let is_known = self.played.waiting() >= FRAME || !self.played.is_playing();
        rest.first_chunk()
            .copied()
            .filter(|_| is_known || rest.len() > LONGEST_WAIT)
    }

    fn pass_frame(&mut self, heard: &[f32; FRAME], passed: &mut Passed) {
        let is_playing = self.played.is_playing();
        let mut played = [0.0; FRAME];
        self.played.read(&mut played);
        let Cancelled { clear, whole } = if is_playing {
            self.canceller
                .cancel(&self.alignment.align(&played, heard), heard)
        } else {
            self.alignment.pass_by(&played, heard);
            Cancelled {
                clear: *heard,
                whole: *heard,
            }
        };
        passed.clear.extend(clear);
        passed.whole.extend(whole);
    }

    /// This many samples of the microphone were lost or not wanted. What was played with them goes with them.
    pub(crate) fn skip(&mut self, samples: usize) {
        if samples == 0 {
            return;
        }
        self.pending.clear();
        self.alignment.skip(samples);
        let mut left = samples;
        let mut played = [0.0; FRAME];
        while left > 0 {
            let piece = left.min(FRAME);
            self.played.read(played.get_mut(..piece).unwrap_or_default());
            left -= piece;
        }
    }
}
