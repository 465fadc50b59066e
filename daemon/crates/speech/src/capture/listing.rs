//! The microphones that the sound systems know, and how each stands. Opens none of them.

use std::time::Duration;

use cpal::traits::{DeviceTrait, HostTrait};
use pulseaudio::protocol::{SourceInfo, SourceState, Volume};
use serde::Serialize;
use tokio::time::timeout;

use super::server_echo::is_cancelled;

use crate::settings::AudioHost;
use crate::sound_device::{Wanted, explain};
use crate::sound_server::{connect, system};

/// A sound system that hangs is left alone.
const PATIENCE: Duration = Duration::from_secs(5);

/// The volume at which nothing is changed.
const FULL_VOLUME: u32 = 0x1_0000;

/// Below a tenth of the full volume hardly anything arrives.
const FAINT_PERCENT: u32 = 10;

/// Says how a microphone stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum DeviceState {
    /// It can be heard.
    Ready,
    /// It is being heard by some program, which lets others hear it too.
    InUse,
    /// It is switched off in the sound system.
    Muted,
    /// It is turned down so far that hardly anything arrives.
    Faint {
        /// The volume in per cent of the full one.
        percent: u32,
    },
    /// It is no microphone: it repeats what a loudspeaker plays.
    Monitor,
    /// It cannot be used.
    Unusable {
        /// The reason, in words for a person.
        reason: String,
    },
}

/// A microphone, or what looks like one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputDevice {
    /// The sound system that knows it.
    pub host: AudioHost,
    /// The text that names it best in `device` of the settings.
    pub id: String,
    /// A name for people.
    pub name: String,
    /// Says whether the sound system takes it where none is named.
    pub is_default: bool,
    /// Says whether the settings name it.
    pub is_wanted: bool,
    /// Says whether what the loudspeaker plays is taken out of it by the sound system.
    pub is_without_echo: bool,
    /// Says how it stands.
    #[serde(flatten)]
    pub state: DeviceState,
}

/// The answer of one sound system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HostDevices {
    /// The sound system.
    pub host: AudioHost,
    /// The microphones that it knows.
    pub devices: Vec<InputDevice>,
    /// Says why it has none to tell of, where that is so.
    pub fault: Option<String>,
}

/// Lists all microphones of these sound systems. `device` is the one of the settings.
pub async fn input_devices(host: AudioHost, device: Option<&str>) -> Vec<HostDevices> {
    let mut all = Vec::new();
    for host in host.tried() {
        let found = match host {
            AudioHost::Auto | AudioHost::PulseAudio => of_pulseaudio(device).await,
            AudioHost::Alsa | AudioHost::Jack | AudioHost::PipeWire => of_cpal(*host, device).await,
        };
        let (devices, fault) = match found {
            Ok(devices) => (devices, None),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        all.push(HostDevices {
            host: *host,
            devices,
            fault,
        });
    }
    all
}

async fn of_pulseaudio(device: Option<&str>) -> Result<Vec<InputDevice>, String> {
    let wanted = device.map(Wanted::new);
    let ask = async {
        let client = connect()?;
        let server = client.server_info().await?;
        Ok::<_, pulseaudio::ClientError>((server.default_source_name, client.list_sources().await?))
    };
    let answer = timeout(PATIENCE, ask).await;
    let answer = answer.map_err(|_| "it does not answer, restart the sound server".to_owned())?;
    let (default, sources) = answer.map_err(|error| format!("it does not answer ({error})"))?;
    let told = |source: &SourceInfo| {
        let id = source.name.to_string_lossy().into_owned();
        let name = source.description.as_ref().unwrap_or(&source.name);
        let name = name.to_string_lossy().into_owned();
        InputDevice {
            host: AudioHost::PulseAudio,
            is_default: default.as_ref() == Some(&source.name),
            is_wanted: wanted.as_ref().is_some_and(|wanted| wanted.is(&id, &name)),
            is_without_echo: is_cancelled(source),
            state: state_of(source),
            id,
            name,
        }
    };
    Ok(sources.iter().map(told).collect())
}

fn state_of(source: &SourceInfo) -> DeviceState {
    let loudest = source.cvolume.channels().iter().map(Volume::as_u32);
    let (loudest, full) = (
        u64::from(loudest.max().unwrap_or(FULL_VOLUME)),
        u64::from(FULL_VOLUME),
    );
    // Rounded, as the sound server's own programs show it.
    let percent = u32::try_from((loudest * 100 + full / 2) / full).unwrap_or(u32::MAX);
    if source.monitor_of_sink_index.is_some() {
        DeviceState::Monitor
    } else if source.muted {
        DeviceState::Muted
    } else if percent < FAINT_PERCENT {
        DeviceState::Faint { percent }
    } else if source.state == SourceState::Running {
        DeviceState::InUse
    } else {
        DeviceState::Ready
    }
}

/// Tells whether libasound lists a microphone: most of what it lists are converters, which complain when they
/// are asked.
fn is_capture(id: &str) -> bool {
    id.contains(':') || ["default", "pulse", "pipewire"].contains(&id)
}

/// A sound system's library may hang, so it is asked on a thread of its own, which is left behind then.
async fn of_cpal(host: AudioHost, device: Option<&str>) -> Result<Vec<InputDevice>, String> {
    let device = device.map(str::to_owned);
    let list = move || {
        let _chatter = alsa::Output::local_error_handler();
        let system = system(host).map_err(|error| explain(&error))?;
        let default = system.default_input_device().and_then(|device| device.id().ok());
        let wanted = device.as_deref().map(Wanted::new);
        let devices = system.input_devices().map_err(|error| explain(&error))?;
        let told = |device: cpal::Device| {
            let is_meant = |id: &cpal::DeviceId| host != AudioHost::Alsa || is_capture(id.id());
            let id = device.id().ok().filter(is_meant)?;
            let name = device.to_string();
            let state = match device.default_input_config() {
                Ok(_) => DeviceState::Ready,
                Err(error) => DeviceState::Unusable {
                    reason: explain(&error),
                },
            };
            Some(InputDevice {
                host,
                is_default: default.as_ref() == Some(&id),
                is_wanted: wanted.as_ref().is_some_and(|wanted| wanted.is(id.id(), &name)),
                is_without_echo: false,
                id: id.id().to_owned(),
                name,
                state,
            })
        };
        Ok(devices.filter_map(told).collect())
    };
    let listed = timeout(PATIENCE, tokio::task::spawn_blocking(list)).await;
    match listed {
        Ok(Ok(devices)) => devices,
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it does not answer".to_owned()),
    }
}
