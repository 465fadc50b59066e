//! Brains that are broken, mad or for ever silent: the turn ends in time with a sentence and a reason, what was done
//! before stays done once, and the daemon's memory stays bounded.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::persona::Persona;
use loquat_tests::story::{Story, TESTER, assert_sentence};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::within;
use serde_json::json;

use crate::stage::{PEER, calls, native_with_peer, numbered, text, trusting, with_peer};

/// The time of a turn in these tests, and when it must be over on a loaded machine.
const DEADLINE: u64 = 3;
const OVER: Duration = Duration::from_secs(DEADLINE + 2);

/// How much the daemon may grow, at any moment, whatever a brain sends.
const ROOM: u64 = 32 << 20;

fn hurried(tester: Persona) -> Persona {
    trusting(tester).key("budget", json!({"deadline_seconds": DEADLINE}))
}

fn note() -> Vec<ScriptedTool> {
    vec![numbered("note", Act::Returns(text("noted")))]
}

/// A daemon whose turns are short, with a tool that was worth calling.
async fn working() -> (Story, ScriptedToolbox) {
    with_peer(hurried, note()).await
}

/// Has the brain call a tool and then fail in this way, in a session of its own.
async fn fails(story: &Story, name: &str, fault: Reply) -> Turn {
    let asked = format!("Note 1, then {name}");
    story
        .brain
        .whenever(TESTER, &asked, Reply::acts("note", &json!({"n": 1})));
    story.brain.whenever(TESTER, "noted", fault);
    let end = Utterance::new(&asked).in_session(name).ask(&story.probe);
    let turn = within(&format!("the end of the turn with {name}"), OVER, end).await;
    assert_sentence(turn.answer());
    assert!(
        turn.answer().starts_with("I have done this: note, 1. "),
        "{}",
        turn.answer()
    );
    turn.frame("ovos.intent.handler.error");
    turn
}

/// One kind of fault and the reasons that fit it.
async fn assert_ends_well(name: &str, fault: Reply, reasons: &[&str]) {
    let (story, peer) = working().await;
    fails(&story, name, fault).await;
    assert_eq!(
        (peer.calls().len(), calls(&story).len()),
        (1, 1),
        "{name}: what was done stays done, once"
    );
    let reason = story.reasons(1).await.remove(0);
    assert!(reasons.contains(&reason.as_str()), "{name}: {reason}");
    // The conversation knows that it was asked and what was said; the scripted brain refuses a torn history.
    let next = Utterance::new("Are you still there?").in_session(name);
    story
        .brain
        .whenever(TESTER, "still there", Reply::answers("Still here."));
    assert_eq!(next.ask(&story.probe).await.answer(), "Still here.", "{name}");
    let history = story.brain.requests(TESTER).pop().unwrap().text();
    assert!(history.contains(&format!("then {name}")), "{name}: {history}");
}

#[tokio::test]
async fn an_error_of_the_server() {
    assert_ends_well("errors", Reply::fails(500), &["LlmError"]).await;
}

#[tokio::test]
async fn a_server_that_is_overloaded() {
    let seconds = |seconds: &str| Reply::fails(429).header("Retry-After", seconds);
    assert_ends_well("a pause", seconds("1"), &["LlmError", "Deadline"]).await;
    assert_ends_well("a long pause", seconds("3600"), &["LlmError"]).await;
    assert_ends_well("a mad pause", seconds("99999999999999999999999"), &["LlmError"]).await;
}

#[tokio::test]
async fn garbage() {
    for (name, body) in [
        ("html", "<html>gateway</html>"),
        ("json", "{\"choices\": 7}"),
        ("noise", "\u{0}\u{1}"),
    ] {
        assert_ends_well(name, Reply::garbage(body), &["LlmError"]).await;
    }
}

#[tokio::test]
async fn half_a_stream() {
    let half = Reply::answers("Paris is the capital of France.").delivered(Delivery::CutInHalf);
    assert_ends_well("half a reply", half, &["LlmError", "Deadline"]).await;
    let stalled = Reply::answers("Paris is the capital of France.").delivered(Delivery::StallsHalfway);
    assert_ends_well("a stall", stalled, &["Deadline"]).await;
}

#[tokio::test]
async fn one_byte_a_second() {
    let dripping = Reply::answers("Paris.").delivered(Delivery::Dripping(Duration::from_secs(1)));
    assert_ends_well("drops", dripping, &["Deadline"]).await;
}

#[tokio::test]
async fn nothing_for_ever() {
    let never = Reply::says("").delivered(Delivery::Never);
    assert_ends_well("silence", never, &["Deadline"]).await;
}

#[tokio::test]
async fn a_gibibyte_and_words_without_end() {
    for (name, mebibytes, status) in [
        ("a gibibyte", 1024, 200),
        ("no end", usize::MAX, 200),
        ("a long error", 1024, 500),
    ] {
        let (story, _peer) = working().await;
        let before = story.daemon.resident_bytes();
        let flood = Reply {
            status,
            ..Reply::answers("Paris.").delivered(Delivery::Flood(mebibytes))
        };
        fails(&story, name, flood).await;
        let most = story.daemon.peak_resident_bytes();
        assert!(most < before + ROOM, "{name}: from {before} to {most} bytes");
        assert_eq!(story.reasons(1).await, ["LlmError"], "{name}");
        story.assert_goes_on().await;
    }
}

