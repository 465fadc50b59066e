//! `make bench-calling`: cases of the Berkeley Function-Calling Leaderboard v4 put to the daemon with a small model and to
//! llama.cpp's own server with the same file, in turn.
//!
//! MODEL names the model, CASES how many of each category are asked. FROM and TO ask only these rounds of them, so that hours of
//! asking can be done in parts whose counts add up. PEER=0 leaves the peer out. SET=development asks our own requests instead, of the daemon alone, and prints what
//! was called for each. Of the others only counts are printed, after every twentieth round too.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::path::PathBuf;

use anyhow::{Context, Result};
use loquat_benchmarks::calling::{Case, Device, StockServer, Tally, judge};
use loquat_benchmarks::decoding::bfcl;
use loquat_tests::binaries::setting;
use loquat_tests::{machine, models};
use tokio::time::Instant;

/// The smallest model that a device is given.
const USUAL_MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

/// How many of each category.
const USUAL_CASES: usize = 100;

/// Rounds of all categories between two lines that tell how far it is.
const ROUNDS_TOLD: usize = 20;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    println!("{}", machine::told());
    let model = setting("MODEL").unwrap_or_else(|| USUAL_MODEL.to_owned());
    let of_each = setting("CASES").map_or(Ok(USUAL_CASES), |cases| cases.parse());
    let of_each = of_each.context("CASES is no number")?;
    let round = |name, usual| setting(name).map_or(Ok(usual), |round| round.parse::<usize>());
    let from = round("FROM", 0).context("FROM is no number")?;
    let to = round("TO", of_each).context("TO is no number")?;
    if setting("SET").is_some_and(|set| set == "development") {
        let to = round("TO", usize::MAX).context("TO is no number")?;
        return develop(&model, &Case::of_development(from..to)?).await;
    }
    let cases = Case::some(&bfcl::folder(), of_each, from..to)?;
    let file = file(&model)?;
    let device = Device::start(&file, &cases).await?;
    let has_peer = setting("PEER").is_none_or(|peer| peer != "0");
    let stock = if has_peer {
        Some(StockServer::start(&file).await?)
    } else {
        None
    };
    let [mut ours, mut theirs] = [Tally::default(), Tally::default()];
    println!(
        "{model}, {} cases: rounds {from} to {to} of {of_each}",
        cases.len()
    );
    for (number, case) in cases.iter().enumerate() {
        let begun = Instant::now();
        let calls = device.calls(number, case).await;
        ours.count(case.category, judge::is_right(case, &calls), begun.elapsed());
        if let Some(stock) = &stock {
            let begun = Instant::now();
            let calls = stock.calls(case).await?;
            theirs.count(case.category, judge::is_right(case, &calls), begun.elapsed());
        }
        if ours.asked() % (ROUNDS_TOLD * loquat_benchmarks::calling::CATEGORIES.len()) == 0 {
            tell(&ours, &theirs);
        }
    }
    tell(&ours, &theirs);
    Ok(())
}

fn file(model: &str) -> Result<PathBuf> {
    let models = models::folder().context("LOQUAT_TEST_MODELS names no folder")?;
    Ok(models.join(format!("{model}.gguf")))
}

/// Asks the daemon our own requests, which may be looked at.
async fn develop(model: &str, cases: &[Case]) -> Result<()> {
    let device = Device::start(&file(model)?, cases).await?;
    let mut ours = Tally::default();
    for (number, case) in cases.iter().enumerate() {
        let begun = Instant::now();
        let calls = device.calls(number, case).await;
        let is_right = judge::is_right(case, &calls);
        ours.count(case.category, is_right, begun.elapsed());
        let called: Vec<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
        println!("  {is_right} {called:?}: {}", case.question);
    }
    println!("  {model}  {ours}");
    Ok(())
}

fn tell(ours: &Tally, theirs: &Tally) {
    println!("  Loquat            {ours}");
    if theirs.asked() > 0 {
        println!("  llama.cpp server  {theirs}");
    }
}
