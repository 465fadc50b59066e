//! What came of the cases by category, and the table of it.

use std::fmt;
use std::time::Duration;

use super::CATEGORIES;
use crate::turn::median;

/// The counts of one side.
#[derive(Debug, Default)]
pub struct Tally {
    right: [usize; CATEGORIES.len()],
    asked: [usize; CATEGORIES.len()],
    times: Vec<Duration>,
}

impl Tally {
    /// Counts a case.
    pub fn count(&mut self, category: usize, is_right: bool, took: Duration) {
        self.asked[category] += 1;
        self.right[category] += usize::from(is_right);
        self.times.push(took);
    }

    /// The cases that were counted.
    pub fn asked(&self) -> usize {
        self.asked.iter().sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, (right, asked)) in CATEGORIES.iter().zip(self.right.iter().zip(&self.asked)) {
            write!(f, "{name} {right}/{asked}, ")?;
        }
        let [right, asked] = [self.right, self.asked].map(|counts| counts.iter().sum::<usize>());
        let seconds = median(self.times.clone()).as_secs_f64();
        write!(f, "all {right}/{asked}, median {seconds:.1} s")
    }
}
