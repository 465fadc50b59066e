//! `make bench-turn`: utterance → answer, start-up time and memory, beside ovos-core with ovos-persona.
//!
//! All stacks run at once and are asked in turn, so that a busy machine is busy for all of them. The brain is scripted
//! and answers at once; what is left is the way of an utterance through bus, desk, engine and tools. RUNS says how often.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::time::Duration;

use anyhow::{Context, Result};
use loquat_benchmarks::turn::{Lap, Subject, median};
use loquat_tests::binaries::setting;
use loquat_tests::brain::ScriptedBrain;

/// Enough for a median that holds still on a shared machine.
const USUAL_RUNS: usize = 15;

/// Tool calls of the questions.
const CASES: [usize; 3] = [0, 1, 3];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let runs = match setting("RUNS") {
        Some(text) => text.parse().context("RUNS must be a whole number")?,
        None => USUAL_RUNS,
    };
    let brain = ScriptedBrain::start();
    let subjects = [
        Subject::reference(&brain).await,
        Subject::alone(&brain).await,
        Subject::on_their_bus(&brain).await,
    ];
    for subject in &subjects {
        // The first question loads what is loaded late.
        subject.lap(&brain, 1).await;
    }
    println!(
        "{:<28}{}",
        "median, ratio",
        subjects.each_ref().map(|subject| column(subject.name)).concat()
    );
    for tools in CASES {
        let laps = measure(&subjects, &brain, tools, runs).await;
        row(
            &format!("{tools} tools, until spoken"),
            &laps.each_ref().map(|laps| times(laps, |lap| lap.speak)),
            "ms",
        );
        row(
            &format!("{tools} tools, until its end"),
            &laps.each_ref().map(|laps| times(laps, |lap| lap.handled)),
            "ms",
        );
    }
    row(
        "start-up",
        &subjects.each_ref().map(|subject| milliseconds(subject.start)),
        "ms",
    );
    row(
        "memory",
        &subjects
            .each_ref()
            .map(|subject| subject.resident_bytes() as f64 / 1e6),
        "MB",
    );
    row(
        "memory, without files",
        &subjects
            .each_ref()
            .map(|subject| subject.anonymous_bytes() as f64 / 1e6),
        "MB",
    );
    Ok(())
}

async fn measure(subjects: &[Subject; 3], brain: &ScriptedBrain, tools: usize, runs: usize) -> [Vec<Lap>; 3] {
    let mut laps = [const { Vec::new() }; 3];
    for _ in 0..runs {
        for (subject, laps) in subjects.iter().zip(&mut laps) {
            laps.push(subject.lap(brain, tools).await);
        }
    }
    laps
}

fn times(laps: &[Lap], which: fn(&Lap) -> Duration) -> f64 {
    milliseconds(median(laps.iter().map(which).collect()))
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// One line; the first value is the reference, the others show how many times less they are.
fn row(name: &str, values: &[f64; 3], unit: &str) {
    let [reference, ..] = *values;
    let cells = values.map(|value| column(&format!("{value:.1} {unit} ({:.1}x)", reference / value)));
    println!("{name:<28}{}", cells.concat());
}

fn column(text: &str) -> String {
    format!("{text:>28}")
}
