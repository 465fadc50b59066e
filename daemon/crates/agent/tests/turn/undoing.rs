//! A turn notes how its calls are taken back, and another takes one back: by the tool that was named, through the gate.

use loquat_agent::consent::Consent;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::Undo;
use loquat_agent::toolbox::{Confirm, Tool};
use loquat_agent::turn::{IntendedCall, Question};
use serde_json::{Value, json};

use crate::brain::{act, done};
use crate::consent;
use crate::support::{Played, Stage};
use crate::tools::{Deed, tool, writing};

/// Adds something, and says what has to be taken off again.
fn add(deed: Deed) -> (Tool, Deed) {
    let (add, deed) = writing("put", deed);
    let undo = Some(Undo::by("take_off"));
    (Tool { undo, ..add }, deed)
}

fn take_off() -> (Tool, Deed) {
    let (take_off, deed) = writing("take_off", Deed::Tell(json!({"ok": true}), "It is off again."));
    let tool = Tool {
        argument_schema: json!({"type": "object", "required": ["entry_id"],
            "properties": {"entry_id": {"type": "string"}}}),
        only_undoes: true,
        ..take_off
    };
    (tool, deed)
}

fn undo_of(played: &Played) -> Option<&IntendedCall> {
    played.record.deeds().last().and_then(|call| call.undo.as_deref())
}

async fn after(deed: Deed) -> Played {
    let replies = [act("put", "{}"), done("It is on.")];
    Stage::react(replies).with([add(deed), take_off()]).play().await
}

fn taking_back(call: IntendedCall, tools: [(Tool, Deed); 2]) -> Stage {
    let stage = Stage::of("loquat-intent", json!({}), []);
    Stage {
        question: Question {
            intended: Some(call),
            utterance: "No, undo that.".into(),
            ..stage.question.clone()
        },
        ..stage.with(tools)
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_taken_back_with_what_it_brought() {
    let played = after(Deed::Undoable(json!({"ok": true}), json!({"entry_id": "e-4711"}))).await;
    assert!(!played.shown(0).contains("take_off"), "no brain is shown it");
    assert!(
        !played.seen(0).contains("4711"),
        "no brain is shown what takes a call back"
    );
    let undo = undo_of(&played).expect("it can be taken back").clone();
    assert_eq!((undo.tool.as_str(), undo.undoes), ("take_off", true));
    assert_eq!(
        Value::Object(undo.arguments.clone()),
        json!({"entry_id": "e-4711"})
    );
    let deed = Deed::Give(json!({"ok": true}));
    let undone = taking_back(undo, [add(deed), take_off()]).play().await;
    assert_eq!(undone.end(), (Reason::Answered, "It is off again."));
    assert_eq!(
        undone.ran,
        [("take_off".to_owned(), json!({"entry_id": "e-4711"}))]
    );
    assert!(undone.calls()[0].changes, "it stands in the books as what it is");
}

#[tokio::test(start_paused = true)]
async fn what_changed_nothing_or_failed_cannot_be_taken_back() {
    for deed in [
        Deed::Give(json!({"ok": true})),
        Deed::Complain("ValueError", "no"),
    ] {
        assert_eq!(undo_of(&after(deed).await), None);
    }
    let reading = |(tool, deed): (Tool, Deed)| {
        (
            Tool {
                read_only: true,
                ..tool
            },
            deed,
        )
    };
    let replies = [act("put", "{}"), done("Yes.")];
    let deed = Deed::Undoable(json!({"ok": true}), json!({"entry_id": "x"}));
    let played = Stage::react(replies)
        .with([reading(add(deed)), take_off()])
        .play()
        .await;
    assert_eq!(played.calls()[0].undo, None);
}

#[tokio::test(start_paused = true)]
async fn a_brain_cannot_call_what_only_takes_back() {
    let replies = [act("take_off", r#"{"entry_id": "x"}"#), done("No.")];
    let give = Deed::Give(json!({"ok": true}));
    let played = Stage::react(replies).with([add(give), take_off()]).play().await;
    assert_eq!(played.ran, []);
}

#[tokio::test(start_paused = true)]
async fn taking_back_goes_through_the_gate() {
    let call = IntendedCall {
        toolbox_id: "test-tools".into(),
        tool: "take_off".into(),
        undoes: true,
        ..IntendedCall::default()
    };
    let give = || Deed::Give(json!({"ok": true}));
    let invalid = taking_back(call.clone(), [add(give()), take_off()]).play().await;
    assert_eq!((invalid.end(), invalid.ran.len()), ((Reason::Noop, ""), 0));
    let arguments = json!({"entry_id": "x"}).as_object().cloned().unwrap();
    let call = IntendedCall { arguments, ..call };
    let (take_off, deed) = take_off();
    let guarded = Tool {
        confirm: Confirm::Ask,
        ..take_off
    };
    for (said, ran) in [(Consent::Given, 1), (Consent::Refused, 0)] {
        let stage = taking_back(
            call.clone(),
            [tool("other", give()), (guarded.clone(), deed.clone())],
        );
        let (played, asked) = consent::play(said, stage).await;
        assert_eq!((played.ran.len(), asked.len()), (ran, 1));
    }
}
