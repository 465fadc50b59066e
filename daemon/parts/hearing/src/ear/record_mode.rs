//! The recordings that programs ask for by `recognizer_loop:state.set`: where they go, and how much there may be of them.
//!
//! Each is a WAV file of its own in a folder that is the device's alone, with its name beside it as shipped listeners write
//! it. What is said in them is not looked at; `loquat-speech` writes them.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_failure::with_causes;
use loquat_speech::{RecordingEnd, RecordingSettings, SAMPLE_RATE};
use loquat_wire::topic;
use serde_json::json;

use super::EarOnBus;
use crate::settings::HearingSettings;

/// Of the folder: only the device's user enters it.
const FOLDER_RIGHTS: u32 = 0o700;

/// Of a file.
const FILE_RIGHTS: u32 = 0o600;

/// Bytes of a second of sound.
const BYTES_A_SECOND: u64 = SAMPLE_RATE as u64 * 2;

/// Letters of a name.
const LONGEST_NAME: usize = 64;

/// Recordings of one name.
const MOST_OF_A_NAME: u32 = 1_000;

/// Why nothing is recorded.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    #[error("failed to record into {}: it cannot be written; make it writable", folder.display())]
    Folder {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "failed to record: {} holds {megabytes} MB already, which is what speech.recordings_mb allows; remove some",
        folder.display()
    )]
    Full { folder: PathBuf, megabytes: u64 },
    #[error("failed to record: {} holds {} recordings of the name {name} already", folder.display(), MOST_OF_A_NAME)]
    Names { folder: PathBuf, name: String },
}

/// Where recordings go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordMode {
    folder: PathBuf,
    longest: Duration,
    silence: Duration,
    most_bytes: u64,
}

impl RecordMode {
    /// Takes them from the settings.
    pub fn of(settings: HearingSettings<'_>) -> Self {
        Self {
            folder: settings.folders.state.join("recordings"),
            longest: Duration::from_secs(u64::from(settings.speech.recording_minutes) * 60),
            silence: settings.mycroft.listener.recording_silence,
            most_bytes: u64::from(settings.speech.recordings_mb) << 20,
        }
    }

    /// Prepares the next recording of this name, with room for what is left. Makes the folder, and blocks for
    /// as long.
    pub(super) fn next(&self, name: &str) -> Result<RecordingSettings, RecordError> {
        let folder = || self.folder.clone();
        let held = self.held().map_err(|source| RecordError::Folder {
            folder: folder(),
            source,
        })?;
        let room = self.most_bytes.saturating_sub(held) / BYTES_A_SECOND;
        if room == 0 {
            let megabytes = held >> 20;
            return Err(RecordError::Full {
                folder: folder(),
                megabytes,
            });
        }
        Ok(RecordingSettings {
            path: self.free(name)?,
            longest: self.longest.min(Duration::from_secs(room)),
            silence: self.silence,
        })
    }

    /// Counts the bytes of all that is there.
    fn held(&self) -> io::Result<u64> {
        loquat_disk::make_folder(&self.folder, FOLDER_RIGHTS)?;
        let mut held = 0;
        for entry in std::fs::read_dir(&self.folder)? {
            held += entry?.metadata()?.len();
        }
        Ok(held)
    }

    fn free(&self, name: &str) -> Result<PathBuf, RecordError> {
        let name = plain(name);
        let numbered = |number: u32| match number {
            1 => self.folder.join(format!("{name}.wav")),
            more => self.folder.join(format!("{name}-{more}.wav")),
        };
        let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
        (1..=MOST_OF_A_NAME)
            .map(numbered)
            .find(is_free)
            .ok_or_else(|| RecordError::Names {
                folder: self.folder.clone(),
                name,
            })
    }
}

/// Turns a name into that of a file: what a stranger writes leads to no other folder.
fn plain(name: &str) -> String {
    let kept = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_');
    let plain: String = name
        .chars()
        .map(|sign| if kept(sign) { sign } else { '_' })
        .take(LONGEST_NAME)
        .collect();
    if plain.chars().any(char::is_alphanumeric) {
        plain
    } else {
        "recording".to_owned()
    }
}

/// Writes beside a recording how it was called.
pub(super) fn write_name(recording: &Path, name: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let path = recording.with_extension("json");
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(FILE_RIGHTS)
        .open(path)?;
    file.write_all(json!({"recording_name": name}).to_string().as_bytes())
}

