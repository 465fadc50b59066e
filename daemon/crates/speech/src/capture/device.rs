//! Finds an input device and builds a stream from it, through cpal. Runs on the capture thread only.

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, FromSample, Host, SizedSample, Stream, StreamConfig};
use tokio::sync::mpsc;

use super::presence::Presence;
use super::ring::{RingReader, RingWriter, ring};
use super::{Choice, OpenMicrophoneError};
use crate::SAMPLE_RATE;
use crate::settings::AudioHost;
use crate::sound_device::{configuration, explain, find, names, of_format, telling};
use crate::sound_server::system;
use crate::stream_thread::OPEN_PATIENCE;

/// This many seconds of sound fit between callback and ear; the ear is never busy with one block for longer.
const RING_SECONDS: usize = 10;

/// Callbacks per second. Left to itself, PulseAudio hands over 1.6 s at a time, and ALSA's plugin for it loses sound
/// with periods of 20 ms.
const CALLBACKS_PER_SECOND: u32 = 12;

#[derive(Debug)]
pub(super) struct Opened {
    pub(super) name: String,
    /// Says whether it is what a loudspeaker plays.
    pub(super) is_monitor: bool,
    pub(super) rate: u32,
    pub(super) samples: RingReader,
    /// One message comes when the stream fails.
    pub(super) failed: mpsc::Receiver<String>,
    pub(super) host: AudioHost,
    /// Watches a source of a sound server; absent for other devices.
    pub(super) presence: Option<Presence>,
}

/// Tries the sound systems in order: a sound server first, because it shares the card with others.
pub(super) fn open(choice: &Choice) -> Result<(Stream, Opened), OpenMicrophoneError> {
    let mut tried = Vec::new();
    for host in choice.host.tried() {
        let cancelled = choice
            .cancelled
            .as_deref()
            .filter(|_| *host == AudioHost::PulseAudio);
        match open_on(*host, choice.device.as_deref().or(cancelled)) {
            Ok(opened) => return Ok(opened),
            Err(reason) => tried.push(format!("{}: {reason}", host.name())),
        }
    }
    Err(OpenMicrophoneError::NotFound {
        tried: tried.join("; "),
    })
}

fn open_on(host: AudioHost, wanted: Option<&str>) -> Result<(Stream, Opened), String> {
    let system = system(host).map_err(|error| explain(&error))?;
    let device = match wanted {
        Some(wanted) => named_device(&system, wanted)?,
        None => default_device(&system)?,
    };
    let default = device.default_input_config().map_err(|error| explain(&error))?;
    let (config, format) = configuration(host, &default, SAMPLE_RATE, CALLBACKS_PER_SECOND);
    let rate = config.sample_rate;
    let (writer, samples) = ring(RING_SECONDS * rate as usize);
    // One message: whatever follows the first failure is the same failure.
    let (failure, failed) = mpsc::channel(1);
    let stream =
        of_format!(format, build(&device, config, writer, failure)).map_err(|error| explain(&error))?;
    stream.play().map_err(|error| explain(&error))?;
    let id = device.id().ok().map(|id| id.id().to_owned());
    let asked_after = id.filter(|_| host == AudioHost::PulseAudio);
    Ok((
        stream,
        Opened {
            name: device.to_string(),
            is_monitor: device.id().is_ok_and(|id| is_monitor(id.id())),
            rate,
            samples,
            failed,
            host,
            presence: asked_after.and_then(|id| Presence::of(&id)),
        },
    ))
}

/// Tells whether this is what a loudspeaker plays.
fn is_monitor(id: &str) -> bool {
    id.ends_with(".monitor")
}

fn default_device(system: &Host) -> Result<Device, String> {
    let device = system.default_input_device().ok_or("it has no input device")?;
    // Without a microphone PulseAudio's default source is what the loudspeaker plays: us.
    if device.id().is_ok_and(|id| is_monitor(id.id())) {
        return Err("its only input is the monitor of an output".into());
    }
    Ok(device)
}

fn named_device(system: &Host, written: &str) -> Result<Device, String> {
    let devices: Vec<Device> = system.input_devices().map_err(|error| explain(&error))?.collect();
    // What a loudspeaker plays is heard only where it is named in full.
    find(&devices, written, |id| !is_monitor(id))
        .ok_or_else(|| format!("it has no input device \"{written}\", only: {}", names(&devices)))
}

/// The callback mixes the channels of each frame into the ring, and does nothing else.
fn build<T>(
    device: &Device,
    config: StreamConfig,
    mut writer: RingWriter,
    failure: mpsc::Sender<String>,
) -> Result<Stream, cpal::Error>
where
    T: SizedSample,
    f32: FromSample<T>,
{
    let channels = usize::from(config.channels.max(1));
    let share = 1.0 / channels as f32;
    let mix = move |frame: &[T]| frame.iter().map(|sample| f32::from_sample_(*sample)).sum::<f32>() * share;
    let deliver =
        move |data: &[T], _: &cpal::InputCallbackInfo| writer.write(data.chunks_exact(channels).map(mix));
    device.build_input_stream(config, deliver, telling(failure), Some(OPEN_PATIENCE))
}
