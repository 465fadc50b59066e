//! A WAV file: what can be read is sound.

use crate::folder;

pub(crate) fn feed(bytes: &[u8]) {
    let read = folder::with_file("stranger.wav", bytes, |_, file| loquat_speech::wav::read(file));
    if let Ok(samples) = read {
        assert!(samples.iter().all(|sample| sample.is_finite()), "sound is finite");
    }
}
