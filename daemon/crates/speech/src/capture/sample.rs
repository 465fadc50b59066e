//! A few seconds of a microphone, for a person who wants to know whether they are heard. Understands nothing of them and keeps
//! none.

use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep;

use super::ring::RingReader;
use super::{Choice, Microphone, Microphones};
use crate::SAMPLE_RATE;
use crate::resample::Resampler;
use crate::settings::SpeechSettings;
use crate::sound_check::{SoundCheck, SoundFault};

/// So often the ring is emptied, which holds ten seconds.
const READ: Duration = Duration::from_millis(50);

/// Says why there is no sample.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// No microphone can be opened.
    #[error("{0}")]
    Unavailable(String),
    /// It was lost meanwhile.
    #[error("lost the microphone {device} ({reason})")]
    Lost {
        /// The name of the device.
        device: String,
        /// Says how it was lost.
        reason: String,
    },
}

/// An open microphone of which nothing was taken yet.
#[derive(Debug)]
pub struct Sampler {
    microphone: Microphone,
    ring: RingReader,
    resampler: Resampler,
}

/// What was heard: mono, 16,000 samples a second, between −1 and 1.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The sound.
    pub samples: Vec<f32>,
    is_monitor: bool,
}

impl Sampler {
    /// Opens the microphone that an ear with these settings would open. Cancel safe.
    pub async fn open(settings: &SpeechSettings) -> Result<Self, SampleError> {
        let opened = Microphones::new(Choice::of(settings)).open().await;
        let mut microphone = opened.map_err(|error| SampleError::Unavailable(error.to_string()))?;
        let resampler = Resampler::new(microphone.rate);
        let resampler = resampler.map_err(|error| SampleError::Unavailable(error.to_string()))?;
        let ring = microphone.samples.take();
        let ring =
            ring.ok_or_else(|| SampleError::Unavailable("failed to read the microphone".to_owned()))?;
        Ok(Self {
            microphone,
            ring,
            resampler,
        })
    }

    /// Names the microphone.
    pub fn device(&self) -> &str {
        &self.microphone.name
    }

    /// Takes what is heard from now on, for so long, and closes the microphone.
    pub async fn take(mut self, length: Duration) -> Result<Sample, SampleError> {
        let device = self.microphone.name.clone();
        let is_monitor = self.microphone.is_monitor;
        // What was heard before the person was asked to speak.
        self.ring.read(&mut Vec::new());
        let wanted = (length.as_secs_f64() * f64::from(SAMPLE_RATE)) as usize;
        let (mut raw, mut samples) = (Vec::new(), Vec::new());
        let mut lost = pin!(self.microphone.lost());
        while samples.len() < wanted {
            tokio::select! {
                reason = &mut lost => return Err(SampleError::Lost { device, reason }),
                () = sleep(READ) => {}
            }
            self.ring.read(&mut raw);
            self.resampler.feed(&raw, &mut samples);
            raw.clear();
        }
        samples.truncate(wanted);
        Ok(Sample { samples, is_monitor })
    }
}

impl Sample {
    /// Gives the loudest sample, from 0 to 1.
    pub fn loudest(&self) -> f32 {
        self.samples.iter().map(|sample| sample.abs()).fold(0.0, f32::max)
    }

    /// Judges what is wrong with the microphone, where a person has spoken.
    pub fn fault(&self) -> Option<SoundFault> {
        if self.is_monitor {
            return Some(SoundFault::WrongDevice);
        }
        let mut check = SoundCheck::default();
        check.take(&self.samples);
        check.fault(true)
    }
}