impl EarOnBus {
    /// Has all sound recorded under this name, or that of this moment.
    pub(super) async fn record(&mut self, name: Option<&str>) {
        let Some(mode) = self.record_mode.clone().filter(|_| !self.modes.is_recording()) else {
            return;
        };
        let name = name.map_or_else(|| jiff::Timestamp::now().as_second().to_string(), str::to_owned);
        let asked = name.clone();
        let settings = match tokio::task::spawn_blocking(move || mode.next(&asked)).await {
            Ok(Ok(settings)) => settings,
            Ok(Err(error)) => return tracing::warn!("{}", with_causes(&error)),
            Err(error) => return tracing::error!(%error, "the folder of recordings was not looked at"),
        };
        match self.ear.record(settings) {
            Ok(()) => {
                self.recording_name = name;
                self.modes.recording_began();
            }
            Err(error) => tracing::warn!(%error, "somebody asked for a recording"),
        }
    }

    pub(super) async fn recorded(&mut self, path: &Path, length: Duration, end: &RecordingEnd) {
        self.modes.is_understood();
        let seconds = length.as_secs_f32();
        if let RecordingEnd::Failed(reason) = end {
            tracing::warn!(path = %path.display(), reason, seconds, "the recording cannot be written");
        } else {
            tracing::info!(path = %path.display(), ?end, seconds, "the recording has ended");
        }
        // One that could not even begin was not told of.
        if length.is_zero() && matches!(end, RecordingEnd::Failed(_)) {
            return;
        }
        let (recording, name) = (path.to_owned(), std::mem::take(&mut self.recording_name));
        let written = tokio::task::spawn_blocking(move || write_name(&recording, &name)).await;
        if let Ok(Err(error)) = written {
            tracing::warn!(%error, "failed to write the name of a recording beside it");
        }
        self.emit(topic::RECORD_ENDED, json!({})).await;
        self.play(self.sounds.ending()).await;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(folder: &Path, most_bytes: u64) -> RecordMode {
        RecordMode {
            folder: folder.join("recordings"),
            longest: Duration::from_secs(60),
            silence: Duration::from_secs(30),
            most_bytes,
        }
    }

    #[test]
    fn recordings_lie_in_a_folder_of_their_own_whatever_they_are_called() {
        let home = tempfile::tempdir().unwrap();
        let mode = mode(home.path(), 100 << 20);
        for (name, file) in [
            ("note", "note.wav"),
            ("../../etc/passwd", "______etc_passwd.wav"),
            ("a letter", "a_letter.wav"),
            ("...", "recording.wav"),
            ("", "recording.wav"),
            ("Größe", "Größe.wav"),
        ] {
            assert_eq!(
                mode.next(name).unwrap().path,
                home.path().join("recordings").join(file)
            );
        }
        let rights = home
            .path()
            .join("recordings")
            .metadata()
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(rights & 0o777, 0o700);
        let long = mode.next(&"long".repeat(100)).unwrap().path;
        assert_eq!(long.file_name().unwrap().len(), LONGEST_NAME + ".wav".len());
    }

    #[test]
    fn none_is_written_over() {
        let home = tempfile::tempdir().unwrap();
        let mode = mode(home.path(), 100 << 20);
        for file in ["note.wav", "note-2.wav", "note-3.wav"] {
            let path = mode.next("note").unwrap().path;
            assert_eq!(path.file_name().unwrap(), file);
            std::fs::write(&path, "").unwrap();
            write_name(&path, "note").unwrap();
            let rights = path
                .with_extension("json")
                .metadata()
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(rights & 0o777, 0o600);
        }
    }

    #[test]
    fn together_they_have_no_more_room_than_is_allowed() {
        let home = tempfile::tempdir().unwrap();
        let mode = mode(home.path(), 10 * BYTES_A_SECOND);
        let path = mode.next("note").unwrap().path;
        std::fs::write(&path, vec![0; 7 * BYTES_A_SECOND as usize]).unwrap();
        assert_eq!(mode.next("note").unwrap().longest, Duration::from_secs(3));
        std::fs::write(&path, vec![0; 10 * BYTES_A_SECOND as usize]).unwrap();
        let told = mode.next("note").unwrap_err().to_string();
        assert!(
            told.contains("speech.recordings_mb allows; remove some"),
            "{told}"
        );
    }
}
