//! What one attack came to: a line of the table, and its verdict.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The line. It is red when there is a fault in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Row {
    /// The attack.
    #[serde(skip)]
    pub name: &'static str,
    /// How many frames, texts, sessions ... there were.
    pub count: usize,
    /// What was looked at, in numbers.
    pub seen: String,
    /// The most memory above idle, in bytes.
    pub memory: u64,
    /// The longest wait of a ping.
    pub ping: Duration,
    /// How long the person's question took; absent when it got no answer.
    pub question: Option<Duration>,
    /// How long the daemon took to end; absent when it had to be killed.
    pub end: Option<Duration>,
    /// How long all of it took.
    pub took: Duration,
    /// What is wrong.
    pub faults: Vec<String>,
}

impl Row {
    /// Something is wrong.
    pub fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// Something is wrong unless `holds`.
    pub fn demand(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.fault(what());
        }
    }

    /// Tells whether nothing is wrong.
    pub fn is_green(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Names the columns.
pub fn heading() -> String {
    format!(
        "{:<15}{:>9}  {:<54}{:>9}{:>9}{:>10}{:>8}{:>8}  verdict",
        "attack", "how many", "seen", "MiB more", "ping ms", "answer ms", "end s", "took s"
    )
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let question = self.question.map(|time| time.as_millis().to_string());
        let end = self.end.map(|time| format!("{:.1}", time.as_secs_f64()));
        write!(
            f,
            "{:<15}{:>9}  {:<54}{:>9}{:>9}{:>10}{:>8}{:>8.1}  {}",
            self.name,
            self.count,
            self.seen,
            self.memory >> 20,
            self.ping.as_millis(),
            question.as_deref().unwrap_or("no"),
            end.as_deref().unwrap_or("killed"),
            self.took.as_secs_f64(),
            if self.is_green() { "held" } else { "BROKEN" },
        )?;
        for fault in &self.faults {
            write!(f, "\n{:>24}  {fault}", "-")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_with_a_fault_is_red_and_shows_it() {
        let mut row = Row::default();
        assert!(row.is_green() && row.to_string().ends_with("held"));
        row.demand(true, || unreachable!());
        row.demand(false, || "a door is open".into());
        assert!(!row.is_green());
        assert!(row.to_string().contains("BROKEN") && row.to_string().ends_with("a door is open"));
    }
}
