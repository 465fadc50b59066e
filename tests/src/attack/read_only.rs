//! A disk that takes nothing any more: it becomes read-only under a daemon that runs, and later is so from its start. What a
//! person asks is answered all the same, what cannot be kept is told so, and the fault is said once.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::flood::told;
use super::row::Row;
use super::scale::Scale;
use super::target::{QUESTION, RIGHT_ANSWER, Target};
use crate::brain::Reply;
use crate::daemon::Launch;
use crate::frame::Frame;
use crate::home::{Home, free_port};
use crate::mortal_disk::MortalDisk;
use crate::probe::BusProbe;
use crate::story::{Scene, TESTER, assert_sentence};
use crate::turn::Utterance;
use crate::wait::PATIENCE;

const TIMERS: &str = "loquat-alert-tools";
const MEMORY: &str = "loquat-memory-tools";

/// How the sentence begins that tells of the fault.
const UNWRITABLE: &str = "I can't write to my disk.";

/// A part of what is said of a timer that rings, or of a change that counts, only if the daemon lives as long.
const LOST_LATER: &str = "lost when I am started again";

/// A part of what is said of a cancelled timer that a restart brings back.
const BACK_LATER: &str = "back when I am started again";

/// How long it may be until the daemon has found that the disk takes everything again.
const HEALING: Duration = Duration::from_secs(30);

/// Runs both parts.
pub async fn attack(scale: Scale) -> Row {
    let mut disk = None;
    let target = Target::begin(|tester, home| {
        disk = MortalDisk::over(home.path()).ok();
        tester
    })
    .await;
    let Some(disk) = disk else {
        let mut row = target.judged(Row::default(), Some(Duration::ZERO)).await;
        "not done: this machine lets this user mount no disk".clone_into(&mut row.seen);
        return row;
    };
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let mut row = Row::default();
    keep(&target.probe, "doomed").await;
    let alarm = BusProbe::hearing(target.home.port(), &["speak", "ovos.utterance.speak"]).await;
    let before = keep(&target.probe, "before").await;
    row.demand(before["error"].is_null(), || {
        format!("no timer could be set at first: {before}")
    });
    let mark = alarm.mark();
    disk.set_read_only(true);
    let doomed = json!({"kind": "timer", "name": "doomed"});
    let cancelled = told(&target.probe, "doomed", TIMERS, ("cancel_alert", &doomed)).await;
    row.demand(cancelled.to_string().contains(BACK_LATER), || {
        format!("a timer that a restart brings back is said to be cancelled: {cancelled}")
    });
    let later = json!({"kind": "timer", "name": "before", "by": "5 minutes"});
    let changed = told(&target.probe, "changed", TIMERS, ("change_alert", &later)).await;
    row.demand(
        changed["result"]["count"] == 1 && changed.to_string().contains(LOST_LATER),
        || format!("a timer that a restart puts back is said to be changed: {changed}"),
    );
    let mut answered = 0;
    let mut kept = Vec::new();
    for number in 0..scale.deeds {
        let name = format!("deed {number}");
        let (toolbox, call) = if number % 2 == 0 {
            (TIMERS, timer(&name))
        } else {
            (MEMORY, ("remember", json!({"fact": format!("{name} is blue")})))
        };
        let answer = told(&target.probe, &name, toolbox, (call.0, &call.1)).await;
        if is_said_to_be_kept(&answer) {
            kept.push(name);
        }
        let turn = Utterance::new(&format!("Say something about {number}"))
            .ask(&target.probe)
            .await;
        answered += usize::from(turn.answer() == "Fine.");
    }
    let question = target.ask().await;
    row.demand(kept.is_empty(), || {
        format!("said to be kept on a disk that takes nothing: {kept:?}")
    });
    row.demand(answered == scale.deeds, || {
        format!("{answered} of {} were answered", scale.deeds)
    });
    let said = said(&alarm, mark);
    row.demand(said == 1, || format!("the fault was said {said} times"));
    disk.set_read_only(false);
    let healed = timeout(HEALING, target.daemon.wrote("can be written again", HEALING)).await;
    row.demand(healed.is_ok(), || {
        "the daemon does not find that the disk is well".into()
    });
    let after = keep(&target.probe, "after").await;
    row.demand(after["error"].is_null(), || {
        format!("no timer can be set afterwards: {after}")
    });
    let named = json!({"kind": "timer", "name": "before"});
    let there = told(&target.probe, "there", TIMERS, ("list_alerts", &named)).await;
    row.demand(there["result"]["count"] == 1, || {
        format!("what was kept before is gone: {there}")
    });
    let mut row = target.judged(row, question).await;
    drop(disk);
    let (is_answered, told) = from_the_start(&mut row).await;
    row.count = scale.deeds * 2;
    row.seen = format!(
        "{answered} answered, {} false, told {said}; from the start {}, told {told}",
        kept.len(),
        if is_answered { "answered" } else { "silent" }
    );
    row
}

