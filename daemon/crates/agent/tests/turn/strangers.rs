//! Tools of strangers that a small brain calls: it is asked whether they do what was said before any call is made.

use loquat_agent::brain::{ChatMessage, Favour};
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::Tool;
use serde_json::{Value, json};

use crate::brain::{Step, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, tool};

fn tides() -> (Tool, Deed) {
    let (tool, deed) = tool(
        "tide_times",
        Deed::Tell(json!({"high": "six"}), "High tide is at six."),
    );
    let tool = Tool {
        is_strangers: true,
        ..tool
    };
    (tool, deed)
}

/// A turn of a small brain that may call such a tool.
fn asked(said: &str, replies: impl IntoIterator<Item = Step>) -> Stage {
    let mut stage = Stage::json(replies).with([tides()]);
    stage.capabilities.small = true;
    stage.capabilities.favours = true;
    said.clone_into(&mut stage.question.utterance);
    stage
}

fn step(call: &Value, is_last: bool) -> Step {
    let mut step = json!({"thought": "x"});
    step["last"] = is_last.into();
    let (step, call) = (step.as_object().cloned(), call.as_object().cloned());
    let members: serde_json::Map<_, _> = step.into_iter().chain(call).flatten().collect();
    say(Value::Object(members).to_string())
}

fn call() -> Step {
    step(&json!({"tool": "tide_times", "arguments": {}}), true)
}

fn answer(words: &str) -> Step {
    say(json!({"thought": "x", "tool": "none", "answer": words}).to_string())
}

/// What the brain was asked last in this request.
fn last(played: &Played, request: usize) -> &str {
    let last = played.requests[request].messages.last();
    last.map(|message| message.content.as_str()).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_does_what_was_said_is_made() {
    let played = asked("when is high tide", [call(), say("yes")]).play().await;
    assert_eq!(played.end(), (Reason::FinalTool, "High tide is at six."));
    assert_eq!(played.requests.len(), 2);
    let question = &played.requests[1];
    assert!(last(&played, 1).contains("tide_times(") && last(&played, 1).ends_with("when is high tide"));
    assert!(question.response_schema.is_none() && question.tools.is_empty());
    assert!(matches!(&question.favour, Some(Favour { word, .. }) if word == "no"));
}

#[tokio::test(start_paused = true)]
async fn one_that_does_not_is_not_made_and_the_person_is_answered_without_it() {
    let played = asked("why do cats purr", [call(), say("no"), answer("Nobody knows.")]);
    let played = played.play().await;
    assert_eq!(played.end(), (Reason::Answered, "Nobody knows."));
    assert!(played.ran.is_empty());
    let is_dropped = |event: &Event| matches!(event, Event::CallDropped { tool, .. } if tool == "tide_times");
    assert!(played.events.iter().any(is_dropped));
    let schema = played.requests[2].response_schema.as_ref().expect("a schema");
    assert!(!schema.to_string().contains("tide_times"), "{schema}");
    assert!(last(&played, 2).contains("I'm sorry, I cannot do that."));
}

#[tokio::test(start_paused = true)]
async fn what_goes_on_with_an_earlier_sentence_is_asked_about_together_with_it() {
    let mut stage = asked("and tomorrow?", [call(), say("no"), say("yes")]);
    stage.question.history = vec![
        ChatMessage::user("when is high tide"),
        ChatMessage::assistant("At five."),
    ];
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::FinalTool, "High tide is at six."));
    assert!(last(&played, 1).ends_with("Person: and tomorrow?"));
    assert!(last(&played, 2).ends_with("Person: when is high tide and tomorrow?"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_is_asked_about_once_in_a_turn() {
    let on = step(&json!({"tool": "tide_times", "arguments": {}}), false);
    let replies = [on, say("yes"), call(), answer("At six.")];
    let played = asked("when is high tide", replies).play().await;
    let questions = played.requests.iter().filter(|request| request.favour.is_some());
    assert_eq!(questions.count(), 1);
    assert_eq!(played.ran.len(), 1, "the second is answered from the first");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_of_a_large_brain_about_our_own_tools_or_where_the_persona_wants_it_so() {
    let mut large = asked("why do cats purr", [call()]);
    large.capabilities.small = false;
    let mut without = asked("why do cats purr", [call()]);
    without.capabilities.favours = false;
    let mut own = asked("why do cats purr", [call()]);
    let (tides, deed) = tides();
    own = own.with([(
        Tool {
            is_strangers: false,
            ..tides
        },
        deed,
    )]);
    let mut believing = asked("why do cats purr", [call()]);
    believing.settings = json!({"doubts_strangers": false});
    for stage in [large, without, own, believing] {
        let played = stage.play().await;
        assert_eq!(played.end(), (Reason::FinalTool, "High tide is at six."));
        assert_eq!(played.requests.len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_unclear_reply_refuses_nothing() {
    for reply in ["", "perhaps", "yes and no"] {
        let played = asked("when is high tide", [call(), say(reply)]).play().await;
        assert_eq!(
            played.end(),
            (Reason::FinalTool, "High tide is at six."),
            "{reply:?}"
        );
    }
}
