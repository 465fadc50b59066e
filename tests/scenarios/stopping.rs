//! Silence: asked for in the middle of a stream or a tool, meant by the brain, and kept between sessions.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::story::{Story, TESTER};
use loquat_tests::toolbox::{Act, ScriptedToolbox};
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;

use crate::stage::{calls, native_with_peer, numbered, requests, text, tool, trusting, with_peer};

/// An interrupted turn ends promptly; a person takes longer to repeat the word.
const PROMPTLY: Duration = Duration::from_secs(2);

/// Says stop and waits for the end of what was said before.
async fn stop(story: &Story, utterance: &Utterance, mark: usize) -> Turn {
    let context = json!({"source": "audio", "session": {"session_id": "probe"}});
    story
        .probe
        .send(&json!({"type": "ovos.stop", "data": {}, "context": context}))
        .await;
    let end = utterance.end(&story.probe, mark);
    let turn = within("the stopped turn to end", PROMPTLY, end).await;
    assert_eq!(
        (turn.ends(), turn.spoken().len()),
        (1, 0),
        "nobody wants to hear more"
    );
    turn
}

#[tokio::test]
async fn s12_a_stop_in_the_middle_of_a_reply_closes_it_and_runs_nothing() {
    let (story, peer) = native_with_peer(trusting, vec![numbered("open", Act::Returns(text("open")))]).await;
    let half = Reply {
        content: Some("I will open the window now, as you wish.".repeat(20)),
        ..Reply::calls("open", &json!({"n": 1}))
    };
    story.script([half.delivered(Delivery::StallsHalfway)]);
    let utterance = Utterance::new("Open window 1");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    stop(&story, &utterance, mark).await;
    story.brain.abandoned(TESTER, 1, PROMPTLY).await;
    assert!(peer.calls().is_empty());
    assert_eq!(story.reasons(1).await, ["Stopped"]);
    story.assert_goes_on().await;
}

/// A daemon whose tool never answers, in the middle of the first of two calls.
async fn hanging() -> (Story, ScriptedToolbox, Utterance, usize) {
    let tools = vec![
        numbered("wait", Act::Hangs),
        numbered("open", Act::Returns(text("open"))),
    ];
    let (story, peer) = native_with_peer(trusting, tools).await;
    let call = |id: &str, name: &str| (id.to_owned(), name.to_owned(), json!({"n": 1}).to_string());
    story.script([Reply {
        tool_calls: vec![call("a", "wait"), call("b", "open")],
        ..Reply::default()
    }]);
    let utterance = Utterance::new("Wait, then open window 1");
    let mark = utterance.enter(&story.probe).await;
    peer.called(1, PATIENCE).await;
    (story, peer, utterance, mark)
}

#[tokio::test]
async fn s13_a_stop_in_the_middle_of_a_tool_begins_no_other() {
    let (story, peer, utterance, mark) = hanging().await;
    stop(&story, &utterance, mark).await;
    assert_eq!(story.reasons(1).await, ["Stopped"]);
    // The scripted brain refuses a history with a call that nothing answers.
    story.assert_goes_on().await;
    assert_eq!(requests(&story).len(), 2);
    assert_eq!(peer.calls().len(), 1, "the second call was never made");
}

#[tokio::test]
async fn s13_what_a_stopped_tool_says_later_reaches_nobody() {
    let (story, _peer, utterance, mark) = hanging().await;
    let is_call = |frame: &Frame| frame.topic == "ovos.persona.tools.call";
    let call = story.probe.wait("the call", mark, PATIENCE, is_call).await;
    stop(&story, &utterance, mark).await;
    let late = json!({"toolbox_id": "peer-tools", "result": {"text": "canary-late"}});
    story.probe.send(&call.response(&late)).await;
    story.assert_goes_on().await;
    assert!(!requests(&story).pop().unwrap().text().contains("canary-late"));
    assert_eq!(utterance.seen(&story.probe.recording(), mark).ends(), 1);
}

