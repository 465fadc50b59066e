//! The queue between what plays and the output callback: the samples for the device, and beside them the same sound at
//! 16 kHz for the far end.
//!
//! The callback never waits, locks or allocates: where nothing is queued it hands over silence. The supply is told how much
//! fits and never overwrites.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rtrb::{Consumer, Producer, RingBuffer};

use super::far_end::FarEndWriter;
use crate::SAMPLE_RATE;

/// No device is believed to be later than this.
const LATEST: Duration = Duration::from_secs(2);

/// This many samples of the far end are written at once.
const PIECE: usize = 256;

/// Makes a queue of so many seconds for a device of this rate.
pub(super) fn queue(rate: u32, seconds: f32, far_end: Option<FarEndWriter>) -> (Supply, Feed) {
    let (device, from_device) = RingBuffer::new((seconds * rate as f32) as usize);
    let (far, from_far) = RingBuffer::new((seconds * SAMPLE_RATE as f32) as usize);
    let progress = Arc::new(Progress {
        rate,
        ..Progress::default()
    });
    let supply = Supply {
        device,
        far,
        progress: Arc::clone(&progress),
    };
    let feed = Feed {
        device: from_device,
        far: from_far,
        far_end,
        far_taken: 0,
        clock: 0,
        far_clock: 0,
        progress,
    };
    (supply, feed)
}

/// Counts how far the device has come, in frames of its rate. Each number is written by one side, and read by all.
#[derive(Debug, Default)]
pub(super) struct Progress {
    rate: u32,
    /// Frames that were given to the queue.
    given: AtomicU64,
    far_given: AtomicU64,
    /// Frames that were taken out of it, played or left out.
    taken: AtomicU64,
    played: AtomicU64,
    /// Frames that were given before this one are not played any more.
    leave_out: AtomicU64,
    far_leave_out: AtomicU64,
    /// Frames that the device asked for, silence included.
    asked: AtomicU64,
    /// Frames of silence since the last that were played.
    silent: AtomicU64,
    /// The device is heard this much later than it asks, in microseconds.
    delay: AtomicU64,
}

impl Progress {
    pub(super) fn given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    /// Tells whether all that was given up to here has left the queue.
    pub(super) fn has_taken(&self, given: u64) -> bool {
        self.taken.load(Ordering::Acquire) >= given
    }

    pub(super) fn played(&self) -> u64 {
        self.played.load(Ordering::Acquire)
    }

    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Counts the frames that have been heard: a device is heard later than it asks.
    pub(super) fn heard(&self) -> u64 {
        self.played().saturating_sub(self.unheard())
    }

    /// Counts the frames that were handed over and are not heard yet.
    pub(super) fn unheard(&self) -> u64 {
        let delay = Duration::from_micros(self.delay.load(Ordering::Relaxed)).min(LATEST);
        let frames = (delay.as_secs_f64() * f64::from(self.rate)) as u64;
        frames.saturating_sub(self.silent.load(Ordering::Relaxed))
    }

    /// Nothing that was given so far is played any more, from the next callback on. Not while something is given.
    pub(super) fn leave_out(&self) {
        let given = self.far_given.load(Ordering::Relaxed);
        self.far_leave_out.store(given, Ordering::Relaxed);
        self.leave_out.store(self.given(), Ordering::Release);
    }

    /// Gives the time of so many frames.
    pub(super) fn time_of(&self, frames: u64) -> Duration {
        Duration::from_secs_f64(frames as f64 / f64::from(self.rate.max(1)))
    }
}

/// The end that is filled.
#[derive(Debug)]
pub(super) struct Supply {
    device: Producer<f32>,
    far: Producer<f32>,
    progress: Arc<Progress>,
}

impl Supply {
    pub(super) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// Moves as much as fits from the front of both.
    pub(super) fn give(&mut self, device: &mut Vec<f32>, far: &mut Vec<f32>) {
        // The far end first: the callback looks at what the device has.
        let given = move_into(&mut self.far, far);
        self.progress.far_given.fetch_add(given, Ordering::Relaxed);
        let given = move_into(&mut self.device, device);
        self.progress.given.fetch_add(given, Ordering::Relaxed);
    }
}

fn move_into(queue: &mut Producer<f32>, samples: &mut Vec<f32>) -> u64 {
    let fitting = queue.slots().min(samples.len());
    for sample in samples.drain(..fitting) {
        // There is room for each.
        let _full = queue.push(sample);
    }
    fitting as u64
}

/// The end that the output callback takes from.
#[derive(Debug)]
pub(super) struct Feed {
    device: Consumer<f32>,
    far: Consumer<f32>,
    far_end: Option<FarEndWriter>,
    far_taken: u64,
    /// Counts the frames handed to the device, and the samples handed to the far end.
    clock: u64,
    far_clock: u64,
    progress: Arc<Progress>,
}

impl Feed {
    /// Fills the frames of one callback, which will be heard so much later.
    pub(super) fn fill(&mut self, frames: impl ExactSizeIterator<Item = impl FnOnce(f32)>, delay: Duration) {
        self.leave_out();
        let asked = frames.len() as u64;
        let ready = (self.device.slots() as u64).min(asked);
        for (index, hand_over) in (0..).zip(frames) {
            let sample = (index < ready).then(|| self.device.pop().ok()).flatten();
            hand_over(sample.unwrap_or(0.0));
        }
        self.clock += asked;
        self.tell_far_end();
        let progress = &self.progress;
        progress.delay.store(delay.as_micros() as u64, Ordering::Relaxed);
        progress.played.fetch_add(ready, Ordering::Release);
        progress.taken.fetch_add(ready, Ordering::Release);
        progress.asked.fetch_add(asked, Ordering::Relaxed);
        if ready > 0 {
            progress.silent.store(0, Ordering::Relaxed);
        }
        progress.silent.fetch_add(asked - ready, Ordering::Relaxed);
    }

