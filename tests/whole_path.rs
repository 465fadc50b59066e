//! The whole path with the real models of this machine: typed, from a WAV file, and through a microphone.
//!
//! `make test` fetches the models and names their folder in `LOQUAT_TEST_MODELS`. The microphone is a virtual one, and
//! what is said into it is spoken by espeak-ng when the test runs.

#![cfg(test)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::{Home, free_port};
use loquat_tests::models::smallest;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::sound::{SoundServer, speak};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::json;
use tokio::sync::Mutex;

/// A question to a model that is not even loaded yet, on a busy machine with two cores.
const THINKING: Duration = Duration::from_secs(240);

/// A person says something so often at most.
const MOST_TIMES: usize = 3;

/// What is told where nothing was understood.
const NOT_UNDERSTOOD: &str = "recognizer_loop:speech.recognition.unknown";

/// Tokyo has no summer time.
const TOKYO_SECONDS: u64 = 9 * 3600;

const PRODUCT: &str = "what is 47 times 83?";
const TOKYO: &str = "what time is it in Tokyo?";
const CAPITAL: &str = "what is the capital of Japan?";

/// One story at a time: two models at once on two cores keep neither's deadline.
static CORES: Mutex<()> = Mutex::const_new(());

/// The question as a person says it.
fn aloud(question: &'static str) -> &'static str {
    match question {
        PRODUCT => "what is forty seven times eighty three?",
        other => other,
    }
}

/// A home with the real models and a persona that reckons.
fn furnished() -> Home {
    let home = Home::without_bus();
    home.setting("local_brain.model", &smallest("qwen", "gguf"));
    home.setting("speech.whisper_model", &smallest("ggml-base", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    // The smallest model chooses rightly among few tools only.
    let persona = json!({
        "name": "Reckoner",
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {
            "brain": "loquat-local-brain",
            "toolboxes": ["ovos-clock-tools", "ovos-math-tools"],
            "max_iterations": 6,
        },
        "system_prompt": "You are Loquat, a voice assistant. Your answer is spoken aloud, so answer in one or two short, plain \
            sentences without lists, symbols or formatting. Use a tool for every calculation and for every question about time \
            or date, and say what it returned. When you do not know something, say so.",
    });
    // A busy machine takes longer than a person would wait in silence.
    home.setting("desk.silence_seconds", "0");
    home.write("config/ovos_persona/reckoner.json", &persona.to_string());
    home.setting("desk.persona", "\"Reckoner\"");
    home
}

fn assert_product(answer: &str) {
    assert!(
        answer.replace(',', "").contains("3901"),
        "47 times 83 is 3901, not: {answer}"
    );
}

/// The answer names the minute that it was in Tokyo at some moment since `asked`.
fn assert_tokyo(answer: &str, asked: SystemTime) {
    let seconds =
        |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() + TOKYO_SECONDS;
    let minutes = seconds(asked) / 60..=seconds(SystemTime::now()) / 60;
    let right = minutes.clone().any(|minute| {
        let (hour, minute) = (minute / 60 % 24, minute % 60);
        let half = if hour % 12 == 0 { 12 } else { hour % 12 };
        answer.contains(&format!("{hour}:{minute:02}")) || answer.contains(&format!("{half}:{minute:02}"))
    });
    assert!(right, "no minute of {minutes:?} in Tokyo: {answer}");
}

fn assert_right(question: &str, answer: &str, asked: SystemTime) {
    match question {
        PRODUCT => assert_product(answer),
        CAPITAL => assert!(answer.contains("Tokyo"), "it is Tokyo, not: {answer}"),
        _ => assert_tokyo(answer, asked),
    }
}

async fn started(home: &Home) -> (Daemon, BusProbe) {
    Launch::new(home, &["run"]).ready().await
}

#[tokio::test]
async fn typed_questions_are_answered_by_the_model_of_this_machine() {
    let _alone = CORES.lock().await;
    let home = furnished();
    let (daemon, probe) = started(&home).await;
    daemon.wrote("the local brain is prepared", THINKING).await;
    let turn = Utterance::new(PRODUCT).patience(THINKING).ask(&probe).await;
    assert_product(turn.answer());
    let asked = SystemTime::now();
    let turn = Utterance::new(TOKYO)
        .in_session("another")
        .patience(THINKING)
        .ask(&probe)
        .await;
    assert_tokyo(turn.answer(), asked);
}

/// The persona's server makes the calls and is gone before it answers: the model of this machine goes on with its calls and
/// their results.
#[tokio::test]
async fn a_turn_whose_server_dies_is_finished_by_the_model_of_this_machine() {
    let _alone = CORES.lock().await;
    let home = furnished();
    let server = ScriptedBrain::start();
    let (sum, clock) = (json!({"expression": "47 * 83"}), json!({"timezone": "Tokyo"}));
    server.script(
        "Scout",
        [
            Reply::calls("evaluate_expression", &sum),
            Reply::calls("get_current_datetime", &clock),
            Reply::fails(503),
            Reply::fails(503),
            Reply::fails(503),
        ],
    );
    let reserve = Persona::native("Scout", &server.url("Scout"))
        .toolboxes(&["ovos-clock-tools", "ovos-math-tools"])
        .setting("brain", json!(["ovos-chat-openai-plugin", "loquat-local-brain"]))
        .brain("retries", json!(0))
        // The model reads everything anew, on a machine that may be busy.
        .key("budget", json!({"deadline_seconds": THINKING.as_secs()}));
    home.persona(&reserve);
    let (_daemon, probe) = started(&home).await;
    let turn = Utterance::new(PRODUCT)
        .to("Scout")
        .patience(THINKING)
        .ask(&probe)
        .await;
    assert_product(turn.answer());
    let asked = server.requests("Scout").len();
    assert!(asked >= 3, "two calls, and then it is gone: {asked}");
}

#[tokio::test]
async fn recorded_questions_are_heard_and_answered() {
    let _alone = CORES.lock().await;
    let home = furnished();
    let (_daemon, _probe) = started(&home).await;
    for question in [PRODUCT, TOKYO] {
        let wav = speak(aloud(question), home.path()).await;
        let asked = SystemTime::now();
        let file = wav.display().to_string();
        let finished = Launch::new(&home, &["--json", "listen", &file]).run().await;
        assert!(finished.status.success(), "{}", finished.shown());
        let answer: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
        let answer = answer["answer"].as_str().unwrap();
        assert_right(question, answer, asked);
    }
}

#[tokio::test]
async fn spoken_questions_reach_the_model_through_a_microphone() {
    let _alone = CORES.lock().await;
    let home = furnished();
    home.setting("speech.enabled", "true");
    home.setting("log.filter", "\"info,loquat_mind=debug\"");
    // The text of a pause is there before the pause is the end, on a busy machine too.
    for silence in ["whole_silence_ms", "end_silence_ms", "open_silence_ms"] {
        home.setting(&format!("speech.{silence}"), "4000");
    }
    let sound = SoundServer::start(home.path()).await;
    let launch = Launch::new(&home, &["run"]).env("PULSE_SERVER", sound.address());
    let (daemon, probe) = launch.ready().await;
    daemon.wrote("microphone is open", PATIENCE).await;
    daemon.wrote("the local brain is prepared", THINKING).await;
    for question in [PRODUCT, CAPITAL] {
        let wav = speak(aloud(question), home.path()).await;
        let mark = probe.mark();
        let asked = SystemTime::now();
        probe
            .send(&json!({"type": "ovos.mic.listen", "data": {}, "context": {"source": "probe"}}))
            .await;
        let is = |topic: &'static str| move |frame: &Frame| frame.topic == topic;
        probe
            .wait(
                "the recording to start",
                mark,
                PATIENCE,
                is("ovos.listener.record.started"),
            )
            .await;
        sound.play(&wav).await;
        probe
            .wait(
                "the recording to end",
                mark,
                PATIENCE,
                is("ovos.listener.record.ended"),
            )
            .await;
        probe
            .wait("the utterance", mark, PATIENCE, is("ovos.utterance.handle"))
            .await;
        probe.wait("the end", mark, THINKING, is(HANDLED)).await;
        let frames = probe.since(mark);
        let spoken: Vec<_> = frames
            .iter()
            .filter(|frame| frame.is_speak() && !frame.is_twin())
            .collect();
        assert_eq!(spoken.len(), 1, "{frames:#?}");
        let answer = spoken[0].utterance();
        assert_right(question, answer, asked);
    }
    daemon
        .wrote("what may have been said is read already", PATIENCE)
        .await;
}

/// Asks the device to listen, and says something into its microphone.
/// `PulseAudio` closes the connection where a client sends no cookie, and lets its own user in with any.
#[tokio::test]
async fn a_microphone_opens_although_no_program_has_made_a_cookie() {
    let _alone = CORES.lock().await;
    let home = furnished();
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("desk.persona", "\"Tester\"");
    let brain = ScriptedBrain::start();
    brain.whenever("Tester", "", Reply::answers("Good morning."));
    home.persona(&Persona::react("Tester", &brain.url("Tester")));
    let sound = SoundServer::without_cookie(home.path()).await;
    let cookies = || {
        let places = [".config/pulse/cookie", ".pulse-cookie", "config/pulse/cookie"];
        places
            .into_iter()
            .filter(|place| home.path().join(place).exists())
            .count()
    };
    assert_eq!(cookies(), 0);
    let checked = Launch::new(&home, &["check"]).env("PULSE_SERVER", sound.address());
    let shown = checked.run().await.shown();
    let microphone = shown.lines().find(|line| line.contains("microphone")).unwrap();
    assert!(microphone.contains("Monitor of Null Output"), "{shown}");
    let launch = Launch::new(&home, &["run"]).env("PULSE_SERVER", sound.address());
    let (daemon, probe) = launch.ready().await;
    daemon.wrote("microphone is open", PATIENCE).await;
    let wav = speak("good morning to you", home.path()).await;
    let mark = probe.mark();
    say(&probe, &sound, &wav).await;
    let is_answer = |frame: &Frame| frame.is_speak() && frame.utterance() == "Good morning.";
    probe
        .wait("the answer to what was heard", mark, THINKING, is_answer)
        .await;
    assert_eq!(cookies(), 0, "no file of another program was written");
}

async fn say(probe: &BusProbe, sound: &SoundServer, wav: &Path) {
    let listen = json!({"type": "ovos.mic.listen", "data": {}, "context": {"source": "probe"}});
    probe.send(&listen).await;
    sound.play(wav).await;
}

#[tokio::test]
async fn s19_a_device_that_sleeps_hears_nothing_until_it_is_woken() {
    let _alone = CORES.lock().await;
    let home = furnished();
    home.setting("speech.enabled", "true");
    home.setting("desk.persona", "\"Tester\"");
    let brain = ScriptedBrain::start();
    brain.whenever("Tester", "", Reply::answers("Good morning."));
    home.persona(&Persona::react("Tester", &brain.url("Tester")));
    let sound = SoundServer::start(home.path()).await;
    let launch = Launch::new(&home, &["run"]).env("PULSE_SERVER", sound.address());
    let (daemon, probe) = launch.ready().await;
    daemon.wrote("microphone is open", PATIENCE).await;
    let wav = speak(aloud(PRODUCT), home.path()).await;
    let mark = probe.mark();
    let tell = async |topic: &str| {
        let frame = json!({"type": topic, "data": {}, "context": {"source": "probe"}});
        probe.send(&frame).await;
    };
    let seen = |topic: &str| {
        let frames = probe.since(mark);
        frames.iter().filter(|frame| frame.topic == topic).count()
    };

    tell("recognizer_loop:sleep").await;
    say(&probe, &sound, &wav).await;
    for _ in 0..2 {
        tell("recognizer_loop:wake_up").await;
    }
    let awoken = |frame: &Frame| frame.topic == "mycroft.awoken";
    probe.wait("the device to wake up", mark, PATIENCE, awoken).await;
    for topic in ["ovos.listener.record.started", "ovos.utterance.handle", HANDLED] {
        assert_eq!(seen(topic), 0, "{topic} in its sleep");
    }
    assert!(brain.requests("Tester").is_empty());

    say(&probe, &sound, &wav).await;
    let handled = |frame: &Frame| frame.topic == HANDLED;
    probe.wait("the end", mark, THINKING, handled).await;
    assert_eq!(brain.requests("Tester").len(), 1);
    assert_eq!(seen("mycroft.awoken"), 1, "it woke up once");
}

/// A daemon that speaks and hears itself in the room of its virtual microphone; its persona's brain is scripted.
async fn in_a_room(home: &Home, brain: &ScriptedBrain) -> (SoundServer, Daemon, BusProbe) {
    home.setting("speech.enabled", "true");
    home.setting("voice.espeak", "\"auto\"");
    home.setting("desk.persona", "\"Tester\"");
    home.setting("desk.follow_up_seconds", "10");
    home.persona(&Persona::react("Tester", &brain.url("Tester")));
    let sound = SoundServer::start(home.path()).await;
    let launch = Launch::new(home, &["run"]).env("PULSE_SERVER", sound.address());
    let (daemon, probe) = launch.ready().await;
    daemon.wrote("microphone is open", PATIENCE).await;
    (sound, daemon, probe)
}

/// Plays it until the answer was spoken, and again where nothing was understood of it, as a person says it again.
async fn say_until_answered(probe: &BusProbe, sound: &SoundServer, wav: &Path) {
    for _ in 0..MOST_TIMES {
        let mark = probe.mark();
        sound.play(wav).await;
        let is_over =
            |frame: &Frame| frame.topic == "ovos.audio.output.ended" || frame.topic == NOT_UNDERSTOOD;
        let over = probe
            .wait("the answer to be spoken", mark, THINKING, is_over)
            .await;
        if over.topic != NOT_UNDERSTOOD {
            return;
        }
    }
    panic!("nothing was understood of {} three times", wav.display());
}

/// A device that hears its own voice takes none of it for a follow-up, and hears the person who speaks on.
#[tokio::test]
async fn a_person_talks_on_without_the_wake_word() {
    let _alone = CORES.lock().await;
    let home = furnished();
    let brain = ScriptedBrain::start();
    brain.script(
        "Tester",
        [
            "Shall I tell you the time?",
            "It is late in Tokyo now.",
            "That is a number.",
        ]
        .map(Reply::answers),
    );
    let (sound, _daemon, probe) = in_a_room(&home, &brain).await;
    let is = |topic: &'static str| move |frame: &Frame| frame.topic == topic;
    // A busy machine leaves gaps in what is played, and nothing may be understood of that: such captures do not count.
    let all = || {
        let frames = probe.since(0);
        let count = |topic: &str| frames.iter().filter(|frame| frame.topic == topic).count();
        let captures = count("ovos.listener.record.started") - count(NOT_UNDERSTOOD);
        [captures, count("ovos.utterance.handle"), count(HANDLED)]
    };
    let percent = speak(aloud(PRODUCT), home.path()).await;
    let tokyo = speak(aloud(TOKYO), home.path()).await;

    let mark = probe.mark();
    say(&probe, &sound, &percent).await;
    // The question opens the microphone.
    let by_us = |frame: &Frame| frame.topic == "ovos.mic.listen" && frame.context["source"] == "loquat";
    probe.wait("the microphone to open", mark, THINKING, by_us).await;
    assert_eq!(all(), [1, 1, 1]);
    say_until_answered(&probe, &sound, &tokyo).await;
    assert_eq!(all(), [2, 2, 2]);
    // Nothing opens it now, but the person speaks on.
    let mark = probe.mark();
    say_until_answered(&probe, &sound, &percent).await;
    assert_eq!(all(), [3, 3, 3], "three captures, three utterances, three ends");
    let requests = brain.requests("Tester");
    assert_eq!(requests.len(), 3);
    assert!(requests[2].text().contains("It is late in Tokyo now."));
    let listens = probe.since(mark).into_iter().filter(is("ovos.mic.listen"));
    assert_eq!(listens.count(), 0);
}

#[tokio::test]
async fn a_device_that_was_sent_to_sleep_by_a_word_hears_nothing_until_it_is_woken() {
    let _alone = CORES.lock().await;
    let home = furnished();
    let brain = ScriptedBrain::start();
    home.setting("skills.intents", "\"alone\"");
    let (sound, _daemon, probe) = in_a_room(&home, &brain).await;
    let here = |text: &str| Utterance::new(text).in_session("default");
    // Without a wake word no voice could wake it, so it has to know when to wake up.
    let turn = here("go to sleep").ask(&probe).await;
    assert!(turn.answer().contains("until when"), "{}", turn.answer());
    let turn = here("go to sleep for two hours").ask(&probe).await;
    assert!(turn.answer().starts_with("Good night until"), "{}", turn.answer());
    let mark = probe.mark();
    let wav = speak(aloud(PRODUCT), home.path()).await;
    say(&probe, &sound, &wav).await;
    assert_eq!(here("wake up").ask(&probe).await.answer(), "I am awake.");
    let awoken = |frame: &Frame| frame.topic == "mycroft.awoken";
    probe.wait("the device to wake up", mark, PATIENCE, awoken).await;
    // It hears itself too, as long as it speaks.
    let spoken = |frame: &Frame| frame.topic == "ovos.audio.output.ended";
    probe
        .wait("the device to fall silent", mark, PATIENCE, spoken)
        .await;
    let started = |frame: &Frame| frame.topic == "ovos.listener.record.started";
    assert!(!probe.since(mark).iter().any(started), "it listened in its sleep");
    let mark = probe.mark();
    say(&probe, &sound, &wav).await;
    let is_heard = |frame: &Frame| frame.topic == "ovos.utterance.handle";
    probe.wait("the utterance", mark, THINKING, is_heard).await;
}

#[tokio::test]
async fn a_local_brain_that_is_killed_in_the_middle_costs_one_sentence_at_most() {
    let _alone = CORES.lock().await;
    let home = furnished();
    let (daemon, probe) = started(&home).await;
    Utterance::new(PRODUCT)
        .patience(THINKING)
        .ask(&probe)
        .await
        .answer();
    let worker = daemon.descendants();
    assert_eq!(worker.len(), 1, "one local brain runs");

    let utterance = Utterance::new("Tell me a long story about a lighthouse.").patience(THINKING);
    let mark = utterance.enter(&probe).await;
    probe
        .wait("the dispatch", mark, PATIENCE, |frame| {
            frame.topic == "loquat:chat" && utterance.owns(frame)
        })
        .await;
    for process in worker {
        loquat_tests::process::signal_to(process, Signal::KILL);
    }
    let turn = utterance.end(&probe, mark).await;
    assert!(!turn.answer().is_empty());

    let turn = Utterance::new(PRODUCT)
        .in_session("after")
        .patience(THINKING)
        .ask(&probe)
        .await;
    assert_product(turn.answer());
}

/// The personas of OVOS's public marketplace: their names, and the plugins that answer for them, in order. Those that name
/// the OpenAI plugin give it a text and neither an address nor a key.
const MARKETPLACE: [(&[&str], &[&str]); 7] = [
    (
        &["OldSchoolBot"],
        &[
            "wikipedia-plugin",
            "ddg-plugin",
            "wordnet-plugin",
            "rivescript-plugin",
            "failure-plugin",
        ],
    ),
    (&["Wikipedia"], &["wikipedia-plugin", "failure-plugin"]),
    (&["Wolfram Alpha"], &["plugin-wolfram-alpha", "failure-plugin"]),
    (&["DuckDuckGo"], &["ddg-plugin", "failure-plugin"]),
    (&["WordNet"], &["wordnet-plugin", "failure-plugin"]),
    (&["RiveScript"], &["rivescript-plugin", "failure-plugin"]),
    (
        &[
            "1337 H4x0r",
            "Alien Researcher",
            "Ancient Roman",
            "Angry Gordon",
            "Caveman",
            "Coding Wizard",
            "Conspiracy Theorist",
            "Corporate Bot",
            "Cyberpunk Netrunner",
            "Disco King",
            "Drunk Viking",
            "Enthusiastic Intern",
            "Fantasy Narrator",
            "Femme Fatale",
            "Friendly Neighbor",
            "Future Robot",
            "Gothic Poet",
            "Grumpy Old Man",
            "Hippie Dreamer",
            "Jazz Musician",
            "Mad Scientist",
            "Medieval Alchemist",
            "NASA Mission Control",
            "Noir Detective",
            "Old School Librarian",
            "OpenAI Assistant",
            "Pirate Captain",
            "Samurai Master",
            "Shakespearean Actor",
            "Sherlock",
            "Socratic Tutor",
            "Southern Belle",
            "Space Marine",
            "Sports Commentator",
            "Steampunk Inventor",
            "Stoic Warrior",
            "Survivalist",
            "The Chef",
            "The Oracle",
            "The Philosopher",
            "Time Traveler",
            "Valley Girl",
            "Victorian Lady",
            "Yoga Instructor",
            "Zen Master",
        ],
        &["openai-plugin", "failure-plugin"],
    ),
];

/// As a sentence that may want a tool, as the question whether it does, and as talk.
#[tokio::test]
async fn the_model_is_prepared_for_each_beginning_that_a_first_question_has() {
    let _alone = CORES.lock().await;
    let home = Home::without_bus();
    home.setting("local_brain.model", &smallest("smollm2", "gguf"));
    let (daemon, _probe) = started(&home).await;
    daemon.wrote("beginnings=3", THINKING).await;
}

/// A device without any network but a model of its own.
#[tokio::test]
async fn every_persona_of_the_marketplace_answers_offline() {
    let _alone = CORES.lock().await;
    let home = Home::without_bus();
    home.setting("local_brain.model", &smallest("smollm2", "gguf"));
    let nowhere = format!("\"http://127.0.0.1:{}/{{lang}}\"", free_port());
    for key in ["wikipedia_url", "wiktionary_url"] {
        home.setting(&format!("web.{key}"), &nowhere);
    }
    let mut names = Vec::new();
    for (name, plugins) in MARKETPLACE
        .iter()
        .flat_map(|(names, plugins)| names.iter().map(move |name| (name, plugins)))
    {
        let solvers: Vec<String> = plugins
            .iter()
            .map(|plugin| format!("ovos-solver-{plugin}"))
            .collect();
        let mut file = json!({"name": name, "solvers": solvers});
        if plugins[0] == "openai-plugin" && *name != "OpenAI Assistant" {
            file[&solvers[0]] = json!({"persona": format!("You are {name}.")});
        }
        home.write(&format!("config/ovos_persona/{name}.json"), &file.to_string());
        names.push(*name);
    }
    assert_eq!(names.len(), 51);
    let (daemon, probe) = started(&home).await;
    daemon.wrote("the local brain is prepared", THINKING).await;
    let mut silent = BTreeMap::new();
    for name in names {
        // A model as small as this one writes something unreadable now and then.
        if unanswered(&probe, name).await.is_some() {
            silent.extend(unanswered(&probe, name).await.map(|found| (name, found)));
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

/// What came of a question to a persona, where it was no answer.
async fn unanswered(probe: &BusProbe, name: &str) -> Option<String> {
    let mark = probe.mark();
    // So that a small model does not talk on.
    let utterance = Utterance::new("Who was Ada Lovelace?")
        .to(name)
        .in_session(name)
        .context("loquat_sampling", json!({"max_tokens": 40}));
    let turn = utterance.patience(THINKING).ask(probe).await;
    turn.assert_ended_once();
    let is_result = |frame: &Frame| frame.topic == "loquat.turn.result";
    let result = probe.wait("what came of it", mark, PATIENCE, is_result).await;
    let reason = &result.data["termination_reason"];
    let is_answered = reason == "answered" && !turn.answer().trim().is_empty();
    (!is_answered).then(|| format!("{reason}: {}", turn.answer()))
}
