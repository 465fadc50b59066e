//! Speech for a loudspeaker that is somewhere else (AUDIO-1 §4.1): a satellite asks for a sentence and gets its sound.
//!
//! Any session may ask; nothing is played here.

use std::io::Cursor;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hound::{SampleFormat, WavSpec, WavWriter};
use loquat_bus::Bus;
use loquat_failure::with_causes;
use loquat_wire::{Message, answer_lang, topic};
use serde_json::{Value, json};
use tokio::task::{AbortHandle, JoinSet};

use super::ladder::Ladder;
use super::piece::{MakeSpeechError, Piece};
use super::sentences::sentences;

/// Sentences that are made at once; one more gets no sound, so that a flood costs its sender and not the device.
const AT_ONCE: usize = 4;

/// The longest that an answer may take to be made.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most sound for one answer: with its encoding it still fits into a frame of the bus.
const MAX_BYTES: usize = 16 << 20;

/// Says why there is no sound for a satellite.
#[derive(Debug, thiserror::Error)]
enum MakeSoundError {
    #[error(transparent)]
    Unmade(#[from] MakeSpeechError),
    #[error("it is not made within {} s", PATIENCE.as_secs())]
    TooLate,
    #[error("it is longer than fits into a frame")]
    TooLong,
    #[error("there is nothing in it to be spoken")]
    Nothing,
    #[error("failed to write it as a WAV file")]
    Unwritten(#[from] hound::Error),
}

/// Makes sound for others.
#[derive(Debug)]
pub(super) struct Remote {
    ladder: Ladder,
    made: JoinSet<()>,
    sessions: Vec<(String, AbortHandle)>,
}

impl Remote {
    pub(super) fn new(ladder: Ladder) -> Self {
        Self {
            ladder,
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
        let answer = answer(self.ladder.clone(), bus.clone(), request);
        self.sessions.push((session_id, self.made.spawn(answer)));
    }

    /// Nothing that this session has asked for is sent any more.
    pub(super) fn stop(&mut self, session_id: &str) {
        let theirs = self.sessions.iter().filter(|(id, _)| id == session_id);
        theirs.for_each(|(_, task)| task.abort());
    }
}

async fn answer(ladder: Ladder, bus: Bus, request: Message) {
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
    let made = tokio::time::timeout(PATIENCE, sound(&ladder, utterance, &lang)).await;
    let audio = match made.unwrap_or(Err(MakeSoundError::TooLate)) {
        Ok(sound) => BASE64_STANDARD.encode(sound),
        Err(error) => {
            return tracing::warn!(
                error = with_causes(&error),
                "failed to make a sentence for another loudspeaker"
            );
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

/// Makes the answer as a WAV file.
async fn sound(ladder: &Ladder, text: &str, lang: &str) -> Result<Vec<u8>, MakeSoundError> {
    let pieces = ladder.make_all(&sentences(text, lang), lang).await?;
    let samples: usize = pieces.iter().map(|piece| piece.samples.len()).sum();
    if samples * 2 > MAX_BYTES {
        return Err(MakeSoundError::TooLong);
    }
    wav(&pieces)
}

/// Joins pieces of one rung, which are of one rate.
fn wav(pieces: &[Piece]) -> Result<Vec<u8>, MakeSoundError> {
    let format = WavSpec {
        channels: 1,
        sample_rate: pieces.first().ok_or(MakeSoundError::Nothing)?.rate,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut file = Cursor::new(Vec::new());
    let mut writer = WavWriter::new(&mut file, format)?;
    for sample in pieces.iter().flat_map(|piece| &piece.samples) {
        writer.write_sample((sample * f32::from(i16::MAX)) as i16)?;
    }
    writer.finalize()?;
    Ok(file.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_become_one_file() {
        let piece = |samples: &[f32]| Piece {
            rate: 22_050,
            samples: samples.to_vec(),
        };
        let file = wav(&[piece(&[0.0, 1.0]), piece(&[-1.0])]).unwrap();
        let mut read = hound::WavReader::new(Cursor::new(file)).unwrap();
        assert_eq!(read.spec().sample_rate, 22_050);
        let samples: Vec<i16> = read.samples().map(Result::unwrap).collect();
        assert_eq!(samples, [0, i16::MAX, -i16::MAX]);
        assert!(matches!(wav(&[]), Err(MakeSoundError::Nothing)));
    }
}
