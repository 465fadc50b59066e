//! Talking on: a question of a persona is answered without the wake word and by whom it was put, and a conversation may be
//! left without an answer.

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

const SCOUT: &str = "Scout";

/// What people say who do not want to speak on.
const DISMISSALS: &[(&str, &str)] = &[
    ("en-US", "never mind"),
    ("en-US", "Cancel."),
    ("en-US", "No, thanks."),
    ("de-DE", "schon gut"),
    ("de-DE", "Abbrechen"),
    ("es-ES", "no importa"),
    ("es-ES", "Cancela."),
    ("fr-FR", "laisse tomber"),
    ("fr-FR", "Annule."),
    ("it-IT", "lascia perdere"),
    ("it-IT", "Annulla"),
    ("pt-PT", "deixa lá"),
    ("pt-PT", "Cancela"),
];

/// Two personas, of which [`TESTER`] answers where none is asked for.
async fn story(settings: &[(&str, &str)]) -> Story {
    let scene = Scene::default();
    for (key, value) in settings {
        scene.home.setting(key, value);
    }
    let scout = Persona::react(SCOUT, &scene.brain.url(SCOUT));
    scene.home.persona(&scout);
    let tester = scene.tester();
    scene.play(&tester).await
}

/// Whether all that was spoken, under both names, asks for an answer.
fn asks(turn: &Turn) -> bool {
    let spoken: Vec<&Frame> = turn
        .frames
        .iter()
        .filter(|frame| ["speak", "ovos.utterance.speak"].contains(&frame.topic.as_str()))
        .collect();
    assert_eq!(spoken.len(), 2, "both generations: {:?}", turn.topics());
    let flags = spoken
        .iter()
        .map(|frame| [&frame.data["listen"], &frame.data["expect_response"]]);
    let flags: Vec<bool> = flags.flatten().map(|flag| flag == true).collect();
    assert!(flags.iter().all(|flag| *flag == flags[0]), "{flags:?}");
    flags[0]
}

fn ends(turn: &Turn) -> usize {
    turn.frames.iter().filter(|frame| frame.topic == HANDLED).count()
}

/// Scout asks for a city.
async fn asked_by_scout(story: &Story) {
    story.brain.script(SCOUT, [Reply::answers("In which city?")]);
    let turn = story.ask("Ask Scout what the weather is like").await;
    assert_eq!(turn.answer(), "In which city?");
    assert!(asks(&turn));
}

#[tokio::test]
async fn the_answer_to_a_question_goes_to_who_asked_with_what_was_said() {
    let story = story(&[]).await;
    asked_by_scout(&story).await;
    story.brain.script(SCOUT, [Reply::answers("It rains in Paris.")]);
    let turn = story.ask("Paris").await;
    assert_eq!(turn.answer(), "It rains in Paris.");
    assert!(!asks(&turn), "no question, no open microphone");
    let shown = story.brain.requests(SCOUT)[1].text();
    assert!(shown.contains("In which city?"), "{shown}");
    assert!(story.brain.requests(TESTER).is_empty());
    // It was one answer. What comes after it is for the usual persona.
    story.script([Reply::answers("Hello.")]);
    assert_eq!(story.ask("Good day to you").await.answer(), "Hello.");
}

#[tokio::test]
async fn stop_words_commands_and_clear_intents_go_before_the_conversation() {
    let story = story(&[("skills.intents", "\"alone\"")]).await;
    asked_by_scout(&story).await;
    let turn = story.ask("stop").await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    asked_by_scout(&story).await;
    let turn = story.ask("what timers are set").await;
    assert_eq!(turn.answer(), "No timer is running.");
    asked_by_scout(&story).await;
    let turn = story.ask("list personas").await;
    assert!(turn.answer().contains(SCOUT), "{}", turn.answer());
    // Each of them ended the conversation.
    story.script([Reply::answers("A city.")]);
    assert_eq!(story.ask("Paris").await.answer(), "A city.");
    assert_eq!(story.brain.requests(SCOUT).len(), 3);
}

#[tokio::test]
async fn a_conversation_is_left_in_six_languages_without_a_word() {
    let story = story(&[]).await;
    for (lang, said) in DISMISSALS {
        story.script([Reply::answers("Shall I go on?")]);
        let utterance = |text: &str| Utterance::new(text).session("lang", json!(lang));
        utterance("xyzzy").ask(&story.probe).await.answer();
        let asked = story.brain.requests(TESTER).len();
        let turn = utterance(said).ask(&story.probe).await;
        assert!(turn.spoken().is_empty(), "{said}: {:?}", turn.topics());
        assert_eq!(ends(&turn), 1, "{said}: {:?}", turn.topics());
        let asked_now = story.brain.requests(TESTER).len();
        assert_eq!(asked_now, asked, "{said} was given to a brain");
    }
    // Where there is no conversation, nothing was begun either, and a brain would ask what is meant.
    let asked = story.brain.requests(TESTER).len();
    let elsewhere = Utterance::new("never mind").in_session("elsewhere");
    let turn = elsewhere.ask(&story.probe).await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    assert_eq!(story.brain.requests(TESTER).len(), asked);
}

#[tokio::test]
async fn switched_off_an_answer_to_a_question_is_a_question_of_its_own() {
    let story = story(&[("desk.follow_up_seconds", "0")]).await;
    story.brain.script(SCOUT, [Reply::answers("In which city?")]);
    let turn = story.ask("Ask Scout what the weather is like").await;
    assert!(!asks(&turn));
    story.script([Reply::answers("A city.")]);
    assert_eq!(story.ask("Paris").await.answer(), "A city.");
}

