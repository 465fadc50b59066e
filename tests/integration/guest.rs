//! Beside an ovos-core we are a fallback handler and nothing else. The core here is a scripted one; the real ones are
//! driven by `make test-peers`.

use std::time::Duration;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// A core is believed gone after two questions without an answer, which are ten seconds apart.
const CORE_LEAVES: Duration = Duration::from_secs(60);

async fn beside(generation: Generation) -> (FakeBus, ScriptedCore, Story) {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), generation).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    (bus, core, story)
}

#[tokio::test]
async fn beside_a_core_an_utterance_is_answered_once_as_its_fallback() {
    for generation in [Generation::Stable, Generation::PreRelease] {
        let (_bus, core, story) = beside(generation).await;
        story.script([Reply::answers("Paris.")]);
        let turn = story.ask("Capital of France?").await;
        assert_eq!(turn.answer(), "Paris.", "{generation:?}");
        let topics = turn.topics();
        let place = |wanted: &str| topics.iter().position(|topic| *topic == wanted);
        assert!(place("ovos.skills.fallback.loquat.start") < place("ovos.skills.fallback.loquat.response"));
        assert!(
            place("ovos.skills.fallback.loquat.response") < place(HANDLED),
            "{topics:?}"
        );
        assert!(
            !topics.contains(&"loquat:chat"),
            "the core orchestrates: {topics:?}"
        );
        assert_eq!(story.brain.requests(TESTER).len(), 1);
        assert!(core.slowest_pong() < Duration::from_millis(500));
    }
}

