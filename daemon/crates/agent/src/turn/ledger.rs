//! What a turn has done and what that cost. Whatever is entered is told to the observer. Never decides what comes next.

use std::sync::Arc;
use std::time::Duration;

use super::resources::{Resources, Shared};
use crate::hands::observation;
use loquat_conversation::brain::Usage;
use loquat_conversation::budget::Spending;
use loquat_conversation::event::{Event, Observer, ReplyFault};
use loquat_conversation::record::{CallRecord, StepRecord};
use loquat_decoder::Call;

/// The books of a turn.
pub(crate) struct Ledger {
    observer: Arc<dyn Observer>,
    shared: Arc<Shared>,
    /// The account of the budget.
    pub(super) spending: Spending,
    steps: Vec<StepRecord>,
    brain_calls: u32,
    pub(super) usage: Usage,
    /// The step that is under way; counts from 1 over the turn and all turns within it.
    number: u32,
    findings: Findings,
}

/// Says what the calls have brought, here or, where a call was made again here, in another turn within the whole one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Findings {
    #[default]
    None,
    Some,
    /// A result that the brain has just asked for once more.
    AskedAgain,
}

impl Ledger {
    pub(super) fn new(spending: Spending, resources: &Resources) -> Self {
        Self::of(
            spending,
            Arc::clone(&resources.observer),
            Arc::clone(&resources.shared),
        )
    }

    fn of(spending: Spending, observer: Arc<dyn Observer>, shared: Arc<Shared>) -> Self {
        Self {
            observer,
            shared,
            spending,
            steps: Vec::new(),
            brain_calls: 0,
            usage: Usage::default(),
            number: 0,
            findings: Findings::default(),
        }
    }

    /// Opens the ledger of a turn within this one, with at most so many steps and perhaps less time.
    pub(super) fn within(&self, steps: u32, time: Option<Duration>) -> Self {
        Self {
            number: self.number,
            ..Self::of(
                self.spending.part(steps, time),
                Arc::clone(&self.observer),
                Arc::clone(&self.shared),
            )
        }
    }

    /// The number of the step that is under way.
    pub(super) fn step(&self) -> u32 {
        self.number
    }

    /// Numbers a step that begins.
    pub(super) fn next_step(&mut self) -> u32 {
        self.number = self.shared.next_step();
        self.number
    }

    /// Numbers a step that begins with a question to the brain.
    pub(super) fn ask_brain(&mut self) -> u32 {
        self.brain_calls += 1;
        self.next_step()
    }

    /// Counts what a reply of the brain cost.
    pub(super) fn count_reply(&mut self, usage: Usage, elapsed: Duration) {
        self.spending.count_step(usage, elapsed);
        self.usage += usage;
    }

