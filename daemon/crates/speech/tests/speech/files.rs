//! Whole WAV files through the ear: the same path as a microphone, and events in order.

use std::fs;
use std::path::{Path, PathBuf};

use loquat_speech::{
    Detection, Ear, EarEvent, MicroWakeWord, MicroWakeWords, Recognizer, Source, SpeechSettings, WakeWord,
    WakeWordDetector, wav,
};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::sound::{
    KITCHEN, TOKYO, WAKE_WORD, is, model, next, settings, silence, speak, speak_at, spoken, tell, wake_word,
    wake_word_settings, write,
};

/// All events of a file, until the ear ends.
async fn hear(path: &Path) -> Vec<EarEvent> {
    let recognizer = Recognizer::start(&settings()).unwrap();
    let (ear, actor) = Ear::new(settings(), recognizer.clone(), Source::Wav(path.into()));
    let mut events = ear.take_events().unwrap();
    let collect = async {
        let mut all = Vec::new();
        while let Some(event) = next(&mut events).await {
            all.push(event);
        }
        all
    };
    let ((), all) = tokio::join!(actor.run(CancellationToken::new()), collect);
    recognizer.shutdown().await;
    all
}

fn story(events: &[EarEvent]) -> Vec<String> {
    events.iter().map(tell).collect()
}

fn assert_heard(event: &EarEvent, sentence: &str) {
    let EarEvent::Heard(transcript) = event else {
        panic!("{event:?} is not what was said")
    };
    assert!(is(&transcript.text, sentence), "{}", transcript.text);
    assert_eq!(transcript.lang, "en-US");
}

#[tokio::test]
async fn a_sentence_up_to_the_last_sample_is_heard() {
    let folder = tempfile::tempdir().unwrap();
    let events = hear(&speak(TOKYO, folder.path())).await;
    assert_eq!(story(&events)[..3], ["ready", "started File", "ended"]);
    assert_heard(&events[3], TOKYO);
    assert_eq!(events.len(), 4);
}

#[tokio::test]
async fn two_sentences_with_a_pause_are_two_utterances() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.wav");
    let sound = [
        silence(1.0),
        spoken(KITCHEN),
        silence(2.0),
        spoken(TOKYO),
        silence(1.5),
    ]
    .concat();
    write(&path, &sound, 2);
    let events = hear(&path).await;
    assert_eq!(story(&events)[..3], ["ready", "started File", "ended"]);
    assert_heard(&events[3], KITCHEN);
    assert_eq!(story(&events)[4..6], ["started File", "ended"]);
    assert_heard(&events[6], TOKYO);
    assert_eq!(events.len(), 7);
}

#[tokio::test]
async fn a_file_without_speech_is_one_capture_with_nothing_heard() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("silence.wav");
    write(&path, &silence(3.0), 1);
    assert_eq!(
        story(&hear(&path).await),
        ["ready", "started File", "ended", "nothing heard"]
    );
}

#[tokio::test]
async fn a_broken_file_is_named_and_ends_the_ear() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.wav");
    fs::write(&path, "RIFF, but no more").unwrap();
    let told = story(&hear(&path).await);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("unavailable failed to read") && told[0].contains("broken.wav"),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_cancelled_ear_ends_what_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.wav");
    write(&path, &[spoken(&[TOKYO; 6].join(" ")), silence(2.0)].concat(), 1);
    let recognizer = Recognizer::start(&settings()).unwrap();
    let (ear, actor) = Ear::new(settings(), recognizer.clone(), Source::Wav(path));
    let (mut events, stop) = (ear.take_events().unwrap(), CancellationToken::new());
    let mut tasks = JoinSet::new();
    tasks.spawn(actor.run(stop.clone()));
    assert_eq!(
        next(&mut events).await.as_ref().map(tell).as_deref(),
        Some("ready")
    );
    assert!(matches!(
        next(&mut events).await,
        Some(EarEvent::RecordStarted { .. })
    ));
    stop.cancel();
    assert_eq!(next(&mut events).await, Some(EarEvent::RecordEnded));
    assert!(matches!(
        next(&mut events).await,
        Some(EarEvent::NothingHeard | EarEvent::Heard(_))
    ));
    assert_eq!(next(&mut events).await, None);
    tasks.join_next().await.unwrap().unwrap();
    recognizer.shutdown().await;
}

#[tokio::test]
async fn without_its_model_the_ear_says_so_and_hears_as_soon_as_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = speak(KITCHEN, folder.path());
    let vad_model = folder.path().join("ggml-silero-v6.2.0.bin");
    let whole = fs::read(model("ggml-silero-v6.2.0.bin")).unwrap();
    fs::write(&vad_model, &whole[..whole.len() / 2]).unwrap();
    let recognizer = Recognizer::start(&settings()).unwrap();
    let settings = SpeechSettings {
        vad_model: vad_model.clone(),
        ..settings()
    };
    let (ear, actor) = Ear::new(settings, recognizer.clone(), Source::Wav(path));
    let mut events = ear.take_events().unwrap();
    let mut tasks = JoinSet::new();
    tasks.spawn(actor.run(CancellationToken::new()));
    let told = tell(&next(&mut events).await.unwrap());
    assert!(
        told.contains("`loquat models fetch ggml-silero-v6.2.0`"),
        "{told}"
    );
    // Written beside and moved, as a download does it, so that no half is seen.
    fs::write(folder.path().join("whole"), &whole).unwrap();
    fs::rename(folder.path().join("whole"), &vad_model).unwrap();
    assert_eq!(tell(&next(&mut events).await.unwrap()), "ready");
    assert_pair_and_heard(&mut events, KITCHEN).await;
    tasks.join_next().await.unwrap().unwrap();
    recognizer.shutdown().await;
}

