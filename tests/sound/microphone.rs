//! `loquat listen` with a microphone: which there are and how they stand, what one hears, and what is wrong with it.

use std::time::Duration;

use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::{Home, free_port};
use loquat_tests::models::smallest;
use loquat_tests::sound::{SoundServer, base64, speak};
use loquat_tests::wait::{PATIENCE, wait_for};
use rustix::process::Signal;
use serde_json::{Value, json};

/// A home whose settings name the real models, and a sound server with a virtual microphone.
async fn stage() -> (Home, SoundServer) {
    let home = Home::without_bus();
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.host", "\"pulseaudio\"");
    let sound = SoundServer::start(home.path()).await;
    (home, sound)
}

async fn devices(home: &Home, sound: &SoundServer) -> (bool, String) {
    let launch = Launch::new(home, &["listen", "--devices"]).env("PULSE_SERVER", sound.address());
    let finished = launch.run().await;
    (finished.status.success(), finished.shown())
}

#[tokio::test]
async fn microphones_are_listed_with_how_they_stand() {
    let (home, sound) = stage().await;
    let line_after = |shown: &str, id: &str| {
        let mut lines = shown
            .lines()
            .skip_while(|line| !line.trim_start_matches([' ', '*', '>']).starts_with(id));
        lines.nth(1).unwrap_or_default().to_owned()
    };
    // The server answers before it has set up its microphone.
    let shown = wait_for("the microphone", PATIENCE, async || {
        let (_, shown) = devices(&home, &sound).await;
        shown.contains("* vmic ").then_some(shown)
    })
    .await;
    assert!(line_after(&shown, "vmic ").contains("ready"), "{shown}");
    assert!(
        line_after(&shown, "vmic_sink.monitor").contains("no microphone"),
        "{shown}"
    );
    sound.control(&["set-source-volume", "vmic", "2%"]).await;
    let (_, shown) = devices(&home, &sound).await;
    assert!(
        line_after(&shown, "vmic ").contains("turned down to 2 %"),
        "{shown}"
    );
    sound.control(&["set-source-mute", "vmic", "1"]).await;
    home.setting("speech.device", "\"vm?c\"");
    let (is_fine, shown) = devices(&home, &sound).await;
    assert!(is_fine && shown.contains("> vmic "), "{shown}");
    assert!(line_after(&shown, "vmic ").contains("muted"), "{shown}");
    home.setting("speech.device", "\"*respeaker*\"");
    let (is_fine, shown) = devices(&home, &sound).await;
    assert!(
        !is_fine && shown.contains("none of them is \"*respeaker*\""),
        "{shown}"
    );
}

#[tokio::test]
async fn what_a_microphone_hears_is_shown_while_it_hears_it() {
    let (home, sound) = stage().await;
    let wav = speak("what time is it in Tokyo?", home.path()).await;
    let launch = Launch::new(&home, &["listen", "--watch", "--json"]).env("PULSE_SERVER", sound.address());
    let mut watching = launch.process();
    watching.wrote("\"event\":\"ready\"", PATIENCE).await;
    sound.play(&wav).await;
    watching.wrote("\"event\":\"heard\"", PATIENCE).await;
    let output = watching.output();
    let meters: Vec<(f64, f64)> = output
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["event"] == "meter")
        .filter_map(|line| {
            Some((
                line["meter"]["level"].as_f64()?,
                line["meter"]["speech"].as_f64()?,
            ))
        })
        .collect();
    assert!(
        meters
            .iter()
            .any(|(level, speech)| *level > 0.05 && *speech > 0.5),
        "{output}"
    );
    assert!(output.contains("Tokyo"), "{output}");
    // Before the words a virtual microphone is silent to the last bit, which is told.
    assert!(
        !output.contains("clipped") && !output.contains("far_too_quiet"),
        "{output}"
    );
    watching.signal(Signal::INT);
    assert!(watching.ended(PATIENCE).await.success(), "{}", watching.output());
}

#[tokio::test]
async fn what_is_wrong_with_a_microphone_is_said() {
    let (home, sound) = stage().await;
    let listen = |words: &[&str]| Launch::new(&home, words).env("PULSE_SERVER", sound.address());
    let silent = listen(&["listen", "--transcribe-only"]).run().await;
    assert!(
        silent.shown().contains("sends silence alone"),
        "{}",
        silent.shown()
    );
    let wav = speak("what time is it in Tokyo?", home.path()).await;
    for (volume, complaint) in [
        ("3000%", "turned up so far that loud sound is cut off"),
        ("24%", "far too quiet for a voice"),
    ] {
        sound.control(&["set-sink-volume", "vmic_sink", volume]).await;
        let mut watching = listen(&["listen", "--watch"]).process();
        watching.wrote("Hearing ", PATIENCE).await;
        for _ in 0..3 {
            sound.play(&wav).await;
            if watching.output().contains(complaint) {
                break;
            }
        }
        watching.wrote(complaint, Duration::from_secs(5)).await;
        watching.signal(Signal::INT);
        watching.ended(PATIENCE).await;
    }
    home.setting("speech.device", "\"vmic_sink.monitor\"");
    let mut watching = listen(&["listen", "--watch"]).process();
    watching.wrote("what a loudspeaker plays", PATIENCE).await;
    watching.signal(Signal::INT);
    watching.ended(PATIENCE).await;
}

