//! Has runs judged by the scenarios' own `match.py`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::scenario::Scenario;

/// Loads the judge from its path and judges one run a line.
const PROGRAM: &str = r#"
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("match", sys.argv[1])
judge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(judge)
for line in sys.stdin:
    job = json.loads(line)
    with open(job["scenario"], encoding="utf-8") as file:
        print(json.dumps(judge.check(json.load(file), job["run"])))
"#;

/// The judge's script: two folders above the scenarios unless the caller names another.
pub fn beside(scenarios: &Path) -> PathBuf {
    scenarios.join("../../match.py")
}

/// What is wrong with each run; an empty list satisfies its scenario.
///
/// # Errors
/// When python3 or the script is missing, or fails.
pub fn judge(script: &Path, runs: &[(&Scenario, &Value)]) -> Result<Vec<Vec<String>>> {
    ensure!(
        script.is_file(),
        "there is no judge at {}; set MATCH to its match.py",
        script.display()
    );
    let mut child = Command::new("python3")
        .args(["-B", "-c", PROGRAM])
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("run python3, which judges the runs; is it installed?")?;
    let jobs = runs
        .iter()
        .map(|(scenario, run)| json!({"scenario": scenario.path, "run": run}).to_string());
    let jobs = jobs.collect::<Vec<_>>().join("\n");
    let mut input = child.stdin.take().context("reach the judge's input")?;
    // The judge answers each job before it reads the next, so a thread feeds it while its answers are read.
    let feeder = std::thread::spawn(move || input.write_all(jobs.as_bytes()));
    let output = child.wait_with_output().context("hear the judge out")?;
    ensure!(output.status.success(), "the judge {} failed", script.display());
    if !matches!(feeder.join(), Ok(Ok(()))) {
        bail!("the judge {} stopped reading", script.display());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let verdicts: Vec<Vec<String>> = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .context("understand the judge's answers")?;
    ensure!(
        verdicts.len() == runs.len(),
        "the judge answered {} of {} runs",
        verdicts.len(),
        runs.len()
    );
    Ok(verdicts)
}
