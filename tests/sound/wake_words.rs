//! Wake words through a real microphone: what each is said for, in every mode of the listener, and what the bus is told.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::models::smallest;
use loquat_tests::persona::Persona;
use loquat_tests::sound::{SoundServer, WAKE_WORD, speak};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// Who says a word that stops does not wait for the device to be silent.
const PROMPTLY: Duration = Duration::from_secs(2);

const WORDS: &str = "what time is it in Tokyo?";

/// What is told of a word that wakes the device for one utterance.
pub(crate) const WORD: &str = "recognizer_loop:wakeword";

/// What is told of one that stops it.
pub(crate) const STOP_WORD: &str = "recognizer_loop:stopword";

/// So often a person says the word before giving up.
const MOST_TIMES: u32 = 3;

/// A word that is not told within this time after the last sound was missed.
const MISSED: Duration = Duration::from_secs(10);

/// A daemon with a microphone, the real models and these settings.
pub(crate) async fn listening(scene: Scene, settings: &[(&str, &str)]) -> (Story, SoundServer) {
    let home = &scene.home;
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.wake_word", "\"off\"");
    for (key, value) in settings {
        home.setting(key, value);
    }
    home.persona(&scene.tester());
    let sound = SoundServer::start(home.path()).await;
    let address = sound.address().to_owned();
    let story = scene
        .start_with(|launch| launch.env("PULSE_SERVER", address))
        .await;
    story.daemon.wrote("microphone is open", PATIENCE).await;
    (story, sound)
}

/// The model of "hey mycroft" under another name, and what it is said for there.
pub(crate) fn word(name: &str, rest: &str) -> String {
    let model = smallest("hey_mycroft", "tflite");
    // A known model needs no manifest under its own name only.
    format!("{{{name} = {{model = {model}{rest}}}}}")
}

/// Says the wake word and these words without a pause.
pub(crate) async fn say(story: &Story, sound: &SoundServer, words: &str) -> usize {
    let wav = speak(format!("{WAKE_WORD} {words}").trim(), story.home.path()).await;
    let mark = story.probe.mark();
    sound.play(&wav).await;
    mark
}

/// Says it until the word is told under this topic, as a person does whose device has missed it. A model of three words
/// misses some, and a busy sound server has gaps.
pub(crate) async fn say_until(story: &Story, sound: &SoundServer, words: &str, topic: &str) -> usize {
    for _ in 1..MOST_TIMES {
        let mark = say(story, sound, words).await;
        let is_told = |frame: &Frame| frame.topic == topic;
        if story.probe.try_wait(mark, MISSED, is_told).await.is_some() {
            return mark;
        }
    }
    say(story, sound, words).await
}

pub(crate) async fn wait(story: &Story, mark: usize, topic: &'static str) -> Frame {
    let is_it = |frame: &Frame| frame.topic == topic;
    story.probe.wait(topic, mark, PATIENCE, is_it).await
}

/// The topics among these that were seen, in order.
pub(crate) fn seen(story: &Story, mark: usize, topics: &[&str]) -> Vec<String> {
    let frames = story.probe.since(mark);
    let topics = frames
        .iter()
        .map(|frame| frame.topic.as_str())
        .filter(|topic| topics.contains(topic));
    topics.map(str::to_owned).collect()
}

#[tokio::test]
async fn what_is_said_behind_a_word_for_a_persona_goes_to_it_alone() {
    let scene = Scene::default();
    scene
        .home
        .persona(&Persona::react("Scout", &scene.brain.url("Scout")));
    scene.brain.script("Scout", [Reply::answers("It is late there.")]);
    let words = word("scout", ", persona = \"Scout\"");
    let (story, sound) = listening(scene, &[("speech.wake_words", &words)]).await;
    let mark = say_until(&story, &sound, "tell me a story about a dragon", WORD).await;
    let utterance = wait(&story, mark, "ovos.utterance.handle").await;
    wait(&story, mark, HANDLED).await;
    let said = utterance.data["utterances"][0].as_str().unwrap_or_default();
    assert!(
        said.contains("dragon") && !said.to_lowercase().contains("croft"),
        "{said}"
    );
    let spoken = wait(&story, mark, "ovos.utterance.speak").await;
    assert_eq!(spoken.utterance(), "It is late there.");
    assert!(
        story.brain.requests(TESTER).is_empty(),
        "the usual persona was asked"
    );
    story.script([Reply::answers("Of course.")]);
    let usual = Utterance::new("tell me another one").ask(&story.probe).await;
    assert_eq!(usual.answer(), "Of course.", "it was for one utterance");
}

