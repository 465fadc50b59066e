//! `loquat setup` with a loudspeaker and a microphone: what is played, what is recorded, and what is said of both.

use std::path::{Path, PathBuf};

use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::sound::SoundServer;
use loquat_tests::wait::PATIENCE;

/// Leaves out all questions before those about sound.
const BEFORE: [&str; 5] = [""; 5];

/// A home that may hear and speak, and its sound server.
async fn stage() -> (Home, SoundServer) {
    let home = Home::without_bus();
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("voice.espeak", "\"auto\"");
    let sound = SoundServer::start(home.path()).await;
    (home, sound)
}

/// Puts the questions, and answers those about the loudspeaker and the microphone so.
async fn asked(home: &Home, sound: &SoundServer, answers: &[&str]) -> Daemon {
    let launch = Launch::new(home, &["setup"]).env("PULSE_SERVER", sound.address());
    let setup = launch.attended();
    for line in BEFORE.iter().chain(answers) {
        setup.types(line).await;
    }
    setup
}

/// Leaves out what comes behind, and gives all that was said.
async fn ended(mut setup: Daemon) -> String {
    setup.types("").await;
    setup.left_alone();
    let status = setup.ended(PATIENCE).await;
    assert!(status.success(), "{}", setup.output());
    setup.output()
}

/// What a person sings into the microphone, in hertz and seconds.
const SUNG: (u32, f32) = (1_000, 1.5);

/// Writes that as a WAV file in `folder`.
fn sung(folder: &Path) -> PathBuf {
    let format = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let path = folder.join("sung.wav");
    let mut writer = hound::WavWriter::create(&path, format).unwrap();
    for index in 0..(SUNG.1 * 16_000.0) as u32 {
        let phase = std::f32::consts::TAU * (SUNG.0 * index) as f32 / 16_000.0;
        writer.write_sample((9_000.0 * phase.sin()) as i16).unwrap();
    }
    writer.finalize().unwrap();
    path
}

#[tokio::test]
async fn three_notes_are_played_and_what_is_said_is_played_back() {
    let (home, sound) = stage().await;
    let wav = sung(home.path());
    let witness = sound.witness();
    witness.listens().await;
    let setup = asked(&home, &sound, &["y", "y", "y"]).await;
    setup.wrote("Speak now, into", PATIENCE).await;
    let highest = witness.seconds_of(784);
    assert!(
        highest > 0.3,
        "{highest} s of the highest note: {}",
        setup.output()
    );
    sound.play(&wav).await;
    setup.types("y").await;
    let said = ended(setup).await;
    assert!(said.contains(" dB") && !said.contains("That is wrong"), "{said}");
    assert!(said.contains("Did you hear yourself?"), "{said}");
    let heard = witness.seconds_of(SUNG.0);
    assert!(
        heard > 1.5 * f64::from(SUNG.1),
        "sung once, heard for {heard} s: {said}"
    );
}

#[tokio::test]
async fn what_is_not_heard_is_told_with_the_way_to_mend_it() {
    let (home, sound) = stage().await;
    let said = ended(asked(&home, &sound, &["y", "n", "y"]).await).await;
    for told in [
        "voice.device",
        "That is wrong: the microphone sends silence alone",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    assert!(!said.contains("hear yourself"), "{said}");
}

#[tokio::test]
async fn without_a_sound_server_the_reason_is_said() {
    let home = Home::without_bus();
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("voice.espeak", "\"auto\"");
    let setup = Launch::new(&home, &["setup"]).attended();
    for line in BEFORE.iter().chain(&["y", "y"]) {
        setup.types(line).await;
    }
    let said = ended(setup).await;
    for told in [
        "Nothing was played: failed to open",
        "Nothing was heard: failed to open",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
}
