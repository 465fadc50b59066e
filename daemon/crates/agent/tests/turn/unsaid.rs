//! Arguments that a small model fills in although they were not said: left out where the call means nothing with them or a
//! person is asked about it, named after a failure, and never touched in a call that works.

use loquat_agent::consent::Consent;
use loquat_agent::toolbox::Tool;
use loquat_agent::turn::IntendedCall;
use serde_json::{Value, json};

use crate::brain::{Step, say};
use crate::consent;
use crate::support::{Played, Stage};
use crate::tools::{Deed, dangerous, tool, writing};

const ASKED: &str = "In 20 minutes remind me to call Ada.";

fn schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {"text": text, "time": text, "repeat": text, "area": text},
        "required": ["text"],
    })
}

fn taking((tool, deed): (Tool, Deed)) -> (Tool, Deed) {
    let argument_schema = schema();
    (
        Tool {
            argument_schema,
            ..tool
        },
        deed,
    )
}

fn call(arguments: &Value) -> Step {
    say(json!({"thought": "x", "tool": "remind", "arguments": arguments}).to_string())
}

fn answer() -> Step {
    say(r#"{"thought": "x", "tool": "none", "answer": "Very well."}"#)
}

fn asked(tools: impl IntoIterator<Item = (Tool, Deed)>, lang: &str) -> Stage {
    let made_up = json!({"text": "call Ada", "time": "now", "repeat": "daily"});
    let mut stage = Stage::json([call(&made_up), answer()]).with(tools);
    ASKED.clone_into(&mut stage.question.utterance);
    stage.question.lang = Some(lang.into());
    stage
}

fn ran(played: &Played) -> Vec<&Value> {
    let ran = played.ran.iter().filter(|(tool, _)| tool == "remind");
    ran.map(|(_, arguments)| arguments).collect()
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_the_brain_is_told_what_to_leave_out() {
    const MEND: &str = "Call it once more without time and repeat, which the person did not say.";
    for (lang, is_told) in [("en-GB", true), ("de-DE", false)] {
        let failing = taking(tool(
            "remind",
            Deed::Complain("ValueError", "write either, not both"),
        ));
        let played = asked([failing], lang).play().await;
        let shown = played.last_shown();
        assert_eq!(shown.ends_with(MEND), is_told, "{lang}: {shown}");
    }
    let mut large = asked(
        [taking(tool("remind", Deed::Complain("ValueError", "no")))],
        "en-GB",
    );
    large.capabilities.small = false;
    assert!(!large.play().await.last_shown().contains("once more"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_works_runs_as_it_stands() {
    let played = asked(
        [taking(writing("remind", Deed::Give(json!({"ok": true}))))],
        "en-GB",
    )
    .play()
    .await;
    assert_eq!(
        ran(&played),
        [&json!({"text": "call Ada", "time": "now", "repeat": "daily"})]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_means_nothing_is_resolved_without_what_was_made_up() {
    let meaning = json!({"arguments": {"ids": ["ada"]}, "asks": false, "told": {}});
    let (find, found) = writing("find", Deed::FailFirst(1, meaning));
    let find = Tool {
        only_undoes: true,
        ..find
    };
    let (remind, deed) = taking(writing("remind", Deed::Give(json!({"ok": true}))));
    let remind = Tool {
        resolved_by: Some("find".into()),
        ..remind
    };
    let played = asked([(remind, deed), (find, found)], "en-GB").play().await;
    let looked_for = played.ran.iter().filter(|(tool, _)| tool == "find");
    let looked_for: Vec<&Value> = looked_for.map(|(_, asked)| &asked["arguments"]).collect();
    let said = json!({"text": "call Ada"});
    assert_eq!(looked_for.len(), 2, "{looked_for:?}");
    assert_eq!(looked_for.last(), Some(&&said));
    assert_eq!(ran(&played), [&json!({"ids": ["ada"]})]);
}

#[tokio::test(start_paused = true)]
async fn a_person_is_asked_about_what_was_said_alone() {
    let (played, requests) =
        consent::play(Consent::Given, asked([taking(dangerous("remind"))], "en-GB")).await;
    let said = json!({"text": "call Ada"});
    assert_eq!(ran(&played), [&said]);
    let told: Vec<Value> = requests.iter().map(|request| json!(request.told())).collect();
    assert_eq!(told, std::slice::from_ref(&said));
    assert_eq!(json!(played.calls()[0].arguments), said, "the record");
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_leaves_out_only_a_part_has_its_call_put_right() {
    let failing = taking(writing("remind", Deed::FailFirst(1, json!({"ok": true}))));
    let mut stage = asked([failing], "en-GB");
    let again = json!({"text": "call Ada", "repeat": "daily"});
    let made_up = json!({"text": "call Ada", "time": "now", "repeat": "daily"});
    stage.replies = Stage::json([call(&made_up), call(&again), answer()]).replies;
    let played = stage.play().await;
    assert_eq!(ran(&played), [&made_up, &json!({"text": "call Ada"})]);
    assert_eq!(
        json!(played.calls()[1].arguments),
        json!({"text": "call Ada"}),
        "the record"
    );
}

#[tokio::test(start_paused = true)]
async fn what_an_intent_has_understood_is_left_alone() {
    let call = json!({"text": "call Ada", "repeat": "daily"});
    let mut stage = asked([taking(dangerous("remind"))], "en-GB");
    stage.engine = "loquat-intent";
    stage.replies = Stage::json([]).replies;
    stage.question.intended = Some(IntendedCall {
        toolbox_id: "test-tools".into(),
        tool: "remind".into(),
        arguments: call.as_object().cloned().unwrap(),
        ..IntendedCall::default()
    });
    let (played, _) = consent::play(Consent::Given, stage).await;
    assert_eq!(ran(&played), [&call]);
}