#[tokio::test]
async fn a_word_that_stops_ends_the_turn_and_opens_nothing() {
    let words = word("be_quiet", ", effect = \"stop\"");
    let (story, sound) = listening(Scene::default(), &[("speech.wake_words", &words)]).await;
    story
        .brain
        .whenever(TESTER, "ponder", Reply::says("").delivered(Delivery::Never));
    let asked = Utterance::new("ponder this").in_session("default");
    let entered = asked.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let mark = say_until(&story, &sound, "", STOP_WORD).await;
    let told = wait(&story, mark, STOP_WORD).await;
    assert_eq!(
        told.data,
        json!({"utterance": "be quiet", "key_phrase": "be_quiet"})
    );
    let stop = wait(&story, mark, "ovos.stop").await;
    assert_eq!(stop.context["session"]["session_id"], "default");
    let turn = loquat_tests::wait::within("the turn", PROMPTLY, asked.end(&story.probe, entered)).await;
    assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{:?}", turn.topics());
    let others = ["ovos.listener.wakeword", "ovos.listener.record.started"];
    assert_eq!(seen(&story, mark, &others), [""; 0]);
}

#[tokio::test]
async fn the_word_that_stops_counts_while_the_device_speaks_or_rings_and_never_otherwise() {
    let model = smallest("hey_mycroft", "tflite");
    let settings = [
        ("speech.stop_word", model.as_str()),
        ("skills.intents", "\"alone\""),
    ];
    let (story, sound) = listening(Scene::default(), &settings).await;
    let silent = say(&story, &sound, "").await;
    let tell = |topic: &str, data: Value| {
        let frame = json!({"type": topic, "data": data, "context": {}});
        let probe = &story.probe;
        async move { probe.send(&frame).await }
    };
    tell("recognizer_loop:audio_output_start", json!({})).await;
    let spoken_over = say_until(&story, &sound, "", STOP_WORD).await;
    wait(&story, spoken_over, "ovos.stop").await;
    assert_eq!(seen(&story, silent, &[WORD]), [""; 0], "it opens nothing");
    let before = story.probe.since(silent).len() - story.probe.since(spoken_over).len();
    let early = &story.probe.since(silent)[..before];
    assert!(
        early.iter().all(|frame| frame.topic != STOP_WORD),
        "it was silent: {early:#?}"
    );
    tell("recognizer_loop:audio_output_end", json!({})).await;
    let again = say(&story, &sound, "").await;
    Utterance::new("set a timer for 1 second").ask(&story.probe).await;
    let rings = |frame: &Frame| frame.topic == "loquat.alert" && frame.data["state"] == "ringing";
    story.probe.wait("the timer", again, PATIENCE, rings).await;
    let ringing = say_until(&story, &sound, "", STOP_WORD).await;
    let stopped = |frame: &Frame| frame.topic == "loquat.alert" && frame.data["state"] == "stopped";
    story
        .probe
        .wait("the end of the ringing", ringing, PATIENCE, stopped)
        .await;
}

#[tokio::test]
async fn a_word_that_wakes_is_the_only_one_that_does() {
    let words = word("rise", ", effect = \"wake\"");
    let (story, sound) = listening(Scene::default(), &[("speech.wake_words", &words)]).await;
    let mark = say(&story, &sound, WORDS).await;
    // Behind an answer to this everything has been told.
    story.probe.request("ovos.persona.list", &json!({})).await;
    let topics = [
        "recognizer_loop:wakeupword",
        "ovos.listener.awoken",
        "mycroft.awoken",
        "ovos.listener.record.started",
    ];
    assert_eq!(seen(&story, mark, &topics), [""; 0], "it was awake");
    story
        .probe
        .send(&json!({"type": "recognizer_loop:sleep", "data": {}, "context": {}}))
        .await;
    let mark = say_until(&story, &sound, WORDS, "recognizer_loop:wakeupword").await;
    wait(&story, mark, "recognizer_loop:wakeupword").await;
    story.probe.request("ovos.persona.list", &json!({})).await;
    assert_eq!(
        seen(&story, mark, &topics),
        [
            "ovos.listener.awoken",
            "mycroft.awoken",
            "recognizer_loop:wakeupword"
        ]
    );
}

