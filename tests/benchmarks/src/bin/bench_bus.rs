//! `make bench-bus`: round trips, throughput, crowds and memory of our bus beside ovos-messagebus, in one run.
//!
//! Both run at once and are measured in turn, so that a busy machine is busy for both. RUNS says how often; the median
//! of the runs is shown.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::time::Duration;

use anyhow::{Context, Result};
use loquat_benchmarks::bus::Subject;
use loquat_tests::binaries::setting;

/// Enough for a median that holds still on a shared machine.
const USUAL_RUNS: usize = 3;

/// Frames whose times are taken in one run.
const TIMED: usize = 300;

/// Frames that are sent as fast as they go.
const FAST: usize = 3000;

/// Clients that are only there.
const CROWDS: [usize; 2] = [200, 1000];

#[tokio::main]
async fn main() -> Result<()> {
    let runs = match setting("RUNS") {
        Some(text) => text.parse().context("RUNS must be a whole number")?,
        None => USUAL_RUNS,
    };
    let subjects = [Subject::reference().await, Subject::ours().await];
    println!(
        "{:<34}{:>20}{:>20}{:>12}",
        "", subjects[0].name, subjects[1].name, "ratio"
    );
    let idle = subjects
        .each_ref()
        .map(|subject| megabytes(subject.resident_bytes()));
    less("memory, idle (MB)", idle);
    let mut table: Vec<(&str, bool, [Vec<f64>; 2])> = Vec::new();
    for _ in 0..runs {
        for (place, subject) in subjects.iter().enumerate() {
            let one_way = subject.one_way(TIMED).await;
            let round_trip = subject.round_trip(TIMED).await;
            for (name, time) in [
                ("one way, p50 (ms)", one_way.median),
                ("one way, p99 (ms)", one_way.p99),
                ("round trip, p50 (ms)", round_trip.median),
                ("round trip, p99 (ms)", round_trip.p99),
            ] {
                note(&mut table, name, true, place, milliseconds(time));
            }
            for (name, receivers) in [("1 to 1 (frames/s)", 1), ("1 to 10 (frames/s)", 10)] {
                let rate = subject.throughput(FAST, receivers).await;
                note(&mut table, name, false, place, rate);
            }
        }
    }
    for (name, is_less_better, values) in table {
        let medians = values.map(median);
        if is_less_better {
            less(name, medians);
        } else {
            more(name, medians);
        }
    }
    for connections in CROWDS {
        let crowds = [
            subjects[0].crowd(connections).await,
            subjects[1].crowd(connections).await,
        ];
        less(
            &format!("{connections} connections open in (ms)"),
            crowds.map(|crowd| milliseconds(crowd.0)),
        );
        less(
            &format!("one frame to {connections} clients (ms)"),
            crowds.map(|crowd| milliseconds(crowd.1)),
        );
        less(
            &format!("memory with {connections} (MB)"),
            crowds.map(|crowd| megabytes(crowd.2)),
        );
    }
    Ok(())
}

fn note<'a>(
    table: &mut Vec<(&'a str, bool, [Vec<f64>; 2])>,
    name: &'a str,
    is_less_better: bool,
    place: usize,
    value: f64,
) {
    let known = table.iter().position(|(other, ..)| *other == name);
    let index = known.unwrap_or_else(|| {
        table.push((name, is_less_better, [Vec::new(), Vec::new()]));
        table.len() - 1
    });
    if let Some((_, _, values)) = table.get_mut(index) {
        if let Some(values) = values.get_mut(place) {
            values.push(value);
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// How many times less ours is.
fn less(name: &str, [theirs, ours]: [f64; 2]) {
    println!("{name:<34}{theirs:>20.2}{ours:>20.2}{:>11.1}x", theirs / ours);
}

/// How many times more ours is.
fn more(name: &str, [theirs, ours]: [f64; 2]) {
    println!("{name:<34}{theirs:>20.0}{ours:>20.0}{:>11.1}x", ours / theirs);
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
