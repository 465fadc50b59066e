//! A virtual microphone in real time: a player, a sound server, the ear, and what happens when the server dies.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_speech::{AudioHost, ListenMode};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::ear_process::{OtherEar, ROLE, be_the_ear, run, was_the_ear};
use crate::sound::{KITCHEN, TOKYO, WAKE_WORD, is, settings, silence, spoken, write};
use crate::sound_server::SoundServer;

/// A microphone that is back is heard within this time.
const BACK_WITHIN: Duration = Duration::from_secs(2);

/// A sentence with enough silence around it for the capture to end.
fn recording(folder: &TempDir, sentence: &str) -> PathBuf {
    let name: String = sentence.chars().filter(char::is_ascii_alphanumeric).collect();
    let path = folder.path().join(format!("quiet-{name}.wav"));
    write(&path, &[silence(0.5), spoken(sentence), silence(1.5)].concat(), 1);
    path
}

async fn expect(ear: &mut OtherEar, story: &[&str]) {
    for told in story {
        assert_eq!(ear.next().await, *told);
    }
}

/// The ear hears this sentence, in a capture of its own.
async fn expect_heard(ear: &mut OtherEar, trigger: &str, sentence: &str) {
    expect(ear, &[&format!("started {trigger}"), "ended"]).await;
    let told = ear.next().await;
    assert!(
        told.strip_prefix("heard ").is_some_and(|text| is(text, sentence)),
        "{told}"
    );
}

async fn order(ear: &mut OtherEar, order: &str) {
    ear.order(order).await;
    expect(ear, &["done"]).await;
}

/// A configuration of libasound in which nothing is a sound card.
fn no_sound_cards(folder: &Path) -> String {
    let path = folder.join("no-cards.conf");
    std::fs::write(&path, "").unwrap();
    path.display().to_string()
}

#[test]
fn a_sound_server_that_dies_and_comes_back_is_heard_again() {
    if was_the_ear() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let (kitchen, tokyo) = (recording(&folder, KITCHEN), recording(&folder, TOKYO));
        let server = SoundServer::start(folder.path()).await;
        let mut ear = OtherEar::start(
            "microphone::a_sound_server_that_dies_and_comes_back_is_heard_again",
            "continuous/auto",
            &[
                ("PULSE_SERVER", &server.address()),
                ("ALSA_CONFIG_PATH", &no_sound_cards(folder.path())),
            ],
        );
        expect(&mut ear, &["ready"]).await;
        server.play(&kitchen).await;
        expect_heard(&mut ear, "Voice", KITCHEN).await;

        let long = folder.path().join("long.wav");
        write(&long, &spoken(&[TOKYO; 4].join(" ")), 1);
        let player = server.begin(&long);
        expect(&mut ear, &["started Voice"]).await;
        server.kill().await;
        drop(player);
        // The loss and the end of the capture are noticed by different parts; what matters is that both are told.
        let mut told = Vec::new();
        while !(told
            .iter()
            .any(|told: &String| told.starts_with("unavailable lost the microphone"))
            && told
                .iter()
                .any(|told| told.starts_with("heard") || told == "nothing heard"))
        {
            told.push(ear.next().await);
        }
        assert!(told.contains(&"ended".to_owned()), "{told:?}");

        ear.order("listen").await;
        expect(&mut ear, &["failed to listen: no sound comes from a microphone"]).await;
        // Longer than the pauses of one who has forgotten that there was a microphone.
        tokio::time::sleep(Duration::from_secs(5)).await;
        let server = SoundServer::start(folder.path()).await;
        let back = Instant::now();
        expect(&mut ear, &["ready"]).await;
        assert!(back.elapsed() < BACK_WITHIN, "{:?}", back.elapsed());
        server.play(&tokyo).await;
        expect_heard(&mut ear, "Voice", TOKYO).await;
        ear.finish().await;
    });
}

#[test]
fn push_to_talk_mute_and_sleep_decide_what_is_heard() {
    if was_the_ear() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let (kitchen, tokyo) = (recording(&folder, KITCHEN), recording(&folder, TOKYO));
        let server = SoundServer::start(folder.path()).await;
        let mut ear = OtherEar::start(
            "microphone::push_to_talk_mute_and_sleep_decide_what_is_heard",
            "push-to-talk/pulseaudio",
            &[("PULSE_SERVER", &server.address())],
        );
        expect(&mut ear, &["ready"]).await;
        server.play(&tokyo).await;
        ear.order("listen").await;
        expect(&mut ear, &["listens", "started Asked"]).await;
        server.play(&kitchen).await;
        expect(&mut ear, &["ended"]).await;
        let told = ear.next().await;
        assert!(
            told.strip_prefix("heard ").is_some_and(|text| is(text, KITCHEN)),
            "{told}"
        );

        ear.order("listen").await;
        expect(&mut ear, &["listens", "started Asked", "ended", "nothing heard"]).await;

        ear.order("listen").await;
        expect(&mut ear, &["listens", "started Asked"]).await;
        ear.order("mute").await;
        let mut told = [ear.next().await, ear.next().await, ear.next().await];
        told.sort();
        assert_eq!(told, ["done", "ended", "nothing heard"]);
        ear.order("listen").await;
        expect(&mut ear, &["failed to listen: the microphone is muted"]).await;
        order(&mut ear, "unmute").await;

        order(&mut ear, "wake").await;
        order(&mut ear, "sleep").await;
        ear.order("listen").await;
        expect(&mut ear, &["failed to listen: the ear is asleep, wake it first"]).await;
        ear.order("wake").await;
        let mut told = [ear.next().await, ear.next().await];
        told.sort();
        assert_eq!(told, ["Awoken", "done"]);

        ear.order("listen").await;
        expect(&mut ear, &["listens", "started Asked"]).await;
        order(&mut ear, "stop").await;
        expect(&mut ear, &["ended", "nothing heard"]).await;
        ear.finish().await;
    });
}

