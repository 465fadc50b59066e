//! Tools of other programs: tried again, answering themselves, handing on, coming and going, together and in order.

use std::time::Duration;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, TESTER};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use serde_json::{Value, json};

use crate::stage::{
    PEER, answers, calls, error, in_turn, native_with_peer, numbered, reading, requests, result_and,
    shown_last, text, tool, trusting, with_peer,
};

/// How much later than planned a call may be seen on a loaded machine.
const LATE: Duration = Duration::from_millis(700);

#[tokio::test]
async fn s08_a_failing_tool_is_tried_three_times_with_growing_pauses() {
    let look = numbered("look", error("ConnectionError: the station is away"));
    let (story, _peer) = with_peer(|tester| reading(tester, &json!({})), vec![look]).await;
    story.script([
        Reply::acts("look", &json!({"n": 1})),
        Reply::answers("The station is away."),
    ]);
    assert_eq!(story.ask("Look once").await.answer(), "The station is away.");
    let seen: Vec<_> = calls(&story).iter().map(|call| call.seen).collect();
    assert_eq!(seen.len(), 3);
    for (pause, planned) in [(seen[1] - seen[0], 800), (seen[2] - seen[1], 1600)] {
        let planned = Duration::from_millis(planned);
        assert!(
            (planned..planned + LATE).contains(&pause),
            "{pause:?} for {planned:?}"
        );
    }
    assert!(
        shown_last(&story).contains("the station is away"),
        "{}",
        shown_last(&story)
    );
    assert_eq!(
        requests(&story).len(),
        2,
        "the turn goes on with the failure as an observation"
    );
}

#[tokio::test]
async fn s08_what_would_fail_again_is_not_tried_again() {
    let look = numbered("look", error("ValueError: there is no such room"));
    let (story, _peer) = with_peer(|tester| reading(tester, &json!({})), vec![look]).await;
    story.script([
        Reply::acts("look", &json!({"n": 1})),
        Reply::answers("No such room."),
    ]);
    assert_eq!(story.ask("Look once").await.answer(), "No such room.");
    assert_eq!(calls(&story).len(), 1);
}

#[tokio::test]
async fn s08_what_passes_is_never_heard_of_and_what_may_change_something_is_done_once() {
    let acts = || vec![error("ConnectionError: away"), Act::Returns(text("sunny"))];
    let (story, _peer) = with_peer(
        |tester| reading(tester, &json!({})),
        vec![in_turn("look", acts())],
    )
    .await;
    story.script([Reply::acts("look", &json!({"n": 1})), Reply::answers("Sunny.")]);
    assert_eq!(story.ask("Look once").await.answer(), "Sunny.");
    assert_eq!(calls(&story).len(), 2);
    assert!(!shown_last(&story).contains("away"), "{}", shown_last(&story));

    let (story, _peer) = with_peer(trusting, vec![in_turn("open", acts())]).await;
    story.script([
        Reply::acts("open", &json!({"n": 1})),
        Reply::answers("It did not open."),
    ]);
    assert_eq!(story.ask("Open it once").await.answer(), "It did not open.");
    assert_eq!(calls(&story).len(), 1);
}

#[tokio::test]
async fn s09_a_tool_s_own_answer_is_the_answer() {
    let oracle = || {
        numbered(
            "ask_oracle",
            result_and(&text("42"), &json!({"answer": "It is forty-two."})),
        )
    };
    let ending = |tester: Persona| reading(tester, &json!({"may_end_turn": true}));
    let (story, _peer) = with_peer(ending, vec![oracle()]).await;
    story.script([Reply::acts("ask_oracle", &json!({"n": 1}))]);
    let turn = story.ask("Ask the oracle").await;
    assert_eq!(turn.answer(), "It is forty-two.");
    turn.frame("ovos.intent.handler.complete");
    assert_eq!(requests(&story).len(), 1, "the brain is not asked again");
    assert_eq!(story.reasons(1).await, ["FinalTool"]);

    // Only the persona gives that right.
    let (story, _peer) = with_peer(trusting, vec![oracle()]).await;
    story.script([
        Reply::acts("ask_oracle", &json!({"n": 1})),
        Reply::answers("Forty-two, it says."),
    ]);
    assert_eq!(story.ask("Ask the oracle").await.answer(), "Forty-two, it says.");
}

#[tokio::test]
async fn s09_the_brain_s_own_mark_of_a_final_call_is_only_a_wish() {
    let ending = |tester: Persona| reading(tester, &json!({"may_end_turn": true}));
    let (story, peer) = with_peer(ending, vec![numbered("count", Act::Returns(json!({"n": 3})))]).await;
    let action = json!({"tool": "count", "inputs": {"n": 3}, "final_answer": "true"});
    story.script([
        Reply::says(format!("Thought: count.\nAction: {action}")),
        Reply::answers("Three."),
    ]);
    assert_eq!(story.ask("Count to 3").await.answer(), "Three.");
    assert_eq!((peer.calls().len(), requests(&story).len()), (1, 2));
}

