//! What lasts from turn to turn: results that are used again, toolboxes and brains that are left alone, and the emergency stop.

use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story, TESTER, assert_sentence};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};

use crate::stage::{PEER, calls, error, in_turn, numbered, reading, requests, shown_last, text, with_peer};

/// How long the settings of these tests last, and a reply that comes later.
const SHORT: f64 = 1.0;
const LATER: Duration = Duration::from_millis(1200);

/// Longer than any test: a reply that never comes.
const NEVER: Duration = Duration::from_secs(600);

fn weather() -> Vec<ScriptedTool> {
    vec![numbered("weather", Act::Returns(text("sunny")))]
}

/// Asks for the weather in a session; gives how often it has really been looked up by then.
async fn look_up(story: &Story, session: &str, delay: Duration) -> usize {
    story.script([
        Reply::acts("weather", &json!({"n": 1})).after(delay),
        Reply::answers("Sunny."),
    ]);
    let turn = Utterance::new("The weather of day 1")
        .in_session(session)
        .ask(&story.probe)
        .await;
    assert_eq!(turn.answer(), "Sunny.");
    assert!(shown_last(story).contains("sunny"));
    calls(story).len()
}

#[tokio::test]
async fn s23_a_result_is_used_again_until_it_is_old() {
    let kept = |tester: Persona| reading(tester, &json!({"cache_seconds": SHORT}));
    let (story, _peer) = with_peer(kept, weather()).await;
    assert_eq!(look_up(&story, "kitchen", Duration::ZERO).await, 1);
    assert_eq!(look_up(&story, "kitchen", Duration::ZERO).await, 1, "used again");
    assert_eq!(look_up(&story, "kitchen", LATER).await, 2, "too old by then");
    assert_eq!(
        look_up(&story, "garage", Duration::ZERO).await,
        3,
        "another session's"
    );
}

#[tokio::test]
async fn s23_a_result_may_be_everybody_s_or_nobody_s() {
    let device = json!({"cache_seconds": 600, "cache_scope": "device"});
    for (settings, looked_up) in [(device, 1), (json!({}), 2)] {
        let (story, _peer) = with_peer(|tester| reading(tester, &settings), weather()).await;
        assert_eq!(look_up(&story, "kitchen", Duration::ZERO).await, 1);
        assert_eq!(
            look_up(&story, "garage", Duration::ZERO).await,
            looked_up,
            "{settings}"
        );
    }
}

/// Calls the tool in a session of its own; gives what the brain was shown of it.
async fn try_out(story: &Story, numbers: &[u32], delay: Duration) -> String {
    let session = format!("session-{}", story.probe.mark());
    let mut delay = Some(delay);
    for n in numbers {
        let act = Reply::acts("look", &json!({"n": n}));
        story.script([act.after(delay.take().unwrap_or_default())]);
    }
    story.script([Reply::answers("Done.")]);
    let turn = Utterance::new("Look at 1 and 2")
        .in_session(&session)
        .ask(&story.probe)
        .await;
    assert_eq!(turn.answer(), "Done.");
    shown_last(story)
}

#[tokio::test]
async fn s24_a_toolbox_that_is_away_is_left_alone_and_then_tried_once() {
    let scene = Scene::default();
    scene.home.setting("tools.outage_seconds", &format!("{SHORT:?}"));
    let tester = reading(scene.tester(), &json!({"retries": 0}));
    let story = scene.play(&tester).await;
    let away = error("ConnectionError: nobody there");
    let mut acts = vec![away; 4];
    acts.push(Act::Returns(text("a tree")));
    let _peer = ScriptedToolbox::join(story.home.port(), PEER, vec![in_turn("look", acts)]).await;
    for tries in 1..=3 {
        assert!(
            try_out(&story, &[1], Duration::ZERO)
                .await
                .contains("nobody there")
        );
        assert_eq!(calls(&story).len(), tries);
    }
    let shown = try_out(&story, &[1], Duration::ZERO).await;
    assert!(shown.contains("does not answer at the moment"), "{shown}");
    assert_eq!(calls(&story).len(), 3, "open: it is left alone");
    let shown = try_out(&story, &[1, 2], LATER).await;
    assert_eq!(calls(&story).len(), 4, "half open: one try, which failed");
    assert!(shown.contains("does not answer at the moment"), "{shown}");
    assert!(
        try_out(&story, &[1], LATER).await.contains("a tree"),
        "half open: one try, which worked"
    );
    assert!(
        try_out(&story, &[1, 2], Duration::ZERO).await.contains("a tree"),
        "closed"
    );
    assert_eq!(calls(&story).len(), 7);
}

#[tokio::test]
async fn s24_a_brain_that_is_away_is_left_alone_and_the_next_one_answers() {
    let scene = Scene::default();
    let rung = |lane: &str| {
        json!({"plugin": "ovos-chat-openai-plugin", "api_url": scene.brain.url(lane), "model": "scripted",
               "key": "k", "retries": 0})
    };
    let file = json!({
        "name": TESTER,
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": [rung("Away"), rung(TESTER)]},
    });
    scene
        .home
        .write("config/ovos_persona/Tester.json", &file.to_string());
    let story = scene.start().await;
    story.brain.whenever("Away", "", Reply::fails(500));
    for turn in 1..=5 {
        story.script([Reply::answers("Paris.")]);
        assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
        assert_eq!(
            story.brain.requests("Away").len(),
            turn.min(3),
            "skipped after three failures"
        );
    }
}

