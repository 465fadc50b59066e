//! The listener's states as programs set them: recording, sleep and mute, under the names of both generations.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use loquat_tests::frame::Frame;
use loquat_tests::models::smallest;
use loquat_tests::sound::speak;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::story::{Scene, Story};
use crate::wake_words::{STOP_WORD, WORD, listening, say, say_until, seen, wait, word};

/// What begins and ends a capture and a recording, and nothing else.
const MARKS: [&str; 4] = [
    "ovos.listener.record.started",
    "recognizer_loop:record_begin",
    "ovos.listener.record.ended",
    "recognizer_loop:record_end",
];

/// What is told of words that were heard.
const HEARD: [&str; 3] = [
    "ovos.utterance.handle",
    "ovos.stt.failed",
    "ovos.listener.wakeword",
];

/// Sends a frame of the device's own session.
async fn send(story: &Story, topic: &str, data: Value) -> usize {
    let mark = story.probe.mark();
    // Two names of one order, soon after one another, would be taken for one frame if their contexts were alike.
    let frame = json!({"type": topic, "data": data, "context": {"source": "probe", "number": mark}});
    story.probe.send(&frame).await;
    mark
}

/// What the listener says of itself, asked or told.
async fn state(story: &Story, topic: &str, data: Value) -> Value {
    let mark = send(story, topic, data).await;
    let told = wait(story, mark, "recognizer_loop:state").await;
    told.data["state"].clone()
}

async fn set(story: &Story, data: Value) -> Value {
    state(story, "recognizer_loop:state.set", data).await
}

fn recordings(story: &Story) -> PathBuf {
    story.home.state().join("recordings")
}

/// Seconds of sound in a recording, and its loudest sample.
fn heard_in(path: &std::path::Path) -> (f32, i16) {
    let mut reader = hound::WavReader::open(path).unwrap();
    assert_eq!(reader.spec().sample_rate, 16_000);
    let samples: Vec<i16> = reader.samples().collect::<Result<_, _>>().unwrap();
    let loudest = samples.iter().map(|sample| sample.saturating_abs()).max();
    (samples.len() as f32 / 16_000.0, loudest.unwrap_or_default())
}

#[tokio::test]
async fn a_program_has_everything_recorded_until_it_says_stop() {
    let model = smallest("hey_mycroft", "tflite");
    let (story, sound) = listening(Scene::default(), &[("speech.wake_word", &model)]).await;
    let mark = story.probe.mark();
    let name = "../my note";
    assert_eq!(
        set(&story, json!({"state": "recording", "recording_name": name})).await,
        "recording"
    );
    wait(&story, mark, "ovos.listener.record.started").await;
    // What is said is neither for the device nor a wake word, and a second recording is none.
    say(&story, &sound, "what time is it in Tokyo?").await;
    send(&story, "ovos.mic.listen", json!({})).await;
    set(&story, json!({"state": "recording", "recording_name": "another"})).await;
    assert_eq!(
        state(&story, "recognizer_loop:state.get", json!({})).await,
        "recording"
    );
    send(&story, "recognizer_loop:record_stop", json!({})).await;
    wait(&story, mark, "recognizer_loop:record_end").await;
    assert_eq!(
        state(&story, "recognizer_loop:state.get", json!({})).await,
        "wakeword"
    );
    assert_eq!(seen(&story, mark, &MARKS), MARKS);
    assert_eq!(seen(&story, mark, &HEARD), [""; 0]);
    let played = wait(&story, mark, "ovos.audio.play_sound").await;
    assert_eq!(played.data["uri"], "snd/end_listening.wav");

    let folder = recordings(&story);
    let wav = folder.join("___my_note.wav");
    let (seconds, loudest) = heard_in(&wav);
    assert!(seconds > 3.0 && loudest > 1_000, "{seconds} s, {loudest}");
    let rights = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((rights(&wav), rights(&folder)), (0o600, 0o700));
    let told = std::fs::read_to_string(wav.with_extension("json")).unwrap();
    assert_eq!(told, json!({"recording_name": name}).to_string());
    assert_eq!(rights(&wav.with_extension("json")), 0o600);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);

    let mark = say_until(&story, &sound, "what time is it in Tokyo?", WORD).await;
    wait(&story, mark, "ovos.utterance.handle").await;
}

