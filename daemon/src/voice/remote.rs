//! Speech for a loudspeaker that is somewhere else (AUDIO-1 §4.1): a satellite asks for a sentence and gets its sound.
//!
//! Any session may ask; nothing is played here.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use loquat_bus::Bus;
use loquat_wire::{Message, answer_lang, topic};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::{AbortHandle, JoinSet};

use super::espeak::Espeak;

/// Sentences that are made at once; one more gets no sound, so that a flood costs its sender and not the device.
const AT_ONCE: usize = 4;

/// The longest that a sentence may take to be made.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most sound for one sentence: with its encoding it still fits into a frame of the bus.
const MAX_BYTES: u64 = 16 << 20;

/// Makes sound for others.
#[derive(Debug)]
pub(super) struct Remote {
    espeak: Espeak,
    made: JoinSet<()>,
    sessions: Vec<(String, AbortHandle)>,
}

impl Remote {
    pub(super) fn new(espeak: Espeak) -> Self {
        Self {
            espeak,
            made: JoinSet::new(),
            sessions: Vec::new(),
        }
    }

    /// Makes the sound of the sentence and answers with it.
    pub(super) fn speak(&mut self, request: Message, bus: &Bus) {
        while self.made.try_join_next().is_some() {}
        self.sessions.retain(|(_, task)| !task.is_finished());
        if self.sessions.len() >= AT_ONCE {
            tracing::warn!("a sentence for another loudspeaker was dropped: too many are being made");
            return;
        }
        let session_id = request.context.session_id().to_owned();
        let answer = answer(self.espeak.clone(), bus.clone(), request);
        self.sessions.push((session_id, self.made.spawn(answer)));
    }

    /// Nothing that this session has asked for is sent any more.
    pub(super) fn stop(&mut self, session_id: &str) {
        let theirs = self.sessions.iter().filter(|(id, _)| id == session_id);
        theirs.for_each(|(_, task)| task.abort());
    }
}

async fn answer(espeak: Espeak, bus: Bus, request: Message) {
    let text = |key: &str| request.data.get(key).and_then(Value::as_str);
    let utterance = text("utterance").unwrap_or_default().trim();
    if utterance.is_empty() {
        return;
    }
    let session = request.context.session();
    let lang = text("lang").map_or_else(
        || answer_lang(&session, session.lang().unwrap_or("en")),
        str::to_owned,
    );
    let made = tokio::time::timeout(PATIENCE, sound(&espeak, utterance, &lang)).await;
    let audio = match made.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(sound) => BASE64_STANDARD.encode(sound),
        Err(error) => {
            return tracing::warn!(%error, "failed to make a sentence for another loudspeaker with espeak-ng");
        }
    };
    let listen = request
        .data
        .get("listen")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let data = json!({"audio": audio, "mime": "audio/wav", "listen": listen, "utterance": utterance});
    if let Err(error) = bus.emit(request.reply(topic::AUDIO_SPEECH, data)).await {
        tracing::warn!(%error, "failed to send a sentence for another loudspeaker");
    }
}

/// The sentence as a WAV file.
async fn sound(espeak: &Espeak, text: &str, lang: &str) -> io::Result<Vec<u8>> {
    let mut command = espeak.command(lang);
    let mut child = command.arg("--stdout").stdout(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).await?;
    }
    let mut sound = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(MAX_BYTES + 1).read_to_end(&mut sound).await?;
    }
    if sound.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("it is too long"));
    }
    let status = child.wait().await?;
    if status.success() {
        tell_length(&mut sound);
        Ok(sound)
    } else {
        Err(io::Error::other(status.to_string()))
    }
}

/// Puts the lengths into the head of a WAV file: a program that writes into a pipe cannot go back and do it.
fn tell_length(sound: &mut [u8]) {
    const RIFF: std::ops::Range<usize> = 4..8;
    const DATA: std::ops::Range<usize> = 40..44;
    for place in [RIFF, DATA] {
        let behind = u32::try_from(sound.len().saturating_sub(place.end)).unwrap_or(u32::MAX);
        if let Some(length) = sound.get_mut(place) {
            length.copy_from_slice(&behind.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lengths_count_what_is_behind_them() {
        let mut sound = vec![0xff; 44 + 1000];
        tell_length(&mut sound);
        assert_eq!(sound[4..8], 1036_u32.to_le_bytes());
        assert_eq!(sound[40..44], 1000_u32.to_le_bytes());
        tell_length(&mut []);
    }
}
