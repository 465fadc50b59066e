//! A microphone that is elsewhere: its sound comes in pieces over a network and goes into an ear as that of a microphone of this
//! machine does. Never waits; when the ear is too far behind, the oldest sound is lost. Knows no network.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::SAMPLE_RATE;
use crate::capture::ring::{RingReader, RingWriter, ring};
use crate::pcm::{Pcm, PcmFormat, UnusableSound};

/// This much sound waits for the ear, which needs a moment to load its models.
const WAITING: Duration = Duration::from_secs(20);

/// No piece is longer than this.
const PIECE: Duration = Duration::from_secs(60);

/// The end at which the ear listens; one ear can.
#[derive(Debug, Clone)]
pub struct FarMicrophone(Arc<Mutex<Option<RingReader>>>);

impl PartialEq for FarMicrophone {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for FarMicrophone {}

impl FarMicrophone {
    /// Takes the samples at 16 kHz. There are none where an ear has them already.
    pub(crate) fn take(&self) -> Option<RingReader> {
        self.0.lock().take()
    }
}

/// The end at which sound comes in.
#[derive(Debug)]
pub struct FarSound {
    writer: RingWriter,
    format: Option<PcmFormat>,
    pcm: Option<Pcm>,
}

/// Both ends of a microphone.
pub fn far_microphone() -> (FarSound, FarMicrophone) {
    let (writer, reader) = ring(samples(WAITING));
    let sound = FarSound {
        writer,
        format: None,
        pcm: None,
    };
    (sound, FarMicrophone(Arc::new(Mutex::new(Some(reader)))))
}

fn samples(time: Duration) -> usize {
    (time.as_secs_f64() * f64::from(SAMPLE_RATE)) as usize
}

impl FarSound {
    /// Takes the next bytes, which have this format.
    pub fn feed(&mut self, bytes: &[u8], format: PcmFormat) -> Result<(), UnusableSound> {
        if self.format != Some(format) {
            self.pcm = Some(Pcm::new(format, PIECE)?);
            self.format = Some(format);
        }
        if let Some(pcm) = &mut self.pcm {
            pcm.feed(bytes);
            self.writer.write(pcm.take().into_iter());
        }
        Ok(())
    }

    /// Takes silence of this length, where no sound comes any more: the person who spoke has ended.
    pub fn silence(&mut self, time: Duration) {
        self.writer.write(vec![0.0; samples(time)].into_iter());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mono(rate: u64, width: u64) -> PcmFormat {
        PcmFormat {
            rate,
            width,
            channels: 1,
        }
    }

    #[test]
    fn sound_comes_out_as_it_went_in_whatever_its_format() {
        let (mut sound, far) = far_microphone();
        let mut reader = far.take().unwrap();
        assert!(far.take().is_none(), "one ear listens");
        let mut heard = Vec::new();
        sound.feed(&[0, 64].repeat(1000), mono(16_000, 2)).unwrap();
        reader.read(&mut heard);
        assert_eq!(heard, vec![0.5; 1000]);
        heard.clear();
        sound
            .feed(&[0, 0, 0, 64].repeat(48_000), mono(48_000, 4))
            .unwrap();
        sound.silence(Duration::from_millis(10));
        reader.read(&mut heard);
        // A resampler keeps back the last of what it was given.
        assert!(heard.len().abs_diff(16_160) < 400, "{}", heard.len());
        assert!(sound.feed(&[0], mono(1, 2)).is_err());
        assert!(sound.feed(&[0, 64], mono(16_000, 2)).is_ok());
    }
}
