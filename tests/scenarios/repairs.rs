//! Calls that cannot be run as they are: put right at once, or shown to the brain with what is wrong.

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Story, assert_sentence};
use loquat_tests::toolbox::{Act, ScriptedTool};
use serde_json::json;

use crate::stage::{calls, numbered, requests, shown_last, text, trusting, with_peer};

/// More replies than any turn asks for.
const ALWAYS: usize = 20;

fn echo() -> Vec<ScriptedTool> {
    vec![ScriptedTool::named("echo", Act::Returns(text("hello back")))]
}

#[tokio::test]
async fn s04_an_unknown_argument_is_pruned() {
    let (story, _peer) = with_peer(trusting, echo()).await;
    story.script([
        Reply::acts("echo", &json!({"text": "hello", "volume": 11})),
        Reply::answers("Hello back."),
    ]);
    assert_eq!(story.ask("Say hello").await.answer(), "Hello back.");
    let calls = calls(&story);
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].data["kwargs"], text("hello"));
    assert_eq!(requests(&story).len(), 2, "nobody was asked for a repair");
}

#[tokio::test]
async fn s05_an_unknown_argument_is_mended_by_the_brain_where_pruning_is_off() {
    let strict = |tester: Persona| trusting(tester).setting("allow_input_pruning", json!(false));
    let (story, _peer) = with_peer(strict, echo()).await;
    story.script([
        Reply::acts("echo", &json!({"text": "hello", "volume": 11})),
        Reply::acts("echo", &text("hello")),
        Reply::answers("Hello back."),
    ]);
    assert_eq!(story.ask("Say hello").await.answer(), "Hello back.");
    assert_eq!(calls(&story).len(), 1, "only the mended call ran");
    let repair = requests(&story)[1].clone();
    assert!(repair.newest().contains("volume"), "{}", repair.newest());
    for part in ["Say hello", "Does what the test wants of echo"] {
        assert!(
            repair.text().contains(part),
            "the repair is asked for with {part:?}"
        );
    }
}

#[tokio::test]
async fn s06_a_missing_argument_is_mended_by_the_brain() {
    let (story, _peer) = with_peer(trusting, echo()).await;
    story.script([
        Reply::acts("echo", &json!({"volume": 11})),
        Reply::acts("echo", &text("hello")),
        Reply::answers("Hello back."),
    ]);
    assert_eq!(story.ask("Say hello").await.answer(), "Hello back.");
    assert_eq!(calls(&story).len(), 1, "only the mended call ran");
    assert!(
        requests(&story)[1].newest().contains("text"),
        "the argument is named"
    );
}

#[tokio::test]
async fn s06_a_mended_call_may_name_another_tool() {
    let tools = vec![
        ScriptedTool::named("echo", Act::Returns(text("hello back"))),
        numbered("count", Act::Returns(json!({"count": 3}))),
    ];
    let (story, peer) = with_peer(trusting, tools).await;
    story.script([
        Reply::acts("ecco", &json!({})),
        Reply::acts("count", &json!({"n": "3"})),
        Reply::answers("Three."),
    ]);
    assert_eq!(story.ask("Count to three").await.answer(), "Three.");
    let calls = peer.calls();
    assert_eq!((calls.len(), calls[0].name.as_str()), (1, "count"));
    assert_eq!(
        self::calls(&story)[0].data["kwargs"],
        json!({"n": 3}),
        "coerced on the way"
    );
}

#[tokio::test]
async fn s07_a_repair_that_fails_twice_ends_with_an_apology() {
    let broken = || Reply::says("Thought: now.\nAction: {\"tool\": \"echo\", \"inputs\": [1, 2");
    let (story, _peer) = with_peer(trusting, echo()).await;
    story.script(std::iter::repeat_with(broken).take(ALWAYS));
    let turn = story.ask("Say hello").await;
    assert_sentence(turn.answer());
    assert!(turn.answer().starts_with("Sorry"), "{}", turn.answer());
    assert!(calls(&story).is_empty());
    assert_eq!(
        requests(&story).len(),
        1 + 2 + 1,
        "the action, two repairs, and the answer without tools"
    );
    assert_eq!(story.reasons(1).await, ["ParseError"]);
    turn.frame("ovos.intent.handler.error");
}

#[tokio::test]
async fn s07_without_repairs_one_closing_answer_is_asked_for() {
    let proud = |tester: Persona| trusting(tester).setting("repair_with_llm", json!(false));
    let (story, _peer) = with_peer(proud, echo()).await;
    story.script([
        Reply::says("Action: {\"tool\": \"echo\", \"inputs\": [1, 2"),
        Reply::answers("I cannot say that."),
    ]);
    assert_eq!(story.ask("Say hello").await.answer(), "I cannot say that.");
    assert_eq!(requests(&story).len(), 2);
    assert!(!shown_last(&story).contains("hello back"));
}

#[tokio::test]
async fn s34_a_brain_that_is_empty_for_ever_ends_with_an_apology() {
    for empty in [Reply::says(""), Reply::says(" \n\t"), Reply::default()] {
        let story = Story::begin().await;
        story.script(std::iter::repeat_n(empty, ALWAYS));
        let turn = story.ask("Capital of France?").await;
        assert_sentence(turn.answer());
        assert!(requests(&story).len() <= 4, "{} requests", requests(&story).len());
        assert_eq!(story.reasons(1).await, ["ParseError"]);
        story.assert_goes_on().await;
    }
}
