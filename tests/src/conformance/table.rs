//! The table that a person reads, and the lines that a program reads.

use serde_json::{Value, json};

use super::scenario::Scenario;

/// What came of a scenario in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is satisfied.
    Satisfied,
    /// It is not, for these reasons.
    Missed(Vec<String>),
    /// The daemon does not know the engine, and need not know it yet.
    EngineNotThereYet,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// What came of it.
    pub outcome: Outcome,
    /// As the judge takes it; null when it was not played.
    pub run: Value,
}

impl Row<'_> {
    /// Whether it makes the whole run fail: the reference implementation satisfies it and we do not.
    pub fn is_failure(&self) -> bool {
        self.scenario.verdict() == "parity" && matches!(self.outcome, Outcome::Missed(_))
    }

    /// One line for a program.
    pub fn result_line(&self) -> Value {
        let errors = match &self.outcome {
            Outcome::Satisfied => Vec::new(),
            Outcome::Missed(reasons) => reasons.clone(),
            Outcome::EngineNotThereYet => vec!["engine not there yet".into()],
        };
        json!({"id": self.scenario.id(), "run": self.run, "errors": errors})
    }

    fn verdict_line(&self) -> String {
        let (id, verdict) = (self.scenario.id(), self.scenario.verdict());
        let (word, reasons) = match &self.outcome {
            Outcome::Satisfied => ("ok", String::new()),
            Outcome::Missed(reasons) => ("missed", reasons.join("; ")),
            Outcome::EngineNotThereYet => ("-", "engine not there yet".into()),
        };
        format!("{id:<36} {verdict:<8} {word:<7} {reasons}")
            .trim_end()
            .to_owned()
    }
}

/// The whole table with its sums.
pub fn table(rows: &[Row<'_>]) -> String {
    let mut lines: Vec<String> = rows.iter().map(Row::verdict_line).collect();
    lines.push(String::new());
    lines.extend(["parity", "improve"].map(|verdict| sum(rows, verdict)));
    lines.join("\n")
}

fn sum(rows: &[Row<'_>], verdict: &str) -> String {
    let of_kind: Vec<_> = rows
        .iter()
        .filter(|row| row.scenario.verdict() == verdict)
        .collect();
    let count = |wanted: fn(&Outcome) -> bool| of_kind.iter().filter(|row| wanted(&row.outcome)).count();
    let waiting = count(|outcome| *outcome == Outcome::EngineNotThereYet);
    let satisfied = count(|outcome| *outcome == Outcome::Satisfied);
    format!(
        "{verdict:<8} {satisfied} of {} satisfied, {waiting} wait for their engine",
        of_kind.len() - waiting
    )
}
