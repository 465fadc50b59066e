//! A turn that a crash cut off goes on where it stopped. (That each turn of these tests can be run again from its
//! journal alone is checked on the stage.)

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{BrainError, Capabilities};
use loquat_agent::consent::{Consent, Person, Request};
use loquat_agent::engine::find;
use loquat_agent::journal::{Care, Entry, Happened, Journal, ReplayError, Unwritten, replay, resume};
use loquat_agent::record::{Reason, Record};
use loquat_agent::toolbox::Tool;
use loquat_agent::turn::{Budget, Means, stop_pair};
use serde_json::{Map, json};

use crate::brain::{Script, Step, act, done, say};
use crate::support::{Notebook, Stage};
use crate::tools::{Deed, Tools, add, dangerous, tool, writing};

fn boxed() -> Tools {
    Tools::new([
        writing("switch", Deed::Give(json!({"on": true}))),
        writing("ring", Deed::Give(json!({"rung": true}))),
        tool("look", Deed::Give(json!({"seen": "a lamp"}))),
        add(),
    ])
}

/// Goes on with a turn of which only these entries were written.
async fn go_on(
    entries: Vec<Entry>,
    replies: Vec<Step>,
) -> (Result<Record, ReplayError>, Arc<Tools>, Vec<Entry>) {
    let notebook = Arc::new(Notebook::default());
    let (record, tools) = go_on_with(entries, replies, (boxed(), None), Arc::clone(&notebook) as _).await;
    (record, tools, notebook.entries())
}

/// Goes on with these tools, this person and this journal.
async fn go_on_with(
    entries: Vec<Entry>,
    replies: Vec<Step>,
    with: (Tools, Option<Arc<dyn Person>>),
    journal: Arc<dyn Journal>,
) -> (Result<Record, ReplayError>, Arc<Tools>) {
    go_on_by(Capabilities::default(), (entries, replies), with, journal).await
}

/// Goes on with a brain that can be asked for this.
async fn go_on_by(
    capabilities: Capabilities,
    (entries, replies): (Vec<Entry>, Vec<Step>),
    (tools, person): (Tools, Option<Arc<dyn Person>>),
    journal: Arc<dyn Journal>,
) -> (Result<Record, ReplayError>, Arc<Tools>) {
    let (stopper, stop) = stop_pair();
    let tools = Arc::new(tools);
    let means = Means {
        brain: Arc::new(Script::new(capabilities, replies, stopper)),
        toolboxes: vec![Arc::clone(&tools) as _],
        arrivals: None,
        grammar: None,
        budget: Budget::default(),
        settings: Map::new(),
        observer: Arc::new(()),
        stop,
        turn_cache: Arc::default(),
        person,
    };
    (resume(entries, means, journal).await, tools)
}

/// Answers every question alike, and counts them.
struct Somebody(Consent, AtomicUsize);

impl Person for Somebody {
    fn consents<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Consent> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(self.0))
    }
}

/// Cannot bring anything to the disk.
struct FullDisk;

impl Journal for FullDisk {
    fn write(&self, _: Entry, care: Care) -> BoxFuture<'_, Result<(), Unwritten>> {
        let written = if care == Care::Durable {
            Err(Unwritten)
        } else {
            Ok(())
        };
        Box::pin(std::future::ready(written))
    }
}

/// A door whose lock turns once more with each call.
fn locks() -> Tools {
    let (tool, deed) = dangerous("unlock");
    let turning = Tool {
        read_only: false,
        idempotent: false,
        ..tool
    };
    Tools::new([(turning, deed), add()])
}

