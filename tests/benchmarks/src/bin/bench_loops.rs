//! `make bench-loops`: what our engines cost beside those of the Python package `ovos-agentic-loop`, in one run.
//!
//! Both are asked in turn, so that a busy machine is busy for both. The brain is scripted; what is left is the engines' own
//! cost, and how much of a brain's waiting they share. ROUNDS says how often the short ones are measured, ONLY which parts
//! are: lasting, own, http, waiting, crowds, daemon.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::io::{self, BufReader};

use anyhow::{Context, Result};
use loquat_benchmarks::loops::both::{Both, THINKING, crowd_goal};
use loquat_benchmarks::loops::crowd::{Crowd, Pace};
use loquat_benchmarks::loops::table::{Goal, Row, Unit, heading};
use loquat_benchmarks::loops::worker::{Cores, Worker};
use loquat_benchmarks::loops::{CROWD_CALLS, Job, Kind, floor, subject};
use loquat_tests::binaries::setting;
use loquat_tests::brain::ScriptedBrain;
use loquat_tests::machine;
use tokio::task::JoinSet;

/// Enough for a median that holds still on a shared machine.
const USUAL_ROUNDS: usize = 9;

/// Turns after which the memory is looked at, and how many of them the daemon has at once.
const LASTING_TURNS: usize = 1000;
const AT_ONCE: usize = 8;

/// How many turns the daemon has at once; it refuses what is more than the last of these to anybody but its own person.
const DAEMON_CROWDS: [usize; 3] = [1, AT_ONCE, 56];

#[tokio::main]
async fn main() -> Result<()> {
    // In a task, as everything in the daemon is: what waits outside of one is woken up later.
    let mut tasks = JoinSet::new();
    let input = BufReader::new(io::stdin());
    match std::env::args().nth(1).as_deref() {
        Some("subject") => tasks.spawn(subject::serve(input, io::stdout())),
        Some("plain-client") => tasks.spawn(floor::serve(input, io::stdout())),
        _ => tasks.spawn(compare()),
    };
    tasks.join_next().await.context("there is one task")??
}

async fn compare() -> Result<()> {
    let rounds = match setting("ROUNDS") {
        Some(text) => text.parse().context("ROUNDS must be a whole number")?,
        None => USUAL_ROUNDS,
    };
    let only = setting("ONLY");
    let wanted = |part: &str| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|one| one == part))
    };
    println!("{}", machine::told());
    println!("{}", heading());
    let brain = ScriptedBrain::start();
    if wanted("lasting") {
        lasting().await?;
    }
    if wanted("own") {
        let mut both = Both::start(Cores::One, rounds).await?;
        show(&both.own_cost().await?);
    }
    let mut both = Both::start(Cores::All, rounds).await?;
    if wanted("http") {
        show(&both.cost_over_http(&brain).await?);
    }
    if wanted("waiting") {
        show(&both.waiting().await?);
    }
    if wanted("crowds") {
        show(&both.crowds(&brain).await?);
    }
    drop(both);
    if wanted("daemon") {
        daemon(&brain).await?;
    }
    println!("{}", machine::told());
    Ok(())
}

/// Start and memory, of processes that do nothing else.
async fn lasting() -> Result<()> {
    let (mut ours, mut python) = (Worker::ours(Cores::All).await?, Worker::python(Cores::All).await?);
    let memory = |name: &str, ours: &Worker, python: &Worker| {
        let both = [ours, python].map(|worker| worker.resident_bytes() as f64);
        Row::of_both(name, Unit::Megabytes, both, Goal::Told)
    };
    let start = [ours.start, python.start];
    let start = Row::of_both(
        "start, until the first turn ended",
        Unit::Milliseconds,
        start,
        Goal::Told,
    );
    let before = memory("memory after the first turn", &ours, &python);
    let job = Job::serial(Kind::React, CROWD_CALLS, LASTING_TURNS);
    ours.run(&job).await?;
    python.run(&job).await?;
    show(&[start, before, memory("memory after 1,000 turns", &ours, &python)]);
    Ok(())
}

/// Many turns at once through the running daemon: bus, desk, engine, tools, HTTP.
async fn daemon(brain: &ScriptedBrain) -> Result<()> {
    let crowd = Crowd::start(brain, THINKING).await;
    let told = |name: &str, unit, value| Row::of_ours(format!("daemon: {name}"), unit, value, Goal::Told);
    let memory = |name: &str| told(name, Unit::Megabytes, crowd.resident_bytes() as f64);
    show(&[
        told("start, until it is ready", Unit::Milliseconds, crowd.start),
        memory("memory at the start"),
    ]);
    let before = crowd.processor_seconds();
    for _ in 0..LASTING_TURNS / AT_ONCE {
        crowd.ask(Pace::Quick, AT_ONCE).await?;
    }
    let each = (crowd.processor_seconds() - before) / LASTING_TURNS as f64;
    show(&[
        memory("memory after 1,000 turns"),
        told("processor time of a turn", Unit::Milliseconds, each),
    ]);
    for count in DAEMON_CROWDS {
        let name = format!("daemon: {count} turns at once, over its bus");
        let wall = crowd.ask(Pace::Thinking, count).await?;
        show(&[Row::of_ours(name, Unit::Seconds, wall, crowd_goal(count))]);
    }
    show(&[memory("memory after the largest crowd")]);
    Ok(())
}

fn show(rows: &[Row]) {
    for row in rows {
        println!("{row}");
    }
}
