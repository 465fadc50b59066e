//! One utterance being answered: `think()` asks the brain for a step, `act()` runs its calls, and however the turn
//! ends, it ends once, with one record.
//!
//! All engines share this; they add prompts and transitions only. A turn does no I/O of its own and reads no clock but
//! tokio's.

mod act;
mod arriving;
mod ask;
mod channel;
mod child;
mod consult;
mod ending;
mod entry;
mod graph;
mod life;
mod room;
mod settings;
mod taint;
mod telling;
mod think;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::brain::{Brain, Capabilities, Usage};
use crate::budget::Spending;
use crate::catalogue::Catalogue;
use crate::conversation::Conversation;
use crate::conversation::tokens::Scales;
use crate::dialect::phase::nothing;
use crate::dialect::prompts::Prompt;
use crate::dialect::steps::{self, Steps};
use crate::dialect::{Dialect, Manner, Wording};
use crate::engine::Engine;
use crate::event::{Event, Observer};
use crate::hands::extras::Extras;
use crate::hands::guard::Guard;
use crate::record::{Reason, StepRecord};
use crate::toolbox::{Arrivals, Circumstances};

pub use crate::budget::Budget;
pub use crate::question::{Means, Question};
pub use crate::stop::{StopSignal, Stopper, stop_pair};
pub use crate::turn_cache::TurnCache;
pub(crate) use ending::Ending;
pub(crate) use graph::Node;

pub use life::answer;
pub(crate) use think::Move;

/// A step that goes on, or the end of the turn.
pub(crate) type Flow<T> = Result<T, Ending>;

/// One utterance being answered. It outlives the engine's future, so that nothing is lost when that is dropped.
pub(crate) struct Turn {
    pub(crate) question: Question,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) conversation: Conversation,
    /// The engine's own settings from the persona file.
    settings: Arc<Map<String, Value>>,
    /// How many steps a loop within the turn may take unless a setting says otherwise.
    loop_steps: u32,
    brain: Arc<dyn Brain>,
    /// Toolboxes that may still come.
    arrivals: Option<Arc<dyn Arrivals>>,
    observer: Arc<dyn Observer>,
    /// Present where an observer wants to hear the answer early and this turn's answer is the answer.
    telling: Option<telling::Telling>,
    spending: Spending,
    steps: Vec<StepRecord>,
    brain_calls: u32,
    usage: Usage,
    /// What all turns within the whole one share.
    shared: Arc<Shared>,
    /// How strict the gate is, whom to ask, and what lasts from turn to turn.
    rules: entry::Rules,
    /// Steps in a row whose tools only failed.
    failures: u32,
    scales: Scales,
    /// How often the conversation was made shorter.
    compactions: u32,
    /// The step that is under way.
    number: u32,
    /// What the turns within this one have left behind.
    nursery: child::Nursery,
    /// How many turns this one is within.
    depth: u32,
    /// Whether a loop that reaches a limit asks for a closing answer; if not, it ends without words.
    pub(crate) closes: bool,
    /// What the last tool hands on to the next.
    extras: Extras,
    /// Steps in a row that the brain got wrong.
    flaws: u32,
    /// Whether the brain reasons before it replies, which takes room that a short reply does not have.
    reasons: bool,
    /// Set when only an answer is wanted any more, and why.
    closing: Option<Reason>,
    /// The best words so far, for an end without an answer.
    draft: Option<String>,
    /// What the brain said last beside its calls.
    aside: Option<String>,
    findings: Findings,
    /// The last result in words, if it can be put into words.
    last_words: Option<String>,
    fault: Option<String>,
    /// Cancels the running tools.
    cancel: CancellationToken,
}

/// What the calls have brought, here or, where a call was made again here, in another turn within the whole one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Findings {
    /// Nothing so far.
    #[default]
    None,
    /// At least one result.
    Some,
    /// A result that the brain has just asked for once more.
    AskedAgain,
}

/// What must be the same for a turn and all turns within it.
#[derive(Debug, Default)]
struct Shared {
    /// What the person said and what the persona is told, without what a brain adds to it for a turn within: that
    /// vouches for no identifier.
    given: [String; 2],
    /// The number of the last step.
    steps: AtomicU32,
    /// The ids of all calls.
    call_ids: Mutex<BTreeSet<String>>,
    guard: Mutex<Guard>,
    /// What the tools brought, which identifiers may be taken from.
    observations: Mutex<Vec<Arc<str>>>,
    /// The last plan.
    plan: Mutex<Vec<String>>,
    taint: Mutex<taint::Taint>,
}

impl Shared {
    fn of(question: &Question) -> Self {
        Self {
            given: [question.utterance.clone(), question.persona_prompt.clone()],
            taint: Mutex::new(taint::Taint::of(&question.history)),
            ..Self::default()
        }
    }