    fn leave_out(&mut self) {
        let until = self.progress.leave_out.load(Ordering::Acquire);
        let taken = self.progress.taken.load(Ordering::Relaxed);
        for _ in taken..until {
            let _left_out = self.device.pop();
        }
        self.progress
            .taken
            .fetch_add(until.saturating_sub(taken), Ordering::Release);
        let until = self.progress.far_leave_out.load(Ordering::Relaxed);
        for _ in self.far_taken..until {
            let _left_out = self.far.pop();
        }
        self.far_taken = self.far_taken.max(until);
    }

    /// The far end is told as much time as the device.
    fn tell_far_end(&mut self) {
        let due = self.clock * u64::from(SAMPLE_RATE) / u64::from(self.progress.rate.max(1));
        let mut piece = [0.0; PIECE];
        while self.far_clock < due {
            let count = PIECE.min((due - self.far_clock) as usize);
            for sample in piece.iter_mut().take(count) {
                let popped = self.far.pop();
                self.far_taken += u64::from(popped.is_ok());
                *sample = popped.unwrap_or(0.0);
            }
            if let (Some(far_end), Some(samples)) = (&mut self.far_end, piece.get(..count)) {
                far_end.write(samples);
            }
            self.far_clock += count as u64;
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        if let Some(far_end) = &mut self.far_end {
            far_end.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::far_end::far_end;
    use super::*;

    /// Gives what the device gets at its next callback.
    fn called(feed: &mut Feed, frames: usize) -> Vec<f32> {
        let mut block = vec![f32::NAN; frames];
        feed.fill(
            block.iter_mut().map(|frame| move |sample| *frame = sample),
            Duration::from_millis(50),
        );
        block
    }

    #[test]
    fn what_is_given_is_handed_over_and_silence_behind_it() {
        let (far_writer, mut far_reader) = far_end();
        let (mut supply, mut feed) = queue(48_000, 1.0, Some(far_writer));
        supply.give(&mut vec![0.5; 9], &mut vec![0.25; 3]);
        assert_eq!(called(&mut feed, 6), [0.5; 6]);
        assert!(!supply.progress().has_taken(9));
        assert_eq!(called(&mut feed, 6), [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]);
        let progress = supply.progress();
        assert!(progress.has_taken(9) && progress.given() == 9 && progress.asked() == 12);
        // Of the 50 ms that the device is late, three frames of silence have passed.
        assert_eq!((progress.unheard(), progress.heard()), (2_397, 0));
        called(&mut feed, 2_397);
        assert_eq!(supply.progress().heard(), 9);
        let mut far = [f32::NAN; 5];
        far_reader.read(&mut far);
        let hundredths: Vec<i32> = far.iter().map(|sample| (sample * 100.0) as i32).collect();
        assert_eq!(hundredths, [25, 25, 25, 0, 0]);
    }

    #[test]
    fn the_far_end_keeps_step_with_a_device_of_any_rate() {
        for rate in [8_000, 16_000, 22_050, 44_100, 48_000] {
            let (far_writer, mut far_reader) = far_end();
            let (mut supply, mut feed) = queue(rate, 1.0, Some(far_writer));
            let (frames, samples) = (rate as usize / 5, SAMPLE_RATE as usize / 5);
            supply.give(&mut vec![0.5; frames], &mut vec![0.5; samples]);
            for piece in [frames / 3, frames - frames / 3] {
                called(&mut feed, piece);
            }
            let mut far = vec![f32::NAN; samples + 1];
            far_reader.read(&mut far);
            assert!(
                far[..samples].iter().all(|sample| (sample - 0.5).abs() < 0.001),
                "{rate}"
            );
            assert!(far[samples].abs() < 0.001, "{rate}");
        }
    }

    #[test]
    fn what_is_left_out_is_heard_nowhere_and_what_comes_later_is() {
        let (far_writer, mut far_reader) = far_end();
        let (mut supply, mut feed) = queue(16_000, 1.0, Some(far_writer));
        supply.give(&mut vec![0.1; 8], &mut vec![0.1; 8]);
        assert_eq!(called(&mut feed, 2), [0.1; 2]);
        supply.progress().leave_out();
        supply.give(&mut vec![0.2; 2], &mut vec![0.2; 2]);
        assert_eq!(called(&mut feed, 3), [0.2, 0.2, 0.0]);
        let progress = supply.progress();
        assert_eq!((progress.played(), progress.has_taken(10)), (4, true));
        let mut far = [f32::NAN; 6];
        far_reader.read(&mut far);
        let tenths: Vec<i32> = far.iter().map(|sample| (sample * 10.0).round() as i32).collect();
        assert_eq!(tenths, [1, 1, 2, 2, 0, 0]);
    }

    #[test]
    fn no_more_is_taken_than_fits() {
        let (mut supply, mut feed) = queue(16_000, 0.001, None);
        let (mut device, mut far) = (vec![0.1; 20], vec![0.1; 20]);
        supply.give(&mut device, &mut far);
        assert_eq!((device.len(), far.len()), (4, 4));
        called(&mut feed, 16);
        supply.give(&mut device, &mut far);
        assert_eq!((device.len(), far.len()), (0, 0));
    }
}