#[tokio::test]
async fn another_session_s_question_is_answered_in_that_session_alone() {
    let story = story(&[]).await;
    let mark = story.probe.mark();
    story.brain.script(SCOUT, [Reply::answers("In which city?")]);
    let at_the_satellite = |text: &str| {
        Utterance::new(text)
            .in_session("satellite-session")
            .context("source", json!("satellite::1"))
    };
    let turn = at_the_satellite("Ask Scout what the weather is like")
        .ask(&story.probe)
        .await;
    assert!(asks(&turn));
    for frame in turn.frames.iter().filter(|frame| frame.is_speak()) {
        assert_eq!(frame.session_id(), "satellite-session");
    }
    story.script([Reply::answers("A city.")]);
    assert_eq!(story.ask("Paris").await.answer(), "A city.");
    story.brain.script(SCOUT, [Reply::answers("It rains there.")]);
    let turn = at_the_satellite("Paris").ask(&story.probe).await;
    assert_eq!(turn.answer(), "It rains there.");
    let opened = |frame: &Frame| frame.topic == "ovos.mic.listen" || frame.topic == "mycroft.mic.listen";
    let frames = story.probe.since(mark);
    assert!(!frames.iter().any(opened), "our microphone was opened");
}

#[tokio::test]
async fn beside_a_core_a_conversation_goes_on_where_no_intent_is_known() {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("skills.intents", "\"always\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    let handlers = json!([{"skill_id": "loquat", "activated_at": 1}]);
    let session = json!({"session_id": "kitchen", "converse_handlers": handlers});
    let send = async |topic: &str, text: &str, number: &str| {
        let mark = story.probe.mark();
        let data = json!({"lang": "en-US", "utterance": text, "utterances": [text], "skill_id": "loquat"});
        let context = json!({"source": "skills", "utterance_id": number, "session": session});
        let frame = json!({"type": topic, "data": data, "context": context});
        story.probe.send(&frame).await;
        mark
    };
    let claims = async |text: &str| {
        let mark = send("ovos.converse.ping", text, "ping").await;
        let pong = |frame: &Frame| frame.topic == "ovos.converse.pong";
        let pong = story.probe.wait("the pong", mark, PATIENCE, pong).await;
        assert_eq!(pong.data["can_handle"], pong.data["result"]);
        pong.data["can_handle"] == true
    };
    assert!(!claims("Paris").await, "nothing was asked");
    let ask = async |number: &str| {
        story.script([Reply::answers("In which city?")]);
        let mark = send("ovos.skills.fallback.loquat.request", "the weather", number).await;
        let question = story
            .probe
            .wait("the question", mark, PATIENCE, Frame::is_speak)
            .await;
        assert_eq!(
            [&question.data["expect_response"], &question.data["listen"]],
            [true, true]
        );
    };
    ask("u1").await;
    for (said, is_ours) in [
        ("Paris", true),
        ("never mind", true),
        ("what timers are set", false),
        ("stop", false),
        ("list personas", false),
    ] {
        assert_eq!(claims(said).await, is_ours, "{said}");
    }
    story.script([Reply::answers("It rains in Paris.")]);
    let mark = send("loquat.converse.request", "Paris", "u2").await;
    let answer = story
        .probe
        .wait("the answer", mark, PATIENCE, Frame::is_speak)
        .await;
    assert_eq!(answer.utterance(), "It rains in Paris.");
    ask("u3").await;
    let asked = story.brain.requests(TESTER).len();
    let mark = send("loquat.converse.request", "never mind", "u4").await;
    let done = |frame: &Frame| frame.topic == "skill.converse.response";
    let done = story.probe.wait("the end", mark, PATIENCE, done).await;
    assert_eq!(done.data["result"], true);
    assert!(!story.probe.since(mark).iter().any(Frame::is_speak));
    assert_eq!(story.brain.requests(TESTER).len(), asked);
    assert!(!claims("Paris").await, "the conversation was left");
}

/// An older core stamps no utterances, asks under other names, and brings words only to skills that are active.
#[tokio::test]
async fn beside_an_older_core_a_conversation_goes_on_too() {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::Stable).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    let send = async |topic: &str, text: &str| {
        let mark = story.probe.mark();
        let data = json!({"lang": "en-us", "utterances": [text], "skill_id": "loquat"});
        let context = json!({"source": "skills", "session": {"session_id": "kitchen"}});
        story
            .probe
            .send(&json!({"type": topic, "data": data, "context": context}))
            .await;
        mark
    };
    let wait = async |mark: usize, topic: &'static str| {
        let is_it = |frame: &Frame| frame.topic == topic;
        story.probe.wait(topic, mark, PATIENCE, is_it).await
    };
    story.script([
        Reply::answers("In which city?"),
        Reply::answers("It rains in Paris."),
    ]);
    let mark = send("ovos.skills.fallback.loquat.request", "the weather").await;
    let active = wait(mark, "intent.service.skills.activate").await;
    assert_eq!(active.data["skill_id"], "loquat");
    let question = wait(mark, "speak").await;
    assert_eq!(question.data["expect_response"], true);
    wait(mark, HANDLED).await;
    let mark = send("loquat.converse.ping", "Paris").await;
    assert_eq!(wait(mark, "skill.converse.pong").await.data["can_handle"], true);
    let mark = send("loquat.converse.request", "Paris").await;
    assert_eq!(wait(mark, "speak").await.utterance(), "It rains in Paris.");
    wait(mark, HANDLED).await;
    let mark = send("loquat.converse.ping", "Paris").await;
    assert_eq!(wait(mark, "skill.converse.pong").await.data["can_handle"], false);
}
