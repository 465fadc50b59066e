//! `loquat listen` with a microphone: which there are and how they stand, what one hears, and what is wrong with it.

use std::time::Duration;

use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::models::smallest;
use loquat_tests::sound::{SoundServer, speak};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;

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
    let (_, mut shown) = devices(&home, &sound).await;
    while !shown.contains("* vmic ") {
        shown = devices(&home, &sound).await.1;
    }
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
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
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
    assert!(output.contains("\"event\":\"so_far\""), "{output}");
    assert!(output.contains("Tokyo"), "{output}");
    assert!(!output.contains("fault"), "nothing is wrong with it: {output}");
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
        ("13%", "far too quiet for a voice"),
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
