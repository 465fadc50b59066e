//! What may happen to a device that hears: its sound server dies, its microphone is unplugged in the middle of a sentence, its
//! models are of no use, its disk is full, its clock jumps. It says so in one sentence, hangs nowhere, and makes up no words.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::clock::Clock;
use loquat_tests::frame::Frame;
use loquat_tests::models;
use loquat_tests::sound::{SoundServer, speak};
use loquat_tests::turn::HANDLED;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

const QUESTION: &str = "what time is it in Tokyo?";

/// It is cut off before its end.
const LONG: &str =
    "what time is it in Tokyo and what time is it in London and what time is it in Berlin and in Madrid?";

const OPEN: &str = "microphone is open";
const LOST: &str = "lost the microphone";
const STARTED: &str = "ovos.listener.record.started";
const ENDED: &str = "ovos.listener.record.ended";

/// How often a sound server dies.
const DEATHS: usize = 20;

const HOUR: i64 = 3600;

/// The system ends a process that writes beyond its limit, unless it ignores the signal.
const WITHOUT_SIGNAL: [&str; 3] = ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""];

/// What is heard is understood sooner, also on a machine that does much else.
const UNDERSTANDING: Duration = Duration::from_secs(90);

/// A scene whose home hears with the real models and has no wake word.
fn hearing() -> Scene {
    let scene = Scene::default();
    let home = &scene.home;
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("speech.wake_word", "\"off\"");
    home.setting("speech.whisper_model", &models::smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &models::smallest("ggml-silero", "bin"));
    scene.home.persona(&scene.tester());
    scene.brain.whenever(TESTER, "time", Reply::answers("Very well."));
    scene
}

async fn started(scene: Scene, sound: &SoundServer) -> Story {
    let address = sound.address().to_owned();
    let story = scene
        .start_with(|launch| launch.env("PULSE_SERVER", &address))
        .await;
    story.daemon.wrote(OPEN, PATIENCE).await;
    story
}

fn is(topic: &'static str) -> impl Fn(&Frame) -> bool {
    move |frame| frame.topic == topic
}

fn is_result(frame: &Frame) -> bool {
    !frame.is_twin() && (frame.is_entry() || frame.topic == "ovos.stt.failed")
}

/// Asks it to listen; gives the mark before that.
async fn listen(story: &Story) -> usize {
    let mark = story.probe.mark();
    let listen = json!({"type": "ovos.mic.listen", "data": {}, "context": {"source": "probe"}});
    story.probe.send(&listen).await;
    story
        .probe
        .wait("the recording to start", mark, PATIENCE, is(STARTED))
        .await;
    mark
}

/// The one result of a capture, and the words in it.
async fn result(story: &Story, mark: usize) -> Option<String> {
    story
        .probe
        .wait("the end of the capture", mark, UNDERSTANDING, is(ENDED))
        .await;
    let told = story.probe.wait("a result", mark, UNDERSTANDING, is_result).await;
    let heard = told.is_entry().then(|| {
        told.data["utterances"][0]
            .as_str()
            .unwrap_or_default()
            .to_lowercase()
    });
    if heard.is_some() {
        story
            .probe
            .wait("the end of the utterance", mark, UNDERSTANDING, is(HANDLED))
            .await;
    }
    let results = story.probe.since(mark).into_iter().filter(is_result);
    assert_eq!(results.count(), 1, "a capture has one result");
    heard
}

/// Something is said, and heard as it was said.
async fn assert_hears(story: &Story, sound: &SoundServer, wav: &Path) {
    let mark = listen(story).await;
    sound.play(wav).await;
    let heard = result(story, mark).await.unwrap_or_default();
    assert!(heard.contains("tokyo"), "{heard:?}");
}

async fn logged(story: &Story, text: &str, times: usize) {
    let what = format!("`{text}` for the {times}. time");
    wait_for(&what, PATIENCE, async || {
        (story.daemon.output().matches(text).count() >= times).then_some(())
    })
    .await;
}

#[tokio::test]
#[ignore = "a sound server that dies twenty times takes a minute or two; `make test-ears` runs it"]
async fn a_sound_server_that_dies_again_and_again_is_heard_again() {
    let scene = hearing();
    let folder = scene.home.path().to_owned();
    let wav = speak(QUESTION, &folder).await;
    let mut sound = SoundServer::start(&folder).await;
    let story = started(scene, &sound).await;
    for death in 1..=DEATHS {
        drop(sound);
        logged(&story, LOST, death).await;
        sound = SoundServer::start(&folder).await;
        logged(&story, OPEN, death + 1).await;
    }
    let output = story.daemon.output();
    assert_eq!(output.matches(LOST).count(), DEATHS, "each loss is told once");
    assert_hears(&story, &sound, &wav).await;
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_microphone_that_is_unplugged_in_the_middle_of_a_sentence_ends_the_sentence() {
    let scene = hearing();
    scene.home.setting("speech.device", "\"plugged\"");
    let folder = scene.home.path().to_owned();
    let (wav, long) = (speak(QUESTION, &folder).await, speak(LONG, &folder).await);
    let sound = SoundServer::start(&folder).await;
    // The server answers before it has set up what another microphone is made of.
    let plugged = wait_for("a microphone to plug in", PATIENCE, async || {
        Some(sound.plug("plugged").await).filter(|plugged| !plugged.is_empty())
    })
    .await;
    let story = started(scene, &sound).await;
    let witness = sound.witness();
    let mark = listen(&story).await;
    let unplugged = async {
        wait_for("the first words", PATIENCE, async || witness.last_sound()).await;
        sound.unplug(&plugged).await;
    };
    tokio::join!(sound.play(&long), unplugged);
    if let Some(heard) = result(&story, mark).await {
        let made_up: Vec<&str> = heard
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty() && !LONG.to_lowercase().contains(word))
            .collect();
        assert!(made_up.len() <= 1, "{made_up:?} in {heard:?}");
    }
    logged(&story, LOST, 1).await;
    sound.plug("plugged").await;
    logged(&story, OPEN, 2).await;
    assert_eq!(story.daemon.output().matches(LOST).count(), 1, "it is told once");
    assert_hears(&story, &sound, &wav).await;
}

