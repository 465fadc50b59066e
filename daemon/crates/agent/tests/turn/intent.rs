//! What a skill understood: one call through the gate, told in the tool's own words, and no brain.

use loquat_agent::consent::Consent;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Category, Tool};
use loquat_agent::turn::{IntendedCall, Question};
use serde_json::json;

use crate::consent;
use crate::support::Stage;
use crate::tools::{Deed, tool, writing};

const SENTENCE: &str = "It is 21 degrees.";

fn intended(tool: (Tool, Deed)) -> Stage {
    let stage = Stage::of("loquat-intent", json!({}), []);
    let call = IntendedCall {
        toolbox_id: tool.0.toolbox_id.clone(),
        tool: tool.0.name.clone(),
        ..IntendedCall::default()
    };
    Stage {
        question: Question {
            intended: Some(call),
            ..stage.question.clone()
        },
        ..stage.with([tool])
    }
}

fn weather() -> (Tool, Deed) {
    tool("weather", Deed::Tell(json!({"degrees": 21}), SENTENCE))
}

#[tokio::test(start_paused = true)]
async fn the_tools_words_are_the_answer() {
    let played = intended(weather()).play().await;
    assert_eq!(played.end(), (Reason::Answered, SENTENCE));
    assert_eq!((played.record.brain_calls, played.ran.len()), (0, 1));
    assert_eq!(played.record.history.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_has_no_words_or_is_refused_ends_in_silence() {
    for deed in [
        Deed::Give(json!({"degrees": 21})),
        Deed::Complain("LookupError", "no such place"),
        Deed::Crash,
    ] {
        let played = intended(tool("weather", deed)).play().await;
        assert_eq!(played.end(), (Reason::Noop, ""));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_that_has_words_for_a_person_is_the_answer() {
    let words = "I cannot reach the weather service.";
    let played = intended(tool("weather", Deed::Refuse(words))).play().await;
    assert_eq!(played.end(), (Reason::Answered, words));
    assert_eq!((played.record.brain_calls, played.ran.len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_dangerous_call_waits_for_a_yes() {
    for (consent, ran, end) in [
        (Consent::Given, 1, (Reason::DangerousTool, SENTENCE)),
        (Consent::Refused, 0, (Reason::ConfirmationDenied, "")),
    ] {
        let (tool, deed) = weather();
        let dangerous = Tool {
            category: Category::Dangerous,
            ..tool
        };
        let (played, asked) = consent::play(consent, intended((dangerous, deed))).await;
        assert_eq!(asked.len(), 1);
        assert_eq!((played.ran.len(), played.end()), (ran, end));
    }
}

/// Makes two calls of one sentence, this one last.
fn after_the_weather(tool: (Tool, Deed)) -> Stage {
    let stage = intended(weather());
    let further = vec![IntendedCall {
        toolbox_id: tool.0.toolbox_id.clone(),
        tool: tool.0.name.clone(),
        ..IntendedCall::default()
    }];
    let first = stage.question.intended.clone().unwrap();
    Stage {
        question: Question {
            intended: Some(IntendedCall { further, ..first }),
            ..stage.question.clone()
        },
        ..stage.with([weather(), tool])
    }
}

#[tokio::test(start_paused = true)]
async fn what_one_sentence_asks_for_is_done_and_told_in_its_order() {
    let on = Deed::Tell(json!({}), "The lamp is on.");
    let played = after_the_weather(tool("lamp", on)).play().await;
    assert_eq!(
        played.end(),
        (Reason::Answered, "It is 21 degrees. The lamp is on.")
    );
    assert_eq!((played.record.brain_calls, played.ran.len()), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn what_fails_behind_what_only_read_is_for_the_persona() {
    let fails = Deed::Complain("LookupError", "no such lamp");
    let played = after_the_weather(tool("lamp", fails)).play().await;
    assert_eq!(played.end(), (Reason::Noop, ""));
}

#[tokio::test(start_paused = true)]
async fn what_fails_behind_what_was_done_is_not_begun_anew() {
    let on = || writing("weather", Deed::Tell(json!({}), SENTENCE));
    let fails = tool("lamp", Deed::Complain("LookupError", "no such lamp"));
    let stage = after_the_weather(fails.clone());
    let played = stage.with([on(), fails]).play().await;
    assert_eq!(played.end(), (Reason::Answered, ""));
    assert_eq!(played.record.deeds().count(), 1);
}
