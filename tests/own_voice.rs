//! A device that speaks in a room and hears itself: nothing of it is answered, and a person can interrupt it.
#![cfg(test)]

use std::path::Path;
use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::models::smallest;
use loquat_tests::sound::{SoundServer, Witness, speak, speak_as};
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for, within};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// What takes some fifteen seconds to say.
const LONG: &str = "The kitchen lights are on, and the radio in the living room plays quietly. Tomorrow it will rain in Berlin \
                    until the late evening, with wind from the west. Your next appointment is at half past nine: breakfast \
                    with the neighbours. The train to Hamburg leaves on time from platform seven.";

/// Until it is learnt how the room sounds.
const LEARNING: Duration = Duration::from_secs(4);

/// From the end of the word to silence. The goal is 300 ms, and a machine may be busy.
const PROMPTLY: Duration = Duration::from_millis(1_500);

/// A person who says something is answered within this, or says it once more.
const ONCE_MORE: Duration = Duration::from_secs(4);

/// Whisper and a sound server at once are enough for two cores.
static CORES: Mutex<()> = Mutex::const_new(());

/// A daemon that hears and speaks in a room of its own.
async fn in_a_room(mode: &str, settings: &[(&str, &str)]) -> (Story, SoundServer) {
    let scene = Scene::default();
    let home = &scene.home;
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("speech.mode", &format!("\"{mode}\""));
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.wake_word", &smallest("hey_mycroft", "tflite"));
    home.setting("voice.espeak", "\"auto\"");
    home.setting("desk.follow_up_seconds", "0");
    for (key, value) in settings {
        home.setting(key, value);
    }
    let sound = SoundServer::in_a_room(home.path()).await;
    let tester = scene.tester();
    scene.home.persona(&tester);
    let story = scene
        .start_with(|launch| launch.env("PULSE_SERVER", sound.address()))
        .await;
    story.daemon.wrote("microphone is open", PATIENCE).await;
    story.has_a_voice().await;
    (story, sound)
}

/// The device is asked something in writing and answers aloud; gives where its frames begin.
async fn answering_aloud(story: &Story, loudspeaker: &Witness, asked: &str) -> usize {
    story.script([Reply::answers(LONG)]);
    let mark = story.probe.mark();
    let turn = Utterance::new(asked)
        .in_session("default")
        .ask(&story.probe)
        .await;
    assert_eq!(turn.answer(), LONG);
    let began = |frame: &Frame| frame.topic == "ovos.audio.output.started";
    story.probe.wait("the voice", mark, PATIENCE, began).await;
    wait_for("the loudspeaker", PATIENCE, async || loudspeaker.last_sound()).await;
    mark
}

/// Waits until the device has spoken for a while, so that it knows the room.
async fn learnt(loudspeaker: &Witness) {
    let begun = Instant::now();
    wait_for("the room to be known", PATIENCE, async || {
        loudspeaker.last_sound().filter(|last| *last > begun + LEARNING)
    })
    .await;
}

async fn silent(story: &Story, mark: usize) {
    let ended = |frame: &Frame| frame.topic == "ovos.audio.output.ended";
    story
        .probe
        .wait("the end of the voice", mark, PATIENCE, ended)
        .await;
}

/// The person says the word, and says it again as people do where a busy machine has not understood it.
async fn told_to_stop(story: &Story, sound: &SoundServer, word: &Path, mark: usize) {
    let is_stop = |frame: &Frame| frame.topic == "ovos.audio.stop" || frame.topic == "ovos.stop";
    for _ in 0..3 {
        sound.play(word).await;
        let soon = Duration::from_millis(1_500);
        if story.probe.try_wait(mark, soon, is_stop).await.is_some() {
            return;
        }
    }
    panic!("it goes on speaking");
}

/// From the person's last sound to the loudspeaker's.
async fn silence_after(person: &Witness, loudspeaker: &Witness) -> Duration {
    let said = person.last_sound().expect("the person spoke");
    let quiet = wait_for("the loudspeaker to be quiet", PATIENCE, async || {
        loudspeaker
            .last_sound()
            .filter(|last| last.elapsed() > Duration::from_millis(400))
    })
    .await;
    quiet.saturating_duration_since(said)
}

/// What its microphone has heard it say since.
fn heard(story: &Story, mark: usize) -> Vec<Frame> {
    let is_heard = |frame: &Frame| {
        frame.topic == "ovos.utterance.handle" && frame.context["source"] == "audio" && !frame.is_twin()
    };
    story.probe.since(mark).into_iter().filter(is_heard).collect()
}

fn record_starts(story: &Story, mark: usize) -> usize {
    let is_start = |frame: &Frame| frame.topic == "ovos.listener.record.started";
    story
        .probe
        .since(mark)
        .iter()
        .filter(|frame| is_start(frame))
        .count()
}

/// Something short that is no word: its kind, and its sound.
async fn noises(folder: &Path) -> Vec<(&'static str, std::path::PathBuf)> {
    vec![
        ("mhm", speak_as("en-us", "120", "mhm", folder).await),
        ("a cough", loquat_tests::sound::cough(folder)),
    ]
}

