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
    /// Tells whether it makes the whole run fail.
    pub fn is_failure(&self) -> bool {
        matches!(self.outcome, Outcome::Missed(_))
    }

    /// Writes one line for a program.
    pub fn result_line(&self) -> Value {
        let errors = match &self.outcome {
            Outcome::Satisfied => Vec::new(),
            Outcome::Missed(reasons) => reasons.clone(),
        };
        json!({"id": self.scenario.id(), "run": self.run, "errors": errors})
    }

    fn verdict_line(&self) -> String {
        let (id, verdict) = (self.scenario.id(), self.scenario.verdict());
        let (word, reasons) = match &self.outcome {
            Outcome::Satisfied => ("ok", String::new()),
            Outcome::Missed(reasons) => ("missed", reasons.join("; ")),
        };
        format!("{id:<36} {verdict:<8} {word:<7} {reasons}")
            .trim_end()
            .to_owned()
    }
}

/// Writes the whole table with its sums.
pub fn table(rows: &[Row<'_>]) -> String {
    let mut lines: Vec<String> = rows.iter().map(Row::verdict_line).collect();
    lines.push(String::new());
    lines.extend(
        ["parity", "improve"].map(|verdict| sum(verdict, rows, |row| row.scenario.verdict() == verdict)),
    );
    lines.push(sum("all", rows, |_| true));
    lines.join("\n")
}

fn sum(name: &str, rows: &[Row<'_>], is_counted: impl Fn(&Row<'_>) -> bool) -> String {
    let counted: Vec<_> = rows.iter().filter(|row| is_counted(row)).collect();
    let satisfied = counted.iter().filter(|row| !row.is_failure()).count();
    format!("{name:<8} {satisfied} of {} satisfied", counted.len())
}