/// Tells whether an answer lets a person believe that a restart loses nothing.
fn is_said_to_be_kept(answer: &Value) -> bool {
    answer["error"].is_null() && !answer["result"]["spoken"].to_string().contains(LOST_LATER)
}

async fn keep(probe: &BusProbe, name: &str) -> Value {
    let (tool, arguments) = timer(name);
    told(probe, name, TIMERS, (tool, &arguments)).await
}

fn timer(name: &str) -> (&'static str, Value) {
    ("set_timer", json!({"duration": "3 hours", "name": name}))
}

/// Counts how often the fault was told to the person.
fn said(alarm: &BusProbe, mark: usize) -> usize {
    let frames = alarm.since(mark).into_iter();
    let is_it = |frame: &Frame| !frame.is_twin() && frame.utterance().starts_with(UNWRITABLE);
    frames
        .filter(is_it)
        .inspect(|frame| assert_sentence(frame.utterance()))
        .count()
}

/// Tries a daemon whose home is read-only from its start: whether it answers, and how often it tells of the
/// fault.
async fn from_the_start(row: &mut Row) -> (bool, usize) {
    let scene = Scene::at(Home::with_bus(free_port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.persona(&scene.tester());
    let disk = MortalDisk::over(scene.home.path()).expect("a disk was mounted before");
    disk.set_read_only(true);
    scene
        .brain
        .whenever(TESTER, QUESTION, Reply::answers(RIGHT_ANSWER));
    // What is said at the start is heard by those who are there before.
    let bus = Launch::new(&scene.home, &["bus"]).process();
    let early = BusProbe::connect(scene.home.port()).await;
    let daemon = Launch::new(&scene.home, &["run"]).spawn();
    let answered = timeout(PATIENCE, async {
        let probe = daemon.joined(scene.home.port()).await;
        let turn = Utterance::new(&format!("Tell me {QUESTION}")).ask(&probe).await;
        let is_it = |frame: &Frame| frame.is_speak() && frame.utterance().starts_with(UNWRITABLE);
        early.try_wait(0, PATIENCE, is_it).await;
        let kept = told(
            &probe,
            "kept",
            TIMERS,
            ("set_timer", &json!({"duration": "3 hours"})),
        )
        .await;
        (turn.answer() == RIGHT_ANSWER, kept)
    })
    .await;
    let output = daemon.output();
    let said = said(&early, 0);
    let is_answered = matches!(answered, Ok((true, ..)));
    row.demand(is_answered, || {
        format!("a start on a read-only disk answers nothing: {output}")
    });
    row.demand(said == 1, || {
        format!("of a disk that was read-only from the start is told {said} times")
    });
    if let Ok((_, kept)) = answered {
        row.demand(!is_said_to_be_kept(&kept), || format!("said to be kept: {kept}"));
    }
    drop(bus);
    (is_answered, said)
}
