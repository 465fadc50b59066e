//! "Stop", said, sent or signalled in the middle of a turn.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// An interrupted turn ends promptly (STOP-1); a person takes longer to repeat the word.
const PROMPTLY: Duration = Duration::from_secs(2);

/// The device does not go on after the word: the end marker follows within this.
const AT_ONCE: Duration = Duration::from_millis(300);

/// Two sessions wait for a brain that never answers.
async fn thinking() -> (Story, [(Utterance, usize); 2]) {
    let story = Story::begin().await;
    story
        .brain
        .whenever(TESTER, "ponder", Reply::says("").delivered(Delivery::Never));
    let sessions = ["kitchen", "garage"].map(|name| Utterance::new("ponder this").in_session(name));
    let [kitchen, garage] = sessions;
    let marks = [
        kitchen.enter(&story.probe).await,
        garage.enter(&story.probe).await,
    ];
    story.brain.asked(TESTER, 2, PATIENCE).await;
    (story, [(kitchen, marks[0]), (garage, marks[1])])
}

async fn stopped_in(story: &Story, session: &str, topic: &str) {
    let context = json!({"source": "audio", "session": {"session_id": session}});
    story
        .probe
        .send(&json!({"type": topic, "data": {}, "context": context}))
        .await;
}

#[tokio::test]
async fn a_stop_ends_the_turn_of_its_session_and_no_other() {
    for topic in ["ovos.stop", "mycroft.stop"] {
        let (story, [(kitchen, mark), (garage, other)]) = thinking().await;
        stopped_in(&story, "kitchen", topic).await;
        let turn = within(
            "the stopped turn to end",
            PROMPTLY,
            kitchen.end(&story.probe, mark),
        )
        .await;
        assert_eq!(turn.ends(), 1);
        assert!(
            turn.spoken().is_empty(),
            "nobody wants to hear more: {:?}",
            turn.spoken()
        );
        story.brain.abandoned(TESTER, 1, PROMPTLY).await;
        assert_eq!(
            garage.seen(&story.probe.recording(), other).ends(),
            0,
            "the other session goes on"
        );
        stopped_in(&story, "garage", topic).await;
        assert_eq!(garage.end(&story.probe, other).await.ends(), 1);
        story.assert_goes_on().await;
    }
}

#[tokio::test]
async fn a_second_stop_changes_nothing() {
    let (story, [(kitchen, mark), _]) = thinking().await;
    for _ in 0..3 {
        stopped_in(&story, "kitchen", "ovos.stop").await;
    }
    let turn = kitchen.end(&story.probe, mark).await;
    story.assert_goes_on().await;
    assert_eq!(kitchen.seen(&story.probe.recording(), mark).ends(), turn.ends());
    assert_eq!(turn.ends(), 1);
}

#[tokio::test]
async fn the_spoken_word_stops_too_and_has_an_end_of_its_own() {
    let (story, [(kitchen, mark), _]) = thinking().await;
    let stop = Utterance::new("Stop.").in_session("kitchen");
    let ended = stop.clone().ask(&story.probe);
    let ended = within("the word stop to be handled", PROMPTLY, ended).await;
    assert_eq!(ended.ends(), 1);
    let turn = within(
        "the stopped turn to end",
        PROMPTLY,
        kitchen.end(&story.probe, mark),
    )
    .await;
    assert_eq!(turn.ends(), 1);
    assert!(turn.spoken().is_empty());
}

#[tokio::test]
async fn a_ping_is_answered_at_once_and_truly() {
    let (story, _) = thinking().await;
    for (session, busy) in [("kitchen", true), ("attic", false)] {
        let mark = story.probe.mark();
        let handlers = json!([{"skill_id": "loquat", "activated_at": 1}]);
        let context =
            json!({"source": "audio", "session": {"session_id": session, "active_handlers": handlers}});
        story
            .probe
            .send(&json!({"type": "ovos.stop.ping", "data": {}, "context": context}))
            .await;
        let is_pong = |frame: &Frame| matches!(frame.topic.as_str(), "ovos.stop.pong" | "skill.stop.pong");
        let pong = story
            .probe
            .wait("a pong", mark, Duration::from_millis(500), is_pong)
            .await;
        assert_eq!(pong.data["skill_id"], "loquat");
        assert_eq!(pong.data["can_handle"], busy, "{session}");
    }
}

#[tokio::test]
async fn a_stop_gives_up_a_running_tool() {
    let scene = Scene::default();
    let tester = scene.tester().trusting("peer-tools");
    let story = scene.play(&tester).await;
    let wait = ScriptedTool::named("wait", Act::Hangs);
    let peer = ScriptedToolbox::join(story.home.port(), "peer-tools", vec![wait]).await;
    story.script([Reply::acts("wait", &json!({"text": "x"}))]);
    let utterance = Utterance::new("Wait for it");
    let mark = utterance.enter(&story.probe).await;
    peer.called(1, PATIENCE).await;
    stopped_in(&story, "probe", "ovos.stop").await;
    let turn = within(
        "the stopped turn to end",
        PROMPTLY,
        utterance.end(&story.probe, mark),
    )
    .await;
    assert_eq!(turn.ends(), 1);
    story.assert_goes_on().await;
}