#[tokio::test]
async fn a_recording_ends_by_the_word_for_it_and_silences_nothing_else() {
    let words = word("stop_recording", ", effect = \"stop\"");
    let (story, sound) = listening(Scene::default(), &[("speech.wake_words", &words)]).await;
    let mark = story.probe.mark();
    set(&story, json!({"state": "recording", "recording_name": "note"})).await;
    wait(&story, mark, "ovos.listener.record.started").await;
    sound
        .play(&speak("what time is it in Tokyo?", story.home.path()).await)
        .await;
    say_until(&story, &sound, "", STOP_WORD).await;
    wait(&story, mark, STOP_WORD).await;
    wait(&story, mark, "ovos.listener.record.ended").await;
    assert_eq!(seen(&story, mark, &["ovos.stop", "mycroft.stop"]), [""; 0]);
    assert!(heard_in(&recordings(&story).join("note.wav")).0 > 2.0);
}

#[tokio::test]
async fn a_recording_is_bounded_and_is_no_satellite_s_to_begin() {
    let scene = Scene::default();
    scene
        .home
        .mycroft_conf(&json!({"listener": {"recording_mode_max_silence_seconds": 1.5}}));
    let (story, _sound) = listening(scene, &[("speech.recordings_mb", "1")]).await;
    let mark = story.probe.mark();
    let satellite = json!({"source": "satellite", "session": {"session_id": "kitchen"}});
    let begin =
        json!({"type": "recognizer_loop:state.set", "data": {"state": "recording"}, "context": satellite});
    story.probe.send(&begin).await;
    let told = wait(&story, mark, "recognizer_loop:state").await;
    assert_eq!(told.data["state"], "wakeword");
    // Silence ends it.
    set(&story, json!({"state": "recording", "recording_name": "silence"})).await;
    wait(&story, mark, "ovos.listener.record.ended").await;
    let (seconds, _) = heard_in(&recordings(&story).join("silence.wav"));
    assert!((1.4..2.0).contains(&seconds), "{seconds}");
    // Without room there is none, which is said with the mend.
    std::fs::write(recordings(&story).join("long.wav"), vec![0; 1 << 20]).unwrap();
    assert_eq!(
        set(&story, json!({"state": "recording", "recording_name": "more"})).await,
        "wakeword"
    );
    story
        .daemon
        .wrote("speech.recordings_mb allows; remove some", PATIENCE)
        .await;
}

#[tokio::test]
async fn sleep_and_mute_are_obeyed_under_every_name() {
    let model = smallest("hey_mycroft", "tflite");
    let (story, sound) = listening(Scene::default(), &[("speech.wake_word", &model)]).await;
    let awoken = ["ovos.listener.awoken", "mycroft.awoken"];
    for (sleep, wake) in [
        ("ovos.listener.sleep", "ovos.listener.wake"),
        ("recognizer_loop:sleep", "recognizer_loop:wake_up"),
    ] {
        let mark = send(&story, sleep, json!({})).await;
        assert_eq!(
            state(&story, "recognizer_loop:state.get", json!({})).await,
            "sleeping"
        );
        send(&story, wake, json!({})).await;
        wait(&story, mark, "mycroft.awoken").await;
        send(&story, wake, json!({})).await;
        assert_eq!(
            state(&story, "recognizer_loop:state.get", json!({})).await,
            "wakeword"
        );
        assert_eq!(
            seen(&story, mark, &awoken),
            awoken,
            "{wake} tells of a change only"
        );
    }
    let muted = async || {
        let mark = send(&story, "mycroft.mic.get_status", json!({})).await;
        let told = wait(&story, mark, "mycroft.mic.get_status.response").await;
        told.data["muted"].clone()
    };
    for (topic, expected) in [
        ("mycroft.mic.mute", true),
        ("mycroft.mic.mute.toggle", false),
        ("mycroft.mic.mute.toggle", true),
    ] {
        send(&story, topic, json!({})).await;
        assert_eq!(muted().await, expected, "{topic}");
    }
    let mark = say(&story, &sound, "what time is it in Tokyo?").await;
    send(&story, "mycroft.mic.listen", json!({})).await;
    assert_eq!(muted().await, true);
    assert_eq!(seen(&story, mark, &HEARD), [""; 0]);
    assert_eq!(seen(&story, mark, &MARKS), [""; 0]);
    send(&story, "mycroft.mic.unmute", json!({})).await;
    assert_eq!(muted().await, false);
    let is_listening = async || {
        let mark = send(&story, "ovos.mic.listen", json!({})).await;
        let began = |frame: &Frame| frame.topic == MARKS[0];
        story.probe.try_wait(mark, PATIENCE, began).await
    };
    wait_for("a capture", PATIENCE, is_listening).await;
}
