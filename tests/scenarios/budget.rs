//! Limits: the brain is told when they come near, and no layer gives more than the one above it.

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::toolbox::{Act, ScriptedToolbox};
use serde_json::{Value, json};

use crate::stage::{PEER, calls, numbered, requests, text, trusting, with_peer};

/// What the brain is told from half of the budget on.
const ADVICE: [&str; 3] = [
    "Consider wrapping up",
    "Complete the current task soon",
    "You must conclude immediately",
];

#[tokio::test]
async fn s17_advice_comes_at_its_six_boundaries() {
    let patient = |tester: Persona| {
        trusting(tester)
            .setting("max_iterations", json!(100))
            .key("budget", json!({"max_tool_calls": 1000, "deadline_seconds": 600}))
    };
    let (story, _peer) = with_peer(patient, vec![numbered("look", Act::Returns(text("nothing")))]).await;
    story.script((1..=80).map(|n| Reply::acts("look", &json!({"n": n}))));
    story.script([Reply::answers("Nothing anywhere.")]);
    assert_eq!(story.ask("Look everywhere").await.answer(), "Nothing anywhere.");
    let requests = requests(&story);
    let boundaries = [
        (49, None),
        (50, Some(0)),
        (69, Some(0)),
        (70, Some(1)),
        (79, Some(1)),
        (80, Some(2)),
    ];
    for (percent, expected) in boundaries {
        // Each step takes one hundredth of the budget.
        let shown = requests[percent].newest();
        for (index, advice) in ADVICE.into_iter().enumerate() {
            assert_eq!(
                shown.contains(advice),
                expected == Some(index),
                "{percent} %: {shown}"
            );
        }
    }
}

#[tokio::test]
async fn s17_advice_comes_to_a_brain_that_is_held_to_a_schema_too() {
    let held = |tester: Persona| {
        trusting(tester)
            .brain("json_schema", json!(true))
            .setting("max_iterations", json!(10))
            .key("budget", json!({"max_tool_calls": 1000, "deadline_seconds": 600}))
    };
    let (story, _peer) = with_peer(held, vec![numbered("look", Act::Returns(text("nothing")))]).await;
    let step = |step: Value| Reply::says(step.to_string());
    story.script((1..=8).map(|n| step(json!({"thought": "On.", "tool": "look", "arguments": {"n": n}}))));
    story.script([step(
        json!({"thought": "Done.", "tool": "none", "answer": "Nothing anywhere."}),
    )]);
    assert_eq!(story.ask("Look everywhere").await.answer(), "Nothing anywhere.");
    let requests = requests(&story);
    assert!(
        requests
            .iter()
            .all(|request| request.body()["response_format"]["type"] == "json_schema"),
        "every step is held to a schema"
    );
    // Each step takes one tenth of the budget.
    for (steps, expected) in [(4, None), (5, Some(0)), (6, Some(0)), (7, Some(1)), (8, Some(2))] {
        let shown = requests[steps].newest();
        for (index, advice) in ADVICE.into_iter().enumerate() {
            assert_eq!(
                shown.contains(advice),
                expected == Some(index),
                "{steps} steps: {shown}"
            );
        }
    }
}

/// A persona of the engine that chooses, with these settings.
async fn choosing(settings: &Value) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    let persona =
        Persona::new(TESTER, "auto", &scene.brain.url(TESTER)).brain("supports_tools", json!(false));
    let mut persona = trusting(persona)
        .unasked_when_tainted(PEER, &["look"])
        .setting("decompose", json!(false));
    for (key, value) in settings.as_object().into_iter().flatten() {
        persona = persona.setting(key, value.clone());
    }
    let story = scene.play(&persona).await;
    let look = numbered("look", Act::Returns(text("nothing")));
    let peer = ScriptedToolbox::join(story.home.port(), PEER, vec![look]).await;
    (story, peer)
}

/// How many tools run when the brain wants one after the other.
async fn actions(settings: &Value, assessment: Option<&str>) -> usize {
    let (story, _peer) = choosing(settings).await;
    story.script(assessment.map(Reply::says));
    story
        .brain
        .whenever(TESTER, "tools", Reply::answers("That is all."));
    story.script((1..=20).map(|n| Reply::acts("look", &json!({"n": n}))));
    let turn = story.ask("Look everywhere").await;
    assert_eq!(turn.ends(), 1);
    assert!(requests(&story).len() < 20);
    calls(&story).len()
}

#[tokio::test]
async fn s21_a_layer_only_takes_away() {
    let most = actions(&json!({"max_iterations": 3}), None).await;
    assert!((3..=4).contains(&most), "{most} actions with three allowed");
    let narrowed = json!({"max_iterations": 3, "channels": {"text": {"max_iterations": 1}}});
    assert!(actions(&narrowed, None).await < most, "a channel takes away");
    let elsewhere = json!({"max_iterations": 3, "channels": {"voice": {"max_iterations": 1}}});
    assert_eq!(
        actions(&elsewhere, None).await,
        most,
        "another channel's layer is not ours"
    );
    let single = json!({"channels": {"text": {"multi_action": false}}});
    assert_eq!(actions(&single, None).await, 1);
}

#[tokio::test]
async fn s21_an_assessment_gives_no_more_than_the_settings() {
    let assessed = |more: Value| {
        let mut settings = json!({"assessment": "brain", "max_iterations": 2});
        for (key, value) in more.as_object().unwrap() {
            settings[key] = value.clone();
        }
        settings
    };
    let most = actions(&json!({"max_iterations": 2}), None).await;
    assert_eq!(actions(&assessed(json!({})), Some("5")).await, most);
    let single = assessed(json!({"multi_action": false}));
    assert_eq!(actions(&single, None).await, 1, "nobody is even asked");
}

#[tokio::test]
async fn a_limit_of_cost_holds_where_the_server_counts_nothing() {
    let dear = |tester: Persona| {
        trusting(tester)
            .brain("prompt_price", json!(1000.0))
            .brain("completion_price", json!(1000.0))
            .key("budget", json!({"max_cost": 0.3}))
    };
    let (story, _peer) = with_peer(dear, vec![numbered("look", Act::Returns(text("nothing")))]).await;
    story.script([
        Reply::acts("look", &json!({"n": 1})),
        Reply::answers("Nothing yet."),
    ]);
    let turn = story.ask("Look once").await;
    assert_eq!((turn.answer(), calls(&story).len()), ("Nothing yet.", 1));
    assert_eq!(story.reasons(1).await, ["CriticalTokens"]);
    let result = &turn.frame("loquat.turn.result").data;
    assert_eq!(result["tokens"]["estimated"], true);
    // A thousand of them cost one.
    let tokens = ["prompt", "completion"].map(|kind| result["tokens"][kind].as_f64().unwrap());
    let cost = result["cost"].as_f64().unwrap();
    assert!(
        (cost - (tokens[0] + tokens[1]) / 1000.0).abs() < 1e-6 && cost > 0.3,
        "{result}"
    );
}
