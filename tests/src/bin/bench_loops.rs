//! `make bench-loops`: what our engines cost beside those of the Python package `ovos-agentic-loop`, in one run.
//!
//! Both are asked in turn, so that a busy machine is busy for both. The brain is scripted; what is left is the engines' own
//! cost, and how much of a brain's waiting they share. ROUNDS says how often the short ones are measured, ONLY which parts
//! are: lasting, own, http, waiting, crowds, daemon.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::io::{self, BufReader};
use std::time::Duration;

use anyhow::{Context, Result};
use loquat_tests::bench::middle;
use loquat_tests::binaries::setting;
use loquat_tests::brain::ScriptedBrain;
use loquat_tests::loops::crowd::{Crowd, Pace};
use loquat_tests::loops::table::{Goal, Row, Unit, heading};
use loquat_tests::loops::worker::Worker;
use loquat_tests::loops::{CROWD_CALLS, Job, Kind, Report, floor, script, subject};
use loquat_tests::machine;
use serde_json::Value;
use tokio::task::JoinSet;

/// Enough for a median that holds still on a shared machine.
const USUAL_ROUNDS: usize = 9;

/// Brain calls of a turn whose own cost is measured: as most spoken questions need, and a long one.
const LENGTHS: [usize; 2] = [2, 10];

/// Brain calls of a turn over HTTP.
const BRAIN_CALLS: usize = 10;

/// Turns of one round, in process and over HTTP.
const TURNS: usize = 60;
const HTTP_TURNS: usize = 12;

/// How long the brain of the rows about waiting thinks.
const THINKING: Duration = Duration::from_millis(200);

/// How often a tree of the usual depth has to wait for its brain: for the thoughts and for the scores of four levels, and
/// for the answer.
const TREE_WAITS: f64 = 9.0;

/// Turns after which the memory is looked at, and how many of them the daemon has at once.
const LASTING_TURNS: usize = 1000;
const AT_ONCE: usize = 8;

/// How many turns at once.
const CROWDS: [usize; 5] = [1, 8, 64, 256, 1000];

/// The crowd that has a goal.
const MEASURED_CROWD: usize = 256;

/// Both subjects.
struct Both {
    ours: Worker,
    python: Worker,
    rounds: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    // In a task, as everything in the daemon is: what waits outside of one is woken up later.
    let mut tasks = JoinSet::new();
    if std::env::args().nth(1).as_deref() == Some("subject") {
        tasks.spawn(subject::serve(BufReader::new(io::stdin()), io::stdout()));
    } else {
        tasks.spawn(compare());
    }
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
    let brain = ScriptedBrain::start().await;
    if wanted("lasting") {
        lasting().await?;
    }
    let mut both = Both::start(rounds).await?;
    if wanted("own") {
        both.own_cost().await?;
    }
    if wanted("http") {
        both.cost_over_http(&brain).await?;
    }
    if wanted("waiting") {
        both.waiting().await?;
    }
    if wanted("crowds") {
        both.crowds(&brain).await?;
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
    let (mut ours, mut python) = (Worker::ours().await?, Worker::python().await?);
    let megabytes = |name: &str, ours: &Worker, python: &Worker| {
        let [ours, python] = [ours, python].map(|worker| worker.resident_bytes() as f64);
        told(name, Unit::Megabytes, ours, Some(python));
    };
    told(
        "start, until the first turn ended",
        Unit::Milliseconds,
        ours.start,
        Some(python.start),
    );
    megabytes("memory after the first turn", &ours, &python);
    let job = Job::serial(Kind::React, CROWD_CALLS, LASTING_TURNS);
    ours.run(&job).await?;
    python.run(&job).await?;
    megabytes("memory after 1,000 turns", &ours, &python);
    Ok(())
}

impl Both {
    async fn start(rounds: usize) -> Result<Self> {
        Ok(Self {
            ours: Worker::ours().await?,
            python: Worker::python().await?,
            rounds,
        })
    }

    /// The same job for both, once.
    async fn run(&mut self, job: &Job) -> Result<[Report; 2]> {
        Ok([self.ours.run(job).await?, self.python.run(job).await?])
    }

    /// What a brain call costs when the brain answers at once, in this process.
    async fn own_cost(&mut self) -> Result<()> {
        for (name, kind) in [("ReAct", Kind::React), ("native", Kind::Native)] {
            for length in LENGTHS {
                let job = Job::serial(kind, length, TURNS);
                self.run(&job).await?;
                let mut medians = [const { Vec::new() }; 2];
                for _ in 0..self.rounds {
                    for (medians, report) in medians.iter_mut().zip(self.run(&job).await?) {
                        medians.push(report.median() / length as f64);
                    }
                }
                let [ours, python] = medians.map(middle);
                row(
                    &format!("{name}, {length} calls a turn: each, in process"),
                    Unit::Microseconds,
                    ours,
                    Some(python),
                    Goal::Share(0.05),
                );
            }
        }
        Ok(())
    }