#[tokio::test]
async fn a_core_that_has_forgotten_us_is_told_again() {
    let (_bus, core, story) = beside(Generation::PreRelease).await;
    core.forget();
    core.announce().await;
    core.registered("loquat", PATIENCE).await;
    story.script([Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
}

#[tokio::test]
async fn a_failing_brain_still_ends_the_utterance_of_a_core() {
    let (_bus, _core, story) = beside(Generation::Stable).await;
    story.script(std::iter::repeat_n(Reply::fails(400), 4));
    crate::story::assert_sentence(story.ask("fault").await.answer());
    story.brain.whenever(TESTER, "next", Reply::answers("Yes."));
    assert_eq!(
        Utterance::new("the next one").ask(&story.probe).await.answer(),
        "Yes."
    );
}

#[tokio::test]
async fn when_the_core_goes_we_orchestrate() {
    let (_bus, core, story) = beside(Generation::PreRelease).await;
    drop(core);
    story.daemon.wrote("Solo", CORE_LEAVES).await;
    story.script([Reply::answers("Paris.")]);
    let turn = story.ask("Capital of France?").await;
    assert_eq!(turn.answer(), "Paris.");
    turn.frame("loquat:chat");
}

#[tokio::test]
async fn what_is_said_to_a_core_that_has_just_died_is_answered_once() {
    for generation in [Generation::Stable, Generation::PreRelease] {
        let (_bus, core, story) = beside(generation).await;
        story.brain.whenever(TESTER, "", Reply::answers("Paris."));
        drop(core);
        let turn = story.ask("Capital of France?").await;
        assert_eq!(turn.answer(), "Paris.", "{generation:?}");
        assert_eq!(story.brain.requests(TESTER).len(), 1);
    }
}

#[tokio::test]
async fn what_is_said_between_two_cores_is_answered_once() {
    let (bus, core, story) = beside(Generation::PreRelease).await;
    story.brain.whenever(TESTER, "", Reply::answers("Yes."));
    drop(core);
    let unheard = Utterance::new("Are you there?");
    let mark = unheard.enter(&story.probe).await;
    // A program that asks the new one whether it is there finds it, before the old one was missed.
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    // A core takes seconds to load before it says that it is up; nothing is to be seen of that.
    story
        .probe
        .try_wait(mark, Duration::from_millis(2500), |_| false)
        .await;
    core.announce().await;
    let turn = unheard.end(&story.probe, mark).await;
    assert_eq!(turn.answer(), "Yes.");
    core.registered("loquat", PATIENCE).await;
    assert_eq!(story.ask("And now?").await.answer(), "Yes.");
    assert_eq!(unheard.seen(&story.probe.recording(), mark).ends(), 1);
    assert!(!story.daemon.output().contains("Solo"), "nobody missed a core");
}

#[tokio::test]
async fn what_a_core_leaves_behind_in_the_middle_of_an_utterance_is_ended_once() {
    let (_bus, core, story) = beside(Generation::PreRelease).await;
    let gate = Gate::default();
    story
        .brain
        .whenever(TESTER, "", Reply::answers("Paris.").behind(&gate));
    let utterance = Utterance::new("Capital of France?");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    drop(core);
    gate.open();
    let turn = utterance.end(&story.probe, mark).await;
    assert_eq!(turn.answer(), "Paris.");
}

#[tokio::test]
async fn a_core_that_comes_and_goes_leaves_no_utterance_with_two_answers_or_none() {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers("Yes."));
    for round in 0..3 {
        let turn = story.ask(&format!("alone {round}")).await;
        assert_eq!(turn.answer(), "Yes.");
        turn.frame("loquat:chat");
        let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
        core.announce().await;
        core.registered("loquat", PATIENCE).await;
        let turn = story.ask(&format!("beside {round}")).await;
        assert_eq!(turn.answer(), "Yes.");
        turn.frame("ovos.skills.fallback.loquat.response");
        drop(core);
    }
}

#[tokio::test]
async fn our_commands_are_intents_of_the_core_and_change_the_session() {
    let (_bus, core, story) = beside(Generation::PreRelease).await;
    // The probe may have come later than the registration; then the core asks for it again.
    core.announce().await;
    let registered = story.probe.wait("our intents", 0, PATIENCE, |frame| {
        frame.topic == "ovos.intent.register.template" && frame.data["intent_name"] == "summon"
    });
    let samples = registered.await.data["samples"].to_string();
    assert!(samples.contains("{persona}"), "{samples}");

    let dispatch = async |intent: &str, slots: serde_json::Value, session: serde_json::Value| {
        let mark = story.probe.mark();
        let data = json!({"lang": "en-US", "utterance": "x", "slots": slots});
        let context = json!({"source": "skills", "destination": "audio", "utterance_id": format!("u-{intent}"),
                             "skill_id": "loquat", "session": session});
        let frame = json!({"type": format!("loquat:{intent}"), "data": data, "context": context});
        story.probe.send(&frame).await;
        let is_done = |frame: &Frame| frame.topic == "mycroft.skill.handler.complete";
        let done = story
            .probe
            .wait("the end of our handler", mark, PATIENCE, is_done)
            .await;
        assert_eq!(done.context["skill_id"], "loquat");
        let spoken: Vec<Frame> = story.probe.since(mark);
        let speak = spoken
            .iter()
            .find(|frame| frame.is_speak())
            .unwrap()
            .utterance()
            .to_owned();
        (speak, done.context["session"].clone())
    };
    let (said, session) = dispatch(
        "summon",
        json!({"persona": TESTER}),
        json!({"session_id": "kitchen"}),
    )
    .await;
    assert!(said.contains(TESTER), "{said}");
    assert_eq!(session["persona_id"], TESTER);
    let (said, _) = dispatch("check", json!({}), session.clone()).await;
    assert!(said.contains(TESTER), "{said}");
    let (_, session) = dispatch("release", json!({}), session).await;
    assert!(session.get("persona_id").is_none(), "{session}");
}

#[tokio::test]
async fn a_summoned_persona_goes_on_with_the_conversation() {
    let (_bus, _core, story) = beside(Generation::PreRelease).await;
    story.brain.whenever(TESTER, "", Reply::answers("Indeed."));
    let is_pong = |frame: &Frame| frame.topic == "ovos.converse.pong";
    let send = async |id: &str, session: serde_json::Value, text: &str| {
        let data = json!({"utterances": [text], "lang": "en-US"});
        let context = json!({"source": "skills", "utterance_id": id, "session": session});
        let ping = json!({"type": "ovos.converse.ping", "data": data, "context": context});
        story.probe.send(&ping).await;
    };
    let ping = async |session: serde_json::Value, text: &str| {
        let mark = story.probe.mark();
        send("u1", session, text).await;
        story.probe.wait("the pong", mark, PATIENCE, is_pong).await
    };
    let handlers = json!([{"skill_id": "loquat", "activated_at": 1}]);
    let active = json!({"session_id": "kitchen", "persona_id": TESTER, "converse_handlers": handlers});
    let idle = json!({"session_id": "kitchen", "converse_handlers": handlers});
    let pong = ping(active.clone(), "And then?").await;
    assert_eq!(
        (&pong.data["result"], &pong.data["can_handle"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(pong.utterance_id(), Some("u1"));
    assert_eq!(ping(idle.clone(), "And then?").await.data["result"], false);
    assert_eq!(ping(active.clone(), "stop").await.data["result"], false);

    let mark = story.probe.mark();
    send("unlisted", json!({"session_id": "kitchen"}), "And then?").await;
    send("listed", idle, "And then?").await;
    let first = story.probe.wait("the pong", mark, PATIENCE, is_pong).await;
    assert_eq!(first.utterance_id(), Some("listed"), "not listed is silent");

    let mark = story.probe.mark();
    let data = json!({"utterances": ["And then?"], "lang": "en-US"});
    let context = json!({"source": "skills", "utterance_id": "u2", "session": active});
    story
        .probe
        .send(&json!({"type": "loquat.converse.request", "data": data, "context": context}))
        .await;
    let done = story
        .probe
        .wait("the answer to the core", mark, PATIENCE, |frame| {
            frame.topic == "skill.converse.response"
        });
    assert_eq!(done.await.data["result"], true);
    let spoken: Vec<String> = story
        .probe
        .since(mark)
        .iter()
        .filter(|frame| frame.is_speak() && !frame.is_twin())
        .map(|frame| frame.utterance().to_owned())
        .collect();
    assert_eq!(spoken, ["Indeed."]);
}

/// On a busy machine the answer to the first question comes while the second waits. Who believes the core gone then takes its
/// utterance over, and it ends twice.
#[tokio::test]
async fn a_core_that_answers_late_is_not_believed_gone() {
    let (bus, core, story) = beside(Generation::PreRelease).await;
    let mark = bus.recording().mark();
    core.lag();
    // What a person says has the core asked at once.
    for (round, question) in ["Capital of France?", "And of Spain?"].into_iter().enumerate() {
        story.script([Reply::answers("Paris.")]);
        story.ask(question).await;
        core.lagged(round + 1, PATIENCE).await;
    }
    story.script([Reply::answers("Paris.")]);
    story.ask("Are you sure?").await;
    let frames = bus.recording().since(mark);
    let is_solo = |frame: &Frame| frame.topic == "mycroft.skills.initialized";
    assert!(
        !frames.iter().any(is_solo),
        "it calls for registrations as if it were alone"
    );
    let ends = frames
        .iter()
        .filter(|frame| frame.topic == HANDLED && !frame.is_twin());
    assert_eq!(ends.count(), 3);
}

#[tokio::test]
async fn at_the_end_everything_is_taken_back() {
    let (bus, _core, mut story) = beside(Generation::PreRelease).await;
    let mark = bus.recording().mark();
    story.daemon.signal(Signal::TERM);
    assert!(story.daemon.ended(PATIENCE).await.success());
    for topic in ["ovos.fallback.deregister", "ovos.skill.deregister"] {
        let taken_back = |frame: &Frame| frame.topic == topic && frame.data == json!({"skill_id": "loquat"});
        bus.recording().wait(topic, mark, PATIENCE, taken_back).await;
    }
}