#[tokio::test]
async fn in_every_mode_the_word_is_told_and_is_not_in_what_was_said() {
    let model = smallest("hey_mycroft", "tflite");
    for (mode, check) in [
        ("push-to-talk", "false"),
        ("push-to-talk", "true"),
        ("hybrid", "false"),
        ("continuous", "false"),
        ("continuous", "true"),
    ] {
        let settings = [
            ("speech.mode", format!("{mode:?}")),
            ("speech.wake_word", model.clone()),
            ("speech.wake_word_check", check.to_owned()),
        ];
        let settings = settings.each_ref().map(|(key, value)| (*key, value.as_str()));
        let (story, sound) = listening(Scene::default(), &settings).await;
        let mark = say_until(&story, &sound, WORDS, WORD).await;
        let utterance = wait(&story, mark, "ovos.utterance.handle").await;
        let said = utterance.data["utterances"][0].as_str().unwrap_or_default();
        let letters: String = said
            .to_lowercase()
            .chars()
            .filter(|sign| sign.is_alphabetic())
            .collect();
        assert_eq!(letters, "whattimeisitintokyo", "{mode}, checked {check}");
        let word = wait(&story, mark, "ovos.listener.wakeword").await;
        assert_eq!(word.data, json!({"wake_word": "hey_mycroft", "lang": "en-US"}));
        let legacy = wait(&story, mark, "recognizer_loop:wakeword").await;
        assert_eq!(
            legacy.data,
            json!({"utterance": "hey mycroft", "key_phrase": "hey_mycroft"})
        );
        let captures = [
            "ovos.listener.record.started",
            "recognizer_loop:record_begin",
            "ovos.listener.record.ended",
            "recognizer_loop:record_end",
            "ovos.utterance.handle",
            "recognizer_loop:utterance",
        ];
        assert_eq!(seen(&story, mark, &captures), captures, "{mode}, checked {check}");
        let word_first = ["ovos.listener.wakeword", "ovos.listener.record.started"];
        // Who is heard all the time has a capture before the word is at its end.
        if mode != "continuous" {
            assert_eq!(seen(&story, mark, &word_first), word_first);
        }
    }
}

#[tokio::test]
async fn whoever_is_listened_to_hears_it_as_the_device_is_set_up() {
    let model = smallest("hey_mycroft", "tflite");
    let play = "ovos.audio.play_sound";
    for (mycroft, of_word, asked) in [
        (
            json!({}),
            Some("snd/start_listening.wav"),
            Some("snd/start_listening.wav"),
        ),
        (json!({"confirm_listening": false}), None, None),
        (
            json!({"sounds": {"start_listening": "/sounds/ping.wav"},
                   "hotwords": {"hey_mycroft": {"sound": "/sounds/word.wav"}}}),
            Some("/sounds/word.wav"),
            Some("/sounds/ping.wav"),
        ),
    ] {
        let scene = Scene::default();
        scene.home.mycroft_conf(&mycroft);
        // Of the catalogue's name, so that it counts as the device's own word.
        let folder = scene.home.path().join("models");
        std::fs::create_dir(&folder).unwrap();
        let file: String = serde_json::from_str(&model).unwrap();
        std::fs::copy(file, folder.join("hey_mycroft.tflite")).unwrap();
        let folder = format!("{:?}", folder.display().to_string());
        let settings = [
            ("models.folder", folder.as_str()),
            ("speech.wake_word", "\"auto\""),
        ];
        let (story, sound) = listening(scene, &settings).await;
        let played = |mark| -> Vec<Value> {
            let frames = story.probe.since(mark);
            let sounds = frames.iter().filter(|frame| frame.topic == play);
            sounds.map(|frame| frame.data["uri"].clone()).collect()
        };
        let mark = say_until(&story, &sound, WORDS, WORD).await;
        wait(&story, mark, "ovos.utterance.handle").await;
        let expected: Vec<Value> = of_word.into_iter().map(Value::from).collect();
        assert_eq!(played(mark), expected, "{mycroft}");
        if of_word.is_some() {
            let twin = wait(&story, mark, "mycroft.audio.play_sound").await;
            assert_eq!(twin.data["force_unmute"], true);
        }
        wait(&story, mark, HANDLED).await;
        let mark = story.probe.mark();
        let listen = json!({"type": "mycroft.mic.listen", "data": {}, "context": {"source": "probe"}});
        story.probe.send(&listen).await;
        wait(&story, mark, "ovos.listener.record.started").await;
        story.probe.request("ovos.persona.list", &json!({})).await;
        let expected: Vec<Value> = asked.into_iter().map(Value::from).collect();
        assert_eq!(played(mark), expected, "{mycroft}");
    }
}
