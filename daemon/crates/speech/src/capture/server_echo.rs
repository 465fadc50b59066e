//! The echo canceller of a sound server: the microphone that it makes of another one, and how it is switched on. It takes out
//! whatever the server plays, also what other programs say; ours takes out our own voice alone. Switches nothing on.

use std::time::Duration;

use pulseaudio::protocol::{Prop, SourceInfo};
use serde::Serialize;
use tokio::time::timeout;

use crate::settings::AudioHost;
use crate::sound_server::connect;

/// A server that answers later than this is asked for its usual microphone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Such a microphone, or the module that makes it, has one of these in its name.
const NAMES: [&str; 4] = ["echo-cancel", "echo_cancel", "echocancel", "echo cancel"];

/// Says what the sound server has to cancel echoes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServerEcho {
    /// The server's microphone without the echo, if there is one.
    pub source: Option<String>,
    /// A line for a shell that makes a microphone without echo; only where none is there.
    pub switched_on_by: Option<String>,
}

/// Asks what the sound server has to cancel echoes. `None` where no sound server is used or answers.
pub async fn server_echo(host: AudioHost) -> Option<ServerEcho> {
    if !host.tried().contains(&AudioHost::PulseAudio) {
        return None;
    }
    let ask = async {
        let client = connect().ok()?;
        let server = client.server_info().await.ok()?;
        let sources = client.list_sources().await.ok()?;
        let name =
            |name: &Option<std::ffi::CString>| name.as_ref().map(|name| name.to_string_lossy().into_owned());
        let (microphone, speaker) = (
            name(&server.default_source_name)?,
            name(&server.default_sink_name)?,
        );
        let source = chosen(&microphone, &sources);
        let switched_on_by = source.is_none().then(|| command(&microphone, &speaker));
        Some(ServerEcho {
            source,
            switched_on_by,
        })
    };
    timeout(PATIENCE, ask).await.ok().flatten()
}

/// Finds the microphone without the echo that is taken in the place of the server's usual one.
pub(super) async fn source(host: AudioHost) -> Option<String> {
    server_echo(host).await?.source
}

/// Tells whether this is a microphone without the echo.
pub(super) fn is_cancelled(source: &SourceInfo) -> bool {
    let texts = [
        Some(&source.name),
        source.description.as_ref(),
        source.driver.as_ref(),
    ];
    let is_named = |text: &std::ffi::CString| {
        let text = text.to_string_lossy().to_lowercase();
        NAMES.iter().any(|name| text.contains(name))
    };
    source.monitor_of_sink_index.is_none() && texts.into_iter().flatten().any(is_named)
}

/// Chooses a microphone without echo that is made of the usual microphone, or does not say of which.
fn chosen(usual: &str, sources: &[SourceInfo]) -> Option<String> {
    let is_of_usual = |source: &SourceInfo| {
        let master = source.props.get(Prop::DeviceMasterDevice);
        master.is_none_or(|master| {
            let master = String::from_utf8_lossy(master);
            master.trim_end_matches('\0') == usual
        })
    };
    let is_usual = |source: &SourceInfo| source.name.to_string_lossy() == usual;
    let mut cancelled = sources.iter().filter(|source| is_cancelled(source));
    let found = cancelled.find(|source| is_usual(source) || is_of_usual(source))?;
    Some(found.name.to_string_lossy().into_owned())
}

/// Writes the command that loads the module. With its gain controls on, the module turns the microphone down until
/// nothing is heard; with its noise suppression, wake words are lost. What plays to another loudspeaker than the
/// module's is not taken out.
fn command(microphone: &str, speaker: &str) -> String {
    format!(
        "pactl load-module module-echo-cancel source_name=ec_mic sink_name=ec_spk source_master={microphone} \
         sink_master={speaker} rate=16000 channels=1 aec_method=webrtc \
         'aec_args=\"analog_gain_control=0 digital_gain_control=0 noise_suppression=0\"' \
         && pactl set-default-sink ec_spk"
    )
}
