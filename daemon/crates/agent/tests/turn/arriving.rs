//! Toolboxes that come while a turn runs: their tools count from the next brain call on, in every protocol.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Arrivals, Category, Tool, Toolbox};
use serde_json::json;

use crate::brain::{Step, act, call, done, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, add, tool};

/// Brings a toolbox at a look for it.
#[derive(Debug)]
struct Bus {
    at: usize,
    looks: AtomicUsize,
    toolbox: Mutex<Option<Arc<Tools>>>,
}

impl Arrivals for Bus {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        let came = self.looks.fetch_add(1, Ordering::Relaxed) == self.at;
        let toolbox = self.toolbox.lock().unwrap().take_if(|_| came);
        let came = toolbox.map(|toolbox| toolbox as Arc<dyn Toolbox>);
        Box::pin(std::future::ready(came.into_iter().collect()))
    }
}

/// The turn, and what ran in the toolbox that came before its second brain call.
async fn play(stage: Stage) -> (Played, Vec<String>) {
    let (turn, deed) = tool("turn_left", Deed::Give(json!({"turned": true})));
    let turn = Tool {
        category: Category::Safe,
        ..turn
    };
    let came = Arc::new(Tools::new([(turn, deed), add()]));
    let bus = Bus {
        at: 1,
        looks: AtomicUsize::new(0),
        toolbox: Mutex::new(Some(Arc::clone(&came))),
    };
    let played = Stage {
        arrivals: Some(Arc::new(bus)),
        ..stage
    }
    .play()
    .await;
    let ran = came.ran().into_iter().map(|(tool, _)| tool).collect();
    (played, ran)
}

fn sum() -> Step {
    act("add", r#"{"a": 2, "b": 3}"#)
}

#[tokio::test(start_paused = true)]
async fn what_comes_can_be_called_at_the_next_step() {
    let step = |step: serde_json::Value| say(step.to_string());
    let json = [
        step(json!({"thought": "x", "call": {"name": "add", "arguments": {"a": 2, "b": 3}}})),
        step(json!({"thought": "x", "call": {"name": "turn_left", "arguments": {}}})),
        step(json!({"thought": "x", "answer": "Turned."})),
    ];
    let native = [
        call("add", r#"{"a": 2, "b": 3}"#),
        Step::Call(String::new(), vec![("call_2", "turn_left", "{}".into())]),
        say("Turned."),
    ];
    for (name, stage) in [
        (
            "text",
            Stage::react([sum(), act("turn_left", "{}"), done("Turned.")]),
        ),
        (
            "auto",
            Stage::of(
                "auto",
                json!({}),
                [sum(), act("turn_left", "{}"), done("Turned.")],
            ),
        ),
        ("json", Stage::json(json)),
        ("native", Stage::native(native)),
    ] {
        let (played, ran) = play(stage.with([add()])).await;
        assert_eq!(ran, ["turn_left"], "{name}");
        assert_eq!(played.record.answer, "Turned.", "{name}");
        // What was there first keeps its name, and the instructions stay as they are.
        assert_eq!(played.ran.len(), 1, "{name}");
        let first = &played.requests[0].messages;
        assert_eq!(&played.requests[2].messages[..first.len()], &first[..], "{name}");
        let offered = |index: usize| {
            let request = &played.requests[index];
            let shown = played.shown(index) + &serde_json::to_string(request).unwrap();
            shown.contains("turn_left")
        };
        assert_eq!(
            [offered(0), offered(1), offered(2)],
            [false, true, true],
            "{name}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_comes_is_bound_by_the_channel() {
    let mut stage = Stage::of(
        "ovos-react-loop",
        json!({"channels": {"query": {"tools": ["add"]}}}),
        [sum(), act("turn_left", "{}"), done("No.")],
    );
    stage.question.channel = Some("query".into());
    let (played, ran) = play(stage.with([add()])).await;
    assert_eq!((ran.len(), played.record.answer.as_str()), (0, "No."));
    assert!(!played.shown(1).contains("turn_left"));
}
