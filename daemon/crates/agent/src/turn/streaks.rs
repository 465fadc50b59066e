//! How many steps in a row went wrong. Decides nothing.

/// Counts steps in a row.
#[derive(Debug, Default)]
pub(super) struct Streaks {
    /// Those whose tools only failed.
    failures: u32,
    /// Those that the brain got wrong.
    flaws: u32,
}

impl Streaks {
    /// Counts a step in which tools ran, and gives the number of those in a row that only failed.
    pub(super) fn count_tools(&mut self, failed: bool) -> u32 {
        self.failures = if failed { self.failures + 1 } else { 0 };
        self.failures
    }

    /// Counts a step that the brain got wrong, and gives their number.
    pub(super) fn count_flaw(&mut self) -> u32 {
        self.flaws += 1;
        self.flaws
    }

    /// The brain got its step right, or may begin anew.
    pub(super) fn forget_flaws(&mut self) {
        self.flaws = 0;
    }

    /// Tells whether the brain got its last step wrong.
    pub(super) fn is_flawed(&self) -> bool {
        self.flaws > 0
    }
}