#[tokio::test]
async fn a_turn_whose_server_dies_is_told_to_the_next_brain_in_its_own_dialect() {
    let scene = Scene::default();
    let rung = |lane: &str, native: bool| {
        json!({"plugin": "ovos-chat-openai-plugin", "api_url": scene.brain.url(lane), "model": "scripted",
               "key": "k", "retries": 0, "supports_tools": native, "json_schema": !native})
    };
    let file = json!({
        "name": TESTER,
        "handlers": ["ovos-native-toolcall-loop"],
        "ovos-native-toolcall-loop": {
            "brain": [rung("Server", true), rung(TESTER, false)],
            "toolboxes": ["ovos-math-tools"],
        },
    });
    scene
        .home
        .write("config/ovos_persona/Tester.json", &file.to_string());
    let story = scene.start().await;
    let sum = json!({"expression": "2+2"});
    let called = Reply::calls("evaluate_expression", &sum);
    story.brain.script("Server", [called, Reply::fails(500)]);
    let answer = json!({"thought": "The result is there.", "tool": "none", "answer": "It is four."});
    story.script([Reply::says(answer.to_string())]);
    assert_eq!(story.ask("What is two and two?").await.answer(), "It is four.");
    let request = &story.brain.requests(TESTER)[0];
    assert!(request.tools().is_empty());
    assert_eq!(request.body()["response_format"]["type"], "json_schema");
    let text = request.text();
    let call = r#""tool": "evaluate_expression", "arguments": {"expression": "2+2"}, "last": false}"#;
    assert!(text.contains(call) && text.contains("Observation: {"), "{text}");
}

fn failing(numbers: impl IntoIterator<Item = u32>) -> Vec<Reply> {
    let act = |n: u32| Reply::acts("look", &json!({"n": n}));
    let acts = numbers.into_iter().map(act);
    acts.chain([Reply::answers("It does not work.")]).collect()
}

#[tokio::test]
async fn s25_five_failures_in_a_row_stop_the_session_until_somebody_says_stop() {
    let look = numbered("look", error("ValueError: no such thing"));
    let (story, _peer) = with_peer(|tester| reading(tester, &Value::Null), vec![look]).await;
    story.script(failing(1..=3));
    assert_eq!(
        story.ask("Look at 1, 2 and 3").await.answer(),
        "It does not work."
    );
    assert_eq!(calls(&story).len(), 3, "three in a row end a turn");
    story.script(failing(4..=5));
    assert_eq!(story.ask("Look at 4 and 5").await.answer(), "It does not work.");
    assert_eq!(calls(&story).len(), 5);
    assert_eq!(story.reasons(2).await, ["Answered", "EmergencyStop"]);

    let asked = requests(&story).len();
    let refused = story.ask("What is the time?").await;
    assert_sentence(refused.answer());
    assert!(refused.answer().contains("Say stop"), "{}", refused.answer());
    assert_eq!(requests(&story).len(), asked, "no brain is asked");
    assert_eq!(story.reasons(3).await[2], "EmergencyStop");

    story.script([Reply::answers("Hello.")]);
    let other = Utterance::new("Hello")
        .in_session("garage")
        .ask(&story.probe)
        .await;
    assert_eq!(other.answer(), "Hello.", "another session goes on");

    Utterance::new("stop").ask(&story.probe).await.assert_ended_once();
    story.assert_goes_on().await;
}

#[tokio::test]
async fn s25b_five_turns_that_the_brain_fails_stop_the_session_until_somebody_says_stop() {
    let story = Story::begin().await;
    story.brain.whenever(TESTER, "Hello", Reply::fails(400));
    for _ in 0..5 {
        assert_sentence(story.ask("Hello").await.answer());
    }
    assert_eq!(story.reasons(5).await[3..], ["LlmError", "EmergencyStop"]);
    let asked = requests(&story).len();
    let refused = story.ask("What is the time?").await;
    assert!(refused.answer().contains("Say stop"), "{}", refused.answer());
    assert_eq!(requests(&story).len(), asked, "no brain is asked");
    Utterance::new("stop").ask(&story.probe).await.assert_ended_once();
    story.assert_goes_on().await;
}

#[tokio::test]
async fn s24b_a_brain_without_another_is_not_waited_for_in_every_turn() {
    let scene = Scene::default();
    let tester = scene
        .tester()
        .brain("first_token_timeout_seconds", json!(1.1))
        .brain("retries", json!(0));
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, "Hello", Reply::answers("Late.").after(NEVER));
    let mut told = String::new();
    for _ in 0..3 {
        story.ask("Hello").await.answer().clone_into(&mut told);
        assert_sentence(&told);
    }
    let asked = requests(&story).len();
    assert_eq!(story.ask("Hello").await.answer(), told);
    assert_eq!(requests(&story).len(), asked, "it is left alone");
}
