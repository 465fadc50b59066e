//! What a turn has done and what that cost. Never decides what comes next.

use std::time::Duration;

use loquat_conversation::brain::Usage;
use loquat_conversation::budget::Spending;
use loquat_conversation::record::{CallRecord, StepRecord};
use loquat_conversation::tokens::Scales;

/// The books of a turn.
#[derive(Debug)]
pub(super) struct Ledger {
    /// The account of the budget.
    pub(super) spending: Spending,
    pub(super) steps: Vec<StepRecord>,
    pub(super) brain_calls: u32,
    pub(super) usage: Usage,
    /// The step that is under way; counts from 1 over the turn and all turns within it.
    pub(super) number: u32,
    /// Counts how often the conversation was made shorter.
    pub(super) compactions: u32,
    pub(super) scales: Scales,
    /// Says whether the brain reasons before it replies, which takes room that a short reply does not have.
    pub(super) reasons: bool,
}

impl Ledger {
    pub(super) fn new(spending: Spending) -> Self {
        Self {
            spending,
            steps: Vec::new(),
            brain_calls: 0,
            usage: Usage::default(),
            number: 0,
            compactions: 0,
            scales: Scales::default(),
            reasons: false,
        }
    }

    /// Opens the ledger of a turn within this one, with at most so many steps and perhaps less time.
    pub(super) fn within(&self, steps: u32, time: Option<Duration>) -> Self {
        Self {
            number: self.number,
            reasons: self.reasons,
            ..Self::new(self.spending.part(steps, time))
        }
    }

    /// Enters a step that begins without calls.
    pub(super) fn enter_step(&mut self, brain_time: Duration, usage: Usage) {
        self.steps.push(StepRecord {
            thought: String::new(),
            calls: Vec::new(),
            brain_time,
            usage,
        });
    }

    pub(super) fn call(&mut self, index: usize) -> Option<&mut CallRecord> {
        self.steps.last_mut().and_then(|step| step.calls.get_mut(index))
    }

    pub(super) fn last_calls(&self) -> &[CallRecord] {
        self.steps.last().map_or(&[], |step| step.calls.as_slice())
    }

    /// Tells whether a call has run well that may have changed something.
    pub(super) fn has_deeds(&self) -> bool {
        let mut calls = self.steps.iter().flat_map(|step| &step.calls);
        calls.any(|call| call.executed && call.changes && call.ok)
    }

    /// Enters what another turn has done.
    pub(super) fn take_over(&mut self, other: Self) {
        self.steps.extend(other.steps);
        self.brain_calls += other.brain_calls;
        self.usage += other.usage;
    }
}
