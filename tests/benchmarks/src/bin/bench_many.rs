//! `make bench-many`: turns that workers think, with a real nats-server, real daemons and real workers.
//!
//! Four parts, of which ONLY names some. `overhead`: the same turn, thought by the device and by a worker, in turn. `rate`:
//! turns a second by number of workers, with a brain that takes a second for a turn. `kills`: TURNS turns of DEVICES devices
//! and WORKERS workers, while workers are killed and frozen and the server and devices are killed; each turn switches a lamp of
//! its own, so that one that was switched twice is seen. `crowd`: ten thousand devices, simulated with the times of `overhead`,
//! or, where that does not run, with those that are kept beside this program.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;

use anyhow::{Context, Result, ensure};
use loquat_benchmarks::many::{crowd, kills, overhead, rate};
use loquat_tests::binaries::setting;
use loquat_tests::machine;

/// What turns took beside their brain's time when `overhead` last ran on a quiet machine, in seconds.
const KEPT: &str = include_str!("../../many.json");

#[tokio::main]
async fn main() -> Result<()> {
    let only = setting("ONLY");
    let wanted = |part: &str| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|one| one == part))
    };
    let number = |name: &str, usual: usize| match setting(name) {
        Some(text) => text
            .parse()
            .with_context(|| format!("{name} must be a whole number")),
        None => Ok(usual),
    };
    println!("{}", machine::told());
    let mut service: Vec<f64> = serde_json::from_str(KEPT)?;
    if wanted("overhead") {
        let overhead = overhead::measure(number("ROUNDS", 300)?).await;
        println!("{overhead}");
        service = overhead.service();
        write("bench-many.json", &serde_json::to_string(&service)?)?;
    }
    if wanted("rate") {
        let mut rates = Vec::new();
        for workers in 1..=8 {
            let rate = rate::measure(workers).await;
            println!("{rate}");
            rates.push(rate);
        }
        write("bench-many.svg", &rate::svg(&rates, &machine::told()))?;
        ensure!(
            rate::is_linear(&rates),
            "the turns a second do not grow as the workers do"
        );
    }
    if wanted("crowd") {
        println!("{}", crowd::told(&service));
    }
    if wanted("kills") {
        let size = kills::Size {
            turns: number("TURNS", 1_000)?,
            devices: number("DEVICES", 20)?,
            workers: number("WORKERS", 4)?,
        };
        let counted = kills::measure(size).await;
        println!("{counted}");
        ensure!(
            counted.is_clean(),
            "turns were lost, or had an effect or an answer twice, or a run wrote behind its successor"
        );
    }
    println!("{}", machine::told());
    Ok(())
}

/// A file beside what cargo builds.
fn write(name: &str, text: &str) -> Result<()> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .context("the program lies in a folder of cargo's")?;
    let path = target.join(name);
    fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}