#[tokio::test]
async fn s10_extras_go_one_tool_further_and_are_hidden_from_the_brain() {
    let extras = json!({"extras": {"handle": "canary-7f", "n": 99}});
    let tools = vec![
        numbered("open", result_and(&text("open"), &extras)),
        numbered("read", Act::Returns(text("words"))),
        numbered("close", Act::Returns(text("closed"))),
    ];
    let (story, _peer) = with_peer(trusting, tools).await;
    story.script([
        Reply::acts("open", &json!({"n": 1})),
        Reply::acts("read", &json!({"n": 2})),
        Reply::acts("close", &json!({"n": 3})),
        Reply::answers("Done."),
    ]);
    assert_eq!(story.ask("Read all 1, 2 and 3").await.answer(), "Done.");
    let given: Vec<Value> = calls(&story)
        .into_iter()
        .map(|call| call.data["kwargs"].clone())
        .collect();
    assert_eq!(
        given,
        [
            json!({"n": 1}),
            json!({"handle": "canary-7f", "n": 2}),
            json!({"n": 3})
        ],
        "they add to a call, once, and replace none of its arguments"
    );
    for request in requests(&story) {
        assert!(!request.body().to_string().contains("canary-7f"));
    }
}

fn named(name: &str) -> ScriptedTool {
    numbered(name, Act::Returns(text(name)))
}

#[tokio::test]
async fn s14_a_toolbox_comes_changes_and_goes_between_turns() {
    let scene = Scene::default();
    let tester = trusting(scene.tester());
    let story = scene.play(&tester).await;
    let port = story.home.port();
    let listed = async |question: &str| {
        story.script([Reply::answers("Yes.")]);
        assert_eq!(story.ask(question).await.answer(), "Yes.");
        let prompt = requests(&story).pop().unwrap().text();
        let names = ["turn_left", "turn_right"].map(|name| prompt.contains(name));
        (names[0], names[1])
    };
    assert_eq!(listed("Anybody there?").await, (false, false));
    let peer = ScriptedToolbox::join(port, PEER, vec![named("turn_left")]).await;
    assert_eq!(listed("And now?").await, (true, false));
    drop(peer);
    let peer = ScriptedToolbox::join(port, PEER, vec![named("turn_right")]).await;
    assert_eq!(listed("And now, changed?").await, (false, true));
    assert!(peer.calls().is_empty());
}

#[tokio::test]
async fn s14_a_toolbox_that_comes_in_the_middle_of_a_turn_counts_from_the_next_step_on() {
    let scene = Scene::default();
    let tester = trusting(scene.tester());
    let story = scene.play(&tester).await;
    let gate = Gate::default();
    let sum = |n: u32| Reply::acts("evaluate_expression", &json!({"expression": format!("{n}+2")}));
    story.script([
        sum(1).behind(&gate),
        // Who asks for boxes takes a moment to hear of one.
        sum(2).after(Duration::from_millis(500)),
        Reply::acts("turn_left", &json!({"n": 1})),
        Reply::answers("I turned."),
    ]);
    let utterance = loquat_tests::turn::Utterance::new("Add 1 and 2, then turn left");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, Duration::from_secs(10)).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, vec![named("turn_left")]).await;
    let found = |frame: &Frame| {
        frame.topic == "ovos.persona.tools.discover.response" && frame.data["toolbox_id"] == PEER
    };
    story
        .probe
        .wait("the box is found", mark, Duration::from_secs(10), found)
        .await;
    gate.open();
    assert_eq!(utterance.end(&story.probe, mark).await.answer(), "I turned.");
    assert_eq!(peer.calls().len(), 1);
    let shown: Vec<bool> = requests(&story)
        .iter()
        .map(|request| request.text().contains("turn_left"))
        .collect();
    assert_eq!((shown[0], shown[2]), (false, true));
    // Written down, it runs again with no model and no tool.
    let replayed = Launch::new(&story.home, &["replay", "last"]).run().await;
    let shown = replayed.shown();
    assert!(shown.contains("The same as then: answered"), "{shown}");
}