    fn taint(&self) -> MutexGuard<'_, taint::Taint> {
        self.taint.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep_observation(&self, observation: Arc<str>) {
        let mut kept = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(observation);
    }
}

impl Turn {
    fn new(engine: &Engine, question: Question, means: &Means) -> Self {
        let budget = means.budget.with_limit(engine.limit, &means.settings);
        let loops = crate::budget::Limit::Steps("max_iterations");
        let catalogue = if budget.max_tool_calls == 0 {
            Catalogue::default()
        } else {
            let most = entry::tools_in_prompt(&means.settings);
            let channel = question.channel.as_deref();
            Catalogue::new(&means.toolboxes, &means.turn_cache)
                .allowed(|tool| channel::allows(&means.settings, channel, tool))
                .narrowed(&question.utterance, most, &means.turn_cache)
        };
        let catalogue = Arc::new(catalogue);
        Self {
            conversation: Conversation::new(&question, &catalogue, nothing),
            shared: Arc::new(Shared::of(&question)),
            question,
            catalogue,
            settings: Arc::new(means.settings.clone()),
            loop_steps: means.budget.with_limit(loops, &means.settings).max_iterations,
            brain: Arc::clone(&means.brain),
            arrivals: means.arrivals.clone(),
            telling: telling::Telling::to(&means.observer),
            observer: Arc::clone(&means.observer),
            spending: Spending::new(budget),
            steps: Vec::new(),
            brain_calls: 0,
            usage: Usage::default(),
            rules: entry::Rules::new(means),
            failures: 0,
            scales: Scales::default(),
            compactions: 0,
            number: 0,
            nursery: child::Nursery::default(),
            depth: 0,
            closes: true,
            extras: Extras::default(),
            flaws: 0,
            reasons: false,
            closing: None,
            draft: None,
            aside: None,
            findings: Findings::default(),
            last_words: None,
            fault: None,
            cancel: CancellationToken::new(),
        }
    }

    /// What the brain that is asked first can be asked for.
    fn capabilities(&self) -> Capabilities {
        self.brain.capabilities()
    }

    /// Whether that brain is a small model, with which some ways to an answer do not work.
    pub(crate) fn is_small(&self) -> bool {
        self.capabilities().small
    }

    /// Begins a conversation in which one thing after the other is asked for.
    pub(crate) fn begin(&mut self, wording: Wording) {
        self.begin_in(Manner::Phases, wording);
    }

    /// Begins a conversation of this kind.
    pub(crate) fn begin_in(&mut self, manner: Manner, wording: Wording) {
        self.conversation = Conversation::in_manner(&self.question, &self.catalogue, manner, wording);
    }

    /// Begins a conversation of steps in the dialect that the persona chose, else in this one.
    pub(crate) fn begin_steps(&mut self, usual: Dialect) -> Steps {
        let chosen = self.word("dialect");
        let preferred = chosen.and_then(|name| Dialect::named(&name)).unwrap_or(usual);
        let steps = Steps::new(&self.catalogue, preferred);
        self.begin_in(steps.manner(), steps::instructions);
        steps
    }

    /// The words of a prompt, as the persona has them.
    pub(crate) fn text(&self, prompt: &Prompt) -> &str {
        prompt.among(&self.question.prompts)
    }

    /// How many turns this one is within.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// What has been done so far.
    pub(crate) fn steps(&self) -> &[StepRecord] {
        &self.steps
    }

    /// The step that is under way; counts from 1 over the turn and all turns within it.
    fn step(&self) -> u32 {
        self.number
    }

    /// Begins a step that no brain asked for, for calls of an engine's own.
    pub(crate) fn open_step(&mut self) {
        self.gather();
        self.number = self.shared.steps.fetch_add(1, Ordering::Relaxed) + 1;
        self.steps.push(StepRecord {
            thought: String::new(),
            calls: Vec::new(),
            brain_time: std::time::Duration::ZERO,
            usage: Usage::default(),
        });
    }

    /// Begins a step.
    fn next_step(&mut self) -> u32 {
        self.brain_calls += 1;
        self.number = self.shared.steps.fetch_add(1, Ordering::Relaxed) + 1;
        self.number
    }

    /// Runs a short piece of work on the guard. It is never held across an await; what a panic left of it is good enough.
    fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.shared.guard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells of a plan, one line a step.
    pub(crate) fn tell_plan(&self, steps: Vec<String>) {
        self.emit(&Event::Planned { steps: steps.clone() });
        *self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner) = steps;
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
            cancel: self.cancel.clone(),
        }
    }
}