/// From the frame that stops to the end marker of the stopped turn, both as the bus delivered them.
async fn time_to_stop(
    story: &Story,
    utterance: &Utterance,
    mark: usize,
    stop: serde_json::Value,
) -> Duration {
    let before = story.probe.mark();
    story.probe.send(&stop).await;
    let topic = stop["type"].clone();
    let order = story
        .probe
        .wait("the order to stop", before, PATIENCE, |frame| {
            topic == frame.topic.as_str()
        })
        .await;
    let turn = utterance.end(&story.probe, mark).await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.spoken());
    assert_eq!(turn.ends(), 1);
    turn.frame("ovos.utterance.handled").seen - order.seen
}

#[tokio::test]
async fn the_end_follows_at_once_and_the_request_to_the_brain_is_closed() {
    for topic in ["ovos.stop", "mycroft.stop"] {
        let (story, [(kitchen, mark), _]) = thinking().await;
        let context = json!({"source": "audio", "session": {"session_id": "kitchen"}});
        let stop = json!({"type": topic, "data": {}, "context": context});
        let took = time_to_stop(&story, &kitchen, mark, stop).await;
        assert!(took < AT_ONCE, "{topic} took {took:?}");
        story.brain.abandoned(TESTER, 1, AT_ONCE).await;
    }
}

#[tokio::test]
async fn a_stop_in_the_middle_of_a_tool_gives_the_tool_up() {
    let scene = Scene::default();
    let tester = scene.tester().trusting("peer-tools");
    let story = scene.play(&tester).await;
    let tools = vec![ScriptedTool::named("wait", Act::Hangs)];
    let peer = ScriptedToolbox::join(story.home.port(), "peer-tools", tools).await;
    story.script([Reply::acts("wait", &json!({"text": "x"}))]);
    let utterance = Utterance::new("Wait for it").in_session("kitchen");
    let before = story.probe.mark();
    let mark = utterance.enter(&story.probe).await;
    let is_call = |frame: &Frame| frame.topic == "ovos.persona.tools.call";
    story
        .probe
        .wait("the call of the tool", before, PATIENCE, is_call)
        .await;
    let context = json!({"source": "audio", "session": {"session_id": "kitchen"}});
    let stop = json!({"type": "ovos.stop", "data": {}, "context": context});
    let took = time_to_stop(&story, &utterance, mark, stop).await;
    assert!(took < AT_ONCE, "it took {took:?}");
    assert_eq!(peer.calls().len(), 1);
    assert_eq!(
        story.brain.requests(TESTER).len(),
        1,
        "the brain is not asked again"
    );
    story.assert_goes_on().await;
}

#[tokio::test]
async fn stopping_everything_dismisses_the_persona_too() {
    let story = Story::begin().await;
    for (words, left) in [("Stop!", json!(TESTER)), ("Stop everything.", json!(null))] {
        let turn = Utterance::new(words).to(TESTER).ask(&story.probe).await;
        assert!(turn.spoken().is_empty());
        let stops = turn
            .frames
            .iter()
            .filter(|frame| frame.topic == "ovos.stop")
            .count();
        assert_eq!(stops, 1, "{words}");
        assert_eq!(
            turn.frame("ovos.utterance.handled").context["session"]["persona_id"],
            left,
            "{words}"
        );
    }
}

#[tokio::test]
async fn the_words_that_stop_are_those_of_the_language() {
    for (lang, words) in [
        ("de-DE", "Hör auf!"),
        ("fr-FR", "Arrête"),
        ("es-ES", "¡Para!"),
        ("pt-PT", "Pare"),
        ("it-IT", "Basta"),
    ] {
        let (story, [(kitchen, mark), _]) = thinking().await;
        let stop = Utterance::new(words)
            .in_session("kitchen")
            .session("lang", json!(lang));
        assert_eq!(stop.ask(&story.probe).await.ends(), 1);
        let turn = within(
            "the stopped turn to end",
            PROMPTLY,
            kitchen.end(&story.probe, mark),
        )
        .await;
        assert!(turn.spoken().is_empty(), "{lang}");
    }
}

#[tokio::test]
async fn who_does_not_want_the_answer_any_more_ends_what_is_thought() {
    for (lang, words) in [
        ("en-US", "never mind"),
        ("de-DE", "vergiss es"),
        ("fr-FR", "laisse tomber"),
    ] {
        let (story, [(kitchen, mark), (garage, other)]) = thinking().await;
        let said = Utterance::new(words)
            .session("lang", json!(lang))
            .in_session("kitchen");
        let dismissed = said.enter(&story.probe).await;
        let turn = within(words, PROMPTLY, kitchen.end(&story.probe, mark)).await;
        assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{words}");
        let silent = said.end(&story.probe, dismissed).await;
        assert_eq!((silent.ends(), silent.spoken().len()), (1, 0), "{words}");
        assert_eq!(garage.seen(&story.probe.recording(), other).ends(), 0);
        assert_eq!(story.brain.requests(TESTER).len(), 2, "no brain hears {words}");
    }
}
