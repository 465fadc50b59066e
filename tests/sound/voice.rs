//! The device's own voice: what speaks is a program in tones, and what is heard is what the loudspeaker of a real sound
//! server was given.

mod faults;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_tests::binaries;
use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::sound::{SoundServer, Witness};
use loquat_tests::speaker::{self, ESPEAK_HERTZ, HERTZ, sound_of};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::story::{Scene, Story};

const STARTED: &str = "ovos.audio.output.started";
const ENDED: &str = "ovos.audio.output.ended";
const LISTEN: &str = "ovos.mic.listen";

/// The box of a door that is not opened without a yes.
const DOORS: &str = "door-tools";

/// What is heard later than it is told, on a machine that is busy.
const LATE: Duration = Duration::from_millis(400);

/// A device with a loudspeaker in a room with ears.
struct Room {
    sound: SoundServer,
    witness: Witness,
    story: Story,
    /// What the process was told.
    log: PathBuf,
    /// How `espeak-ng` was called.
    calls: PathBuf,
}

impl Room {
    /// One that speaks through a process that is kept running, and `espeak-ng` behind it.
    async fn new() -> Self {
        Self::with(|_| {}, &[]).await
    }

    async fn with(prepare: impl FnOnce(&Scene), process: &[&str]) -> Self {
        let scene = Scene::default();
        let calls = speaker::espeak(&scene.home);
        let log = speaker::process(&scene.home, process);
        prepare(&scene);
        let tester = scene.tester().toolboxes(&["ovos-clock-tools", DOORS]);
        scene.home.persona(&tester);
        let sound = SoundServer::start(scene.home.path()).await;
        let witness = sound.witness();
        witness.listens().await;
        let address = sound.address().to_owned();
        let story = scene
            .start_with(|launch| launch.finding("bin").env("PULSE_SERVER", address))
            .await;
        let room = Self {
            sound,
            witness,
            story,
            log,
            calls,
        };
        room.story.has_a_voice().await;
        room
    }

    async fn tell(&self, topic: &str, data: Value) -> usize {
        let mark = self.story.probe.mark();
        let frame = json!({"type": topic, "data": data, "context": {}});
        self.story.probe.send(&frame).await;
        mark
    }

    async fn say(&self, text: &str) -> usize {
        self.tell("speak", json!({"utterance": text, "lang": "en-US"}))
            .await
    }

    async fn wait(&self, mark: usize, topic: &'static str) -> Frame {
        let wanted = |frame: &Frame| frame.topic == topic;
        self.story.probe.wait(topic, mark, PATIENCE, wanted).await
    }

    fn count(&self, mark: usize, topic: &str) -> usize {
        let frames = self.story.probe.since(mark);
        frames.iter().filter(|frame| frame.topic == topic).count()
    }

    /// Waits until this tone was heard for so long, and no longer.
    async fn heard(&self, hertz: u32, length: Duration) {
        let length = length.as_secs_f64();
        let near = || (self.witness.seconds_of(hertz) - length).abs() < 0.25;
        wait_for(&format!("{length} s of {hertz} Hz"), PATIENCE, async || {
            near().then_some(())
        })
        .await;
    }
}

