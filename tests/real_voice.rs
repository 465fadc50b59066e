//! The daemon and the real Piper: found by itself, kept running, spoken with, stopped, killed; and its HTTP server.
//! `make test-voice` installs it and runs this.
#![cfg(test)]

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::Duration;

use loquat_tests::binaries::setting;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::process::signal_to;
use loquat_tests::sound::{SoundServer, Witness};
use loquat_tests::story::{Scene, Story};
use loquat_tests::wait::wait_for;
use rustix::process::Signal;
use serde_json::json;
use tokio::time::Instant;

/// Piper loads its voice first, on a machine that may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

const STARTED: &str = "ovos.audio.output.started";
const ENDED: &str = "ovos.audio.output.ended";

const LIGHTS: &str = "The kitchen lights are on.";
const LONG: &str =
    "This is a longer sentence, which tells of many things that happened on the way to the market.";

fn peer(name: &str) -> PathBuf {
    let usual = || PathBuf::from(setting("HOME").expect("a home")).join(".cache/loquat/peers/voice");
    let folder = setting("LOQUAT_VOICE_PEERS").map_or_else(usual, PathBuf::from);
    let path = folder.join(name);
    assert!(
        path.exists(),
        "{} is missing: `make test-voice` installs it",
        path.display()
    );
    path
}

/// A device on which Piper is installed as a person would do it.
struct Device {
    sound: SoundServer,
    witness: Witness,
    story: Story,
}

impl Device {
    async fn new() -> Self {
        let scene = Scene::default();
        scene.home.setting("voice.piper", "\"auto\"");
        std::fs::create_dir(scene.home.path().join("bin")).unwrap();
        symlink(peer("bin/piper"), scene.home.path().join("bin/piper")).unwrap();
        symlink(peer("voices"), scene.home.path().join("data/piper-voices")).unwrap();
        scene.home.persona(&scene.tester());
        let sound = SoundServer::start(scene.home.path()).await;
        let witness = sound.witness();
        witness.listens().await;
        let address = sound.address().to_owned();
        let story = scene
            .start_with(|launch| launch.finding("bin").env("PULSE_SERVER", address))
            .await;
        story.daemon.wrote("what speaks was looked for", PATIENCE).await;
        let device = Self {
            sound,
            witness,
            story,
        };
        device.warm().await;
        device
    }

    /// In its first second the device looks whether an audio service is there; then Piper loads its voice.
    async fn warm(&self) {
        wait_for("Piper", PATIENCE, async || {
            (!self.story.daemon.descendants().is_empty()).then_some(())
        })
        .await;
    }

    async fn say(&self, text: &str) -> usize {
        let mark = self.story.probe.mark();
        let frame = json!({"type": "speak", "data": {"utterance": text, "lang": "en-US"}, "context": {}});
        self.story.probe.send(&frame).await;
        mark
    }

    async fn wait(&self, mark: usize, topic: &'static str) -> Frame {
        let wanted = |frame: &Frame| frame.topic == topic;
        self.story.probe.wait(topic, mark, PATIENCE, wanted).await
    }

    /// How long a text sounded, as the bus was told.
    async fn spoken(&self, text: &str) -> Duration {
        let mark = self.say(text).await;
        let started = self.wait(mark, STARTED).await;
        self.wait(mark, ENDED).await.seen - started.seen
    }
}

#[tokio::test]
async fn piper_is_found_and_speaks_and_is_kept() {
    let device = Device::new().await;
    let running = device.story.daemon.descendants();
    let lights = device.spoken(LIGHTS).await;
    // As Piper itself: 1.3 s of sound, a little more or less each time.
    assert!(
        lights > Duration::from_secs(1) && lights < Duration::from_secs(3),
        "{lights:?}"
    );
    let mark = device.story.probe.mark();
    let sentences = [LIGHTS, LONG, LIGHTS].join(" ");
    let all = device.spoken(&sentences).await;
    assert!(all > lights * 3, "{all:?} after {lights:?}");
    assert!(device.witness.last_sound().is_some());
    let told = device.story.probe.since(mark);
    assert_eq!(told.iter().filter(|frame| frame.topic == STARTED).count(), 1);
    assert_eq!(
        device.story.daemon.descendants(),
        running,
        "it is one process all the time"
    );
    let asked = Instant::now();
    let said = device.say(LIGHTS).await;
    let started = device.wait(said, STARTED).await.seen - asked;
    device.wait(said, ENDED).await;
    println!("first sound after {started:?}; one sentence {lights:?}, three {all:?}");
}

#[tokio::test]
async fn a_stop_is_heard_and_the_next_answer_after_it() {
    let device = Device::new().await;
    let mark = device.say(&[LONG; 3].join(" ")).await;
    device.wait(mark, STARTED).await;
    let stop = json!({"type": "ovos.audio.stop", "data": {}, "context": {}});
    device.story.probe.send(&stop).await;
    let stopped = device.wait(mark, ENDED).await.seen;
    let lights = device.spoken(LIGHTS).await;
    assert!(
        lights < Duration::from_secs(3),
        "nothing of what was stopped: {lights:?}"
    );
    println!("spoke again after {:?}", stopped.elapsed() - lights);
}

#[tokio::test]
async fn piper_that_is_killed_in_mid_sentence_speaks_again() {
    let device = Device::new().await;
    let mark = device.say(&[LONG; 2].join(" ")).await;
    device.wait(mark, STARTED).await;
    for pid in device.story.daemon.descendants() {
        signal_to(pid, Signal::KILL);
    }
    device.wait(mark, ENDED).await;
    let lights = device.spoken(LIGHTS).await;
    assert!(lights > Duration::from_secs(1), "{lights:?}");
}

#[tokio::test]
async fn the_check_names_piper() {
    let device = Device::new().await;
    let check = Launch::new(&device.story.home, &["check"])
        .finding("bin")
        .env("PULSE_SERVER", device.sound.address());
    let shown = check.run().await.shown();
    assert!(
        shown.contains("bin/piper speaks where no audio service does"),
        "{shown}"
    );
    assert!(shown.contains("takes sound"), "{shown}");
}
