//! The ring between an audio callback and what reads its sound: one writer, one reader, no lock, no allocation, no wait.
//!
//! The writer never waits. When the reader is too far behind, the oldest samples are overwritten and counted, because
//! what was said last is worth more than what was said first. Samples are kept as bits in atomics, so that a reader who
//! is overtaken reads wrong samples and not undefined ones; it notices by the positions and leaves them out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

#[derive(Debug)]
struct Ring {
    slots: Box<[AtomicU32]>,
    /// Up to here the writer may be overwriting.
    claimed: AtomicU64,
    /// Up to here samples can be read.
    written: AtomicU64,
}

/// Makes a ring for this many samples.
pub(crate) fn ring(capacity: usize) -> (RingWriter, RingReader) {
    let slots = (0..capacity.max(1)).map(|_| AtomicU32::new(0)).collect();
    let ring = Arc::new(Ring {
        slots,
        claimed: AtomicU64::new(0),
        written: AtomicU64::new(0),
    });
    (
        RingWriter {
            ring: Arc::clone(&ring),
        },
        RingReader {
            ring,
            next: 0,
            dropped: 0,
        },
    )
}

impl Ring {
    fn slot(&self, position: u64) -> Option<&AtomicU32> {
        self.slots.get((position % self.slots.len() as u64) as usize)
    }
}

/// The audio callback's end.
#[derive(Debug)]
pub(crate) struct RingWriter {
    ring: Arc<Ring>,
}

impl RingWriter {
    /// A writer that goes on where this one ends; they must not write at the same time.
    pub(crate) fn next(&self) -> Self {
        Self {
            ring: Arc::clone(&self.ring),
        }
    }

    /// Appends samples; of more than the ring holds the last remain.
    pub(crate) fn write(&mut self, samples: impl ExactSizeIterator<Item = f32>) {
        let ring = &*self.ring;
        let from = ring.written.load(Ordering::Relaxed);
        let to = from + samples.len() as u64;
        ring.claimed.store(to, Ordering::Relaxed);
        // A reader that sees one of the samples below also sees the claim above.
        fence(Ordering::Release);
        for (position, sample) in (from..to).zip(samples) {
            if let Some(slot) = ring.slot(position) {
                slot.store(sample.to_bits(), Ordering::Relaxed);
            }
        }
        ring.written.store(to, Ordering::Release);
    }
}

/// The ear's end.
#[derive(Debug)]
pub(crate) struct RingReader {
    ring: Arc<Ring>,
    next: u64,
    dropped: u64,
}

impl RingReader {
    /// Appends all that is there to `out`.
    pub(crate) fn read(&mut self, out: &mut Vec<f32>) {
        let ring = &*self.ring;
        let capacity = ring.slots.len() as u64;
        let written = ring.written.load(Ordering::Acquire);
        let from = self.next.max(written.saturating_sub(capacity));
        let start = out.len();
        let bits = (from..written).filter_map(|position| ring.slot(position));
        out.extend(bits.map(|slot| f32::from_bits(slot.load(Ordering::Relaxed))));
        // Whatever was overwritten while it was copied is now below this mark.
        fence(Ordering::Acquire);
        let valid = ring
            .claimed
            .load(Ordering::Relaxed)
            .saturating_sub(capacity)
            .clamp(from, written);
        out.drain(start..start + (valid - from) as usize);
        self.dropped += valid - self.next;
        self.next = written;
    }

    /// Moves the oldest samples into `into`, as many as there are and fit, and says how many. Where more than `most` wait,
    /// only the last `keep` of them count.
    pub(crate) fn take(&mut self, into: &mut [f32], most: u64, keep: u64) -> usize {
        let ring = &*self.ring;
        let written = ring.written.load(Ordering::Acquire);
        if written - self.next > most {
            self.next = written - keep.min(most);
        }
        let count = into.len().min((written - self.next) as usize);
        for (position, sample) in (self.next..).zip(into.iter_mut().take(count)) {
            *sample = ring
                .slot(position)
                .map_or(0.0, |slot| f32::from_bits(slot.load(Ordering::Relaxed)));
        }
        self.next += count as u64;
        count
    }

    /// Counts the samples that wait to be read.
    pub(crate) fn waiting(&self) -> u64 {
        self.ring
            .written
            .load(Ordering::Acquire)
            .saturating_sub(self.next)
    }

    /// Counts the samples that were overwritten before they could be read.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Looks at the writer's progress without reading.
    pub(crate) fn progress(&self) -> RingProgress {
        RingProgress {
            ring: Arc::clone(&self.ring),
        }
    }
}

/// The watchdog's view of the ring.
#[derive(Debug, Clone)]
pub(crate) struct RingProgress {
    ring: Arc<Ring>,
}

impl RingProgress {
    /// Counts the samples that were written since the ring was made.
    pub(crate) fn written(&self) -> u64 {
        self.ring.written.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: std::ops::Range<u16>) -> Vec<f32> {
        range.map(f32::from).collect()
    }

    fn read(reader: &mut RingReader) -> Vec<f32> {
        let mut out = Vec::new();
        reader.read(&mut out);
        out
    }

    #[test]
    fn what_is_written_is_read_once_and_in_order() {
        let (mut writer, mut reader) = ring(8);
        for start in (0..100).step_by(5) {
            writer.write(numbers(start..start + 5).into_iter());
            assert_eq!(read(&mut reader), numbers(start..start + 5));
            assert_eq!(read(&mut reader), []);
        }
        assert_eq!((reader.dropped(), reader.progress().written()), (0, 100));
    }

    #[test]
    fn a_reader_that_is_behind_loses_the_oldest_and_counts_them() {
        let (mut writer, mut reader) = ring(8);
        writer.write(numbers(0..6).into_iter());
        writer.write(numbers(6..13).into_iter());
        assert_eq!(read(&mut reader), numbers(5..13));
        writer.write(numbers(100..150).into_iter());
        assert_eq!(read(&mut reader), numbers(142..150));
        assert_eq!(reader.dropped(), 5 + 42);
    }

    #[test]
    fn a_reader_that_is_overtaken_while_reading_never_sees_a_wrong_sample() {
        const TOTAL: u64 = 400_000;
        let (mut writer, mut reader) = ring(64);
        let writing = std::thread::spawn(move || {
            for start in (0..TOTAL).step_by(10) {
                writer.write(
                    (start..start + 10)
                        .map(|number| number as f32)
                        .collect::<Vec<_>>()
                        .into_iter(),
                );
            }
        });
        let (mut seen, mut last) = (0, -1.0);
        while seen + reader.dropped() < TOTAL {
            for sample in read(&mut reader) {
                assert!(sample > last, "{sample} came after {last}");
                last = sample;
                seen += 1;
            }
        }
        writing.join().unwrap();
        assert!((last - (TOTAL - 1) as f32).abs() < 0.5);
    }
}
