//! What the loudspeaker is given, for an echo canceller: the samples themselves, as they are handed to the device.
//!
//! The writer is the output callback's, and never waits, locks or allocates. Overload: a reader that is more than
//! [`MOST_BEHIND`] behind goes on with what was written last, since older sound has left the room long ago. Nothing here
//! knows how late the device plays what it was handed; a canceller finds that delay by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::SAMPLE_RATE;
use crate::capture::ring::{RingReader, RingWriter, ring};

/// The most samples that wait for the reader, two seconds: on a busy machine a capture comes late, and a reader that
/// left a part of them out would lose the step with it.
const MOST_BEHIND: u64 = SAMPLE_RATE as u64 * 2;

/// A reader that was too far behind goes on with this many samples, 100 ms: the next are there before these are read.
const KEPT: u64 = SAMPLE_RATE as u64 / 10;

/// Sound still counts as playing for this many samples after the last audible one, half a second: a device plays
/// later than it is handed sound, a room echoes, and a voice pauses.
const LINGERS: u64 = SAMPLE_RATE as u64 / 2;

/// Positions of the stream of samples, counted from 1.
#[derive(Debug, Default)]
struct Audible {
    written: AtomicU64,
    /// The last that was no silence; 0 where there is none.
    last: AtomicU64,
}

/// Makes a stream from the output callback to a canceller: 16 kHz, mono, between −1 and 1.
pub fn far_end() -> (FarEndWriter, FarEndReader) {
    // Twice as long as anything waits, so that the writer never overwrites what is being read.
    let (writer, reader) = ring(2 * MOST_BEHIND as usize);
    let audible = Arc::new(Audible::default());
    let writer = FarEndWriter {
        samples: writer,
        audible: Arc::clone(&audible),
    };
    let reader = FarEndReader {
        samples: reader,
        audible,
    };
    (writer, reader)
}

/// What the voice offers to the one microphone of this device.
#[derive(Debug)]
pub struct Played(Mutex<Option<FarEndReader>>);

impl Played {
    /// Offers this stream.
    pub fn new(reader: FarEndReader) -> Self {
        Self(Mutex::new(Some(reader)))
    }

    /// Gives the stream to who asks first.
    pub fn take(&self) -> Option<FarEndReader> {
        self.0.lock().take()
    }
}

/// The end that the output callback writes to.
#[derive(Debug)]
pub struct FarEndWriter {
    samples: RingWriter,
    audible: Arc<Audible>,
}

impl FarEndWriter {
    /// Appends exactly what the device is handed, silence included. It takes no lock and allocates nothing.
    pub fn write(&mut self, samples: &[f32]) {
        let before = self.audible.written.load(Ordering::Relaxed);
        let audible = samples.iter().rposition(|sample| *sample != 0.0);
        if let Some(index) = audible {
            self.audible
                .last
                .store(before + index as u64 + 1, Ordering::Relaxed);
        }
        self.audible
            .written
            .store(before + samples.len() as u64, Ordering::Relaxed);
        self.samples.write(samples.iter().copied());
    }

    /// Nothing is handed to a device any more, for now.
    pub(super) fn end(&mut self) {
        self.audible.last.store(0, Ordering::Relaxed);
    }

    /// Gives the writer of the next stream, once that of this one has ended or hangs for ever.
    pub(super) fn next(&self) -> Self {
        Self {
            samples: self.samples.next(),
            audible: Arc::clone(&self.audible),
        }
    }
}

/// The end that a canceller reads from.
#[derive(Debug)]
pub struct FarEndReader {
    samples: RingReader,
    audible: Arc<Audible>,
}

impl FarEndReader {
    /// Fills all of `into` with what was played next, and with silence where nothing was. It takes no lock and
    /// allocates nothing.
    pub fn read(&mut self, into: &mut [f32]) {
        let read = self.samples.take(into, MOST_BEHIND, KEPT);
        into.iter_mut().skip(read).for_each(|sample| *sample = 0.0);
    }

    /// Counts the samples that were played and can be read.
    pub fn waiting(&self) -> usize {
        usize::try_from(self.samples.waiting()).unwrap_or(usize::MAX)
    }

    /// Tells whether sound of ours is being played, or was within the last half second.
    pub fn is_playing(&self) -> bool {
        let last = self.audible.last.load(Ordering::Relaxed);
        last > 0 && self.audible.written.load(Ordering::Relaxed) < last + LINGERS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: &mut FarEndReader, count: usize) -> Vec<f32> {
        let mut into = vec![f32::NAN; count];
        reader.read(&mut into);
        into
    }

    #[test]
    fn what_was_played_is_read_and_silence_behind_it() {
        let (mut writer, mut reader) = far_end();
        assert_eq!(read(&mut reader, 2), [0.0, 0.0]);
        writer.write(&[0.1, 0.2, 0.3]);
        assert_eq!(read(&mut reader, 2), [0.1, 0.2]);
        writer.next().write(&[0.4]);
        assert_eq!(read(&mut reader, 4), [0.3, 0.4, 0.0, 0.0]);
    }

    #[test]
    fn a_reader_that_is_far_behind_goes_on_with_what_was_played_last() {
        let (mut writer, mut reader) = far_end();
        for second in 1..=3_u8 {
            writer.write(&vec![f32::from(second) / 4.0; SAMPLE_RATE as usize]);
        }
        writer.write(&[0.9]);
        let late = read(&mut reader, KEPT as usize + 1);
        assert!(
            late[..KEPT as usize - 1]
                .iter()
                .all(|sample| (sample - 0.75).abs() < 0.001)
        );
        assert_eq!(late[KEPT as usize - 1..], [0.9, 0.0]);
        // A reader that keeps up loses nothing.
        writer.write(&vec![0.5; MOST_BEHIND as usize]);
        assert_eq!(
            read(&mut reader, MOST_BEHIND as usize),
            vec![0.5; MOST_BEHIND as usize]
        );
    }

    #[test]
    fn sound_counts_as_playing_for_half_a_second_after_its_end() {
        let (mut writer, reader) = far_end();
        assert!(!reader.is_playing());
        writer.write(&[0.0; 100]);
        assert!(!reader.is_playing());
        writer.write(&[0.5, 0.0]);
        assert!(reader.is_playing());
        writer.write(&vec![0.0; LINGERS as usize - 2]);
        assert!(reader.is_playing());
        writer.write(&[0.0]);
        assert!(!reader.is_playing());
        writer.write(&[0.5]);
        assert!(reader.is_playing());
        writer.end();
        assert!(!reader.is_playing());
    }
}
