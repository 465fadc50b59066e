//! The sound of what rings: two short tones, computed once and put into a file for the audio service.
//!
//! Plays nothing.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use hound::{SampleFormat, WavSpec, WavWriter};
use loquat_speech::tones::{self, Note, RATE};

/// Tones in hertz, and how long each is in seconds; between them is silence.
const TONES: [Note; 4] = [(880.0, 0.18), (0.0, 0.06), (1174.7, 0.3), (0.0, 0.2)];

/// Writes the file into this folder, or finds it there.
pub(super) fn in_folder(folder: &Path) -> Result<PathBuf, hound::Error> {
    let file = folder.join("chime.wav");
    if !file.exists() {
        // Under `/tmp` a folder that others may enter is refused at the next start.
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        // Another name first: a half-written file is never played.
        let unfinished = folder.join("chime.wav.new");
        write(&unfinished)?;
        std::fs::rename(&unfinished, &file)?;
    }
    Ok(file)
}

fn write(file: &Path) -> Result<(), hound::Error> {
    let spec = WavSpec {
        channels: 1,
        sample_rate: RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut writer = WavWriter::create(file, spec)?;
    for sample in tones::samples(&TONES) {
        writer.write_sample((sample * f32::from(i16::MAX)) as i16)?;
    }
    writer.finalize()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_that_is_made_for_it_is_closed_to_others() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("loquat-0");
        super::in_folder(&folder).expect("a file");
        let mode = std::fs::metadata(&folder).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn the_file_is_a_sound_and_is_written_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = super::in_folder(folder.path()).expect("a file");
        let mut sound = hound::WavReader::open(&file).expect("a sound");
        let loudest = sound.samples::<i16>().flatten().map(i16::unsigned_abs).max();
        assert!(
            loudest.is_some_and(|loudest| (8000..12_000).contains(&loudest)),
            "{loudest:?}"
        );
        let before = std::fs::metadata(&file)
            .expect("a file")
            .modified()
            .expect("a time");
        assert_eq!(super::in_folder(folder.path()).expect("a file"), file);
        let after = std::fs::metadata(&file)
            .expect("a file")
            .modified()
            .expect("a time");
        assert_eq!(before, after);
    }
}
