//! What it costs to wait for a wake word: the part of one processor that the daemon takes while the room is silent, and while
//! it is not quite.

use std::path::Path;
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

/// Percent of one processor.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct Idle {
    /// While the microphone takes silence.
    pub silence: f64,
    /// While it takes quiet noise.
    pub noise: f64,
}

/// Measures a daemon that listens for a wake word.
///
/// # Errors
/// When it cannot be started, or the disk takes nothing.
pub async fn measure(model: &Model, voice_activity: &Path, wake_word: &Path) -> Result<Idle> {
    let device = Device::start(model, voice_activity, Some(wake_word)).await?;
    let folder = tempfile::tempdir()?;
    let noise = folder.path().join("noise.wav");
    let samples = sound::length(MINUTE.as_secs_f32() + 2.0);
    sound::write(&noise, &sound::noise(samples, QUIET_NOISE, 1))?;
    let silence = cost(&device, sleep(MINUTE)).await;
    // Playing goes on for two seconds more than is measured, in which nothing is.
    let noise = cost(&device, async {
        tokio::select! {
            () = sleep(MINUTE) => {}
            () = device.sound().play(&noise) => {}
        }
    })
    .await;
    Ok(Idle { silence, noise })
}

async fn cost(device: &Device, meanwhile: impl Future<Output = ()>) -> f64 {
    let worked = || processor_seconds(device.daemon().pid());
    let (before, began) = (worked(), Instant::now());
    meanwhile.await;
    100.0 * (worked() - before) / began.elapsed().as_secs_f64()
}
