//! `make conformance`: plays recorded scenarios through the running daemon and says how it did.
//!
//! SCENARIOS names another folder than that of the repository, RESULTS a file for one JSON line a scenario.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use loquat_tests::binaries::setting;
use loquat_tests::conformance::play::{play, recorded};
use loquat_tests::conformance::scenario::Scenario;
use loquat_tests::conformance::table::{Row, table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let folder = setting("SCENARIOS").map_or_else(recorded, PathBuf::from);
    let scenarios = Scenario::read_all(&folder)?;
    let rows = play(&scenarios).await?;
    println!("{}", table(&rows));
    if let Some(path) = setting("RESULTS") {
        let lines: Vec<String> = rows.iter().map(|row| row.result_line().to_string()).collect();
        fs::write(&path, lines.join("\n") + "\n").with_context(|| format!("write the results to {path}"))?;
    }
    let failed = rows.iter().any(Row::is_failure);
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
