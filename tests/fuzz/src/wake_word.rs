//! A wake word's network, and some sound for it.

use std::num::NonZeroU8;

use loquat_speech::{MicroWakeWord, MicroWakeWords, WakeWord, WakeWordDetector, WakeWordSettings};

use crate::folder;

/// Samples of a frame, and frames: as much sound as brings some runs.
const FRAME: usize = 512;
const FRAMES: usize = 4;

pub(crate) fn feed(bytes: &[u8]) {
    let loaded = folder::with_file("stranger.tflite", bytes, |_, file| {
        MicroWakeWord::load(WakeWordSettings {
            word: WakeWord {
                name: "stranger".into(),
                ..WakeWord::default()
            },
            model: file.into(),
            cutoff: 0.5,
            window: NonZeroU8::MIN,
        })
    });
    let Ok(model) = loaded else {
        return;
    };
    let mut word = MicroWakeWords::new(vec![model]);
    for number in 0..FRAMES {
        let samples: Vec<f32> = (0..FRAME)
            .map(|sample| ((sample * (number + 1)) as f32).sin())
            .collect();
        if let Some(detection) = word.feed(&samples) {
            assert!((0.0..=1.0).contains(&detection.confidence), "a probability");
        }
    }
    word.reset();
}