#[tokio::test]
async fn its_own_voice_is_answered_at_no_level() {
    let _alone = CORES.lock().await;
    let (story, sound) = in_a_room("continuous", &[]).await;
    let loudspeaker = sound.loudspeaker();
    for volume in ["100%", "70%", "40%"] {
        sound.turn_loudspeaker(volume).await;
        let mark = answering_aloud(&story, &loudspeaker, "How is everything?").await;
        silent(&story, mark).await;
        // Whatever was heard until now is understood before this is.
        let wav = speak("what time is it in Tokyo?", story.home.path()).await;
        story.script([Reply::answers("Late.")]);
        let asked = story.probe.mark();
        sound.play(&wav).await;
        let is_heard =
            |frame: &Frame| frame.topic == "ovos.utterance.handle" && frame.context["source"] == "audio";
        story.probe.wait("the person", mark, PATIENCE, is_heard).await;
        let said: Vec<String> = heard(&story, mark)
            .iter()
            .map(|frame| frame.data["utterances"][0].to_string())
            .collect();
        assert!(
            said.len() == 1 && said[0].contains("Tokyo"),
            "at {volume}: {said:?}"
        );
        silent(&story, asked).await;
    }
}

#[tokio::test]
async fn the_wake_word_over_its_voice_silences_it() {
    let _alone = CORES.lock().await;
    let (story, sound) = in_a_room("push-to-talk", &[]).await;
    let (loudspeaker, person) = (sound.loudspeaker(), sound.person());
    let word = speak("hey mycroft", story.home.path()).await;
    let mark = answering_aloud(&story, &loudspeaker, "How is everything?").await;
    learnt(&loudspeaker).await;
    let is_word = |frame: &Frame| frame.topic == "ovos.listener.wakeword";
    // A person who is not heard says it once more.
    for _ in 0..3 {
        sound.play(&word).await;
        if story.probe.try_wait(mark, ONCE_MORE, is_word).await.is_some() {
            break;
        }
    }
    story.probe.wait("the wake word", mark, PATIENCE, is_word).await;
    silent(&story, mark).await;
    let took = silence_after(&person, &loudspeaker).await;
    println!("silent {} ms after the end of the wake word", took.as_millis());
    assert!(took < PROMPTLY, "{took:?}");
    // The person says what they want, and is told on where they interrupted.
    let wav = speak("what time is it in Tokyo?", story.home.path()).await;
    story.script([Reply::answers("Late.")]);
    sound.play(&wav).await;
    let request = within("the question", PATIENCE, async {
        story.brain.asked(TESTER, 2, PATIENCE).await;
        story.brain.requests(TESTER).last().cloned()
    })
    .await
    .expect("it was asked");
    let shown = request.text();
    assert!(shown.contains("interrupted your last answer"), "{shown}");
    assert!(
        shown.contains("The kitchen lights are on"),
        "what was heard is remembered: {shown}"
    );
    assert!(
        !shown.contains("platform seven"),
        "what was not heard is not: {shown}"
    );
}

#[tokio::test]
async fn stop_over_its_voice_silences_it_in_every_mode() {
    let _alone = CORES.lock().await;
    for mode in ["continuous", "hybrid", "push-to-talk"] {
        let (story, sound) = in_a_room(mode, &[]).await;
        let (loudspeaker, person) = (sound.loudspeaker(), sound.person());
        sound.turn_loudspeaker("50%").await;
        let word = speak_as("en-us", "120", "stop", story.home.path()).await;
        let mark = answering_aloud(&story, &loudspeaker, "How is everything?").await;
        learnt(&loudspeaker).await;
        told_to_stop(&story, &sound, &word, mark).await;
        silent(&story, mark).await;
        let took = silence_after(&person, &loudspeaker).await;
        println!("{mode}: silent {} ms after the end of \"stop\"", took.as_millis());
        let said = heard(&story, mark);
        let is_stop = |frame: &Frame| {
            let text = frame.data["utterances"][0].as_str().unwrap_or_default();
            text.to_lowercase().contains("stop")
        };
        assert!(!said.is_empty() && said.iter().all(is_stop), "{mode}: {said:?}");
        assert_eq!(
            record_starts(&story, mark),
            said.len(),
            "it is told once of each that it was meant"
        );
    }
}

#[tokio::test]
async fn where_a_wake_word_is_needed_a_sentence_over_its_voice_is_none() {
    let _alone = CORES.lock().await;
    let (story, sound) = in_a_room("push-to-talk", &[]).await;
    let loudspeaker = sound.loudspeaker();
    let wav = speak("what time is it in Tokyo?", story.home.path()).await;
    let mark = answering_aloud(&story, &loudspeaker, "How is everything?").await;
    learnt(&loudspeaker).await;
    sound.play(&wav).await;
    silent(&story, mark).await;
    let interrupted = |frame: &Frame| frame.topic == "loquat.speech.interrupted";
    assert!(!story.probe.since(mark).iter().any(interrupted));
    assert_eq!(heard(&story, mark).len(), 0);
    assert_eq!(record_starts(&story, mark), 0);
}

#[tokio::test]
async fn a_cough_and_an_interjection_interrupt_nothing() {
    let _alone = CORES.lock().await;
    let (story, sound) = in_a_room("continuous", &[]).await;
    let loudspeaker = sound.loudspeaker();
    let noises = noises(story.home.path()).await;
    let mark = answering_aloud(&story, &loudspeaker, "How is everything?").await;
    learnt(&loudspeaker).await;
    for (_, wav) in &noises {
        sound.play(wav).await;
    }
    silent(&story, mark).await;
    let interrupted = |frame: &Frame| frame.topic == "loquat.speech.interrupted";
    assert!(
        !story.probe.since(mark).iter().any(interrupted),
        "it spoke to its end"
    );
    let said = heard(&story, mark);
    assert!(said.is_empty(), "{said:?}");
}
