//! Hearing where there is nothing to hear with: the daemon says so in a sentence and answers what is typed.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::models::smallest;
use loquat_tests::wait::PATIENCE;

use crate::story::{Scene, Story};

/// As much of a whisper model as a broken download leaves behind.
const TRUNCATED_WHISPER: &[u8] = b"lmgg\xb6\xca\x00\x00\xdc\x05\x00\x00";

async fn listening(settings: &[(&str, String)]) -> Story {
    let scene = Scene::default();
    scene.home.setting("speech.enabled", "true");
    // Only PulseAudio is asked, whose socket is looked for in the test's own home.
    scene.home.setting("speech.host", "\"pulseaudio\"");
    for (key, value) in settings {
        scene.home.setting(key, value);
    }
    let tester = scene.tester();
    scene.play(&tester).await
}

#[tokio::test]
async fn without_a_microphone_typed_questions_are_answered() {
    let story = listening(&[]).await;
    story.daemon.wrote("microphone", PATIENCE).await;
    story.script([Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
}

#[tokio::test]
async fn without_a_speech_model_the_mend_is_named() {
    let story = listening(&[]).await;
    story.daemon.wrote("loquat models fetch", PATIENCE).await;
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_truncated_speech_model_is_named() {
    let scene = Scene::default();
    let path = scene.home.path().join("ggml-tiny.en.bin");
    std::fs::write(&path, TRUNCATED_WHISPER).unwrap();
    let wav = scene.home.path().join("silence.wav");
    std::fs::write(&wav, silence()).unwrap();
    scene.home.setting(
        "speech.whisper_model",
        &format!("{:?}", path.display().to_string()),
    );
    let finished = Launch::new(&scene.home, &["listen", &wav.display().to_string()])
        .run()
        .await;
    let (status, output) = (finished.status, finished.shown());
    assert!(!status.success(), "{output}");
    assert!(output.contains("ggml-tiny.en.bin"), "{output}");
    assert!(!output.contains("panicked"), "{output}");
}

#[tokio::test]
async fn what_whisper_computes_with_is_named() {
    let scene = Scene::default();
    let model = smallest("ggml-tiny", "bin");
    scene.home.setting("speech.whisper_model", &model);
    let check = Launch::new(&scene.home, &["check"]).run().await;
    let is_named = |line: &str| line.contains("ggml-tiny") && line.contains("and computes with ");
    assert!(check.stdout.lines().any(is_named), "{}", check.shown());
}

#[tokio::test]
async fn a_file_that_is_no_recording_is_named() {
    let scene = Scene::default();
    let text = scene.home.write("notes.wav", "these are no samples");
    for (path, mend) in [
        (text.display().to_string(), "ffmpeg -i "),
        ("missing.wav".to_owned(), "check that it is there"),
    ] {
        let finished = Launch::new(&scene.home, &["listen", &path]).run().await;
        let (status, output) = (finished.status, finished.shown());
        assert!(!status.success(), "{output}");
        assert!(output.contains(".wav"), "{output}");
        assert!(output.contains(mend), "{output}");
        assert!(!output.contains("panicked"), "{output}");
    }
}

/// A second of silence, 16 kHz mono.
fn silence() -> Vec<u8> {
    let samples = vec![0_u8; 32_000];
    let mut file = b"RIFF".to_vec();
    file.extend((36 + samples.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data");
    file.extend((samples.len() as u32).to_le_bytes());
    file.extend(samples);
    file
}