    /// Counts what a brain cost that a tool has asked.
    pub(super) fn count_usage(&mut self, usage: Usage) {
        self.spending.count_usage(usage);
        self.usage += usage;
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

    /// Tells and keeps what the brain thought before the step that is under way.
    pub(super) fn note_thought(&mut self, thought: &str) {
        if !thought.is_empty() {
            self.observer.event(&Event::Thought {
                step: self.number,
                text: thought.to_owned(),
            });
        }
        if let Some(record) = self.steps.last_mut() {
            thought.clone_into(&mut record.thought);
        }
    }

    /// Tells of a reply that is not used.
    pub(super) fn reject(&self, fault: ReplyFault, why: String) {
        self.observer.event(&Event::ReplyRejected {
            step: self.number,
            fault,
            why,
        });
    }

    /// Tells of calls that were in a reply and are not run.
    pub(super) fn drop_calls(&self, tools: &[String], why: &str) {
        for tool in tools {
            self.observer.event(&Event::CallDropped {
                step: self.number,
                tool: tool.clone(),
                why: why.to_owned(),
            });
        }
    }

    /// Gives a call of the step its id and an open record.
    pub(super) fn open(&mut self, call: &Call) -> String {
        let call_id = self.shared.call_ids.give(call.id.as_deref(), self.number);
        if let Some(step) = self.steps.last_mut() {
            step.calls.push(CallRecord {
                call_id: call_id.clone(),
                tool: call.tool.clone(),
                arguments: call.arguments.named().into(),
                executed: false,
                changes: false,
                ok: false,
                observation: "".into(),
                elapsed: Duration::ZERO,
                undo: None,
                choices: Vec::new(),
            });
        }
        call_id
    }

    /// The record of a call of the step that is under way.
    pub(super) fn call(&mut self, index: usize) -> Option<&mut CallRecord> {
        self.steps.last_mut().and_then(|step| step.calls.get_mut(index))
    }

    /// The id of a call of the step that is under way.
    pub(super) fn call_id(&self, index: usize) -> String {
        let record = self.last_calls().get(index);
        record.map(|record| record.call_id.clone()).unwrap_or_default()
    }

    /// Gives a call its one observation.
    pub(super) fn close(
        &mut self,
        index: usize,
        observation: impl Into<Arc<str>>,
        ok: bool,
        elapsed: Duration,
    ) {
        let observation = observation.into();
        let step = self.number;
        let Some(record) = self.call(index).filter(|record| record.observation.is_empty()) else {
            return;
        };
        record.ok = ok;
        record.elapsed = elapsed;
        record.observation = Arc::clone(&observation);
        let executed = record.executed;
        let has_changed = ok && executed && record.changes;
        let event = Event::ToolReturned {
            step,
            call_id: record.call_id.clone(),
            tool: record.tool.clone(),
            ok,
            observation: Arc::clone(&observation),
            elapsed,
        };
        if executed {
            self.shared.heard.see(observation);
        }
        if has_changed {
            self.shared.note_change();
        }
        if ok {
            self.findings = Findings::Some;
        }
        self.observer.event(&event);
    }

    /// Gives a call that is not run its observation, which says why.
    pub(super) fn turn_away(&mut self, index: usize, why: &str) {
        self.close(index, observation::of_error(why), false, Duration::ZERO);
    }

    /// Closes the calls of the last step that have no observation yet.
    pub(super) fn close_open_calls(&mut self, why: &str) {
        for index in 0..self.last_calls().len() {
            let is_open = |record: &mut CallRecord| record.observation.is_empty();
            if self.call(index).is_some_and(is_open) {
                self.turn_away(index, why);
            }
        }
    }

    /// A call was made again that had brought something.
    pub(super) fn was_asked_again(&mut self) {
        self.findings = Findings::AskedAgain;
    }

    /// Tells whether a call has brought anything.
    pub(super) fn has_found(&self) -> bool {
        self.findings != Findings::None
    }

    /// Tells whether the brain made a call again that had brought something: one that is held to a schema means to
    /// answer, and cannot choose to.
    pub(super) fn knows_enough(&self) -> bool {
        self.findings == Findings::AskedAgain
    }

    pub(super) fn steps(&self) -> &[StepRecord] {
        &self.steps
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = &CallRecord> {
        self.steps.iter().flat_map(|step| &step.calls)
    }

    pub(super) fn last_calls(&self) -> &[CallRecord] {
        self.steps.last().map_or(&[], |step| step.calls.as_slice())
    }

    /// Tells whether a call has run well that may have changed something.
    pub(super) fn has_deeds(&self) -> bool {
        self.calls().any(|call| call.executed && call.changes && call.ok)
    }

    /// Enters what another turn has done.
    pub(super) fn take_over(&mut self, other: Self) {
        self.steps.extend(other.steps);
        self.brain_calls += other.brain_calls;
        self.usage += other.usage;
    }

    pub(super) fn brain_calls(&self) -> u32 {
        self.brain_calls
    }

    pub(super) fn into_steps(self) -> Vec<StepRecord> {
        self.steps
    }
}
