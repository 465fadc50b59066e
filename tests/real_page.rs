//! The page in a real Chromium: each of its functions, every view at two widths and by day and night, looked through by axe.
//! `make test-page` installs the driver and runs this; the pictures are in `target/page`.
#![cfg(test)]

use std::path::Path;
use std::time::Duration;

use loquat_tests::binaries::{self, setting};
use loquat_tests::brain::Reply;
use loquat_tests::browser::{address, served};
use loquat_tests::models::smallest;
use loquat_tests::persona::Persona;
use loquat_tests::sound::{SoundServer, speak};
use loquat_tests::story::{Scene, TESTER};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;
use tokio::process::Command;

/// Some forty views, each looked through, on a busy machine.
const LONG: Duration = Duration::from_secs(600);

#[tokio::test]
async fn every_function_works_in_a_browser_and_every_view_is_fit_for_everybody() {
    let scene = Scene::default();
    served(&scene.home);
    // What is fetched is not there, and no test asks the model hub.
    let mirror = scene.home.path().join("mirror");
    std::fs::create_dir_all(&mirror).unwrap();
    scene
        .home
        .setting("models.mirror", &format!("{:?}", mirror.display().to_string()));
    for (key, value) in [
        ("speech.enabled", "true"),
        ("speech.host", "\"pulseaudio\""),
        ("speech.wake_word", "\"off\""),
        ("speech.whisper_model", &smallest("ggml-tiny", "bin")),
        ("speech.vad_model", &smallest("ggml-silero", "bin")),
        // A busy machine has time to look at the words before silence ends them.
        ("speech.end_silence_ms", "10000"),
        ("speech.whole_silence_ms", "10000"),
        ("speech.open_silence_ms", "10000"),
    ] {
        scene.home.setting(key, value);
    }
    let sound = SoundServer::start(scene.home.path()).await;
    let spoken = speak("What time is it in Tokyo?", scene.home.path()).await;
    scene.home.persona(&scene.tester());
    let pirate = Persona::react("Pirate", &scene.brain.url("Pirate"));
    scene
        .home
        .persona(&pirate.key("description", json!("Answers as one who sails.")));
    let story = scene
        .start_with(|launch| launch.env("PULSE_SERVER", sound.address()))
        .await;
    story.daemon.wrote("microphone is open", PATIENCE).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    story
        .brain
        .whenever(TESTER, "Tokyo", Reply::answers("It is evening there."));
    story
        .brain
        .whenever("Pirate", "Who is there", Reply::answers("Arr, it is me."));
    for _ in 0..2 {
        story.brain.script(
            TESTER,
            [
                Reply::acts("evaluate_expression", &json!({"expression": "6 * 7"})),
                Reply::answers("It is 42."),
            ],
        );
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/drive.js");
    let pictures = binaries::loquat().with_file_name("../page");
    let mut driver = Command::new("node");
    driver
        .arg(script)
        .env("PAGE_URL", address(&story.home).await)
        .env("PAGE_SHOTS", &pictures)
        .env("PAGE_SPEECH", json!(sound.playing(&spoken)).to_string())
        .env("PAGE_SETTINGS", story.home.path().join("config/loquat"))
        .kill_on_drop(true);
    if let Some(folder) = setting("LOQUAT_PAGE_PEERS") {
        driver.env("LOQUAT_PAGE_PEERS", folder);
    }
    let ended = within("the browser to be done", LONG, driver.status()).await;
    assert!(
        ended.expect("node is there").success(),
        "{}",
        story.daemon.output()
    );
}
