//! A speech server of the shape of Piper's: `POST /` with `{"text": …, "length_scale": …}` as JSON gives a WAV file.
//!
//! It may be on another machine; what is spoken is sent there.

use std::time::Duration;

use loquat_speech::wav;
use serde_json::json;

use super::piece::{MakeSpeechError, Piece, Pieces};
use super::speed::Speed;

/// The longest that a sentence may take to be made.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that is there takes a connection within this time.
const CONNECT_PATIENCE: Duration = Duration::from_secs(2);

/// The most that an answer may hold: three minutes of the usual sound.
const MOST_BYTES: usize = 8 << 20;

#[derive(Debug, Clone)]
pub(super) struct SpeechServer {
    url: String,
    speed: Speed,
    client: reqwest::Client,
}

impl SpeechServer {
    pub(super) fn new(url: String, speed: Speed) -> Self {
        let client = loquat_tls::http_client()
            .connect_timeout(CONNECT_PATIENCE)
            .timeout(PATIENCE)
            .build();
        Self {
            url,
            speed,
            client: client.unwrap_or_default(),
        }
    }

    pub(super) fn name(&self) -> String {
        self.url.clone()
    }

    pub(super) async fn make(&self, sentence: &str, pieces: &Pieces) -> Result<(), MakeSpeechError> {
        let answer = self.ask(sentence).await?;
        let (rate, samples) = wav::read_bytes_as_they_are(&answer, "the answer").map_err(|source| {
            MakeSpeechError::NoSound {
                program: self.url.clone(),
                source,
            }
        })?;
        // It may not be wanted any more.
        drop(pieces.send(Piece { rate, samples }).await);
        Ok(())
    }

    async fn ask(&self, sentence: &str) -> Result<Vec<u8>, MakeSpeechError> {
        let unreachable = |source: reqwest::Error| MakeSpeechError::Unreachable {
            url: self.url.clone(),
            source: source.without_url(),
        };
        let scale = (self.speed.length_scale() * 100.0).round() / 100.0;
        let question = json!({"text": sentence, "length_scale": scale});
        let sent = self.client.post(&self.url).json(&question).send().await;
        let mut answer = sent.map_err(unreachable)?;
        let status = answer.status();
        if !status.is_success() {
            let url = self.url.clone();
            return Err(MakeSpeechError::Refused { url, status });
        }
        let mut sound = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            sound.extend_from_slice(&chunk);
            if sound.len() > MOST_BYTES {
                let (program, seconds) = (self.url.clone(), PATIENCE.as_secs());
                return Err(MakeSpeechError::Endless { program, seconds });
            }
        }
        Ok(sound)
    }
}
