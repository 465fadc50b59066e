//! The reasons for which a turn ends, one each: something fitting is said, and nothing goes on afterwards.

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Story, assert_sentence};
use loquat_tests::toolbox::{Act, ScriptedToolbox};
use loquat_tests::turn::Turn;
use serde_json::json;

use crate::stage::{PEER, calls, numbered, requests, text, trusting, with_peer};

/// Always the next call, never an answer.
fn obstinate() -> impl Iterator<Item = Reply> {
    (1..=30).map(|n| Reply::acts("look", &json!({"n": n})))
}

async fn looking(change: impl FnOnce(Persona) -> Persona) -> (Story, ScriptedToolbox) {
    let look = numbered("look", Act::Returns(text("nothing")));
    with_peer(|tester| change(trusting(tester)), vec![look]).await
}

fn exception(turn: &Turn) -> String {
    let error = turn.frame("ovos.intent.handler.error");
    error.data["exception"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn s16_terminal_tool() {
    let play = numbered("play", Act::Returns(text("Playing the radio.")));
    let terminal = |tester: Persona| tester.trusting(PEER).setting(PEER, json!({"trust": "terminal"}));
    let (story, peer) = with_peer(terminal, vec![play]).await;
    story.script([Reply::acts("play", &json!({"n": 1}))]);
    let turn = story.ask("Play station 1").await;
    assert_eq!(turn.answer(), "Playing the radio.");
    turn.frame("ovos.intent.handler.complete");
    assert_eq!((peer.calls().len(), requests(&story).len()), (1, 1));
    assert_eq!(story.reasons(1).await, ["TerminalTool"]);
}

#[tokio::test]
async fn s16_max_iterations() {
    let (story, _peer) = looking(|tester| tester.setting("max_iterations", json!(2))).await;
    story.script(obstinate().take(2));
    story.script([Reply::answers("I saw nothing so far.")]);
    let turn = story.ask("Look everywhere").await;
    assert_eq!(turn.answer(), "I saw nothing so far.");
    assert_eq!((calls(&story).len(), requests(&story).len()), (2, 3));
    assert_eq!(story.reasons(1).await, ["MaxIterations"]);
    assert_eq!(exception(&turn), "turn ended: max_iterations");
}

#[tokio::test]
async fn s16_a_limit_that_the_brain_ignores_ends_with_a_sentence_of_ours() {
    let (story, _peer) = looking(|tester| tester.setting("max_iterations", json!(2))).await;
    story.script(obstinate());
    let turn = story.ask("Look everywhere").await;
    assert_eq!(calls(&story).len(), 2, "what is called at the end is not run");
    assert!(!turn.answer().contains("look"), "{}", turn.answer());
    assert!(requests(&story).len() <= 2 + 2);
    assert_eq!(story.reasons(1).await, ["MaxIterations"]);
}

#[tokio::test]
async fn s16_critical_tokens() {
    // The first question already takes more.
    let (story, _peer) = looking(|tester| tester.key("budget", json!({"max_tokens": 8}))).await;
    story.script(obstinate().take(1));
    story.script([Reply::answers("That is all I can say.")]);
    let turn = story.ask("Look everywhere").await;
    assert_eq!(turn.answer(), "That is all I can say.");
    assert_eq!(calls(&story).len(), 1);
    assert_eq!(story.reasons(1).await, ["CriticalTokens"]);
    assert_eq!(exception(&turn), "turn ended: critical_tokens");
}

#[tokio::test]
async fn s16_llm_error() {
    let (story, _peer) = looking(|tester| tester).await;
    story.script([Reply::acts("look", &json!({"n": 1})), Reply::fails(401)]);
    let turn = story.ask("Look everywhere").await;
    assert_sentence(turn.answer());
    assert_eq!(story.reasons(1).await, ["LlmError"]);
    assert_eq!(exception(&turn), "turn ended: llm_error");
    assert_eq!(calls(&story).len(), 1);
    story.assert_goes_on().await;
}

#[tokio::test]
async fn s16_parse_error() {
    let (story, _peer) = looking(|tester| tester).await;
    let broken = || Reply::says("Thought: now.\nAction: {\"tool\": \"look\", \"inputs\": [1, 2");
    story.script(std::iter::repeat_with(broken).take(9));
    let turn = story.ask("Look everywhere").await;
    assert_sentence(turn.answer());
    assert_eq!(story.reasons(1).await, ["ParseError"]);
    assert_eq!(exception(&turn), "turn ended: parse_error");
}

#[tokio::test]
async fn s30_the_same_call_again_is_not_made_again_and_ends_in_words() {
    let (story, _peer) =
        looking(|tester| tester.setting(PEER, json!({"trust": "safe", "read_only": true}))).await;
    let again = || Reply::acts("look", &json!({"n": 1}));
    story.script([again(), again(), again(), Reply::answers("There is nothing.")]);
    let turn = story.ask("Look at 1").await;
    assert_eq!(turn.answer(), "There is nothing.");
    assert_eq!(calls(&story).len(), 1);
    let repeated = requests(&story)[2].newest();
    assert!(repeated.contains("You made this call before"), "{repeated}");
    assert_eq!(story.reasons(1).await, ["LoopDetected"]);
}

#[tokio::test]
async fn s30_a_loop_that_does_not_end_ends_with_a_sentence_of_ours() {
    let (story, _peer) = looking(|tester| tester).await;
    story.script((0..20).map(|_| Reply::acts("look", &json!({"n": 1}))));
    let turn = story.ask("Look at 1").await;
    assert_eq!(turn.ends(), 1);
    assert!(!turn.answer().is_empty());
    assert_eq!(
        calls(&story).len(),
        2,
        "a call that may change something is wanted twice at most"
    );
    assert!(requests(&story).len() <= 6, "{} requests", requests(&story).len());
    assert_eq!(story.reasons(1).await, ["LoopDetected"]);
}
