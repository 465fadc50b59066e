//! What is measured of both subjects, each job given to one and then to the other.

use std::time::Duration;

use anyhow::Result;
use loquat_tests::brain::ScriptedBrain;
use serde_json::Value;

use super::floor::Errand;
use super::table::{Goal, Row, Unit};
use super::worker::{Cores, Worker};
use super::{CROWD_CALLS, Job, Kind, Report, script};
use crate::turn::middle;

/// Brain calls of a turn whose own cost is measured: as most spoken questions need, and a long one.
const LENGTHS: [usize; 2] = [2, 10];

/// Brain calls of a turn over HTTP.
const BRAIN_CALLS: usize = 10;

/// Turns of one round, in process and over HTTP.
const TURNS: usize = 60;
const HTTP_TURNS: usize = 12;

/// How long the brain of the rows about waiting thinks.
pub const THINKING: Duration = Duration::from_millis(200);

/// How often a tree of the usual depth has to wait for its brain: for the thoughts and for the scores of four levels, and
/// for the answer.
const TREE_WAITS: f64 = 9.0;

/// How many turns at once.
const CROWDS: [usize; 5] = [1, 8, 64, 256, 1000];

/// The crowd that has a goal.
const MEASURED_CROWD: usize = 256;

/// At most this share of what Python needs.
const SHARE: f64 = 0.05;

/// At most so many per cent over the time that is only waited.
const OVER: f64 = 5.0;

/// Both subjects.
#[derive(Debug)]
pub struct Both {
    ours: Worker,
    python: Worker,
    rounds: usize,
}

impl Both {
    /// Starts both; the short jobs are given `rounds` times.
    pub async fn start(cores: Cores, rounds: usize) -> Result<Self> {
        Ok(Self {
            ours: Worker::ours(cores).await?,
            python: Worker::python(cores).await?,
            rounds,
        })
    }

    /// Has both do one job, once.
    async fn run(&mut self, job: &Job) -> Result<[Report; 2]> {
        Ok([self.ours.run(job).await?, self.python.run(job).await?])
    }

    /// What a brain call costs when the brain answers at once, in this process.
    pub async fn own_cost(&mut self) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
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
                let name = format!("{name}, {length} calls a turn: each, in process");
                let goal = Goal::Share(SHARE);
                rows.push(Row::of_both(name, Unit::Microseconds, medians.map(middle), goal));
            }
        }
        Ok(rows)
    }

    /// What a brain call costs over the loopback interface, with and without what the requests alone cost.
    pub async fn cost_over_http(&mut self, brain: &ScriptedBrain) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        let mut plain = Worker::plain_client()?;
        for (name, kind) in [("ReAct", Kind::React), ("native", Kind::Native)] {
            let [lane, python_lane] = ["ours", "python"].map(|side| format!("{name}-{side}"));
            for lane in [&lane, &python_lane] {
                script(brain, lane, kind, BRAIN_CALLS, Duration::ZERO);
            }
            let mut figures = [const { Vec::new() }; 4];
            for _ in 0..self.rounds {
                let [ours, floor] = over_http(&mut self.ours, &mut plain, brain, &lane, kind).await?;
                let [python, python_floor] =
                    over_http(&mut self.python, &mut plain, brain, &python_lane, kind).await?;
                for (figures, figure) in figures.iter_mut().zip([ours, python, floor, python_floor]) {
                    figures.push(figure);
                }
            }
            let [ours, python, floor, python_floor] = figures.map(middle);
            let own = [(ours - floor).max(0.0), (python - python_floor).max(0.0)];
            let row = |what: &str, both, goal| {
                Row::of_both(format!("{name} {what}"), Unit::Microseconds, both, goal)
            };
            rows.push(row("per brain call, over HTTP", [ours, python], Goal::Told));
            rows.push(row(
                "requests by a plain client",
                [floor, python_floor],
                Goal::Told,
            ));
            rows.push(row("over what its requests cost", own, Goal::Share(SHARE)));
        }
        Ok(rows)
    }

    /// How long slow tools and a slow brain are waited for.
    pub async fn waiting(&mut self) -> Result<Vec<Row>> {
        let tools = self.run(&Job::serial(Kind::Tools, 2, 5)).await?;
        let tree = Job {
            delay_ms: THINKING.as_millis() as u64,
            ..Job::serial(Kind::Tree, 0, 1)
        };
        let tree = self.run(&tree).await?;
        let [ours, python] = tree.each_ref().map(|report| report.brain_calls);
        let row = |name, reports: [Report; 2], waits: f64| {
            let medians = reports.map(|report| report.median());
            let goal = Goal::Over(waits * THINKING.as_secs_f64(), OVER);
            Row::of_both(name, Unit::Seconds, medians, goal)
        };
        let name = format!("tree of thoughts, {ours} and {python} calls of 200 ms");
        Ok(vec![
            row("four tools of 200 ms in one step".to_owned(), tools, 1.0),
            row(name, tree, TREE_WAITS),
        ])
    }

    /// Many turns at once, with the brain in the same process and behind HTTP.
    pub async fn crowds(&mut self, brain: &ScriptedBrain) -> Result<Vec<Row>> {
        script(brain, "crowd", Kind::React, CROWD_CALLS, THINKING);
        let url = brain.url("crowd");
        let mut rows = Vec::new();
        for place in ["in process", "over HTTP"] {
            for count in CROWDS {
                let mut job = Job::crowd(count, THINKING);
                if place == "over HTTP" {
                    job = job.at(&url);
                }
                let walls = self.run(&job).await?.map(|report| report.wall);
                let name = format!("{count} turns at once, {place}");
                rows.push(Row::of_both(name, Unit::Seconds, walls, crowd_goal(count)));
            }
        }
        Ok(rows)
    }
}

/// What a brain call costs a subject over HTTP, and what the same requests cost without it, in seconds.
async fn over_http(
    worker: &mut Worker,
    plain: &mut Worker,
    brain: &ScriptedBrain,
    lane: &str,
    kind: Kind,
) -> Result<[f64; 2]> {
    let url = brain.url(lane);
    let job = Job::serial(kind, BRAIN_CALLS, HTTP_TURNS).at(&url);
    let report = worker.run(&job).await?;
    let errand = Errand {
        bodies: bodies(brain, lane),
        url,
        rounds: HTTP_TURNS,
    };
    let floor = plain.fetch(&errand).await?;
    Ok([report.median(), middle(floor)].map(|turn| turn / BRAIN_CALLS as f64))
}

/// What a crowd of this size has to reach.
pub fn crowd_goal(count: usize) -> Goal {
    if count == MEASURED_CROWD {
        Goal::Over(CROWD_CALLS as f64 * THINKING.as_secs_f64(), OVER)
    } else {
        Goal::Told
    }
}

/// What a subject asked in the first turn of a lane.
fn bodies(brain: &ScriptedBrain, lane: &str) -> Vec<Value> {
    let requests = brain.requests(lane).into_iter();
    requests
        .take(BRAIN_CALLS)
        .map(|request| request.body().clone())
        .collect()
}