#[tokio::test]
async fn s15_a_brain_that_wants_to_do_nothing_is_silence() {
    let (story, peer) = with_peer(trusting, vec![numbered("open", Act::Returns(text("open")))]).await;
    let noops = [
        "Thought: They are not talking to me.\nAction: noop\nAction Input: {}",
        "Action: {\"tool\": \"noop\", \"inputs\": {}, \"final_answer\": false}",
        "Thought: Nothing to do.\nAction: noop",
    ];
    for (number, noop) in noops.into_iter().enumerate() {
        story.script([Reply::says(noop)]);
        let turn = story.ask("He said that he would come").await;
        assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{noop}");
        turn.frame("ovos.intent.handler.complete");
        assert_eq!(requests(&story).len(), number + 1, "nothing more is asked");
    }
    assert!(peer.calls().is_empty());
    assert_eq!(story.reasons(3).await, ["Noop"; 3]);
    story.assert_goes_on().await;
}

/// Tools that say for whom they work, some time later.
fn echoing() -> loquat_tests::toolbox::ScriptedTool {
    tool(
        "look",
        &json!({"n": {"type": "integer"}}),
        |arguments, frame: &Frame| {
            let seen = format!("{} saw {}", frame.session_id(), arguments["n"]);
            Act::Later(Duration::from_millis(50), text(&seen))
        },
    )
}

#[tokio::test]
async fn s33_two_sessions_are_interleaved_and_never_mixed() {
    let (story, _peer) = with_peer(trusting, vec![echoing()]).await;
    for (session, first) in [("kitchen", 10), ("garage", 20)] {
        let look = |n: i32| Reply::acts("look", &json!({"n": n}));
        let rule = |seen: &str, reply| story.brain.whenever(TESTER, seen, reply);
        rule(&format!("for the {session}"), look(first));
        rule(&format!("{session} saw {first}"), look(first + 1));
        rule(&format!("{session} saw {}", first + 1), look(first + 2));
        rule(
            &format!("{session} saw {}", first + 2),
            Reply::answers(&format!("The {session} is fine.")),
        );
    }
    let sessions = ["kitchen", "garage"];
    let utterances = sessions.map(|name| Utterance::new(&format!("Look for the {name}")).in_session(name));
    let mark = utterances[0].enter(&story.probe).await;
    utterances[1].enter(&story.probe).await;
    for (utterance, name) in utterances.iter().zip(sessions) {
        let turn = utterance.end(&story.probe, mark).await;
        assert_eq!(turn.answer(), format!("The {name} is fine."));
    }
    let order: Vec<String> = calls(&story)
        .iter()
        .map(|call| call.session_id().to_owned())
        .collect();
    assert_eq!(
        order.iter().filter(|name| *name == "kitchen").count(),
        3,
        "{order:?}"
    );
    let first_of_last = order.iter().position(|name| *name != order[0]).unwrap();
    assert!(first_of_last < 3, "neither waited for the other: {order:?}");
    for request in requests(&story) {
        let text = request.text();
        assert!(!(text.contains("kitchen") && text.contains("garage")), "{text}");
    }
}

#[tokio::test]
async fn s33_two_utterances_of_one_session_never_interleave_their_calls() {
    let (story, _peer) = with_peer(trusting, vec![echoing()]).await;
    let acts = |n: i32| Reply::acts("look", &json!({"n": n}));
    story.script([
        acts(1),
        acts(2),
        Reply::answers("One."),
        acts(3),
        acts(4),
        Reply::answers("Two."),
    ]);
    let (first, second) = (
        Utterance::new("Look at 1 and 2"),
        Utterance::new("Look at 3 and 4"),
    );
    let mark = first.enter(&story.probe).await;
    second.enter(&story.probe).await;
    assert_eq!(second.end(&story.probe, mark).await.answer(), "Two.");
    assert_eq!(first.end(&story.probe, mark).await.answer(), "One.");
    let frames = story.probe.since(mark);
    let end = frames
        .iter()
        .position(|frame| frame.topic == HANDLED && first.owns(frame))
        .unwrap();
    let made = calls(&story);
    let end = frames[end].seen;
    assert_eq!(made.len(), 4);
    assert!(made[1].seen < end && end < made[2].seen);
}
