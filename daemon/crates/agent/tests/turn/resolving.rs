//! Calls that are resolved before they run: what runs is what was resolved, and what asks waits for a yes, whatever the tool
//! says of itself.

use loquat_agent::consent::Consent;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Tool, Undo};
use loquat_agent::turn::IntendedCall;
use serde_json::{Value, json};

use crate::brain::{act, done};
use crate::consent;
use crate::support::{Played, Stage};
use crate::tools::{Deed, writing};

/// A tool that moves what the one beside it finds.
fn moving(meaning: Value) -> Stage {
    let (tool, deed) = writing("move", Deed::Give(json!({"ok": true})));
    let moves = Tool {
        resolved_by: Some("find".into()),
        undo: Some(Undo::by("back")),
        argument_schema: json!({"type": "object", "properties": {"name": {"type": "string"}}}),
        ..tool
    };
    let (find, found) = writing("find", Deed::Give(meaning));
    let find = Tool {
        read_only: true,
        idempotent: true,
        only_undoes: true,
        ..find
    };
    Stage::react([act("move", r#"{"name": "door"}"#), done("It is done.")])
        .with([(moves, deed), (find, found)])
}

fn meaning(asks: bool) -> Value {
    json!({"arguments": {"ids": ["lock.7"]}, "asks": asks, "told": {"unlock": ["Front door"]}})
}

fn moved(played: &Played) -> Vec<&Value> {
    let ran = played.ran.iter().filter(|(tool, _)| tool == "move");
    ran.map(|(_, arguments)| arguments).collect()
}

#[tokio::test(start_paused = true)]
async fn what_was_resolved_is_what_is_told_and_what_runs() {
    let (played, asked) = consent::play(Consent::Given, moving(meaning(true))).await;
    assert_eq!(moved(&played), [&json!({"ids": ["lock.7"]})]);
    let [request] = asked.as_slice() else {
        panic!("asked {} times", asked.len());
    };
    assert_eq!(json!(request.told()), json!({"unlock": ["Front door"]}));
    assert_eq!(json!(request.arguments), json!({"ids": ["lock.7"]}));
    let found = played.ran.iter().find(|(tool, _)| tool == "find");
    let asked_for = json!({"tool": "move", "arguments": {"name": "door"}});
    assert_eq!(found.map(|(_, arguments)| arguments), Some(&asked_for));
    assert!(!played.shown(0).contains("find"), "no brain is shown it");
}

#[tokio::test(start_paused = true)]
async fn what_asks_does_not_run_without_a_yes() {
    for consent in [Consent::Refused, Consent::Unclear, Consent::Barred] {
        let (played, asked) = consent::play(consent, moving(meaning(true))).await;
        assert_eq!((moved(&played).len(), asked.len()), (0, 1), "{consent:?}");
        assert_eq!(played.record.reason, Reason::ConfirmationDenied);
    }
    let unattended = moving(meaning(true)).play().await;
    assert!(moved(&unattended).is_empty());
    assert!(
        unattended.seen(0).contains("permission"),
        "{}",
        unattended.seen(0)
    );
}

#[tokio::test(start_paused = true)]
async fn what_does_not_ask_runs_at_once() {
    let (played, asked) = consent::play(Consent::Refused, moving(meaning(false))).await;
    assert_eq!((moved(&played).len(), asked.len()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn what_a_guess_does_to_several_things_is_asked_first() {
    for (things, times) in [(&["lock.7"][..], 0), (&["lock.7", "lock.8"], 1)] {
        let found = json!({"arguments": {"ids": things}, "asks": false, "told": {"unlock": things}});
        let mut stage = moving(found);
        stage.question.intended = Some(IntendedCall {
            toolbox_id: "test-tools".to_owned(),
            tool: "move".to_owned(),
            is_guess: true,
            ..IntendedCall::default()
        });
        let (played, asked) = consent::play(Consent::Refused, stage).await;
        assert_eq!(
            (moved(&played).len(), asked.len()),
            (1 - times, times),
            "{things:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_resolved_does_not_run() {
    for strange in [
        json!({}),
        json!({"arguments": {}, "told": {}}),
        json!({"arguments": {}, "asks": "no", "told": {}}),
        json!({"arguments": {}, "asks": false, "told": {}, "more": 1}),
    ] {
        let (played, _) = consent::play(Consent::Given, moving(strange.clone())).await;
        assert!(moved(&played).is_empty(), "{strange}");
    }
}
