//! What there is to hear: spoken sentences, silence and noise; and the models to hear it with.

use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use loquat_speech::{
    EarEvent, MicroWakeWord, MicroWakeWords, SAMPLE_RATE, SpeechSettings, WakeWord, WakeWordSettings, wav,
};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// No event of these tests takes this long unless it never comes. The machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Every model understands this sentence in this voice.
pub(crate) const KITCHEN: &str = "turn on the kitchen lights";
/// Every model understands this one too.
pub(crate) const TOKYO: &str = "what time is it in Tokyo?";

pub(crate) fn model(name: &str) -> PathBuf {
    let folder = std::env::var_os("LOQUAT_TEST_MODELS")
        .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
    let path = Path::new(&folder).join(name);
    assert!(
        path.is_file(),
        "{} is missing; `make test` fetches it",
        path.display()
    );
    path
}

/// Settings with the smallest models.
pub(crate) fn settings() -> SpeechSettings {
    let mut settings = SpeechSettings::new(model("ggml-tiny.en.bin"), model("ggml-silero-v6.2.0.bin"));
    // Tests run side by side.
    settings.threads = 1;
    settings.lang = Some("en-US".into());
    settings
}

/// This is said before a sentence that is meant for the device.
pub(crate) const WAKE_WORD: &str = "hey mycroft";

/// Has espeak-ng speak a sentence into a WAV file in `folder`.
pub(crate) fn speak(sentence: &str, folder: &Path) -> PathBuf {
    speak_at(150, sentence, folder)
}

/// Speaks so many words a minute.
pub(crate) fn speak_at(speed: u16, sentence: &str, folder: &Path) -> PathBuf {
    // Whisper understands the one voice better, and the wake word's model the other.
    let voice = if sentence.starts_with(WAKE_WORD) {
        "en-gb"
    } else {
        "en-us"
    };
    let letters = sentence.chars().filter(char::is_ascii_alphanumeric);
    // A file name has an end, a sentence need not.
    let name: String = letters.take(40).collect();
    let path = folder.join(name).with_extension("wav");
    let status = Command::new("espeak-ng")
        .args(["-v", voice, "-s", &speed.to_string(), "-w"])
        .arg(&path)
        .arg(sentence)
        .status()
        .expect("espeak-ng speaks the sentences; install the package espeak-ng");
    assert!(status.success(), "espeak-ng: {status}");
    path
}

/// Gives a spoken sentence as samples.
pub(crate) fn spoken(sentence: &str) -> Vec<f32> {
    let folder = tempfile::tempdir().unwrap();
    wav::read(&speak(sentence, folder.path())).unwrap()
}

/// A sentence that this voice speaks.
pub(crate) fn spoken_as(voice: &str, sentence: &str) -> Vec<f32> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spoken.wav");
    let mut command = Command::new("espeak-ng");
    let status = command
        .args(["-v", voice, "-w"])
        .arg(&path)
        .arg(sentence)
        .status();
    assert!(status.unwrap().success(), "espeak-ng speaks as {voice}");
    wav::read(&path).unwrap()
}

pub(crate) fn wake_word() -> MicroWakeWords {
    let settings = wake_word_settings(model("hey_mycroft.tflite"));
    MicroWakeWords::new(vec![MicroWakeWord::load(settings).unwrap()])
}

/// A model of the wake word, with the figures of its authors.
pub(crate) fn wake_word_settings(model: PathBuf) -> WakeWordSettings {
    WakeWordSettings {
        word: WakeWord {
            name: "hey_mycroft".into(),
            ..WakeWord::default()
        },
        model,
        cutoff: 0.95,
        window: NonZeroU8::new(5).unwrap(),
    }
}

pub(crate) fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; (seconds * SAMPLE_RATE as f32) as usize]
}

/// Makes seconds of white noise of this amplitude, the same every time (a linear congruential generator, Numerical
/// Recipes).
pub(crate) fn noise(seconds: f32, amplitude: f32) -> Vec<f32> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0) as f32 * amplitude
    };
    silence(seconds).iter().map(|_| next()).collect()
}

/// Writes samples as 16 bit WAV with this many equal channels.
pub(crate) fn write(path: &Path, samples: &[f32], channels: u16) {
    let spec = hound::WavSpec {
        channels,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut writer = hound::WavWriter::create(path, spec).unwrap();
    for sample in samples {
        for _ in 0..channels {
            writer.write_sample((sample * 32_767.0) as i16).unwrap();
        }
    }
    writer.finalize().unwrap();
}

/// The next event, or nothing when the ear has ended. What is told of a capture that is open may be told or not.
pub(crate) async fn next(events: &mut mpsc::Receiver<EarEvent>) -> Option<EarEvent> {
    loop {
        let event = next_of_all(events).await;
        if !matches!(event, Some(EarEvent::SoFar { .. } | EarEvent::WentOn)) {
            return event;
        }
    }
}

/// The next event, be it what it may.
pub(crate) async fn next_of_all(events: &mut mpsc::Receiver<EarEvent>) -> Option<EarEvent> {
    timeout(PATIENCE, events.recv())
        .await
        .expect("an event comes in time")
}

pub(crate) fn trimmed(samples: &[f32]) -> Vec<f32> {
    let is_loud = |sample: &f32| sample.abs() > 0.01;
    let first = samples.iter().position(is_loud).unwrap_or_default();
    let last = samples.iter().rposition(is_loud).unwrap_or_default();
    samples[first..=last].to_vec()
}

/// Tells whether this text is the sentence, but for case and marks.
pub(crate) fn is(text: &str, sentence: &str) -> bool {
    let words = |text: &str| {
        text.to_lowercase()
            .replace(|sign: char| !sign.is_alphanumeric(), " ")
    };
    words(text)
        .split_whitespace()
        .eq(words(sentence).split_whitespace())
}

/// Words an event as a story tells it.
pub(crate) fn tell(event: &EarEvent) -> String {
    match event {
        EarEvent::Heard(transcript) => format!("heard {}", transcript.text),
        EarEvent::RecordStarted { trigger } => format!("started {trigger:?}"),
        EarEvent::WakeWord { wake_word, .. } => format!("wake word {wake_word}"),
        EarEvent::RecordEnded => "ended".into(),
        EarEvent::NothingHeard => "nothing heard".into(),
        EarEvent::SoFar { text, .. } => format!("so far {text}"),
        EarEvent::Unavailable { reason } => format!("unavailable {reason}"),
        EarEvent::Ready { .. } => "ready".into(),
        other => format!("{other:?}"),
    }
}