#[tokio::test]
async fn s14_a_toolbox_that_goes_in_the_middle_of_a_turn_costs_the_call_and_not_the_turn() {
    let impatient = |tester: Persona| {
        let tester = trusting(tester);
        tester.setting(PEER, json!({"trust": "safe", "timeout_seconds": 0.5}))
    };
    let (story, peer) = with_peer(impatient, vec![named("turn_left")]).await;
    story.script([
        Reply::acts("turn_left", &json!({"n": 1})),
        Reply::acts("turn_left", &json!({"n": 2})).after(Duration::from_millis(200)),
        Reply::answers("I turned once."),
        Reply::answers("I cannot turn any more."),
        Reply::acts("turn_left", &json!({"n": 3})),
        Reply::answers("I turned again."),
    ]);
    let utterance = loquat_tests::turn::Utterance::new("Turn left twice, 1 and 2");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 2, Duration::from_secs(10)).await;
    drop(peer);
    assert_eq!(utterance.end(&story.probe, mark).await.answer(), "I turned once.");
    assert!(
        shown_last(&story).contains("TimeoutError"),
        "{}",
        shown_last(&story)
    );

    assert_eq!(story.ask("Once more").await.answer(), "I cannot turn any more.");
    assert!(
        !requests(&story)
            .pop()
            .unwrap()
            .text()
            .contains("Does what the test wants of turn_left")
    );

    let back = ScriptedToolbox::join(story.home.port(), PEER, vec![named("turn_left")]).await;
    assert_eq!(story.ask("And 3 times now?").await.answer(), "I turned again.");
    assert_eq!(back.calls().len(), 1);
}

fn three_calls() -> Reply {
    let call = |n: u32| {
        (
            format!("call_{n}"),
            "look".to_owned(),
            json!({"n": n}).to_string(),
        )
    };
    Reply {
        tool_calls: (1..=3).map(call).collect(),
        ..Reply::default()
    }
}

fn slow() -> Vec<ScriptedTool> {
    vec![tool(
        "look",
        &json!({"n": {"type": "integer"}}),
        |arguments, _| Act::Later(Duration::from_millis(300), json!({"seen": arguments["n"]})),
    )]
}

/// Whether each call was answered before the next one was made.
fn in_order(calls: &[Frame], answers: &[Frame]) -> bool {
    answers
        .iter()
        .zip(calls.iter().skip(1))
        .all(|(answer, next)| answer.seen <= next.seen)
}

#[tokio::test]
async fn s26_reading_calls_of_a_step_run_together() {
    let (story, peer) = native_with_peer(|native| reading(native, &json!({})), slow()).await;
    story.script([three_calls(), Reply::says("All seen.")]);
    assert_eq!(story.ask("Look at 1, 2 and 3").await.answer(), "All seen.");
    assert_eq!(peer.calls().len(), 3);
    let (calls, answers) = (calls(&story), answers(&story));
    assert!(
        calls[2].seen < answers[0].seen,
        "all are asked before the first answers"
    );
    // Whatever the order of the answers, each call has its own observation.
    let shown = requests(&story).pop().unwrap();
    let observations: Vec<_> = shown
        .messages()
        .iter()
        .filter(|message| message["role"] == "tool")
        .collect();
    for (observation, n) in observations.iter().zip(1..) {
        assert_eq!(observation["tool_call_id"], format!("call_{n}"));
        assert!(
            observation["content"]
                .as_str()
                .unwrap()
                .contains(&format!("{{\"seen\":{n}}}"))
        );
    }
    assert_eq!(observations.len(), 3);
}

#[tokio::test]
async fn s26_writing_calls_of_a_step_keep_their_order() {
    let (story, peer) = native_with_peer(trusting, slow()).await;
    story.script([three_calls(), Reply::says("All done.")]);
    assert_eq!(story.ask("Do 1, 2 and 3").await.answer(), "All done.");
    let done: Vec<_> = peer
        .calls()
        .iter()
        .map(|call| call.arguments["n"].clone())
        .collect();
    assert_eq!(done, [1, 2, 3]);
    assert!(in_order(&calls(&story), &answers(&story)));
}

#[tokio::test]
async fn s27_a_batch_over_the_cap_runs_up_to_the_cap_and_no_further() {
    let capped = |native: Persona| trusting(native).key("budget", json!({"max_tool_calls": 2}));
    let (story, peer) = native_with_peer(capped, vec![named("look")]).await;
    story.script([three_calls(), Reply::says("I saw two.")]);
    assert_eq!(story.ask("Look at 1, 2 and 3").await.answer(), "I saw two.");
    assert_eq!(peer.calls().len(), 2);
    let closing = requests(&story).pop().unwrap();
    assert!(
        closing.text().contains("limit of 2 tool calls"),
        "{}",
        closing.text()
    );
    assert!(
        closing.tools().is_empty() || closing.body()["tool_choice"] == "none",
        "tools are withheld"
    );
    assert_eq!(story.reasons(1).await, ["MaxToolCalls"]);
}
