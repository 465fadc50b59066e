//! Many timers and a daemon that is killed over and over: each one that was confirmed rings, on time or as soon as the
//! daemon is there again, and none rings again once it was stopped.
//!
//! The clock of the machine is left alone; what becomes of jumps of it is judged beside the code that reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::toolbox::Act;
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::crash::{beside_a_lamp, crash, on};
use crate::story::Story;

/// How late one may be, after it is due or the daemon is back.
const LATE: Duration = Duration::from_secs(1);

/// An answer that does not come by then was lost in a crash.
const ANSWER: Duration = Duration::from_secs(5);

/// How much is asked of the daemon.
struct Trial {
    alerts: usize,
    kills: usize,
    /// Within which time all are set, due, and interrupted.
    span: Duration,
    seed: u64,
}

/// What came of it.
struct Verdict {
    rang: usize,
    lost: Vec<u64>,
    twice: Vec<u64>,
    early: Vec<u64>,
    latest: Duration,
}

/// So much of a span, by chance.
fn part(dice: &mut Dice, span: Duration) -> Duration {
    Duration::from_millis(dice.below(span.as_millis() as u64))
}

/// Sets a timer in a session of its own; its id, unless a crash took the answer.
async fn set(story: &Story, number: usize, seconds: f64) -> Option<(u64, Instant)> {
    let mark = story.probe.mark();
    let session = format!("judge-{number}");
    let call = json!({"toolbox_id": "loquat-alert-tools", "name": "set_timer",
                      "kwargs": {"duration": format!("{seconds:.3} seconds")}});
    let context = json!({"source": "judge", "session": {"session_id": session}});
    story
        .probe
        .send(&json!({"type": "ovos.persona.tools.call", "data": call, "context": context}))
        .await;
    let before = Instant::now();
    let is_answer =
        |frame: &Frame| frame.topic == "ovos.persona.tools.call.response" && frame.session_id() == session;
    let answer = story.probe.try_wait(mark, ANSWER, is_answer).await?;
    let due = before + Duration::from_secs_f64(seconds);
    answer.data["result"]["id"].as_u64().map(|id| (id, due))
}

/// Stops in its session whatever rings, as soon as it does.
async fn stop_what_rings(story: &Story, stopped: &mut BTreeSet<u64>, mark: usize) {
    for frame in story.probe.since(mark) {
        let Some(id) = state_of(&frame, "ringing").filter(|id| stopped.insert(*id)) else {
            continue;
        };
        let context = json!({"session": {"session_id": frame.session_id()}});
        story
            .probe
            .send(&json!({"type": "mycroft.stop", "data": {"id": id}, "context": context}))
            .await;
    }
}

fn state_of(frame: &Frame, state: &str) -> Option<u64> {
    let is_it = frame.topic == "loquat.alert" && frame.data["state"] == state;
    frame.data["id"].as_u64().filter(|_| is_it)
}

async fn judge(trial: Trial) -> Verdict {
    let (_bus, mut story, _lamps) = beside_a_lamp(Act::Returns(on())).await;
    let mut dice = Dice::new(trial.seed);
    let (mark, start) = (story.probe.mark(), Instant::now());
    let mut moments = |count: usize| {
        let mut moments: Vec<Instant> = (0..count).map(|_| start + part(&mut dice, trial.span)).collect();
        moments.sort();
        moments
    };
    let (sets, kills) = (moments(trial.alerts), moments(trial.kills));
    let mut due = BTreeMap::new();
    let mut back = Vec::new();
    let mut stopped = BTreeSet::new();
    let (mut sets, mut kills) = (
        sets.into_iter().enumerate().peekable(),
        kills.into_iter().peekable(),
    );
    let end = start + trial.span * 2 + Duration::from_secs(5);
    loop {
        let now = Instant::now();
        if sets.peek().is_some_and(|(_, at)| *at <= now) {
            let (number, _) = sets.next().expect("one more");
            let seconds = 1.0 + part(&mut dice, trial.span).as_secs_f64();
            due.extend(set(&story, number, seconds).await);
        } else if kills.next_if(|at| *at <= now).is_some() {
            let gone = Instant::now();
            crash(&mut story).await;
            back.push((gone, Instant::now()));
        } else if now > end {
            break;
        } else {
            sleep_until(now + Duration::from_millis(20)).await;
        }
        stop_what_rings(&story, &mut stopped, mark).await;
    }
    verdict(&story.probe.since(mark), &due, &back)
}

fn verdict(frames: &[Frame], due: &BTreeMap<u64, Instant>, back: &[(Instant, Instant)]) -> Verdict {
    let mut verdict = Verdict {
        rang: 0,
        lost: Vec::new(),
        twice: Vec::new(),
        early: Vec::new(),
        latest: Duration::ZERO,
    };
    for (id, due) in due {
        let of = |state: &str| {
            frames
                .iter()
                .position(|frame| state_of(frame, state) == Some(*id))
        };
        let Some(first) = of("ringing") else {
            verdict.lost.push(*id);
            continue;
        };
        verdict.rang += 1;
        let seen = frames[first].seen;
        // While the daemon is away nothing can ring.
        let away = back.iter().find(|(gone, back)| gone <= due && due < back);
        let expected = away.map_or(*due, |(_, back)| *back);
        verdict.latest = verdict.latest.max(seen.saturating_duration_since(expected));
        if seen + Duration::from_millis(100) < *due {
            verdict.early.push(*id);
        }
        let again = of("stopped").map(|end| {
            frames[end..]
                .iter()
                .any(|frame| state_of(frame, "ringing") == Some(*id))
        });
        if again == Some(true) {
            verdict.twice.push(*id);
        }
    }
    verdict
}

fn assert_flawless(trial: &str, verdict: &Verdict) {
    println!(
        "{trial}: {} rang, at most {:?} late",
        verdict.rang, verdict.latest
    );
    let none: Vec<u64> = Vec::new();
    assert_eq!(verdict.lost, none, "lost");
    assert_eq!(verdict.twice, none, "rang again after they were stopped");
    assert_eq!(verdict.early, none, "rang too early");
}

#[tokio::test]
async fn no_timer_is_lost_or_rings_twice_however_often_the_daemon_is_killed() {
    let verdict = judge(Trial {
        alerts: 40,
        kills: 8,
        span: Duration::from_secs(18),
        seed: 7,
    })
    .await;
    assert_flawless("40 timers, 8 kills", &verdict);
    assert!(verdict.rang >= 36, "{} were confirmed and rang", verdict.rang);
}

#[tokio::test]
#[ignore = "takes five minutes; `make bench-alerts` runs it"]
async fn two_hundred_timers_and_fifty_kills() {
    let verdict = judge(Trial {
        alerts: 200,
        kills: 50,
        span: Duration::from_secs(120),
        seed: 11,
    })
    .await;
    assert_flawless("200 timers, 50 kills", &verdict);
    // The short form runs beside other tests, where the machine is late itself.
    assert!(verdict.latest <= LATE, "{:?} late", verdict.latest);
    assert!(verdict.rang >= 180, "{} were confirmed and rang", verdict.rang);
}
