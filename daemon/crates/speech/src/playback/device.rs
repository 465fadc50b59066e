//! Finds an output device and builds a stream to it, through cpal. Runs on the playback thread only.

use std::time::Duration;

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, FromSample, Host, OutputCallbackInfo, SizedSample, Stream, StreamConfig};
use tokio::sync::mpsc;

use super::far_end::FarEndWriter;
use super::queue::{Feed, Supply, queue};
use super::{OpenLoudspeakerError, PlaybackSettings};
use crate::settings::AudioHost;
use crate::sound_device::{configuration, explain, find, names, of_format, telling};
use crate::sound_server::system;
use crate::stream_thread::OPEN_PATIENCE;

/// A sound server is given this rate, three times that of the far end. It resamples for its card by itself.
const SERVER_RATE: u32 = 48_000;

/// Callbacks per second. A server keeps two of their blocks, which a stop cannot take back: 100 ms. With half of that a slow
/// machine leaves gaps in the sound, after which its echo is not taken out of what the microphone hears.
const CALLBACKS_PER_SECOND: u32 = 20;

/// At most this many seconds of sound wait for the callback, which is enough for a busy machine.
const QUEUE_SECONDS: f32 = 1.0;

#[derive(Debug)]
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) rate: u32,
    pub(super) host: AudioHost,
    pub(super) supply: Supply,
    /// One message comes when the stream fails.
    pub(super) failed: mpsc::Receiver<String>,
}

/// Tries the sound systems in order: a sound server first, because it shares the card with others.
pub(super) fn open(
    settings: &PlaybackSettings,
    far_end: Option<&FarEndWriter>,
) -> Result<(Stream, Opened), OpenLoudspeakerError> {
    let mut tried = Vec::new();
    for host in settings.host.tried() {
        let far_end = far_end.map(FarEndWriter::next);
        match open_on(*host, settings.device.as_deref(), far_end) {
            Ok(opened) => return Ok(opened),
            Err(reason) => tried.push(format!("{}: {reason}", host.name())),
        }
    }
    Err(OpenLoudspeakerError::NotFound {
        tried: tried.join("; "),
    })
}

fn open_on(
    host: AudioHost,
    wanted: Option<&str>,
    far_end: Option<FarEndWriter>,
) -> Result<(Stream, Opened), String> {
    let system = system(host).map_err(|error| explain(&error))?;
    let device = match wanted {
        Some(wanted) => named_device(&system, wanted)?,
        None => system.default_output_device().ok_or("it has no output device")?,
    };
    let default = device.default_output_config().map_err(|error| explain(&error))?;
    let (config, format) = configuration(host, &default, SERVER_RATE, CALLBACKS_PER_SECOND);
    let rate = config.sample_rate;
    let (supply, feed) = queue(rate, QUEUE_SECONDS, far_end);
    // One message: whatever follows the first failure is the same failure.
    let (failure, failed) = mpsc::channel(1);
    let stream =
        of_format!(format, build(&device, config, feed, failure)).map_err(|error| explain(&error))?;
    stream.play().map_err(|error| explain(&error))?;
    Ok((
        stream,
        Opened {
            name: device.to_string(),
            rate,
            host,
            supply,
            failed,
        },
    ))
}

fn named_device(system: &Host, written: &str) -> Result<Device, String> {
    let devices: Vec<Device> = system
        .output_devices()
        .map_err(|error| explain(&error))?
        .collect();
    find(&devices, written, |_| true)
        .ok_or_else(|| format!("it has no output device \"{written}\", only: {}", names(&devices)))
}

/// The callback puts each sample on all channels of its frame, and does nothing else.
fn build<T>(
    device: &Device,
    config: StreamConfig,
    mut feed: Feed,
    failure: mpsc::Sender<String>,
) -> Result<Stream, cpal::Error>
where
    T: SizedSample + FromSample<f32>,
{
    let channels = usize::from(config.channels.max(1));
    let deliver = move |data: &mut [T], info: &OutputCallbackInfo| {
        let frames = data.chunks_exact_mut(channels);
        let hand_over = |frame| move |sample| <[T]>::fill(frame, T::from_sample_(sample));
        feed.fill(frames.map(hand_over), delay(info));
    };
    device.build_output_stream(config, deliver, telling(failure), Some(OPEN_PATIENCE))
}

/// Tells how much later than now the sound of this callback is heard.
fn delay(info: &OutputCallbackInfo) -> Duration {
    let times = info.timestamp();
    times.playback.duration_since(times.callback)
}