#[tokio::test]
async fn a_thousand_calls_in_one_reply() {
    let (story, peer) = native_with_peer(hurried, note()).await;
    let call = |n: u32| {
        (
            format!("call_{n}"),
            "note".to_owned(),
            json!({"n": n}).to_string(),
        )
    };
    let mad = Reply {
        tool_calls: (0..1000).map(call).collect(),
        ..Reply::default()
    };
    story.script([mad, Reply::says("I noted some.")]);
    let turn = within("the end of the turn", OVER, story.ask("Note all numbers")).await;
    assert_eq!(turn.answer(), "I noted some.");
    assert_eq!(peer.calls().len(), 20, "the cap holds within a reply");
    assert_eq!(story.reasons(1).await, ["MaxToolCalls"]);
}

#[tokio::test]
async fn brackets_without_end() {
    let (story, peer) = working().await;
    let depth = 200_000;
    for deep in [
        "[".repeat(depth),
        "{\"a\":".repeat(depth),
        "(".repeat(depth),
        "<think>".repeat(depth),
    ] {
        for reply in [
            format!("Thought: note.\nAction: note\nAction Input: {deep}"),
            format!("Action: note{deep}"),
            deep.clone(),
        ] {
            story.script([Reply::says(reply), Reply::answers("I was confused.")]);
            let turn = within("the end of the turn", OVER, story.ask("Note 1")).await;
            assert_eq!(turn.ends(), 1);
        }
    }
    assert!(peer.calls().iter().all(|call| call.arguments.is_empty()));
    story.assert_goes_on().await;
}

#[tokio::test]
async fn what_was_said_before_the_silence_is_the_best_answer_so_far() {
    let (story, peer) = native_with_peer(hurried, note()).await;
    let said = Reply {
        content: Some("It is about five. Let me note that.".into()),
        ..Reply::calls("note", &json!({"n": 5}))
    };
    story.script([said, Reply::says("").delivered(Delivery::Never)]);
    let turn = within("the end of the turn", OVER, story.ask("What is 2 + 3? Note 5.")).await;
    assert_eq!(turn.answer(), "It is about five. Let me note that.");
    assert_eq!(peer.calls().len(), 1);
    assert_eq!(story.reasons(1).await, ["Deadline"]);
}

/// A persona with a second handler, which asks that brain in another engine.
fn twice(tester: Persona) -> Persona {
    let other = json!({"brain": "ovos-chat-openai-plugin", "toolboxes": [PEER], PEER: {"trust": "safe"},
        "ovos-chat-openai-plugin": tester.json()["ovos-react-loop"]["ovos-chat-openai-plugin"]});
    trusting(tester)
        .key(
            "handlers",
            json!(["ovos-react-loop", "ovos-native-toolcall-loop"]),
        )
        .key("ovos-native-toolcall-loop", other)
}

#[tokio::test]
async fn what_may_have_been_done_is_not_done_by_another_handler() {
    let impatient = |tester: Persona| {
        let trust = json!({"trust": "safe", "timeout_seconds": 0.5});
        twice(tester).setting(PEER, trust)
    };
    let (story, peer) = with_peer(impatient, vec![numbered("unlock", Act::Hangs)]).await;
    story.script([
        Reply::acts("unlock", &json!({"n": 1})),
        Reply::fails(400),
        Reply::calls("unlock", &json!({"n": 1})),
        Reply::says("It is open."),
    ]);
    let turn = within("the end of the turn", OVER, story.ask("Unlock 1")).await;
    assert_sentence(turn.answer());
    assert_eq!(peer.calls().len(), 1, "nobody knows whether it was done");
    assert_eq!(story.brain.requests(TESTER).len(), 2, "no other handler is asked");
    assert_eq!(story.reasons(1).await, ["LlmError"]);
}

#[tokio::test]
async fn what_was_done_is_told_in_the_person_s_language_and_done_once() {
    let (story, peer) = with_peer(twice, note()).await;
    // Another handler is asked only as long as nothing was done.
    story.script([Reply::fails(400), Reply::says("Hello.")]);
    assert_eq!(story.ask("Are you there?").await.answer(), "Hello.");
    for (lang, told) in [
        ("de-DE", "Das habe ich getan: note, 1. Danach "),
        ("fr-FR", "J'ai fait ceci : note, 1. Ensuite, "),
        ("es-ES", "He hecho esto: note, 1. Pero "),
        ("pt-BR", "Fiz isto: note, 1. Mas "),
        ("it-IT", "Ho fatto questo: note, 1. Ma "),
    ] {
        let calls = peer.calls().len();
        story.script([Reply::acts("note", &json!({"n": 1})), Reply::fails(400)]);
        let utterance = Utterance::new("Note 1")
            .in_session(lang)
            .session("lang", json!(lang));
        let turn = utterance.ask(&story.probe).await;
        assert!(turn.answer().starts_with(told), "{lang}: {}", turn.answer());
        assert_eq!(peer.calls().len(), calls + 1, "{lang}");
    }
}
