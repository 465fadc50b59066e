//! Ways into the sound system: cpal's, and a connection of our own to a PulseAudio server. Opens no stream.
//!
//! A PulseAudio server that knows no cookie lets its own user in by what the kernel sends along with a message. It asks
//! for that a moment after it has accepted the connection, so it refuses a client that wrote earlier.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use cpal::{ErrorKind, Host, HostId};
use pulseaudio::{Client, ClientError, cookie_path_from_env, socket_path_from_env};
use rustix::net::sockopt::set_socket_passcred;

use crate::settings::AudioHost;

/// Cpal's connection is tried this often where it is refused. It cannot be told to send along who we are, and one in
/// eight was refused beside a busy core, up to five in a row.
const TRIES: u32 = 25;

/// Time for the server to be idle again; tries without a pause were refused 35 times in a row.
const PAUSE: Duration = Duration::from_millis(20);

/// Connects to the sound system itself. It blocks for half a second at most where it is refused, and for
/// three where nothing answers.
///
/// # Errors
///
/// In the words of the sound system.
#[expect(
    clippy::disallowed_methods,
    reason = "the thread of a stream waits for a server that tells of nothing"
)]
pub(crate) fn system(host: AudioHost) -> Result<Host, cpal::Error> {
    let id = id(host)?;
    let is_refused = |error: &cpal::Error| error.kind() == ErrorKind::PermissionDenied;
    let mut system = cpal::host_from_id(id);
    for _ in 1..TRIES {
        if !system.as_ref().is_err_and(is_refused) {
            break;
        }
        std::thread::sleep(PAUSE);
        system = cpal::host_from_id(id);
    }
    system
}

/// Gives the name that cpal has for it, where it is built in.
fn id(host: AudioHost) -> Result<HostId, cpal::Error> {
    match host {
        AudioHost::Auto | AudioHost::PulseAudio => Ok(HostId::PulseAudio),
        AudioHost::Alsa => Ok(HostId::Alsa),
        #[cfg(feature = "jack")]
        AudioHost::Jack => Ok(HostId::Jack),
        #[cfg(feature = "pipewire")]
        AudioHost::PipeWire => Ok(HostId::PipeWire),
        #[cfg(not(all(feature = "jack", feature = "pipewire")))]
        missing => Err(cpal::Error::with_message(
            ErrorKind::UnsupportedConfig,
            format!(
                "it is not built in, build with `--features {}` or set speech.host = \"auto\"",
                missing.name().to_lowercase()
            ),
        )),
    }
}

/// Opens a connection of our own, for questions that cpal cannot ask. The kernel sends along who we are from
/// the first byte on.
///
/// # Errors
///
/// Where no server is named or reached, or it does not let this user in.
pub(crate) fn connect() -> Result<Client, ClientError> {
    let socket = socket_path_from_env().ok_or(ClientError::ServerUnavailable)?;
    let stream = UnixStream::connect(socket)?;
    set_socket_passcred(&stream, true).map_err(std::io::Error::from)?;
    let cookie = cookie_path_from_env().and_then(|file| std::fs::read(file).ok());
    Client::new_unix(c"loquat", stream, cookie)
}

#[cfg(all(test, not(any(feature = "jack", feature = "pipewire"))))]
mod tests {
    use super::*;

    #[test]
    fn a_sound_system_that_is_not_built_in_names_its_feature() {
        for (host, feature) in [
            (AudioHost::Jack, "--features jack"),
            (AudioHost::PipeWire, "--features pipewire"),
        ] {
            let error = system(host).err().unwrap().to_string();
            assert!(error.contains(feature), "{error}");
        }
    }
}
