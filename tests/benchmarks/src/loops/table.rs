//! The table of `make bench-loops`: ours, Python's, the ratio, and whether the goal is met.

use std::fmt;

/// What a figure is measured in.
#[derive(Debug, Clone, Copy)]
pub enum Unit {
    /// The value is in seconds and is shown in microseconds.
    Microseconds,
    /// The value is in seconds and is shown in milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// The value is in bytes and is shown in megabytes.
    Megabytes,
}

/// What ours has to reach.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// Nothing; it is told because it comes for free.
    Told,
    /// At most this share of Python's.
    Share(f64),
    /// At most so many per cent over the time that the brain or the tools take by themselves, which is the first number.
    Over(f64, f64),
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// Ours.
    pub ours: f64,
    /// Python's; absent where there is nothing to compare with.
    pub python: Option<f64>,
    /// The goal.
    pub goal: Goal,
}

/// The line above all rows.
pub fn heading() -> String {
    line("", ["loquat", "python", "ratio", "goal", ""])
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Microseconds => format!("{:.1} us", value * 1e6),
            Self::Milliseconds => format!("{:.2} ms", value * 1e3),
            Self::Seconds => format!("{value:.3} s"),
            Self::Megabytes => format!("{:.1} MB", value / 1e6),
        }
    }
}

impl Goal {
    fn limit(self, python: Option<f64>) -> Option<f64> {
        match self {
            Self::Told => None,
            Self::Share(share) => python.map(|python| python * share),
            Self::Over(ideal, percent) => Some(ideal * (1.0 + percent / 100.0)),
        }
    }
}

impl Row {
    /// A figure of ours and one of Python's.
    pub fn of_both(name: impl Into<String>, unit: Unit, [ours, python]: [f64; 2], goal: Goal) -> Self {
        Self {
            python: Some(python),
            ..Self::of_ours(name, unit, ours, goal)
        }
    }

    /// A figure that only we have.
    pub fn of_ours(name: impl Into<String>, unit: Unit, ours: f64, goal: Goal) -> Self {
        Self {
            name: name.into(),
            unit,
            ours,
            python: None,
            goal,
        }
    }

    /// Whether the goal is met; nothing where there is none.
    pub fn is_met(&self) -> Option<bool> {
        self.goal.limit(self.python).map(|limit| self.ours <= limit)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let none = || "-".to_owned();
        let show = |value: Option<f64>| value.map_or_else(none, |value| self.unit.show(value));
        let ratio = self.python.map(|python| format!("{:.1}x", python / self.ours));
        let verdict = match self.is_met() {
            None => "",
            Some(true) => "met",
            Some(false) => "MISSED",
        };
        let goal = show(self.goal.limit(self.python));
        let cells = [
            &self.unit.show(self.ours),
            &show(self.python),
            &ratio.unwrap_or_else(none),
            &goal,
            verdict,
        ];
        f.write_str(&line(&self.name, cells))
    }
}

fn line(name: &str, cells: [&str; 5]) -> String {
    let [ours, python, ratio, goal, verdict] = cells;
    format!("{name:<48}{ours:>13}{python:>13}{ratio:>10}{goal:>13}  {verdict}")
        .trim_end()
        .to_owned()
}
