//! Finds an input device and builds a stream from it, through cpal. Runs on the capture thread only.

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{
    BufferSize, Device, ErrorKind, FromSample, Host, SampleFormat, SizedSample, Stream, StreamConfig,
    SupportedStreamConfig,
};
use tokio::sync::mpsc;

use super::presence::Presence;
use super::ring::{RingReader, RingWriter, ring};
use super::wanted::Wanted;
use super::{Choice, OpenMicrophoneError};
use crate::SAMPLE_RATE;
use crate::settings::AudioHost;
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
    let (config, format) = configuration(host, &device)?;
    let rate = config.sample_rate;
    let (writer, samples) = ring(RING_SECONDS * rate as usize);
    // One message: whatever follows the first failure is the same failure.
    let (failure, failed) = mpsc::channel(1);
    let stream = build(&device, config, format, writer, failure).map_err(|error| explain(&error))?;
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

/// Finds the device with this id, else the first that fits and may be meant so.
pub(crate) fn find(devices: &[Device], written: &str, may_fit: impl Fn(&str) -> bool) -> Option<Device> {
    let wanted = Wanted::new(written);
    let id = |device: &Device| {
        device
            .id()
            .map_or_else(|_| String::new(), |id| id.id().to_owned())
    };
    let is_named = |device: &&Device| wanted.names(&id(device));
    let fits = |device: &&Device| may_fit(&id(device)) && wanted.fits(&id(device), &device.to_string());
    let found = devices
        .iter()
        .find(is_named)
        .or_else(|| devices.iter().find(fits));
    found.cloned()
}

/// Lists the names of devices for a person.
pub(crate) fn names(devices: &[Device]) -> String {
    let known: Vec<String> = devices.iter().map(ToString::to_string).collect();
    if known.is_empty() {
        "none".into()
    } else {
        known.join(", ")
    }
}

/// PulseAudio resamples well, so it is asked for what is needed; the others are asked for what they like best.
fn configuration(host: AudioHost, device: &Device) -> Result<(StreamConfig, SampleFormat), String> {
    let default = device.default_input_config().map_err(|error| explain(&error))?;
    let (channels, sample_rate, format) = match host {
        AudioHost::Alsa | AudioHost::Jack | AudioHost::PipeWire => {
            (default.channels(), default.sample_rate(), default.sample_format())
        }
        AudioHost::Auto | AudioHost::PulseAudio => (1, SAMPLE_RATE, SampleFormat::F32),
    };
    let buffer_size = buffer_size(&default, sample_rate / CALLBACKS_PER_SECOND);
    Ok((
        StreamConfig {
            channels,
            sample_rate,
            buffer_size,
        },
        format,
    ))
}

/// Gives as many frames for each callback as are wanted, or as near to that as the device can come.
pub(crate) fn buffer_size(supported: &SupportedStreamConfig, wanted: u32) -> BufferSize {
    match *supported.buffer_size() {
        cpal::SupportedBufferSize::Range { min, max } => BufferSize::Fixed(wanted.clamp(min, max.max(min))),
        cpal::SupportedBufferSize::Unknown => BufferSize::Fixed(wanted),
    }
}

fn build(
    device: &Device,
    config: StreamConfig,
    format: SampleFormat,
    writer: RingWriter,
    failure: mpsc::Sender<String>,
) -> Result<Stream, cpal::Error> {
    match format {
        SampleFormat::I8 => build_for::<i8>(device, config, writer, failure),
        SampleFormat::I16 => build_for::<i16>(device, config, writer, failure),
        SampleFormat::I24 => build_for::<cpal::I24>(device, config, writer, failure),
        SampleFormat::I32 => build_for::<i32>(device, config, writer, failure),
        SampleFormat::U8 => build_for::<u8>(device, config, writer, failure),
        SampleFormat::U16 => build_for::<u16>(device, config, writer, failure),
        SampleFormat::U32 => build_for::<u32>(device, config, writer, failure),
        SampleFormat::F32 => build_for::<f32>(device, config, writer, failure),
        SampleFormat::F64 => build_for::<f64>(device, config, writer, failure),
        other => Err(cpal::Error::with_message(
            ErrorKind::UnsupportedConfig,
            format!("samples of format {other} are not understood"),
        )),
    }
}

/// The callback mixes the channels of each frame into the ring, and does nothing else.
fn build_for<T>(
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

/// Makes what tells that a stream has failed.
pub(crate) fn telling(failure: mpsc::Sender<String>) -> impl FnMut(cpal::Error) + Send + 'static {
    move |error| {
        if !matches!(
            error.kind(),
            ErrorKind::Xrun | ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied
        ) {
            // A failure that was reported already needs no second report.
            drop(failure.try_send(explain(&error)));
        }
    }
}

/// Words an error for the middle of a sentence.
pub(crate) fn explain(error: &cpal::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "access denied, add this user to the group audio".into(),
        ErrorKind::HostUnavailable => "it is not running".into(),
        ErrorKind::DeviceNotAvailable => "it has no such device".into(),
        ErrorKind::DeviceBusy => "another program holds the device".into(),
        _ => error.to_string().trim_end_matches('.').to_owned(),
    }
}
