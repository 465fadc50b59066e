//! Sound of clients: recordings become samples, and speech becomes a binary message. Nothing is heard or made here.

use std::io::Cursor;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use loquat_hive::{HiveMessage, Sound};
use loquat_speech::{Pcm, PcmFormat, UnusableSound};
use loquat_wire::{Message, object};
use serde_json::{Map, Value, json};

/// A recording has this many samples a second unless it says otherwise.
const RATE: u64 = 16_000;
const WIDTH: u64 = 2;

/// The sentence that is told with its sound has at most this many bytes; all that is told has to fit into 255.
const LONGEST_SENTENCE: usize = 120;

/// Says why bytes are no recording.
#[derive(Debug, thiserror::Error)]
pub(super) enum SoundError {
    #[error("failed to read the recording: it is no WAV file of whole numbers")]
    Wav,
    #[error("failed to read the recording: its audio is no Base64")]
    Base64,
    #[error(transparent)]
    Unusable(#[from] UnusableSound),
}

/// Reads which format bare numbers have that a client sends, all of one channel.
pub(super) fn format(told: &Map<String, Value>) -> PcmFormat {
    let number = |key: &str, usual: u64| told.get(key).and_then(Value::as_u64).unwrap_or(usual);
    PcmFormat {
        rate: number("sample_rate", RATE),
        width: number("sample_width", WIDTH),
        channels: 1,
    }
}

/// Reads the samples of a recording, which is a WAV file or bare numbers of the format that is told.
pub(super) fn samples(
    bytes: &[u8],
    told: &Map<String, Value>,
    longest: Duration,
) -> Result<Vec<f32>, SoundError> {
    if bytes.starts_with(b"RIFF") {
        return of_wav(bytes, longest);
    }
    let mut pcm = Pcm::new(format(told), longest)?;
    pcm.feed(bytes);
    Ok(pcm.finish())
}

fn of_wav(bytes: &[u8], longest: Duration) -> Result<Vec<f32>, SoundError> {
    let mut reader = hound::WavReader::new(Cursor::new(bytes)).map_err(|_| SoundError::Wav)?;
    let spec = reader.spec();
    let width = usize::from(spec.bits_per_sample / 8);
    if spec.sample_format != hound::SampleFormat::Int {
        return Err(SoundError::Wav);
    }
    let format = PcmFormat {
        rate: spec.sample_rate.into(),
        width: width as u64,
        channels: spec.channels.into(),
    };
    let mut pcm = Pcm::new(format, longest)?;
    let mut raw = Vec::with_capacity(bytes.len());
    for sample in reader.samples::<i32>() {
        // A file that is cut off is heard up to there.
        let Ok(sample) = sample else { break };
        raw.extend(sample.to_le_bytes().into_iter().take(width));
    }
    pcm.feed(&raw);
    Ok(pcm.finish())
}

pub(super) fn of_base64(data: &Map<String, Value>) -> Result<Vec<u8>, SoundError> {
    let audio = data.get("audio").and_then(Value::as_str).unwrap_or_default();
    BASE64_STANDARD.decode(audio).map_err(|_| SoundError::Base64)
}

/// Makes a binary message of speech that an audio service has made.
pub(super) fn speech(answer: &Message) -> Option<HiveMessage> {
    let bytes = of_base64(&answer.data).ok().filter(|bytes| !bytes.is_empty())?;
    let text = |key: &str| answer.data.get(key).and_then(Value::as_str);
    let sentence = text("utterance").unwrap_or_default();
    let sentence: String = sentence
        .char_indices()
        .take_while(|(place, letter)| place + letter.len_utf8() <= LONGEST_SENTENCE)
        .map(|(_, letter)| letter)
        .collect();
    let session = answer.context.session();
    // Stock clients make a file of that name, so it is one of ours.
    let name = format!("{}.wav", uuid::Uuid::new_v4().simple());
    let told = json!({"lang": session.lang(), "file_name": name, "utterance": sentence});
    Some(HiveMessage::bytes(Sound::Speech, bytes, object(told)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_secs(10);

    fn wav(rate: u32, seconds: usize) -> Vec<u8> {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut bytes = Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
        for _ in 0..rate as usize * seconds {
            writer.write_sample(1000_i16).unwrap();
        }
        writer.finalize().unwrap();
        bytes.into_inner()
    }

    #[test]
    fn files_and_bare_numbers_are_read() {
        let of_file = samples(&wav(8000, 2), &Map::new(), LONGEST).unwrap();
        let bare = vec![0; 16_000 * 2];
        let bare = samples(&bare, &Map::new(), LONGEST).unwrap();
        let near = |samples: &[f32], seconds: usize| samples.len().abs_diff(16_000 * seconds) < 1600;
        assert!(
            near(&of_file, 2) && near(&bare, 1),
            "{} {}",
            of_file.len(),
            bare.len()
        );
        assert!(matches!(
            samples(b"RIFFxxxx", &Map::new(), LONGEST),
            Err(SoundError::Wav)
        ));
        let wide = object(json!({"sample_width": 9}));
        assert!(matches!(
            samples(&[0; 8], &wide, LONGEST),
            Err(SoundError::Unusable(_))
        ));
        assert!(of_base64(&object(json!({"audio": "%"}))).is_err());
    }

    #[test]
    fn speech_travels_with_little_told_of_it() {
        let answer = Message::new(
            "x",
            json!({"audio": BASE64_STANDARD.encode([1, 2]), "utterance": "ä".repeat(400)}),
        );
        let message = speech(&answer).unwrap();
        assert_eq!(
            message.payload,
            loquat_hive::Payload::Bytes(Sound::Speech, vec![1, 2])
        );
        assert!(Value::Object(message.metadata).to_string().len() <= 255);
        assert!(speech(&Message::new("x", json!({"audio": ""}))).is_none());
    }
}
