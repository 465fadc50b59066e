//! `make conformance`: plays recorded scenarios through the running daemon and says how it did.
//!
//! SCENARIOS names the folder, RESULTS a file for one JSON line a scenario, MATCH the judge's script.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use loquat_tests::binaries::setting;
use loquat_tests::conformance::judge::{beside, judge};
use loquat_tests::conformance::scenario::Scenario;
use loquat_tests::conformance::stage::{Performance, Stage};
use loquat_tests::conformance::table::{Outcome, Row, table};

/// Where the scenarios lie unless SCENARIOS says otherwise, seen from the repository.
const SCENARIOS: &str = "../shared/conformance/scenarios/open";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let folder = setting("SCENARIOS").map_or_else(usual_folder, PathBuf::from);
    let script = setting("MATCH").map_or_else(|| beside(&folder), PathBuf::from);
    let scenarios = Scenario::read_all(&folder)?;
    let performances = perform(&scenarios).await?;
    let rows = rows(&script, &scenarios, performances)?;
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

fn usual_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(SCENARIOS)
}

/// Plays every scenario whose persona the daemon has taken.
async fn perform(scenarios: &[Scenario]) -> Result<Vec<Option<Performance>>> {
    let mut stage = Stage::set(scenarios).await;
    let mut performances = Vec::new();
    for scenario in scenarios {
        let performance = if stage.serves(scenario) {
            Some(stage.perform(scenario).await)
        } else {
            None
        };
        performances.push(performance);
        ensure!(
            stage.is_standing(),
            "the daemon died in {}:\n{}",
            scenario.id(),
            stage.output()
        );
    }
    Ok(performances)
}

fn rows<'a>(
    script: &Path,
    scenarios: &'a [Scenario],
    performances: Vec<Option<Performance>>,
) -> Result<Vec<Row<'a>>> {
    let pairs = scenarios.iter().zip(&performances);
    let runs: Vec<_> = pairs
        .filter_map(|(scenario, played)| Some((scenario, &played.as_ref()?.run)))
        .collect();
    let mut verdicts = judge(script, &runs)?.into_iter();
    let rows = scenarios
        .iter()
        .zip(performances)
        .map(|(scenario, played)| match played {
            Some(Performance { run, mut faults }) => {
                faults.extend(verdicts.next().unwrap_or_default());
                let outcome = if faults.is_empty() {
                    Outcome::Satisfied
                } else {
                    Outcome::Missed(faults)
                };
                Row {
                    scenario,
                    outcome,
                    run,
                }
            }
            None => unplayed(scenario),
        });
    Ok(rows.collect())
}

fn unplayed(scenario: &Scenario) -> Row<'_> {
    let why = "the daemon has not taken the persona; see its output with `loquat personas`";
    let outcome = Outcome::Missed(vec![why.into()]);
    Row {
        scenario,
        outcome,
        run: serde_json::Value::Null,
    }
}
