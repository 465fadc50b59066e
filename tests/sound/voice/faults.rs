//! What speaks dies, refuses, says nothing or does not end; the server or the loudspeaker is away.

use std::time::Duration;

use loquat_tests::speaker::{ESPEAK_HERTZ, HERTZ, sound_of};
use loquat_tests::wait::{PATIENCE, wait_for};
use loquat_tests::web_server::{Answer, WebServer};
use serde_json::json;

use super::{ENDED, Room, STARTED, lines};
use crate::story::Scene;

/// The sentence of a process that fails, and the next, are spoken.
async fn espeak_speaks_instead(room: &Room, text: &str, complaint: &str) {
    let mark = room.say(text).await;
    room.wait(mark, STARTED).await;
    room.wait(mark, ENDED).await;
    room.heard(ESPEAK_HERTZ, sound_of(text)).await;
    room.story.daemon.wrote(complaint, PATIENCE).await;
    let complaints = room
        .story
        .daemon
        .output()
        .matches("another way to speak is tried")
        .count();
    assert_eq!(complaints, 1, "{}", room.story.daemon.output());
}

#[tokio::test]
async fn a_process_that_dies_in_mid_sentence_is_started_again_and_no_word_is_lost() {
    let room = Room::new().await;
    let text = "Here it dies. And this is later.";
    let mark = room.say(text).await;
    room.wait(mark, ENDED).await;
    room.story.daemon.wrote("the voice is gone", PATIENCE).await;
    // Half of the first is heard, and then all of it and the second by the other.
    room.heard(ESPEAK_HERTZ, sound_of(text)).await;
    assert!(room.witness.seconds_of(HERTZ) > 0.1);
    wait_for("the process to be tried again", PATIENCE, async || {
        let mark = room.say("Again.").await;
        room.wait(mark, ENDED).await;
        lines(&room.log).contains(&"Again.".to_owned()).then_some(())
    })
    .await;
    let started = lines(&room.log).iter().filter(|line| *line == "started").count();
    assert_eq!(started, 2);
}

#[tokio::test]
async fn a_process_that_is_killed_between_sentences_is_started_again() {
    let room = Room::new().await;
    let mark = room.say("One.").await;
    room.wait(mark, ENDED).await;
    let speakers = room.story.daemon.descendants();
    for pid in &speakers {
        loquat_tests::process::signal_to(*pid, rustix::process::Signal::KILL);
    }
    wait_for("them to be dead", PATIENCE, async || {
        let are_dead = !speakers.iter().any(|pid| loquat_tests::process::runs(*pid));
        are_dead.then_some(())
    })
    .await;
    let mark = room.say("Two.").await;
    room.wait(mark, ENDED).await;
    room.heard(HERTZ, sound_of("One.") + sound_of("Two.")).await;
    assert_eq!(lines(&room.log), ["started", "One.", "started", "Two."]);
}

#[tokio::test]
async fn a_process_that_refuses_is_told_with_its_words() {
    let room = Room::with(|_| {}, &["refuse"]).await;
    espeak_speaks_instead(&room, "The kitchen lights are on.", "there is no voice").await;
}

#[tokio::test]
async fn a_program_that_does_not_exist_is_named() {
    let missing = |scene: &Scene| scene.home.setting("voice.command", "[\"/nowhere/piper\"]");
    let room = Room::with(missing, &[]).await;
    espeak_speaks_instead(
        &room,
        "The kitchen lights are on.",
        "failed to start /nowhere/piper",
    )
    .await;
}

#[tokio::test]
async fn a_process_that_writes_nothing_is_not_waited_for() {
    let room = Room::new().await;
    espeak_speaks_instead(&room, "It is mute.", "made no sound of a sentence").await;
}

#[tokio::test]
async fn a_process_that_does_not_end_is_ended() {
    let room = Room::new().await;
    let mark = room.say("An endless one.").await;
    room.story
        .daemon
        .wrote("of sound of one sentence", PATIENCE)
        .await;
    room.wait(mark, STARTED).await;
    room.tell("ovos.audio.stop", json!({})).await;
    room.wait(mark, ENDED).await;
    let mark = room.say("Good night.").await;
    room.wait(mark, ENDED).await;
}

#[tokio::test]
async fn a_server_that_is_away_or_gives_no_sound_leaves_the_word_to_espeak() {
    let nonsense = WebServer::start(|_| Answer::html("<p>no sound</p>")).await;
    for (url, complaint) in [
        ("http://127.0.0.1:9/".to_owned(), "127.0.0.1:9/ does not answer"),
        (nonsense.url(), "gives is no sound"),
    ] {
        let served = |scene: &Scene| {
            scene.home.setting("voice.command", "[]");
            scene.home.setting("voice.url", &format!("{url:?}"));
        };
        let room = Room::with(served, &[]).await;
        espeak_speaks_instead(&room, "The kitchen lights are on.", complaint).await;
    }
    assert_eq!(nonsense.asked().len(), 1);
}

#[tokio::test]
async fn without_a_loudspeaker_one_sentence_says_so_and_the_daemon_goes_on() {
    let room = Room::with(
        |scene| scene.home.setting("voice.device", "\"golden loudspeaker\""),
        &[],
    )
    .await;
    for text in ["One.", "Two."] {
        room.say(text).await;
        let told = async || lines(&room.log).contains(&text.to_owned()).then_some(());
        wait_for(text, PATIENCE, told).await;
    }
    let known = r#"(PulseAudio: it has no output device \"golden loudspeaker\", only: "#;
    room.story.daemon.wrote(known, PATIENCE).await;
    room.story
        .script([loquat_tests::brain::Reply::answers("Still here.")]);
    assert_eq!(room.story.ask("Hello").await.answer(), "Still here.");
    assert_eq!(room.story.daemon.output().matches(known).count(), 1);
    assert_eq!((room.count(0, STARTED), room.count(0, ENDED)), (0, 0));
}

#[tokio::test]
async fn a_sound_server_that_dies_ends_the_sound_and_the_next_answer_is_heard_when_it_is_back() {
    let mut room = Room::new().await;
    let long =
        "This is a sentence that goes on and on and on for a good while, as sentences of such a kind do.";
    let mark = room.say(long).await;
    room.wait(mark, STARTED).await;
    room.sound.kill_and_start_again(room.story.home.path()).await;
    room.wait(mark, ENDED).await;
    room.story.daemon.wrote("lost the loudspeaker", PATIENCE).await;
    room.witness = room.sound.witness();
    room.witness.listens().await;
    let mark = room.say("Good night.").await;
    room.wait(mark, ENDED).await;
    room.heard(HERTZ, sound_of("Good night.")).await;
    let shorter = Duration::from_secs(1);
    assert!(sound_of("Good night.") < shorter);
}
