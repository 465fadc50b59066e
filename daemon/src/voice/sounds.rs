//! Sounds that are asked for on the bus (AUDIO-1 §4.0), such as that of an alarm: WAV files of this machine, played by the
//! player that speaks.

use std::path::{Path, PathBuf};

use loquat_failure::with_causes;
use loquat_speech::playback::PlayError;
use loquat_speech::{Player, wav};
use loquat_wire::Message;
use serde_json::Value;
use tokio::task::JoinSet;

/// Sounds that may wait for their turn; one more is not played, since it would come too late.
const WAITING: usize = 4;

/// The largest file that is read: three minutes of the best sound.
const MOST_BYTES: u64 = 32 << 20;

/// Why a sound is not heard.
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
    #[error(transparent)]
    NoSound(#[from] wav::ReadWavError),
    #[error(transparent)]
    Unplayed(#[from] PlayError),
}

/// Plays them.
#[derive(Debug)]
pub(super) struct Sounds {
    player: Player,
    played: JoinSet<()>,
}

impl Sounds {
    pub(super) fn new(player: Player) -> Self {
        let played = JoinSet::new();
        Self { player, played }
    }

    /// Plays the sound that a frame names; what names no file of this machine is for others.
    pub(super) fn play(&mut self, frame: &Message) {
        while self.played.try_join_next().is_some() {}
        let uri = frame.data.get("uri").and_then(Value::as_str).unwrap_or_default();
        let path = Path::new(uri.strip_prefix("file://").unwrap_or(uri));
        if !path.is_absolute() || self.played.len() >= WAITING {
            return tracing::debug!(uri, "a sound is not played");
        }
        let (player, path) = (self.player.clone(), path.to_path_buf());
        self.played.spawn(async move {
            match play(&player, path).await {
                Ok(()) | Err(PlaySoundError::Unplayed(PlayError::Stopped)) => {}
                Err(error) => tracing::warn!(error = with_causes(&error), "a sound is not heard"),
            }
        });
    }
}

async fn play(player: &Player, path: PathBuf) -> Result<(), PlaySoundError> {
    // First its turn, so that the words behind it come behind it.
    let mut playing = player.begin().await?;
    let (rate, samples) = read(path).await?;
    playing.write(rate, &samples).await?;
    Ok(playing.finish().await?)
}

async fn read(path: PathBuf) -> Result<(u32, Vec<f32>), PlaySoundError> {
    let unreadable = |source| PlaySoundError::Unreadable {
        path: path.clone(),
        source,
    };
    // Asked before opening, because opening a pipe would wait for a writer.
    let file = tokio::fs::metadata(&path).await.map_err(unreadable)?;
    if !file.is_file() || file.len() > MOST_BYTES {
        return Err(PlaySoundError::NoFile(path));
    }
    let bytes = tokio::fs::read(&path).await.map_err(unreadable)?;
    Ok(wav::read_bytes_as_they_are(&bytes, &path.display().to_string())?)
}