async fn assert_pair_and_heard(events: &mut mpsc::Receiver<EarEvent>, sentence: &str) {
    assert!(matches!(next(events).await, Some(EarEvent::RecordStarted { .. })));
    assert_eq!(next(events).await, Some(EarEvent::RecordEnded));
    assert_heard(&next(events).await.unwrap(), sentence);
}

/// A wake word that must never be fed while a file is heard.
struct NeverFed;

impl WakeWordDetector for NeverFed {
    fn words(&self) -> Vec<WakeWord> {
        vec![WakeWord::default()]
    }

    fn feed(&mut self, _frame: &[f32]) -> Option<Detection> {
        let word = WakeWord::default();
        Some(Detection {
            word,
            confidence: 1.0,
        })
    }

    fn reset(&mut self) {}
}

#[tokio::test]
async fn a_file_needs_no_wake_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = speak(KITCHEN, folder.path());
    let recognizer = Recognizer::start(&settings()).unwrap();
    let (ear, actor) = Ear::new(settings(), recognizer.clone(), Source::Wav(path));
    let mut events = ear.take_events().unwrap();
    let mut tasks = JoinSet::new();
    tasks.spawn(
        actor
            .with_wake_words(Box::new(NeverFed))
            .run(CancellationToken::new()),
    );
    assert_eq!(tell(&next(&mut events).await.unwrap()), "ready");
    assert_pair_and_heard(&mut events, KITCHEN).await;
    assert_eq!(next(&mut events).await, None);
    tasks.join_next().await.unwrap().unwrap();
    recognizer.shutdown().await;
}

/// Talk that is not for the device, then the wake word and a sentence without a pause, as a file in this folder.
fn talk_and_a_command(folder: &Path) -> PathBuf {
    let fast = speak_at(200, &format!("{WAKE_WORD} {KITCHEN}"), folder);
    let path = folder.join("fast.wav");
    let talk = [
        silence(1.0),
        spoken(TOKYO),
        silence(1.5),
        wav::read(&fast).unwrap(),
    ]
    .concat();
    write(&path, &[talk, silence(1.5)].concat(), 1);
    path
}

/// Tells what a sleeping ear tells of a file, with words that whisper is asked about or not.
async fn told_asleep(path: PathBuf, words: MicroWakeWords, check_wake_words: bool) -> Vec<String> {
    let settings = SpeechSettings {
        check_wake_words,
        ..settings()
    };
    let recognizer = Recognizer::start(&settings).unwrap();
    let (ear, actor) = Ear::new(settings, recognizer.clone(), Source::Wav(path));
    let mut events = ear.take_events().unwrap();
    ear.sleep();
    let mut tasks = JoinSet::new();
    tasks.spawn(
        actor
            .with_wake_words(Box::new(words))
            .run(CancellationToken::new()),
    );
    let mut told = Vec::new();
    while let Some(event) = next(&mut events).await {
        told.push(tell(&event));
    }
    tasks.join_next().await.unwrap().unwrap();
    recognizer.shutdown().await;
    told
}

#[tokio::test]
async fn a_wake_word_wakes_it_and_no_pause_is_needed_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = talk_and_a_command(folder.path());
    for check_wake_words in [false, true] {
        let mut told = told_asleep(path.clone(), wake_word(), check_wake_words).await;
        let heard = told.pop().unwrap_or_default();
        assert_eq!(
            told,
            [
                "ready",
                "Awoken",
                "wake word hey_mycroft",
                "started WakeWord",
                "ended"
            ],
            "checked: {check_wake_words}"
        );
        assert!(
            heard.strip_prefix("heard ").is_some_and(|text| is(text, KITCHEN)),
            "checked: {check_wake_words}: {heard}"
        );
    }
}

#[tokio::test]
async fn a_word_that_whisper_does_not_find_wakes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // The model hears its word, but it goes by another name: to whisper it was not said.
    let mut settings = wake_word_settings(model("hey_mycroft.tflite"));
    settings.word.name = "okay_nabu".into();
    let words = MicroWakeWords::new(vec![MicroWakeWord::load(settings).unwrap()]);
    let told = told_asleep(talk_and_a_command(folder.path()), words, true).await;
    assert!(
        !told.iter().any(|event| event.starts_with("wake word")),
        "{told:?}"
    );
    assert!(!told.contains(&"Awoken".to_owned()), "{told:?}");
}
