//! The real model of a wake word: what wakes it, what does not, and files that are no model.

use std::path::Path;

use loquat_speech::{
    LoadModelError, MicroWakeWord, MicroWakeWords, SAMPLE_RATE, WakeWordDetector, WakeWordEffect,
};

use crate::sound::{KITCHEN, TOKYO, WAKE_WORD, model, noise, silence, spoken, wake_word, wake_word_settings};

/// The ear feeds this many samples at a time.
const FRAME: usize = 512;

/// Tells when the word was heard, in seconds.
fn heard(detector: &mut MicroWakeWords, samples: &[f32]) -> Vec<f32> {
    let frames = samples.chunks_exact(FRAME).enumerate();
    let detected = frames.filter(|(_, frame)| detector.feed(frame).is_some());
    detected
        .map(|(at, _)| ((at + 1) * FRAME) as f32 / SAMPLE_RATE as f32)
        .collect()
}

/// Tells where the sound of a recording ends, in seconds.
fn end_of_sound(samples: &[f32]) -> f32 {
    let last = samples.iter().rposition(|sample| sample.abs() > 0.01);
    last.expect("there is sound") as f32 / SAMPLE_RATE as f32
}

#[test]
fn its_word_wakes_it_once_and_at_once() {
    let mut detector = wake_word();
    let word = [silence(1.5), spoken(WAKE_WORD)].concat();
    let end = end_of_sound(&word);
    for _ in 0..2 {
        let times = heard(&mut detector, &[word.as_slice(), &silence(1.0)].concat());
        assert!(
            matches!(times.as_slice(), [time] if (end - 0.2..end + 0.4).contains(time)),
            "the word ends at {end} and was heard at {times:?}"
        );
    }
}

#[test]
fn it_is_heard_in_noise_and_when_it_is_quiet() {
    let word = [silence(1.5), spoken(WAKE_WORD), silence(1.0)].concat();
    let with_noise: Vec<f32> = word
        .iter()
        .zip(noise(word.len() as f32 / SAMPLE_RATE as f32 + 1.0, 0.01))
        .map(|(sample, noise)| sample + noise)
        .collect();
    let quiet: Vec<f32> = word.iter().map(|sample| sample * 0.05).collect();
    for (name, samples) in [("noise", with_noise), ("quiet", quiet)] {
        assert_eq!(heard(&mut wake_word(), &samples).len(), 1, "{name}");
    }
}

#[test]
fn nothing_else_wakes_it() {
    let tone = |at: usize| (at as f32 / SAMPLE_RATE as f32 * 440.0 * std::f32::consts::TAU).sin() * 0.5;
    let others = [
        silence(5.0),
        noise(5.0, 0.3),
        (0..5 * SAMPLE_RATE as usize).map(tone).collect(),
        spoken(KITCHEN),
        spoken(TOKYO),
        spoken("hey microwave, my craft is a crofter's croft"),
        spoken("the quick brown fox jumps over the lazy dog, and hey, you are next"),
    ];
    let mut detector = wake_word();
    for (number, sound) in others.iter().enumerate() {
        let times = heard(&mut detector, &[silence(1.0).as_slice(), sound].concat());
        assert!(times.is_empty(), "number {number} woke it at {times:?}");
    }
}

#[test]
fn how_sure_it_must_be_is_the_settings_matter() {
    let mut settings = wake_word_settings(model("hey_mycroft.tflite"));
    settings.cutoff = 1.0;
    let mut detector = MicroWakeWords::new(vec![MicroWakeWord::load(settings).unwrap()]);
    let word = [silence(1.5), spoken(WAKE_WORD), silence(1.0)].concat();
    assert_eq!(heard(&mut detector, &word), []);
}

/// One model under three names, each with a cutoff of its own.
fn three_words() -> MicroWakeWords {
    let words = [
        ("sure", 0.999_9, WakeWordEffect::Listen),
        ("hush", 0.95, WakeWordEffect::Stop),
        ("deaf", 1.0, WakeWordEffect::Listen),
    ];
    let load = |(name, cutoff, effect): (&str, f32, WakeWordEffect)| {
        let mut settings = wake_word_settings(model("hey_mycroft.tflite"));
        settings.word.name = name.to_owned();
        settings.word.effect = effect;
        settings.cutoff = cutoff;
        MicroWakeWord::load(settings).unwrap()
    };
    MicroWakeWords::new(words.map(load).into())
}

#[test]
fn each_of_several_words_is_judged_by_its_own_cutoff() {
    let mut detector = three_words();
    let word = [silence(1.5), spoken(WAKE_WORD), silence(1.0)].concat();
    let heard: Vec<String> = word
        .chunks_exact(FRAME)
        .filter_map(|frame| detector.feed(frame))
        .map(|detection| detection.word.name)
        .collect();
    assert_eq!(heard, ["hush"], "one is too strict, and one hears nothing");
    assert_eq!(detector.scores().len(), 3);
    assert_eq!(detector.words()[1].effect, WakeWordEffect::Stop);
}

fn load(path: &Path) -> Result<MicroWakeWord, LoadModelError> {
    MicroWakeWord::load(wake_word_settings(path.to_owned()))
}

#[test]
fn a_damaged_file_is_refused_or_harmless() {
    let whole = std::fs::read(model("hey_mycroft.tflite")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.tflite");
    let sound = noise(1.0, 0.3);
    let mut refused = 0;
    for cut in (0..whole.len()).step_by(331) {
        std::fs::write(&path, &whole[..cut]).unwrap();
        refused += u32::from(load(&path).is_err());
    }
    assert!(refused > 100, "only {refused} of the cut files were refused");
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        bytes[at / 2] = 0xff;
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(model) = load(&path) {
            heard(&mut MicroWakeWords::new(vec![model]), &sound[..4 * FRAME]);
        }
    }
}

#[test]
fn what_is_no_wake_word_is_named_with_the_mend() {
    let folder = tempfile::tempdir().unwrap();
    let absent = load(&folder.path().join("hey_mycroft.tflite"))
        .unwrap_err()
        .to_string();
    assert!(
        absent.starts_with("failed to read the wake word model")
            && absent.contains("loquat models fetch hey_mycroft"),
        "{absent}"
    );
    let other = load(&model("ggml-silero-v6.2.0.bin")).unwrap_err().to_string();
    assert!(other.contains("it is no TensorFlow Lite file"), "{other}");
    load(folder.path()).unwrap_err();
}