/// A model of the machine, or a part of it, as a file of this name in the home.
fn file(scene: &Scene, name: &str, bytes: &[u8]) -> PathBuf {
    let path = scene.home.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn model(beginning: &str) -> Vec<u8> {
    let quoted = models::smallest(beginning, "bin");
    fs::read(quoted.trim_matches('"')).unwrap()
}

#[tokio::test]
async fn a_model_that_is_of_no_use_is_named_once_and_typed_questions_are_answered() {
    let (whisper, silero) = (model("ggml-tiny"), model("ggml-silero"));
    let half = whisper[..whisper.len() / 2].to_vec();
    let text = b"These are no weights.".to_vec();
    let cases = [
        ("speech.whisper_model", "missing.bin", None),
        ("speech.whisper_model", "half.bin", Some(half)),
        (
            "speech.whisper_model",
            "of-another-kind.bin",
            Some(silero.clone()),
        ),
        ("speech.whisper_model", "text.bin", Some(text.clone())),
        ("speech.vad_model", "missing-vad.bin", None),
        (
            "speech.vad_model",
            "half-vad.bin",
            silero.get(..silero.len() / 2).map(<[u8]>::to_vec),
        ),
        ("speech.vad_model", "of-another-kind-vad.bin", Some(whisper)),
        ("speech.vad_model", "text-vad.bin", Some(text)),
    ];
    for (key, name, bytes) in cases {
        let scene = hearing();
        let folder = scene.home.path().to_owned();
        let path = match bytes {
            Some(bytes) => file(&scene, name, &bytes),
            None => folder.join(name),
        };
        scene
            .home
            .setting(key, &format!("{:?}", path.display().to_string()));
        let sound = SoundServer::start(&folder).await;
        let address = sound.address().to_owned();
        let story = scene
            .start_with(|launch| launch.env("PULSE_SERVER", &address))
            .await;
        story.daemon.wrote(name, PATIENCE).await;
        story.assert_goes_on().await;
        let output = story.daemon.output();
        let complaints: Vec<&str> = output.lines().filter(|line| line.contains(name)).collect();
        assert_eq!(complaints.len(), 1, "{name} is named once: {complaints:#?}");
        assert!(
            complaints[0].contains("loquat models"),
            "with the mend: {complaints:?}"
        );
        assert!(!output.contains("panicked") && !output.contains(OPEN), "{output}");
    }
}

#[tokio::test]
async fn whisper_is_in_memory_only_where_there_is_a_microphone() {
    let scene = hearing();
    let folder = scene.home.path().to_owned();
    let whisper = model("ggml-tiny").len() as u64;
    // The address of a sound server that is not there any more.
    let sound = SoundServer::start(&folder).await;
    let address = sound.address().to_owned();
    drop(sound);
    let story = scene
        .start_with(|launch| launch.env("PULSE_SERVER", &address))
        .await;
    story.daemon.wrote("microphone is not there", PATIENCE).await;
    story.assert_goes_on().await;
    let held = story.daemon.anonymous_bytes();
    assert!(
        held < whisper,
        "{held} bytes, of which whisper would be {whisper}"
    );
    let _sound = SoundServer::start(&folder).await;
    wait_for("whisper to be loaded", PATIENCE, async || {
        (story.daemon.anonymous_bytes() > held + whisper / 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_is_said_to_a_device_whose_disk_is_full_is_heard_and_answered() {
    let scene = hearing();
    let folder = scene.home.path().to_owned();
    let wav = speak(QUESTION, &folder).await;
    let sound = SoundServer::start(&folder).await;
    let address = sound.address().to_owned();
    let story = scene
        .start_with(|launch| launch.env("PULSE_SERVER", &address).through(&WITHOUT_SIGNAL))
        .await;
    story.daemon.wrote(OPEN, PATIENCE).await;
    story.daemon.limit_files(Some(1));
    let mark = story.probe.mark();
    for _ in 0..2 {
        assert_hears(&story, &sound, &wav).await;
    }
    let frames = story.probe.since(mark);
    let said = |text: &str| {
        let spoken = frames.iter().filter(|frame| frame.is_speak() && !frame.is_twin());
        spoken.filter(|frame| frame.utterance().contains(text)).count()
    };
    assert_eq!(said("Very well."), 2, "{frames:#?}");
    assert!(said("disk") <= 1, "it is told once: {frames:#?}");
}

#[tokio::test]
async fn a_clock_that_jumps_in_the_middle_of_a_sentence_changes_nothing() {
    let scene = hearing();
    let folder = scene.home.path().to_owned();
    let wav = speak(QUESTION, &folder).await;
    let sound = SoundServer::start(&folder).await;
    let mut clock = Clock::new(&scene.home);
    let address = sound.address().to_owned();
    let story = scene
        .start_with(|launch| clock.worn_by(launch.env("PULSE_SERVER", &address)))
        .await;
    story.daemon.wrote(OPEN, PATIENCE).await;
    for jump in [30 * HOUR, -48 * HOUR, 24 * 365 * HOUR] {
        let mark = listen(&story).await;
        clock.jump(jump);
        sound.play(&wav).await;
        let heard = result(&story, mark).await.unwrap_or_default();
        assert!(heard.contains("tokyo"), "{heard:?} after {jump} s");
    }
    assert_eq!(story.daemon.output().matches(LOST).count(), 0);
}
