//! `make bench-many`: turns that workers think, with a real nats-server, real daemons and real workers.
//!
//! Three parts, of which ONLY names some. `overhead`: the same turn, thought by the device and by a worker, in turn. `rate`:
//! turns a second by number of workers, with a brain that takes a second for a turn. `kills`: TURNS turns of DEVICES devices
//! and WORKERS workers, while workers are killed and frozen and the server is killed; each turn switches a lamp of its own,
//! so that one that was switched twice is seen.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use anyhow::{Context, Result, ensure};
use loquat_benchmarks::many::{kills, overhead, rate};
use loquat_tests::binaries::setting;
use loquat_tests::machine;

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
    if wanted("overhead") {
        println!("{}", overhead::measure(number("ROUNDS", 300)?).await);
    }
    if wanted("rate") {
        for workers in [1, 2, 4, 8] {
            println!("{}", rate::measure(workers).await);
        }
    }
    if wanted("kills") {
        let size = kills::Size {
            turns: number("TURNS", 1_000)?,
            devices: number("DEVICES", 4)?,
            workers: number("WORKERS", 4)?,
        };
        let counted = kills::measure(size).await;
        println!("{counted}");
        ensure!(
            counted.is_clean(),
            "turns were lost, or had an effect or an answer twice"
        );
    }
    println!("{}", machine::told());
    Ok(())
}
