//! One utterance being answered: `think()` asks the brain for a step, `act()` runs its calls, and however the turn
//! ends, it ends once, with one record.
//!
//! All engines share this; they add prompts and transitions only. A turn does no I/O of its own and reads no clock but
//! tokio's.

mod act;
mod ask;
mod ending;
mod entry;
mod life;
mod room;
mod think;

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::brain::{Brain, Usage};
use crate::budget::Spending;
use crate::catalogue::Catalogue;
use crate::context::Context;
use crate::event::{Event, Observer};
use crate::hands::guard::Guard;
use crate::record::{Reason, StepRecord};
use crate::toolbox::Circumstances;

pub use crate::budget::Budget;
pub use crate::question::{Means, Question};
pub use crate::standing::Standing;
pub use crate::stop::{StopSignal, Stopper, stop_pair};
pub(crate) use ending::Ending;
pub use life::answer;
pub(crate) use think::Move;

/// A step that goes on, or the end of the turn.
pub(crate) type Flow<T> = Result<T, Ending>;

/// One utterance being answered. It outlives the engine's future, so that nothing is lost when that is dropped.
pub(crate) struct Turn {
    pub(crate) question: Question,
    pub(crate) catalogue: Catalogue,
    pub(crate) context: Context,
    brain: Arc<dyn Brain>,
    observer: Arc<dyn Observer>,
    spending: Spending,
    steps: Vec<StepRecord>,
    brain_calls: u32,
    usage: Usage,
    guard: Guard,
    /// How strict the gate is, whom to ask, and what lasts from turn to turn.
    rules: entry::Rules,
    /// Steps in a row whose tools only failed.
    failures: u32,
    /// How often the conversation was made shorter.
    compactions: u32,
    /// What the last tool hands on to the next.
    extras: Map<String, Value>,
    /// Steps in a row that the brain got wrong.
    flaws: u32,
    /// Set when only an answer is wanted any more, and why.
    closing: Option<Reason>,
    /// The best words so far, for an end without an answer.
    draft: Option<String>,
    /// The last result in words, if it can be put into words.
    last_words: Option<String>,
    fault: Option<String>,
    /// Cancels the running tools.
    cancel: CancellationToken,
}

impl Turn {
    fn new(question: Question, means: &Means) -> Self {
        let budget = means.budget.with_settings(&means.settings);
        let catalogue = if budget.max_tool_calls == 0 {
            Catalogue::default()
        } else {
            Catalogue::new(&means.toolboxes)
                .narrowed(&question.utterance, entry::tools_in_prompt(&means.settings))
        };
        Self {
            context: Context::new(&question, ""),
            question,
            catalogue,
            brain: Arc::clone(&means.brain),
            observer: Arc::clone(&means.observer),
            spending: Spending::new(budget),
            steps: Vec::new(),
            brain_calls: 0,
            usage: Usage::default(),
            guard: Guard::default(),
            rules: entry::Rules::new(means),
            failures: 0,
            compactions: 0,
            extras: Map::new(),
            flaws: 0,
            closing: None,
            draft: None,
            last_words: None,
            fault: None,
            cancel: CancellationToken::new(),
        }
    }

    /// What the brain can be asked for.
    pub(crate) fn capabilities(&self) -> crate::brain::Capabilities {
        self.brain.capabilities()
    }

    /// The step that is under way; counts from 1.
    fn step(&self) -> u32 {
        self.brain_calls
    }

    fn emit(&self, event: &Event) {
        self.observer.event(event);
    }

    /// Tells of calls that were in a reply and are not run.
    fn emit_dropped(&self, tools: &[String], why: &str) {
        for tool in tools {
            self.emit(&Event::CallDropped {
                step: self.step(),
                tool: tool.clone(),
                why: why.to_owned(),
            });
        }
    }

    /// Under which circumstances a tool runs. Extras are handed on once.
    fn circumstances(&self, call_id: &str, extras: Map<String, Value>) -> Circumstances {
        Circumstances {
            session_id: self.question.session_id.clone(),
            turn_id: self.question.turn_id.clone(),
            call_id: call_id.to_owned(),
            lang: self.question.lang.clone(),
            units: self.question.units.clone(),
            time_zone: self.question.time_zone.clone(),
            time_format: self.question.time_format.clone(),
            date_format: self.question.date_format.clone(),
            extras,
            cancel: self.cancel.child_token(),
        }
    }
}
