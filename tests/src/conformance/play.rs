//! Plays all scenarios of a folder through one running daemon and has each judged.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::judge::judge;
use super::scenario::Scenario;
use super::stage::{Performance, Stage};
use super::table::{Outcome, Row};

/// Finds the scenarios of the repository.
pub fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

/// Plays them one after the other; a row for each.
///
/// # Errors
/// When the daemon dies, or a scenario makes no sense.
pub async fn play(scenarios: &[Scenario]) -> Result<Vec<Row<'_>>> {
    let mut stage = Stage::set(scenarios).await;
    let mut rows = Vec::new();
    for scenario in scenarios {
        rows.push(if stage.serves(scenario) {
            judged(scenario, stage.perform(scenario).await)?
        } else {
            unplayed(scenario)
        });
        ensure!(
            stage.is_standing(),
            "the daemon died in {}:\n{}",
            scenario.id(),
            stage.output()
        );
    }
    Ok(rows)
}

fn judged(scenario: &Scenario, Performance { run, mut faults }: Performance) -> Result<Row<'_>> {
    faults.extend(judge(scenario.whole(), &run)?);
    let outcome = if faults.is_empty() {
        Outcome::Satisfied
    } else {
        Outcome::Missed(faults)
    };
    Ok(Row {
        scenario,
        outcome,
        run,
    })
}

fn unplayed(scenario: &Scenario) -> Row<'_> {
    let why = "the daemon has not taken the persona; see its output with `loquat personas`";
    Row {
        scenario,
        outcome: Outcome::Missed(vec![why.into()]),
        run: serde_json::Value::Null,
    }
}