#[test]
fn a_microphone_that_is_unplugged_is_told_once_and_heard_again_when_it_is_back() {
    if std::env::var_os(ROLE).is_some() {
        let mut settings = settings();
        settings.mode = ListenMode::Continuous;
        settings.host = AudioHost::PulseAudio;
        settings.device = Some("plug*".into());
        return run(be_the_ear(settings, false));
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let kitchen = recording(&folder, KITCHEN);
        let server = SoundServer::start(folder.path()).await;
        let plugged = server.plug("plugged").await;
        let mut ear = OtherEar::start(
            "microphone::a_microphone_that_is_unplugged_is_told_once_and_heard_again_when_it_is_back",
            "any",
            &[("PULSE_SERVER", &server.address())],
        );
        expect(&mut ear, &["ready"]).await;
        server.unplug(&plugged).await;
        let told = ear.next().await;
        assert!(told.starts_with("unavailable lost the microphone"), "{told}");
        server.plug("plugged").await;
        let back = Instant::now();
        expect(&mut ear, &["ready"]).await;
        assert!(back.elapsed() < BACK_WITHIN, "{:?}", back.elapsed());
        server.play(&kitchen).await;
        expect_heard(&mut ear, "Voice", KITCHEN).await;
        ear.finish().await;
    });
}

#[test]
fn a_wake_word_opens_a_capture() {
    if was_the_ear() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let server = SoundServer::start(folder.path()).await;
        let mut ear = OtherEar::start(
            "microphone::a_wake_word_opens_a_capture",
            "push-to-talk with wake word/pulseaudio",
            &[("PULSE_SERVER", &server.address())],
        );
        expect(&mut ear, &["ready"]).await;
        for sentence in [TOKYO, KITCHEN] {
            // Talk that is not meant for the device opens nothing, or what is told next would be about it.
            server.play(&recording(&folder, TOKYO)).await;
            server
                .play(&recording(&folder, &format!("{WAKE_WORD} {sentence}")))
                .await;
            expect(&mut ear, &["wake word hey_mycroft"]).await;
            expect_heard(&mut ear, "WakeWord", sentence).await;
        }
        ear.finish().await;
    });
}

#[test]
fn alsa_before_a_sound_server_that_dies_is_noticed_by_its_silence() {
    if was_the_ear() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().display().to_string();
        std::fs::write(folder.path().join(".asoundrc"), "pcm.!default { type pulse }\n").unwrap();
        let server = SoundServer::start(folder.path()).await;
        let mut ear = OtherEar::start(
            "microphone::alsa_before_a_sound_server_that_dies_is_noticed_by_its_silence",
            "continuous/alsa",
            &[("PULSE_SERVER", &server.address()), ("HOME", &home)],
        );
        expect(&mut ear, &["ready"]).await;
        server.play(&recording(&folder, KITCHEN)).await;
        expect_heard(&mut ear, "Voice", KITCHEN).await;
        server.kill().await;
        let told = ear.next().await;
        assert!(told.starts_with("unavailable lost the microphone"), "{told}");
        let server = SoundServer::start(folder.path()).await;
        while ear.next().await != "ready" {}
        server.play(&recording(&folder, TOKYO)).await;
        expect_heard(&mut ear, "Voice", TOKYO).await;
        ear.finish().await;
    });
}

#[test]
fn without_any_microphone_one_sentence_says_so_and_libasound_is_quiet() {
    if was_the_ear() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let mut ear = OtherEar::start(
            "microphone::without_any_microphone_one_sentence_says_so_and_libasound_is_quiet",
            "continuous/auto",
            &[
                (
                    "PULSE_SERVER",
                    &format!("unix:{}", folder.path().join("nobody.socket").display()),
                ),
                ("ALSA_CONFIG_PATH", &no_sound_cards(folder.path())),
            ],
        );
        let told = ear.next().await;
        assert!(
            told.starts_with("unavailable failed to open a microphone (PulseAudio: "),
            "{told}"
        );
        assert!(
            told.contains("; ALSA: ") && told.contains("plug one in"),
            "{told}"
        );
        let errors = ear.finish().await;
        assert!(!errors.contains("ALSA lib"), "{errors}");
    });
}

#[test]
fn a_device_that_does_not_exist_is_named_with_those_that_do() {
    if std::env::var_os(ROLE).is_some() {
        let mut settings = settings();
        settings.host = AudioHost::PulseAudio;
        settings.device = Some("golden microphone".into());
        return run(be_the_ear(settings, false));
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let server = SoundServer::start(folder.path()).await;
        let mut ear = OtherEar::start(
            "microphone::a_device_that_does_not_exist_is_named_with_those_that_do",
            "any",
            &[("PULSE_SERVER", &server.address())],
        );
        let told = ear.next().await;
        assert!(
            told.contains("no input device \"golden microphone\", only: "),
            "{told}"
        );
        ear.finish().await;
    });
}