fn lines(log: &Path) -> Vec<String> {
    let log = fs::read_to_string(log).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn answers_are_spoken_sentence_by_sentence_by_a_process_that_is_kept() {
    let room = Room::new().await;
    let mark = room
        .say("The kitchen lights are on. So are those of Mr. Brown!")
        .await;
    let started = room.wait(mark, STARTED).await;
    let ended = room.wait(mark, ENDED).await;
    assert_eq!((&started.data, &ended.data), (&json!({}), &json!({})));
    let (first, second) = ("The kitchen lights are on.", "So are those of Mr. Brown!");
    let length = sound_of(first) + sound_of(second);
    let took = ended.seen - started.seen;
    assert!(
        took + LATE > length && took < length + LATE,
        "{took:?} for {length:?}"
    );
    let silent = room.witness.last_sound().unwrap();
    assert!(ended.seen + LATE > silent, "sound after its end was told");
    room.heard(HERTZ, length).await;
    let mark = room.say("Good night.").await;
    room.wait(mark, ENDED).await;
    room.heard(HERTZ, length + sound_of("Good night.")).await;
    assert_eq!(lines(&room.log), ["started", first, second, "Good night."]);
    assert_eq!(room.count(0, STARTED), 2);
    // No frame asked for the microphone.
    assert_eq!((room.count(0, LISTEN), lines(&room.calls).len()), (0, 0));
}

#[tokio::test]
async fn a_process_that_computes_in_mid_sentence_has_not_ended_it() {
    let room = Room::new().await;
    let (first, second) = ("It speaks slowly in the middle of this.", "Then it goes on.");
    let mark = room.say(&format!("{first} {second}")).await;
    room.wait(mark, ENDED).await;
    room.heard(HERTZ, sound_of(first) + sound_of(second)).await;
    assert_eq!(lines(&room.log), ["started", first, second]);
}

#[tokio::test]
async fn a_stop_silences_it_and_forgets_what_waits() {
    let room = Room::new().await;
    let long =
        "This is a sentence that goes on and on and on for a good while, as sentences of such a kind do.";
    let mark = room.say(long).await;
    room.say("This one is never heard.").await;
    let started = room.wait(mark, STARTED).await;
    let mark = room.tell("ovos.audio.stop", json!({})).await;
    let ended = room.wait(mark, ENDED).await;
    let next = room.say("Good night.").await;
    room.wait(next, ENDED).await;
    // The player's own tests measure how soon; here it counts that nothing goes on.
    let heard = room.witness.seconds_of(HERTZ) - sound_of("Good night.").as_secs_f64();
    let before = (ended.seen - started.seen + LATE).as_secs_f64();
    assert!(heard < before, "{heard} s, of {before} s");
    assert_eq!(lines(&room.log).last().map(String::as_str), Some("Good night."));
    assert!(!lines(&room.log).contains(&"This one is never heard.".to_owned()));
}

#[tokio::test]
async fn the_microphone_opens_behind_the_sound_of_a_question_and_not_after_a_stop() {
    let room = Room::new().await;
    let ask = json!({"utterance": "Shall I switch it off?", "expect_response": true});
    let mark = room.tell("speak", ask.clone()).await;
    let (ended, listens) = (room.wait(mark, ENDED).await, room.wait(mark, LISTEN).await);
    assert!(ended.seen <= listens.seen);
    let mark = room.tell("speak", ask).await;
    room.wait(mark, STARTED).await;
    room.tell("mycroft.stop", json!({})).await;
    room.wait(mark, ENDED).await;
    let next = room.say("Good night.").await;
    room.wait(next, ENDED).await;
    assert_eq!(room.count(mark, LISTEN), 0);
}

#[tokio::test]
async fn what_is_in_another_language_is_spoken_by_espeak() {
    let room = Room::new().await;
    let text = "Das Licht ist an.";
    let mark = room
        .tell("speak", json!({"utterance": text, "lang": "de-DE"}))
        .await;
    room.wait(mark, ENDED).await;
    room.heard(ESPEAK_HERTZ, sound_of(text)).await;
    let calls = lines(&room.calls);
    assert_eq!(calls, ["-v de-de -s 175 --stdin --stdout Das Licht ist an."]);
    assert_eq!(lines(&room.log), ["started"]);
}

#[tokio::test]
async fn a_sound_that_the_bus_asks_for_is_heard_before_the_words_behind_it() {
    let room = Room::new().await;
    let chime = loquat_tests::sound::noise(room.story.home.path());
    let uri = format!("file://{}", chime.display());
    room.tell("mycroft.audio.play_sound", json!({"uri": uri})).await;
    let mark = room.say("Time is up.").await;
    let started = room.wait(mark, STARTED).await;
    // The noise takes two seconds.
    let first = room.story.probe.since(mark)[0].seen;
    assert!(started.seen - first > Duration::from_millis(1_500));
    room.wait(mark, ENDED).await;
    room.heard(HERTZ, sound_of("Time is up.")).await;
}

#[tokio::test]
async fn a_sound_in_the_queue_is_heard_between_the_words_and_told_as_they_are() {
    let room = Room::new().await;
    let chime = loquat_tests::sound::noise(room.story.home.path());
    let mark = room.say("One.").await;
    let sound = json!({"uri": chime.display().to_string(), "listen": true});
    room.tell("mycroft.audio.queue", sound).await;
    let (started, ended) = (room.wait(mark, STARTED).await, room.wait(mark, ENDED).await);
    // The noise takes two seconds.
    let took = ended.seen - started.seen;
    let length = sound_of("One.") + Duration::from_secs(2);
    assert!(took + LATE > length, "{took:?} for {length:?}");
    assert_eq!((room.count(mark, STARTED), room.count(mark, ENDED)), (1, 1));
    room.wait(mark, LISTEN).await;
    let sound = json!({"uri": chime.display().to_string()});
    let mark = room.tell("ovos.audio.queue", sound).await;
    room.wait(mark, STARTED).await;
    let stop = room.tell("ovos.stop", json!({})).await;
    room.wait(stop, ENDED).await;
}

/// It could be a voice that says yes.
#[tokio::test]
async fn no_sound_of_a_program_is_played_while_a_person_is_asked_for_a_yes() {
    let room = Room::with(|scene| scene.home.setting("desk.consent_from", "\"bus\""), &[]).await;
    let story = &room.story;
    // The device has a voice of its own.
    story.probe.speak_questions(false);
    let door = ScriptedTool::named("unlock_door", Act::Returns(json!({"text": "front"})));
    let doors = ScriptedToolbox::join(story.home.port(), DOORS, vec![door]).await;
    let reply = Reply::acts("unlock_door", &json!({"text": "front"}));
    story.script([reply, Reply::answers("That was the door.")]);
    let in_default = |words: &str| Utterance::new(words).in_session("default");
    let wish = in_default("Unlock the front door");
    let mark = wish.enter(&story.probe).await;
    let started = room.wait(mark, STARTED).await;
    let noise = loquat_tests::sound::noise(story.home.path());
    let noise = json!({"uri": noise.display().to_string()});
    room.tell("mycroft.audio.play_sound", noise.clone()).await;
    room.tell("mycroft.audio.queue", noise).await;
    in_default("Yes").ask(&story.probe).await;
    assert!(doors.calls().is_empty(), "it is still spoken");
    let ended = room.wait(mark, ENDED).await;
    let question = "Shall I do this: unlock door, text: front, unlock door?";
    // The noise takes two seconds.
    let took = ended.seen - started.seen;
    assert!(took < sound_of(question) + Duration::from_secs(2), "{took:?}");
    in_default("Yes, please").ask(&story.probe).await;
    wish.end(&story.probe, mark).await;
    assert_eq!(doors.calls().len(), 1);
    let told = "a program's sound is not played";
    assert_eq!(story.daemon.output().matches(told).count(), 2);
}

#[tokio::test]
async fn a_sound_of_ovos_that_is_not_installed_is_played_in_notes_and_an_unknown_one_complained_about_once() {
    let room = Room::new().await;
    let confirm = json!({"uri": "snd/start_listening.wav", "force_unmute": true});
    let mark = room.story.probe.mark();
    let frame = json!({"type": "mycroft.audio.play_sound", "data": confirm, "context": {"source": "audio"}});
    room.story.probe.send(&frame).await;
    // The word that it confirms silences the device, too.
    room.tell("ovos.audio.stop", json!({})).await;
    let heard = async || room.witness.last_sound();
    wait_for("the sound", PATIENCE, heard).await;
    assert_eq!(room.count(mark, STARTED), 0, "it is no speech");
    for _ in 0..2 {
        room.tell("mycroft.audio.play_sound", json!({"uri": "snd/moo.wav"}))
            .await;
    }
    let mark = room.say("Good night.").await;
    room.wait(mark, ENDED).await;
    let complaint = "failed to find the sound snd/moo.wav";
    room.story.daemon.wrote(complaint, PATIENCE).await;
    assert_eq!(room.story.daemon.output().matches(complaint).count(), 1);
}

#[tokio::test]
async fn an_audio_service_that_comes_in_mid_answer_is_given_way_to() {
    let room = Room::new().await;
    let long =
        "This is a sentence that goes on and on and on for a good while, as sentences of such a kind do.";
    let mark = room.say(long).await;
    room.say("This one is never heard.").await;
    room.wait(mark, STARTED).await;
    let theirs = room.tell(STARTED, json!({})).await;
    wait_for("silence", PATIENCE, async || {
        let last = room.witness.last_sound()?;
        (last.elapsed() > 2 * LATE).then_some(())
    })
    .await;
    assert!(room.witness.seconds_of(HERTZ) < sound_of(long).as_secs_f64() - 0.5);
    assert_eq!(room.count(theirs, ENDED), 0, "the service tells its own end");
    let interrupted = "loquat.speech.interrupted";
    assert_eq!(room.count(theirs, interrupted), 0, "it is heard all the same");
    assert!(!lines(&room.log).contains(&"This one is never heard.".to_owned()));
}

#[tokio::test]
async fn an_audio_service_that_tells_a_program_that_it_is_ready_is_known_at_once() {
    let room = Room::new().await;
    let ready = "mycroft.audio.is_ready.response";
    room.tell(ready, json!({"status": false})).await;
    let mark = room.say("One.").await;
    room.wait(mark, ENDED).await;
    room.tell(ready, json!({"status": true})).await;
    let mark = room.say("Two.").await;
    let soon = Duration::from_millis(500);
    let told = |frame: &Frame| frame.topic == STARTED;
    assert!(room.story.probe.try_wait(mark, soon, told).await.is_none());
    assert!(!lines(&room.log).contains(&"Two.".to_owned()));
}

#[tokio::test]
async fn a_satellite_gets_the_sound_of_the_same_voice() {
    let room = Room::new().await;
    let frame = json!({"type": "speak:b64_audio", "data": {"utterance": "Good morning. How are you?"},
                       "context": {"source": "satellite", "session": {"session_id": "kitchen", "lang": "en-GB"}}});
    let mark = room.story.probe.mark();
    room.story.probe.send(&frame).await;
    let sound = room.wait(mark, "ovos.audio.speech").await;
    assert!(sound.data["audio"].as_str().unwrap().starts_with("UklGR"));
    assert_eq!(lines(&room.log), ["started", "Good morning.", "How are you?"]);
    assert_eq!(room.count(mark, STARTED), 0);
    assert!(room.witness.last_sound().is_none(), "nothing is played here");
}

#[tokio::test]
async fn speak_more_slowly_starts_the_process_at_the_new_speed() {
    // Its log is named after how fast it is to speak.
    let named_after_speed = |scene: &Scene| {
        scene.home.setting("skills.intents", "\"alone\"");
        let log = scene.home.path().join("{length_scale}.log").display().to_string();
        let words = [binaries::speaker().display().to_string(), log];
        scene.home.setting("voice.command", &format!("{words:?}"));
    };
    let room = Room::with(named_after_speed, &[]).await;
    let order = Utterance::new("Speak more slowly").in_session("default");
    let turn = order.ask(&room.story.probe).await;
    assert_eq!(turn.answer(), "I speak more slowly now.");
    let slower = room.story.home.path().join("1.21.log");
    wait_for("the process at its new speed", PATIENCE, async || {
        let lines = lines(&slower);
        lines
            .contains(&"I speak more slowly now.".to_owned())
            .then_some(())
    })
    .await;
}