#[tokio::test(start_paused = true)]
async fn a_yes_from_before_a_crash_is_good_for_no_call_after_it() {
    let replies = vec![act("unlock", r#"{"x": 1}"#), done("The door is open.")];
    let somebody = |answer| Arc::new(Somebody(answer, AtomicUsize::new(0)));
    let stage = Stage {
        tools: locks(),
        person: Some(somebody(Consent::Given)),
        ..Stage::react(replies.clone())
    };
    let whole = stage.play().await;
    let place = |wanted: fn(&Happened) -> bool| {
        let found = whole.entries.iter().position(|entry| wanted(&entry.happened));
        found.expect("it happened") + 1
    };
    let answered = place(|happened| matches!(happened, Happened::PersonAnswered { .. }));
    let called = place(|happened| matches!(happened, Happened::ToolCalled { .. }));
    for (cut, answer, asked, ran) in [
        (answered, Consent::Refused, 1, 0),
        (answered, Consent::Given, 1, 1),
        // What had begun is not run again, so there is nothing to ask for.
        (called, Consent::Given, 0, 0),
    ] {
        let entries = whole.entries[..cut].to_vec();
        let (person, notebook) = (somebody(answer), Arc::new(Notebook::default()));
        let means = (locks(), Some(Arc::clone(&person) as Arc<dyn Person>));
        let journal = Arc::clone(&notebook) as Arc<dyn Journal>;
        let (record, tools) = go_on_with(entries.clone(), replies[1..].to_vec(), means, journal).await;
        record.expect("it can go on");
        let came = (person.1.load(Ordering::Relaxed), tools.ran().len());
        assert_eq!(came, (asked, ran), "{answer:?}, cut at {cut}");
        let all: Vec<Entry> = entries.into_iter().chain(notebook.entries()).collect();
        let again = replay(all, Arc::new(())).await.expect("it can be run again");
        assert_eq!(
            again.differences,
            Vec::<String>::new(),
            "{answer:?}, cut at {cut}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_effect_that_cannot_be_written_down_does_not_happen() {
    let replies = vec![
        act("switch", "{}"),
        act("look", "{}"),
        done("I could not switch it."),
    ];
    let stage = Stage {
        tools: boxed(),
        ..Stage::react(replies.clone())
    };
    let whole = stage.play().await;
    let (record, tools) = go_on_with(
        whole.entries[..1].to_vec(),
        replies,
        (boxed(), None),
        Arc::new(FullDisk),
    )
    .await;
    let record = record.expect("it can go on");
    let ran: Vec<String> = tools.ran().into_iter().map(|(name, _)| name).collect();
    assert_eq!(ran, ["look"]);
    let shown = &record.steps[0].calls[0].observation;
    assert!(shown.contains("cannot be written down"), "{shown}");
}

fn count(entries: &[Entry], wanted: impl Fn(&Happened) -> bool) -> usize {
    entries.iter().filter(|entry| wanted(&entry.happened)).count()
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_at_any_moment_nothing_runs_twice() {
    let scripts: [(&str, Vec<Step>); 3] = [
        (
            "ovos-react-loop",
            vec![
                act("switch", "{}"),
                act("look", "{}"),
                act("ring", "{}"),
                done("It is on."),
            ],
        ),
        (
            "rewoo",
            vec![
                say("#E1 = switch()\n#E2 = look()\n#E3 = ring()"),
                say("It is on."),
            ],
        ),
        (
            "ovos-plan-execute-loop",
            vec![
                say("1. Switch it on\n2. Ring (needs: 1)"),
                act("switch", "{}"),
                say("STEP_RESULT: on"),
                act("ring", "{}"),
                say("STEP_RESULT: rung"),
                say("It is on."),
            ],
        ),
    ];
    for (engine, replies) in scripts {
        let stage = Stage {
            tools: boxed(),
            ..Stage::of(engine, json!({}), replies.clone())
        };
        let whole = stage.play().await;
        assert_eq!(whole.end(), (Reason::Answered, "It is on."), "{engine}");
        for cut in 1..=whole.entries.len() {
            let entries = whole.entries[..cut].to_vec();
            let replied = count(&entries, |happened| {
                matches!(happened, Happened::BrainReplied { .. })
            });
            let (record, tools, written) = go_on(entries.clone(), replies[replied..].to_vec()).await;
            let record = record.expect("it can go on");
            assert_eq!(
                (record.reason, record.answer.as_str()),
                (Reason::Answered, "It is on."),
                "{engine} {cut}"
            );
            for name in ["switch", "ring"] {
                let called = |happened: &Happened| matches!(happened, Happened::ToolCalled { call, .. } if call.contains(name));
                let ran = tools.ran().iter().filter(|(tool, _)| tool == name).count();
                assert_eq!(
                    count(&entries, called) + ran,
                    1,
                    "{name} of {engine}, cut at {cut}"
                );
            }
            // Both parts together are one turn, which can be run again like any other.
            let all: Vec<Entry> = entries.into_iter().chain(written).collect();
            let again = replay(all, Arc::new(())).await.expect("it can be run again");
            assert_eq!(again.differences, Vec::<String>::new(), "{engine}, cut at {cut}");
        }
    }
}

/// The entries answered requests as the brain that is gone was asked them.
#[tokio::test(start_paused = true)]
async fn another_kind_of_brain_goes_on_from_what_is_written() {
    let replies = vec![act("switch", "{}"), done("It is on.")];
    let stage = Stage {
        tools: boxed(),
        ..Stage::react(replies.clone())
    };
    let whole = stage.play().await;
    let returned = |entry: &Entry| matches!(entry.happened, Happened::ToolReturned { .. });
    let cut = whole.entries.iter().position(returned).expect("it returned") + 1;
    let entries = whole.entries[..cut].to_vec();
    let another = Capabilities {
        json_schema: true,
        small: true,
        ..Capabilities::default()
    };
    let notebook = Arc::new(Notebook::default());
    let journal = Arc::clone(&notebook) as _;
    let (record, tools) = go_on_by(
        another,
        (entries.clone(), replies[1..].to_vec()),
        (boxed(), None),
        journal,
    )
    .await;
    assert_eq!(record.expect("it can go on").answer, "It is on.");
    assert!(tools.ran().is_empty(), "the switch was switched before");
    let all: Vec<Entry> = entries.into_iter().chain(notebook.entries()).collect();
    let again = replay(all, Arc::new(())).await.expect("it can be run again");
    assert_eq!(again.differences, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn the_brain_is_told_what_may_have_happened() {
    let replies = vec![act("switch", "{}"), done("I do not know whether it is on.")];
    let stage = Stage {
        tools: boxed(),
        ..Stage::react(replies.clone())
    };
    let whole = stage.play().await;
    let called = |entry: &Entry| matches!(entry.happened, Happened::ToolCalled { .. });
    let cut = whole.entries.iter().position(called).expect("it was called") + 1;
    let (record, tools, _) = go_on(whole.entries[..cut].to_vec(), replies[1..].to_vec()).await;
    let record = record.expect("it can go on");
    assert!(tools.ran().is_empty());
    assert!(
        record.steps[0].calls[0]
            .observation
            .contains("may have taken effect"),
        "{}",
        record.steps[0].calls[0].observation
    );
}

#[tokio::test(start_paused = true)]
async fn times_are_those_of_the_first_run() {
    let replies = [
        Step::Slow(
            Duration::from_millis(1_234),
            "Thought: x\nAction: slow\nAction Input: {}".to_owned(),
        ),
        Step::Fail(BrainError::CutOff {
            address: "script".into(),
        }),
    ];
    let slow = tool(
        "slow",
        Deed::Slow(Duration::from_micros(765_432), json!({"ok": true})),
    );
    let whole = Stage::of("ovos-react-loop", json!({}), replies)
        .with([slow])
        .play()
        .await;
    assert_eq!(whole.record.steps[0].brain_time, Duration::from_millis(1_234));
    let again = replay(whole.entries, Arc::new(()))
        .await
        .expect("it can be run again");
    assert_eq!(again.first.as_ref(), Some(&again.record));
}

#[tokio::test(start_paused = true)]
async fn what_has_changed_is_told() {
    let whole = Stage::of(
        "ovos-react-loop",
        json!({}),
        [act("add", r#"{"a": 1, "b": 2}"#), done("3")],
    )
    .with([add()])
    .play()
    .await;
    let mut entries = whole.entries;
    for entry in &mut entries {
        if let Happened::ToolReturned { outcome, .. } = &mut entry.happened {
            **outcome = Ok(Map::from_iter([("sum".to_owned(), json!(4))]).into());
        }
    }
    let again = replay(entries, Arc::new(())).await.expect("it can be run again");
    assert!(
        again
            .differences
            .iter()
            .any(|line| line.starts_with("steps[0].calls[0].observation was")),
        "{:?}",
        again.differences
    );
}

#[tokio::test(start_paused = true)]
async fn what_older_versions_did_not_write_is_no_difference() {
    let stage = Stage {
        tools: boxed(),
        ..Stage::react([act("switch", "{}"), done("It is on.")])
    };
    let mut entries = stage.play().await.entries;
    for entry in &mut entries {
        if let Happened::Ended { record } = &mut entry.happened {
            // Left out where it is false.
            assert!(std::mem::take(&mut record.steps[0].calls[0].changes));
        }
    }
    let again = replay(entries, Arc::new(())).await.expect("it can be run again");
    assert_eq!(again.differences, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_run_again_is_refused() {
    let error = replay(Vec::new(), Arc::new(()))
        .await
        .expect_err("there is nothing");
    assert!(error.to_string().contains("how it began"), "{error}");
    let mut whole = Stage::react([done("Hello")]).play().await.entries;
    if let Happened::Opened { opening } = &mut whole[0].happened {
        opening.engine = "gone".to_owned();
    }
    let error = replay(whole, Arc::new(())).await.expect_err("the engine is gone");
    assert!(error.to_string().contains("no engine 'gone'"), "{error}");
    assert!(find("gone").is_none());
}
