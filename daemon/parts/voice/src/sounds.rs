//! Sounds that are asked for on the bus (AUDIO-1 §4), such as that of an alarm: WAV files of this machine, those that OVOS has
//! names for, and sound that comes in the frame, played by the player that speaks. Fetches nothing from other machines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use loquat_failure::with_causes;
use loquat_part::stillness::Stillness;
use loquat_speech::playback::{PlayError, Playing};
use loquat_speech::tones;
use loquat_speech::{Player, wav};
use loquat_wire::Message;
use loquat_wire::speech::MICROPHONE;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::named_sounds::{self, NamedSounds};
use super::news::{News, Told};

/// Sounds that may wait for their turn; one more is not played, since it would come too late.
const WAITING: usize = 4;

/// The largest file that is read: three minutes of the best sound.
const MOST_BYTES: u64 = 32 << 20;

/// A wake word also silences the device, which comes later than the sound that confirms the word; no person says "stop" as soon.
const HUSHED_WITHIN: Duration = Duration::from_secs(2);

/// Errors call the sound in a frame by this name.
const IN_A_FRAME: &str = "audio";

/// Types of sound in a frame that are WAV files, and those that are 16-bit PCM, little end first, mono.
const WAV_TYPES: [&str; 4] = ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"];
const PCM_TYPES: [&str; 3] = ["audio/pcm", "audio/raw", "audio/x-raw"];