#[tokio::test]
async fn a_program_sees_and_sets_the_mode_and_has_recordings_heard() {
    let home = Home::with_bus(free_port());
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("speech.enabled", "true");
    home.setting("speech.wake_word", "\"off\"");
    let sound = SoundServer::start(home.path()).await;
    let launch = Launch::new(&home, &["run"]).env("PULSE_SERVER", sound.address());
    let (daemon, probe) = launch.ready().await;
    daemon.wrote("microphone is open", PATIENCE).await;
    let told = async |topic: &str, data: Value, answer: &'static str| {
        let mark = probe.mark();
        let context = json!({"source": "satellite", "session": {"session_id": "kitchen-satellite"}});
        let frame = json!({"type": topic, "data": data, "context": context});
        probe.send(&frame).await;
        let wanted = |frame: &Frame| frame.topic == answer && !frame.is_twin();
        probe.wait(answer, mark, PATIENCE, wanted).await
    };
    let state = async |topic: &str, data: Value| told(topic, data, "recognizer_loop:state").await.data;
    let asked = state("recognizer_loop:state.get", json!({})).await;
    assert_eq!(asked, json!({"mode": "wakeword", "state": "wakeword"}));

    let wav = speak("what time is it in Tokyo?", home.path()).await;
    let audio = base64(&wav);
    let answer = told(
        "recognizer_loop:b64_transcribe",
        json!({"audio": audio, "lang": "en-US"}),
        "recognizer_loop:b64_transcribe.response",
    )
    .await;
    let text = answer.data["transcriptions"][0][0].as_str().unwrap_or_default();
    assert!(text.contains("Tokyo"), "{answer:?}");
    assert_eq!(answer.context["destination"], "satellite");

    let heard = told(
        "recognizer_loop:b64_audio",
        json!({"audio": audio}),
        "ovos.utterance.handle",
    )
    .await;
    assert!(
        heard.data["utterances"][0].to_string().contains("Tokyo"),
        "{heard:?}"
    );
    assert_eq!(heard.context["session"]["session_id"], "kitchen-satellite");
    for bad in [
        json!({"audio": "no base64!"}),
        json!({"audio": "AAAA"}),
        json!({}),
    ] {
        let failed = told("recognizer_loop:b64_audio", bad, "ovos.stt.failed").await;
        assert_eq!(failed.context["session"]["session_id"], "kitchen-satellite");
    }

    let set = state("recognizer_loop:state.set", json!({"mode": "continuous"})).await;
    assert_eq!(set, json!({"mode": "continuous", "state": "continuous"}));
    let mark = probe.mark();
    sound.play(&wav).await;
    let is_heard = |frame: &Frame| {
        frame.topic == "ovos.utterance.handle" && frame.context["session"]["session_id"] == "default"
    };
    probe
        .wait("what was said unasked", mark, PATIENCE, is_heard)
        .await;

    let set = state("recognizer_loop:state.set", json!({"state": "sleeping"})).await;
    assert_eq!(set, json!({"mode": "sleeping", "state": "sleeping"}));
    let mark = probe.mark();
    let set = state("recognizer_loop:state.set", json!({"mode": "hybrid"})).await;
    assert_eq!(set["mode"], "hybrid");
    let awoken = |frame: &Frame| frame.topic == "ovos.listener.awoken";
    probe.wait("its awakening", mark, PATIENCE, awoken).await;
    let set = state("recognizer_loop:state.set", json!({"mode": "telepathy"})).await;
    assert_eq!(set["mode"], "hybrid", "what is not known changes nothing");
}

#[tokio::test]
async fn a_sound_server_s_own_canceller_is_switched_on_as_it_is_said_and_used() {
    let (home, _) = stage().await;
    home.setting("speech.enabled", "\"auto\"");
    home.setting("voice.espeak", "\"auto\"");
    let sound = SoundServer::in_a_room(home.path()).await;
    let shown = wait_for("the microphone", PATIENCE, async || {
        let (_, shown) = devices(&home, &sound).await;
        shown.contains("* vmic ").then_some(shown)
    })
    .await;
    let line = shown
        .lines()
        .find(|line| line.contains("pactl load-module module-echo-cancel"));
    let line = line.unwrap_or_else(|| panic!("how it is switched on: {shown}"));
    let check = || Launch::new(&home, &["check"]).env("PULSE_SERVER", sound.address());
    let before = check().run().await.shown();
    assert!(before.contains(line.trim()), "{before}");
    sound.shell(line).await;
    let (_, shown) = devices(&home, &sound).await;
    let cancelled = shown
        .lines()
        .skip_while(|line| !line.trim_start().starts_with("ec_mic "))
        .nth(1);
    assert!(
        cancelled.is_some_and(|line| line.contains("without what the loudspeaker plays")),
        "{shown}"
    );
    let after = check().run().await.shown();
    let is_taken = |line: &str| line.contains("microphone") && line.contains("echo cancelled");
    assert!(after.lines().any(is_taken), "{after}");
    assert!(
        after.contains("the sound server takes out what it plays (ec_mic)"),
        "{after}"
    );
    home.setting("speech.echo_cancellation", "\"off\"");
    let off = check().run().await.shown();
    assert!(!off.lines().any(is_taken), "{off}");
}
