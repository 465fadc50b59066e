//! `make conformance-ovos`: plays the rows of the OVOS specifications alone, with a voice, with a microphone, and beside
//! both real generations, and prints row, verdict and evidence, then the rows that are not played and why. Fails when a
//! row fails. STAND plays one of `solo`, `voice`, `microphone`, `stable` and `prerelease`.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;

use loquat_tests::binaries::setting;
use loquat_tests::citizen::{self, Row, Stand};
use loquat_tests::ovos_core::Generation;

/// As much evidence as fits beside a row.
const EVIDENCE: usize = 100;

#[tokio::main]
async fn main() -> ExitCode {
    // What breaks inside a check is its verdict and need not be shown twice.
    std::panic::set_hook(Box::new(|_| {}));
    let chosen = setting("STAND");
    let wanted = |name: &str| chosen.as_deref().is_none_or(|chosen| chosen == name);
    let mut failed = 0;
    if wanted("solo") {
        failed += play(&Stand::alone().await, &citizen::solo()).await;
    }
    if wanted("voice") {
        failed += play(&Stand::speaking().await, &citizen::voice()).await;
    }
    if wanted("microphone") {
        if let Some(models) = loquat_tests::models::folder() {
            failed += play(&Stand::listening(&models).await, &citizen::ear()).await;
        } else {
            println!("\nmicrophone\n  not played: LOQUAT_TEST_MODELS names no folder with models that hear");
            failed += 1;
        }
    }
    for (name, generation) in [
        ("stable", Generation::Stable),
        ("prerelease", Generation::PreRelease),
    ] {
        if wanted(name) {
            failed += play(&Stand::beside(generation).await, &citizen::guest()).await;
        }
    }
    println!("\nnot played here");
    for (rows, reason) in citizen::ELSEWHERE {
        println!("  {rows:<24} {reason}");
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plays all rows; gives how many failed.
async fn play(stand: &Stand, rows: &[Row]) -> usize {
    println!("\n{}", stand.name);
    let mut failed = 0;
    for row in rows {
        let verdict = stand.play(row).await;
        let (word, evidence) = match &verdict {
            Ok(evidence) => ("ok    ", evidence),
            Err(evidence) => ("FAILED", evidence),
        };
        failed += usize::from(verdict.is_err());
        let line: String = evidence.replace('\n', " ").chars().take(EVIDENCE).collect();
        println!("  {:<7} {word}  {:<58} {line}", row.id, row.what);
    }
    println!(
        "{}: {} of {} rows hold",
        stand.name,
        rows.len() - failed,
        rows.len()
    );
    failed
}