/// Says why a sound is not heard.
#[derive(Debug, thiserror::Error)]
enum PlaySoundError {
    #[error("failed to read the sound file {}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("failed to play {}: it is no file of at most 32 MiB", .0.display())]
    NoFile(PathBuf),
    #[error(
        "failed to find the sound {0}: put it as a WAV file into ~/.mycroft, or name a WAV file by its whole path"
    )]
    NotFound(String),
    #[error("failed to play a sound: a frame has `uri` or `audio`, and this one has both")]
    Ambiguous,
    #[error("failed to read the sound in a frame: `audio` is to be base64")]
    NoBase64(#[from] base64::DecodeError),
    #[error("failed to play sound of the type {0}: send a WAV file, or 16-bit PCM with its `sample_rate`")]
    UnknownType(String),
    #[error(transparent)]
    NoSound(#[from] wav::ReadWavError),
    #[error(transparent)]
    Unplayed(#[from] PlayError),
}

/// A sound that a frame asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sound {
    /// It is a WAV file of this machine.
    File(PathBuf),
    /// A sound that OVOS has under this name.
    Named(String),
    /// A WAV file that came in the frame.
    Wav(Vec<u8>),
    /// 16-bit PCM that came in the frame, and its samples a second.
    Pcm(Vec<u8>, u32),
}

impl Sound {
    /// Reads what the frame asks for. A file that is not on this machine is for others.
    fn of(frame: &Message) -> Result<Option<Self>, PlaySoundError> {
        let text = |key: &str| frame.data.get(key).and_then(Value::as_str);
        let given = |key: &str| text(key).filter(|text| !text.is_empty());
        match (given("uri"), given("audio")) {
            (Some(_), Some(_)) => Err(PlaySoundError::Ambiguous),
            (Some(uri), None) => Ok(Self::at(uri)),
            (None, Some(audio)) => {
                let rate = frame.data.get("sample_rate").and_then(Value::as_u64);
                let rate = rate.and_then(|rate| u32::try_from(rate).ok());
                Self::within(audio, text("mime").unwrap_or_default(), rate).map(Some)
            }
            (None, None) => Ok(None),
        }
    }

    fn at(uri: &str) -> Option<Self> {
        let path = Path::new(uri.strip_prefix("file://").unwrap_or(uri));
        if path.is_absolute() {
            return Some(Self::File(path.to_owned()));
        }
        NamedSounds::is_name(uri).then(|| Self::Named(uri.to_owned()))
    }

    /// Reads sound that came in the frame. Without a type it is taken for a WAV file, which says itself whether it is
    /// one.
    fn within(audio: &str, mime: &str, rate: Option<u32>) -> Result<Self, PlaySoundError> {
        let kind = mime.split(';').next().unwrap_or_default().trim().to_lowercase();
        let is_one_of = |types: &[&str]| types.contains(&kind.as_str());
        let bytes = || BASE64_STANDARD.decode(audio);
        match rate {
            _ if kind.is_empty() || is_one_of(&WAV_TYPES) => Ok(Self::Wav(bytes()?)),
            Some(rate) if is_one_of(&PCM_TYPES) => Ok(Self::Pcm(bytes()?, rate)),
            _ => Err(PlaySoundError::UnknownType(mime.to_owned())),
        }
    }
}

/// Plays the instant ones (§4.2), which have no part in the queue of what is spoken: no beginning and no end of theirs is told,
/// so that the sound that confirms a wake word does not pass for the device's voice, for which the microphone may be muted. One
/// after the other, and behind what is being spoken: there is one stream, of which the echo canceller knows. A stop silences
/// them, because a person who says so wants to hear nothing more.
#[derive(Debug)]
pub(super) struct Sounds {
    jukebox: Jukebox,
    played: JoinSet<()>,
}

impl Sounds {
    pub(super) fn new(player: Player, names: NamedSounds, stillness: Stillness) -> Self {
        let names = Arc::new(names);
        Self {
            jukebox: Jukebox {
                player,
                names,
                stillness,
                is_foreign: false,
            },
            played: JoinSet::new(),
        }
    }

    /// Makes what plays one sound in the queue; `is_foreign` tells whether a program asks for it.
    pub(super) fn jukebox(&self, is_foreign: bool) -> Jukebox {
        Jukebox {
            is_foreign,
            ..self.jukebox.clone()
        }
    }

    /// Plays the sound that a frame asks for; `is_foreign` tells whether it is a program's.
    pub(super) fn play(&mut self, frame: &Message, is_foreign: bool) {
        while self.played.try_join_next().is_some() {}
        let Some(sound) = asked_for(frame).filter(|_| self.played.len() < WAITING) else {
            return;
        };
        let jukebox = self.jukebox(is_foreign);
        let confirms = frame.context.source() == Some(MICROPHONE);
        self.played.spawn(async move {
            let asked = Instant::now();
            let mut end = jukebox.play(&sound, std::future::ready(())).await;
            if confirms && is_stopped(&end) && asked.elapsed() < HUSHED_WITHIN {
                end = jukebox.play(&sound, std::future::ready(())).await;
            }
            if let Err(error) = end {
                jukebox.complain(&error);
            }
        });
    }
}

/// Reads which sound a frame asks for, if it is one of ours to play.
pub(super) fn asked_for(frame: &Message) -> Option<Sound> {
    match Sound::of(frame) {
        Ok(sound) => {
            if sound.is_none() {
                tracing::debug!(uri = ?frame.data.get("uri"), "a sound is not played");
            }
            sound
        }
        Err(error) => {
            tracing::warn!(error = with_causes(&error), "a sound is not heard");
            None
        }
    }
}

/// Tells why a sound is not played.
pub(super) fn tell_of_stillness() {
    tracing::info!("a program's sound is not played: a person is being asked for a yes");
}

fn is_stopped(end: &Result<(), PlaySoundError>) -> bool {
    matches!(end, Err(PlaySoundError::Unplayed(PlayError::Stopped)))
}

/// Plays one sound. Clones are one.
#[derive(Debug, Clone)]
pub(super) struct Jukebox {
    player: Player,
    names: Arc<NamedSounds>,
    stillness: Stillness,
    /// Says whether a program asks for the sound.
    is_foreign: bool,
}

impl Jukebox {
    /// Plays a sound of the queue (§4.1) to its end, and tells when it begins and how it ended. Dropped it is silent.
    pub(super) async fn deliver(self, sound: Sound, number: u64, told: mpsc::Sender<News>) {
        // What listens ends with the daemon only.
        let begins = async { drop(told.send((number, Told::Sounds)).await) };
        let end = self.play(&sound, begins).await;
        let news = match end {
            Err(PlaySoundError::Unplayed(PlayError::Stopped)) => Told::Silenced,
            Err(error) => {
                self.complain(&error);
                Told::Ended
            }
            Ok(()) => Told::Ended,
        };
        drop(told.send((number, news)).await);
    }

    async fn play(&self, sound: &Sound, begins: impl Future<Output = ()>) -> Result<(), PlaySoundError> {
        // First its turn, so that the words behind it come behind it.
        let playing = self.player.begin().await?;
        // While it waited, a person may have been asked for a yes.
        let sounding = self.is_foreign.then(|| self.stillness.sound());
        if matches!(sounding, Some(None)) {
            tell_of_stillness();
            return Ok(());
        }
        let hearing = playing.hearing();
        let tell = async {
            if hearing.begun().await {
                begins.await;
            }
        };
        let (played, ()) = tokio::join!(self.play_on(playing, sound), tell);
        drop(sounding);
        played
    }

    async fn play_on(&self, mut playing: Playing, sound: &Sound) -> Result<(), PlaySoundError> {
        let (rate, samples) = self.read(sound).await?;
        playing.write(rate, &samples).await?;
        Ok(playing.finish().await?)
    }

    async fn read(&self, sound: &Sound) -> Result<(u32, Vec<f32>), PlaySoundError> {
        match sound {
            Sound::File(path) => read_file(path).await,
            Sound::Named(name) => self.read_named(name).await,
            Sound::Wav(bytes) => Ok(wav::read_bytes_as_they_are(bytes, IN_A_FRAME)?),
            Sound::Pcm(bytes, rate) => {
                let samples = bytes.as_chunks::<2>().0.iter();
                let samples = samples.map(|bytes| f32::from(i16::from_le_bytes(*bytes)) / 32_768.0);
                Ok((*rate, samples.collect()))
            }
        }
    }

    async fn read_named(&self, name: &str) -> Result<(u32, Vec<f32>), PlaySoundError> {
        if let Some(path) = self.names.find(name).await {
            return read_file(&path).await;
        }
        let notes = named_sounds::notes(name).ok_or_else(|| PlaySoundError::NotFound(name.to_owned()))?;
        Ok((tones::RATE, tones::samples(&notes)))
    }

    /// Logs a name that is not found once: a program asks for its sound again and again.
    fn complain(&self, error: &PlaySoundError) {
        let is_news = match error {
            PlaySoundError::Unplayed(PlayError::Stopped) => false,
            PlaySoundError::NotFound(name) => self.names.is_news(name),
            _ => true,
        };
        if is_news {
            tracing::warn!(error = with_causes(error), "a sound is not heard");
        }
    }
}

async fn read_file(path: &Path) -> Result<(u32, Vec<f32>), PlaySoundError> {
    let unreadable = |source| PlaySoundError::Unreadable {
        path: path.to_owned(),
        source,
    };
    // Asked before opening, because opening a pipe would wait for a writer.
    let file = tokio::fs::metadata(path).await.map_err(unreadable)?;
    if !file.is_file() || file.len() > MOST_BYTES {
        return Err(PlaySoundError::NoFile(path.to_owned()));
    }
    let bytes = tokio::fs::read(path).await.map_err(unreadable)?;
    Ok(wav::read_bytes_as_they_are(&bytes, &path.display().to_string())?)
}

#[cfg(test)]
mod tests {
    use loquat_speech::playback::PlaybackSettings;
    use loquat_wire::topic;
    use serde_json::json;

    use super::*;

    fn jukebox() -> Jukebox {
        Jukebox {
            player: Player::new(PlaybackSettings::default(), None),
            names: Arc::default(),
            stillness: Stillness::default(),
            is_foreign: true,
        }
    }

    fn asked(data: Value) -> Result<Option<Sound>, String> {
        Sound::of(&Message::new(topic::AUDIO_QUEUE, data)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_sound_is_a_file_a_name_or_in_the_frame() {
        let file = || Ok(Some(Sound::File("/sounds/ping.wav".into())));
        assert_eq!(asked(json!({"uri": "/sounds/ping.wav"})), file());
        assert_eq!(asked(json!({"uri": "file:///sounds/ping.wav"})), file());
        let name = "snd/start_listening.wav";
        assert_eq!(
            asked(json!({"uri": name})),
            Ok(Some(Sound::Named(name.to_owned())))
        );
        for mime in [json!("audio/wav"), json!("Audio/X-WAV; codecs=1"), Value::Null] {
            let sound = asked(json!({"audio": "UklGRg==", "mime": mime}));
            assert_eq!(sound, Ok(Some(Sound::Wav(b"RIFF".to_vec()))), "{mime}");
        }
        let raw = asked(json!({"audio": "AAEC", "mime": "audio/pcm", "sample_rate": 8_000}));
        assert_eq!(raw, Ok(Some(Sound::Pcm(vec![0, 1, 2], 8_000))));
    }

    #[test]
    fn what_is_no_sound_of_this_machine_is_left_to_others_or_named() {
        for data in [
            json!({}),
            json!({"uri": "https://host/ping.wav"}),
            json!({"uri": "ping.wav"}),
        ] {
            assert_eq!(asked(data.clone()), Ok(None), "{data}");
        }
        for (data, mend) in [
            (json!({"uri": "/ping.wav", "audio": "UklGRg=="}), "has both"),
            (json!({"audio": "no base64!"}), "is to be base64"),
            (
                json!({"audio": "AAEC", "mime": "audio/pcm"}),
                "with its `sample_rate`",
            ),
            (json!({"audio": "AAEC", "mime": "audio/mpeg"}), "send a WAV file"),
        ] {
            let error = asked(data).unwrap_err();
            assert!(error.contains(mend), "{error}");
        }
    }

    #[tokio::test]
    async fn a_known_name_without_a_file_has_a_sound_of_our_own() {
        let sound = Sound::Named("snd/start_listening.wav".to_owned());
        let (rate, samples) = jukebox().read(&sound).await.unwrap();
        let seconds = samples.len() as f64 / f64::from(rate);
        assert!((seconds - 0.15).abs() < 0.001, "{seconds}");
        let unknown = Sound::Named("snd/moo.wav".to_owned());
        let error = jukebox().read(&unknown).await.unwrap_err();
        assert!(error.to_string().contains("~/.mycroft"), "{error}");
    }

    #[tokio::test]
    async fn sound_in_a_frame_is_read_as_it_is() {
        let raw = Sound::Pcm(vec![0, 0, 0, 64, 0, 192, 9], 8_000);
        let (rate, samples) = jukebox().read(&raw).await.unwrap();
        assert_eq!((rate, samples), (8_000, vec![0.0, 0.5, -0.5]));
        let damaged = jukebox().read(&Sound::Wav(b"RIFF".to_vec())).await.unwrap_err();
        assert!(damaged.to_string().contains("ffmpeg"), "{damaged}");
    }
}
