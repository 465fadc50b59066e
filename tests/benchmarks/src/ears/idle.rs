//! What it costs to wait for wake words: the part of one processor that the daemon takes while the room is silent, and while
//! it is not quite. The sound server hands the sound on in the pieces that the daemon asks for, as that of a device does; a
//! player in haste would have it do so three times as often.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use loquat_tests::process::processor_seconds;
use tokio::time::{Instant, sleep};

use super::Model;
use super::delay::Device;
use super::sound;

/// How long each is measured.
const MINUTE: Duration = Duration::from_secs(60);

/// The noise of a room, in decibels of full loudness.
const QUIET_NOISE: f32 = -50.0;

/// It may not take more, in percent of one processor.
const MOST: f64 = 5.0;

/// Percent of one processor.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct Idle {
    /// How many words are waited for.
    words: usize,
    /// While the microphone takes silence.
    silence: f64,
    /// While it takes quiet noise.
    noise: f64,
}

impl Idle {
    /// Whether it is as little as was wanted.
    pub fn is_little(&self) -> bool {
        self.silence.max(self.noise) < MOST
    }
}

impl fmt::Display for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "waiting for {} wake word(s) takes {:.1} % of one core in silence, {:.1} % in quiet noise",
            self.words, self.silence, self.noise
        )
    }
}

/// Measures a daemon that waits for these.
///
/// # Errors
/// When it cannot be started, or the disk takes nothing.
pub async fn measure(model: &Model, voice_activity: &Path, wake_words: &[PathBuf]) -> Result<Idle> {
    let device = Device::start(model, voice_activity, wake_words).await?;
    let folder = tempfile::tempdir()?;
    let noise = folder.path().join("noise.wav");
    let samples = sound::length(MINUTE.as_secs_f32() + 2.0);
    sound::write(&noise, &sound::noise(samples, QUIET_NOISE, 1))?;
    let silence = cost(&device, sleep(MINUTE)).await;
    // Playing goes on for two seconds more than is measured, in which nothing is.
    let noise = cost(&device, async {
        tokio::select! {
            () = sleep(MINUTE) => {}
            () = device.sound().play_unhurried(&noise) => {}
        }
    })
    .await;
    Ok(Idle {
        words: wake_words.len(),
        silence,
        noise,
    })
}

async fn cost(device: &Device, meanwhile: impl Future<Output = ()>) -> f64 {
    let worked = || processor_seconds(device.daemon().pid());
    let (before, began) = (worked(), Instant::now());
    meanwhile.await;
    100.0 * (worked() - before) / began.elapsed().as_secs_f64()
}
