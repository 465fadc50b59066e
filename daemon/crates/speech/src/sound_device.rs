//! What streams of both directions share: which device a person means, how it is set up, and how its faults are worded. Opens
//! nothing.

use cpal::traits::DeviceTrait;
use cpal::{BufferSize, Device, ErrorKind, SampleFormat, StreamConfig, SupportedStreamConfig};
use tokio::sync::mpsc;

use crate::settings::AudioHost;

mod wanted;

pub(crate) use wanted::Wanted;

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

/// What a stream has on a device that likes `default` best. A sound server resamples well, so it is asked for one channel at
/// this rate; the others are asked for what they like best.
pub(crate) fn configuration(
    host: AudioHost,
    default: &SupportedStreamConfig,
    server_rate: u32,
    callbacks_per_second: u32,
) -> (StreamConfig, SampleFormat) {
    let (channels, sample_rate, format) = match host {
        AudioHost::Alsa | AudioHost::Jack | AudioHost::PipeWire => {
            (default.channels(), default.sample_rate(), default.sample_format())
        }
        AudioHost::Auto | AudioHost::PulseAudio => (1, server_rate, SampleFormat::F32),
    };
    let config = StreamConfig {
        channels,
        sample_rate,
        buffer_size: buffer_size(default, sample_rate / callbacks_per_second),
    };
    (config, format)
}

/// Gives as many frames for each callback as are wanted, or as near to that as the device can come.
fn buffer_size(supported: &SupportedStreamConfig, wanted: u32) -> BufferSize {
    match *supported.buffer_size() {
        cpal::SupportedBufferSize::Range { min, max } => BufferSize::Fixed(wanted.clamp(min, max.max(min))),
        cpal::SupportedBufferSize::Unknown => BufferSize::Fixed(wanted),
    }
}

/// Calls a function that is generic over the type of a sample, with the type of this format.
macro_rules! of_format {
    ($format:expr, $build:ident($($argument:expr),*)) => {
        match $format {
            cpal::SampleFormat::I8 => $build::<i8>($($argument),*),
            cpal::SampleFormat::I16 => $build::<i16>($($argument),*),
            cpal::SampleFormat::I24 => $build::<cpal::I24>($($argument),*),
            cpal::SampleFormat::I32 => $build::<i32>($($argument),*),
            cpal::SampleFormat::U8 => $build::<u8>($($argument),*),
            cpal::SampleFormat::U16 => $build::<u16>($($argument),*),
            cpal::SampleFormat::U32 => $build::<u32>($($argument),*),
            cpal::SampleFormat::F32 => $build::<f32>($($argument),*),
            cpal::SampleFormat::F64 => $build::<f64>($($argument),*),
            other => Err(cpal::Error::with_message(
                cpal::ErrorKind::UnsupportedConfig,
                format!("samples of format {other} are not understood"),
            )),
        }
    };
}
pub(crate) use of_format;

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