    /// What a brain call costs over the loopback interface, with and without what the requests alone cost.
    async fn cost_over_http(&mut self, brain: &ScriptedBrain) -> Result<()> {
        for (name, kind) in [("ReAct", Kind::React), ("native", Kind::Native)] {
            let lanes = ["ours", "python"].map(|side| format!("{name}-{side}"));
            for lane in &lanes {
                script(brain, lane, kind, BRAIN_CALLS, Duration::ZERO);
            }
            let mut laps = [const { Vec::new() }; 2];
            let mut floors = [const { Vec::new() }; 2];
            for _ in 0..self.rounds {
                for (side, lane) in lanes.iter().enumerate() {
                    let url = brain.url(lane);
                    let job = Job::serial(kind, BRAIN_CALLS, HTTP_TURNS).at(&url);
                    let worker = if side == 0 {
                        &mut self.ours
                    } else {
                        &mut self.python
                    };
                    let report = worker.run(&job).await?;
                    let bodies = bodies(brain, lane);
                    let floor = floor::measure(&url, &bodies, HTTP_TURNS).await?;
                    if let (Some(laps), Some(floors)) = (laps.get_mut(side), floors.get_mut(side)) {
                        laps.push(report.median() / BRAIN_CALLS as f64);
                        floors.push(middle(floor) / BRAIN_CALLS as f64);
                    }
                }
            }
            let [ours, python] = laps.map(middle);
            let [our_floor, python_floor] = floors.map(middle);
            told(
                &format!("{name} per brain call, over HTTP"),
                Unit::Microseconds,
                ours,
                Some(python),
            );
            told(
                &format!("{name}: its requests by a plain client"),
                Unit::Microseconds,
                our_floor,
                Some(python_floor),
            );
            row(
                &format!("{name}: over what its requests cost"),
                Unit::Microseconds,
                (ours - our_floor).max(0.0),
                Some(python - python_floor),
                Goal::Share(0.05),
            );
        }
        Ok(())
    }

    /// How long slow tools and a slow brain are waited for.
    async fn waiting(&mut self) -> Result<()> {
        let [ours, python] = self.run(&Job::serial(Kind::Tools, 2, 5)).await?;
        row(
            "four tools of 200 ms in one step",
            Unit::Seconds,
            ours.median(),
            Some(python.median()),
            Goal::Over(THINKING.as_secs_f64(), 5.0),
        );
        let tree = Job {
            delay_ms: THINKING.as_millis() as u64,
            ..Job::serial(Kind::Tree, 0, 1)
        };
        let [ours, python] = self.run(&tree).await?;
        let name = format!(
            "tree of thoughts, {} and {} calls of 200 ms",
            ours.brain_calls, python.brain_calls
        );
        row(
            &name,
            Unit::Seconds,
            ours.median(),
            Some(python.median()),
            Goal::Over(TREE_WAITS * THINKING.as_secs_f64(), 5.0),
        );
        Ok(())
    }

    /// Many turns at once, with the brain in the same process and behind HTTP.
    async fn crowds(&mut self, brain: &ScriptedBrain) -> Result<()> {
        script(brain, "crowd", Kind::React, CROWD_CALLS, THINKING);
        let url = brain.url("crowd");
        for count in CROWDS {
            let [ours, python] = self.run(&Job::crowd(count, THINKING)).await?;
            row(
                &format!("{count} turns at once, in process"),
                Unit::Seconds,
                ours.wall,
                Some(python.wall),
                crowd_goal(count),
            );
        }
        for count in CROWDS {
            let [ours, python] = self.run(&Job::crowd(count, THINKING).at(&url)).await?;
            row(
                &format!("{count} turns at once, over HTTP"),
                Unit::Seconds,
                ours.wall,
                Some(python.wall),
                crowd_goal(count),
            );
        }
        Ok(())
    }
}

/// Many turns at once through the running daemon: bus, desk, engine, tools, HTTP.
async fn daemon(brain: &ScriptedBrain) -> Result<()> {
    let crowd = Crowd::start(brain, THINKING).await;
    let memory = |name: &str| told(name, Unit::Megabytes, crowd.resident_bytes() as f64, None);
    told(
        "daemon: start, until it is ready",
        Unit::Milliseconds,
        crowd.start,
        None,
    );
    memory("daemon: memory at the start");
    let before = crowd.processor_seconds();
    for _ in 0..LASTING_TURNS / AT_ONCE {
        crowd.ask(Pace::Quick, AT_ONCE).await?;
    }
    let each = (crowd.processor_seconds() - before) / LASTING_TURNS as f64;
    memory("daemon: memory after 1,000 turns");
    told("daemon: processor time of a turn", Unit::Milliseconds, each, None);
    for count in CROWDS {
        let name = format!("daemon: {count} turns at once, over its bus");
        let wall = crowd.ask(Pace::Thinking, count).await?;
        row(&name, Unit::Seconds, wall, None, crowd_goal(count));
    }
    memory("daemon: memory after the largest crowd");
    Ok(())
}

fn crowd_goal(count: usize) -> Goal {
    if count == MEASURED_CROWD {
        Goal::Over(CROWD_CALLS as f64 * THINKING.as_secs_f64(), 5.0)
    } else {
        Goal::Told
    }
}

/// What a subject asked in the first turn of a lane.
fn bodies(brain: &ScriptedBrain, lane: &str) -> Vec<Value> {
    let requests = brain.requests(lane).into_iter();
    requests.take(BRAIN_CALLS).map(|request| request.body).collect()
}

fn told(name: &str, unit: Unit, ours: f64, python: Option<f64>) {
    row(name, unit, ours, python, Goal::Told);
}

fn row(name: &str, unit: Unit, ours: f64, python: Option<f64>, goal: Goal) {
    let name = name.to_owned();
    println!(
        "{}",
        Row {
            name,
            unit,
            ours,
            python,
            goal
        }
    );
}
