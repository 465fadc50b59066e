//! The loudness by PulseAudio's native protocol, which pipewire-pulse speaks too: a connection for each question.
//!
//! A server that is silent is waited for two seconds. Plays and records nothing.

use std::ffi::CString;
use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use pulseaudio::protocol::{
    AuthParams, AuthReply, ChannelVolume, Command, DEFAULT_SINK, GetSinkInfo, MAX_VERSION, Prop, Props,
    ProtocolError, PulseError, SetClientNameReply, SetDeviceMuteParams, SetDeviceVolumeParams, SinkInfo,
    SinkInfoList, Volume, read_ack_message, read_reply_message, write_command_message,
};
use rustix::net::sockopt::set_socket_passcred;

use super::mixer::{Level, MixerError, SoundSystem, Wish};

const PATIENCE: Duration = Duration::from_secs(2);

/// PulseAudio closes the connection where a client sends another length, and lets one of its own user in whatever these
/// bytes are.
const COOKIE: usize = 256;

/// A sound server.
#[derive(Debug, Clone)]
pub(crate) struct Pulse {
    /// Absent where this process knows none.
    pub(crate) socket: Option<PathBuf>,
    /// The files that may hold what the server knows its clients by.
    pub(crate) cookies: Vec<PathBuf>,
}

impl SoundSystem for Pulse {
    fn ask(&self, wish: Wish) -> BoxFuture<'static, Result<Level, MixerError>> {
        let server = self.clone();
        async move {
            // The protocol's reader blocks; its socket has a time limit.
            let asked = tokio::task::spawn_blocking(move || server.exchange(wish)).await;
            asked.unwrap_or_else(|_| {
                Err(MixerError::Refused(
                    "the sound server was not understood".to_owned(),
                ))
            })
        }
        .boxed()
    }
}

impl Pulse {
    fn exchange(&self, wish: Wish) -> Result<Level, MixerError> {
        let socket = self.socket.as_ref().ok_or_else(|| {
            MixerError::Absent(
                "failed to find a sound server; start PulseAudio or PipeWire, or set PULSE_SERVER".to_owned(),
            )
        })?;
        let unreachable = |error: std::io::Error| {
            let socket = socket.display();
            MixerError::Absent(format!(
                "failed to reach the sound server at {socket}: {error}; see whether PulseAudio or PipeWire runs"
            ))
        };
        let stream = UnixStream::connect(socket).map_err(unreachable)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(unreachable)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(unreachable)?;
        // The server knows its own user by what the kernel sends along. It asks for that only after it has accepted a
        // connection, too late for a client that writes at once, so this side asks too.
        set_socket_passcred(&stream, true).map_err(|error| unreachable(error.into()))?;
        let said = Talk::begin(stream, self.cookie()).and_then(|mut talk| talk.grant(wish));
        said.map_err(|error| {
            let socket = socket.display();
            MixerError::Refused(format!(
                "the sound server at {socket} refused: {error}; see its log"
            ))
        })
    }

    /// Of the first file that holds one, else one that is good for a server of our own user.
    fn cookie(&self) -> Vec<u8> {
        let mut kept = self.cookies.iter().filter_map(|file| std::fs::read(file).ok());
        let whole = kept.find(|cookie| cookie.len() == COOKIE);
        whole.unwrap_or_else(|| vec![0; COOKIE])
    }
}

/// A connection on which the server knows us.
struct Talk {
    stream: BufReader<UnixStream>,
    version: u16,
    next: u32,
}

impl Talk {
    fn begin(stream: UnixStream, cookie: Vec<u8>) -> Result<Self, ProtocolError> {
        let mut talk = Self {
            stream: BufReader::new(stream),
            version: MAX_VERSION,
            next: 0,
        };
        talk.send(&Command::Auth(AuthParams {
            version: MAX_VERSION,
            supports_shm: false,
            supports_memfd: false,
            cookie,
        }))?;
        let (_, known) = read_reply_message::<AuthReply>(&mut talk.stream, talk.version)?;
        talk.version = MAX_VERSION.min(known.version);
        let mut properties = Props::new();
        properties.set(Prop::ApplicationName, CString::from(c"Loquat"));
        talk.send(&Command::SetClientName(properties))?;
        read_reply_message::<SetClientNameReply>(&mut talk.stream, talk.version)?;
        Ok(talk)
    }

    fn send(&mut self, command: &Command) -> Result<(), ProtocolError> {
        let number = self.next;
        self.next += 1;
        write_command_message(self.stream.get_mut(), number, command, self.version)
    }

    /// Does it, and tells how loud the device is then.
    fn grant(&mut self, wish: Wish) -> Result<Level, ProtocolError> {
        let sink = self.sink()?;
        match wish {
            Wish::Tell => return Ok(level(&sink)),
            Wish::Set(percent) => self.send(&Command::SetSinkVolume(SetDeviceVolumeParams {
                device_index: Some(sink.index),
                device_name: None,
                volume: volume(percent, sink.cvolume.channels().len()),
            }))?,
            Wish::Mute(mute) => self.send(&Command::SetSinkMute(SetDeviceMuteParams {
                device_index: Some(sink.index),
                device_name: None,
                mute,
            }))?,
        }
        read_ack_message(&mut self.stream)?;
        self.sink().map(|sink| level(&sink))
    }

    /// The default one. `PipeWire` without a session manager has none; then the first counts.
    fn sink(&mut self) -> Result<SinkInfo, ProtocolError> {
        self.send(&Command::GetSinkInfo(GetSinkInfo {
            index: None,
            name: Some(DEFAULT_SINK.to_owned()),
        }))?;
        match read_reply_message::<SinkInfo>(&mut self.stream, self.version) {
            Ok((_, sink)) => Ok(sink),
            Err(ProtocolError::ServerError(PulseError::NoEntity)) => self.first_sink(),
            Err(error) => Err(error),
        }
    }

    fn first_sink(&mut self) -> Result<SinkInfo, ProtocolError> {
        self.send(&Command::GetSinkInfoList)?;
        let (_, sinks) = read_reply_message::<SinkInfoList>(&mut self.stream, self.version)?;
        let first = sinks.into_iter().next();
        first.ok_or(ProtocolError::ServerError(PulseError::NoEntity))
    }
}

/// The loudest channel counts.
fn level(sink: &SinkInfo) -> Level {
    let loudest = sink.cvolume.channels().iter().map(Volume::as_u32).max();
    let share = f64::from(loudest.unwrap_or_default()) / f64::from(Volume::NORM.as_u32());
    Level {
        percent: (share * 100.0).round().min(100.0) as u8,
        muted: sink.muted,
    }
}

/// All channels alike; never above what the sound has of itself.
fn volume(percent: u8, channels: usize) -> ChannelVolume {
    let raw = f64::from(Volume::NORM.as_u32()) * f64::from(percent.min(100)) / 100.0;
    let mut volume = ChannelVolume::empty();
    for _ in 0..channels.max(1) {
        volume.push(Volume::from_u32_clamped(raw.round() as u32));
    }
    volume
}
