//! Toolboxes that come while a turn runs: their tools count from the next brain call on, in every protocol.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use loquat_agent::brain::Capabilities;
use loquat_agent::journal::{Entry, Happened, Journal, replay, resume};
use loquat_agent::record::{Reason, Record};
use loquat_agent::toolbox::{Arrivals, Category, Tool, Toolbox};
use loquat_agent::turn::{Budget, Means, stop_pair};
use serde_json::{Map, json};

use crate::brain::{Script, Step, act, call, done, say};
use crate::support::{Notebook, Played, Stage};
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

impl Bus {
    fn bringing(toolbox: &Arc<Tools>, at: usize) -> Self {
        Self {
            at,
            looks: AtomicUsize::new(0),
            toolbox: Mutex::new(Some(Arc::clone(toolbox))),
        }
    }
}

fn late() -> Arc<Tools> {
    let (turn, deed) = tool("turn_left", Deed::Give(json!({"turned": true})));
    let turn = Tool {
        category: Category::Safe,
        ..turn
    };
    Arc::new(Tools::new([(turn, deed), add()]).named("late-tools"))
}

/// The turn, and what ran in the toolbox that came before its second brain call.
async fn play(stage: Stage) -> (Played, Vec<String>) {
    let came = late();
    let bus = Bus::bringing(&came, 1);
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
        step(json!({"thought": "x", "tool": "add", "arguments": {"a": 2, "b": 3}})),
        step(json!({"thought": "x", "tool": "turn_left", "arguments": {}})),
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

/// Says where the toolbox that came before a crash is when the turn goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Where {
    Present,
    Gone,
    /// Gone, and there again at this look.
    Back(usize),
}

/// Goes on with these entries, and runs the whole turn again from its journal. Also what ran in the late toolbox.
async fn go_on(entries: &[Entry], replies: &[Step], late_box: Where) -> (Record, usize) {
    let (stopper, stop) = stop_pair();
    let came = late();
    let mut toolboxes: Vec<Arc<dyn Toolbox>> = vec![Arc::new(Tools::new([add()]))];
    let mut arrivals = None;
    match late_box {
        Where::Present => toolboxes.push(Arc::clone(&came) as _),
        Where::Gone => {}
        Where::Back(look) => arrivals = Some(Arc::new(Bus::bringing(&came, look)) as Arc<dyn Arrivals>),
    }
    let replied = |entry: &&Entry| matches!(entry.happened, Happened::BrainReplied { .. });
    let left = replies[entries.iter().filter(replied).count()..].to_vec();
    let means = Means {
        brain: Arc::new(Script::new(Capabilities::default(), left, stopper)),
        toolboxes,
        arrivals,
        grammar: None,
        budget: Budget::default(),
        settings: Map::new(),
        observer: Arc::new(()),
        stop,
        turn_cache: Arc::default(),
        person: None,
    };
    let notebook = Arc::new(Notebook::default());
    let journal = Arc::clone(&notebook) as Arc<dyn Journal>;
    let record = resume(entries.to_vec(), means, journal).await;
    let all = entries.iter().cloned().chain(notebook.entries()).collect();
    let again = replay(all, Arc::new(())).await.expect("it can be run again");
    assert_eq!(again.differences, Vec::<String>::new(), "{late_box:?}");
    (record.expect("it can go on"), came.ran().len())
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_a_box_that_is_there_or_comes_can_be_called() {
    let again = act("add", r#"{"a": 4, "b": 3}"#);
    let replies = [sum(), again, act("turn_left", "{}"), done("Turned.")];
    let (whole, ran) = play(Stage::react(replies.clone()).with([add()])).await;
    assert_eq!(ran, ["turn_left"]);
    let has_turned = |entry: &Entry| match &entry.happened {
        Happened::ToolReturned { outcome, .. } => (**outcome)
            .as_ref()
            .is_ok_and(|outcome| outcome.result.contains_key("turned")),
        _ => false,
    };
    for cut in 1..whole.entries.len() {
        let entries = &whole.entries[..cut];
        for late_box in [Where::Present, Where::Gone, Where::Back(0), Where::Back(2)] {
            let (record, ran) = go_on(entries, &replies, late_box).await;
            let case = format!("{late_box:?}, cut at {cut}");
            assert_eq!(record.answer, "Turned.", "{case}");
            assert_eq!(record.reason, Reason::Answered, "{case}");
            assert_eq!(record.brain_calls, 4, "{case}: no reply is asked for twice");
            let turned = entries.iter().any(has_turned);
            assert_eq!(ran, usize::from(!turned && late_box != Where::Gone), "{case}");
            assert_eq!(
                record.steps[2].calls[0].ok,
                turned || late_box != Where::Gone,
                "{case}"
            );
        }
    }
}
