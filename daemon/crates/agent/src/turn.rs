//! One utterance being answered: `think()` asks the brain for a step, `act()` runs its calls, and however the turn
//! ends, it ends once, with one record.
//!
//! All engines share this; they add prompts and transitions only. A turn does no I/O of its own and reads no clock but
//! tokio's.

mod act;
mod agreeing;
mod arriving;
mod ask;
mod call_ids;
mod channel;
mod child;
mod closing;
mod consult;
mod ending;
mod engine;
mod entry;
mod following;
mod graph;
mod heard;
mod ledger;
mod life;
mod resolving;
mod resources;
mod review;
mod room;
mod sayable;
mod settings;
mod streaks;
mod taint;
mod telling;
mod think;
mod window;

use std::sync::Arc;

use serde_json::{Map, Value};

use self::closing::Closing;
use self::ledger::Ledger;
use self::resources::Resources;
use self::review::Review;
use self::sayable::Sayable;
use self::streaks::Streaks;
use crate::hands::extras::Extras;
use crate::hands::guard::Guard;
use loquat_conversation::brain::{Capabilities, Usage};
use loquat_conversation::budget::Spending;
use loquat_conversation::catalogue::{Catalogue, Silence};
use loquat_conversation::consent::Reachable;
use loquat_conversation::conversation::Conversation;
use loquat_conversation::dialect::phase::nothing;
use loquat_conversation::dialect::phase::step::{self, Steps};
use loquat_conversation::dialect::prompts::Prompt;
use loquat_conversation::dialect::{Dialect, Manner, Wording};
use loquat_conversation::event::Event;
use loquat_conversation::pieces::Pieces;
use loquat_conversation::record::StepRecord;
use loquat_conversation::toolbox::{Circumstances, Toolbox};

pub(crate) use ending::Ending;
pub use engine::Engine;
pub use loquat_conversation::budget::Budget;
pub use loquat_conversation::intended::{IntendedCall, Phrasing};
pub use loquat_conversation::means::Means;
pub use loquat_conversation::question::{Likely, Question, Selection};
pub use loquat_conversation::stop::{StopSignal, Stopper, stop_pair};
pub use loquat_conversation::turn_cache::{TurnCache, not_offered};

pub use life::answer;
use think::Move;

/// A step that goes on, or the end of the turn.
pub(crate) type Flow<T> = Result<T, Ending>;

/// An utterance that is being answered. It outlives the engine's future, so that nothing is lost when that is
/// dropped.
pub(crate) struct Turn {
    pub(crate) question: Question,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) conversation: Conversation,
    resources: Resources,
    ledger: Ledger,
    pub(crate) closing: Closing,
    sayable: Sayable,
    review: Review,
    streaks: Streaks,
    /// The dialect of its steps unless the persona chose one.
    usual: Dialect,
    /// The fields that the last tool hands on to the next.
    extras: Extras,
    /// The results that turns within this one have left behind.
    finished: child::Finished,
}

impl Turn {
    fn new(engine: &Engine, question: Question, means: &Means) -> Self {
        let budget = means.budget.with_limit(engine.limit, &means.settings);
        let catalogue = if budget.max_tool_calls == 0 {
            Catalogue::default()
        } else {
            let channel = question.channel.as_deref();
            let silence =
                entry::may_be_silent(&means.settings).then(|| Arc::new(Silence) as Arc<dyn Toolbox>);
            let toolboxes: Vec<_> = means.toolboxes.iter().cloned().chain(silence).collect();
            let allowed = Catalogue::new(&toolboxes, &means.turn_cache)
                .allowed(|tool| channel::allows(&means.settings, channel, tool) && question.may_call(tool));
            entry::shown(allowed, &question, means)
        };
        let catalogue = Arc::new(catalogue);
        Self {
            conversation: Conversation::new(&question, &catalogue, nothing),
            resources: Resources::new(&question, means),
            question,
            catalogue,
            ledger: Ledger::new(Spending::new(budget)),
            closing: Closing::default(),
            sayable: Sayable::default(),
            review: Review::default(),
            streaks: Streaks::default(),
            usual: Dialect::Schema,
            extras: Extras::default(),
            finished: child::Finished::default(),
        }
    }

    /// Thinks and acts in turns until there is an answer.
    pub(crate) async fn think_and_act(&mut self, steps: &Steps) -> Ending {
        loop {
            let acted = match self.think(steps).await {
                Ok(Move::Answer(answer)) => return Ending::answered(answer),
                Ok(Move::Act {
                    reply,
                    thought,
                    calls,
                    is_last,
                }) => self.act(&reply, &thought, calls, is_last).await,
                Err(ending) => Err(ending),
            };
            if let Err(ending) = acted {
                return ending;
            }
        }
    }

    /// Tells what the brain that is asked first can be asked for.
    fn capabilities(&self) -> Capabilities {
        self.resources.brain.capabilities()
    }

    /// Tells whether that brain is a small model, with which some ways to an answer do not work.
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
        self.usual = usual;
        let chosen = self.word("dialect");
        let preferred = chosen.and_then(|name| Dialect::named(&name)).unwrap_or(usual);
        let steps = Steps::new(&self.catalogue, preferred, self.may_end_with_call());
        self.begin_in(steps.manner(), step::instructions);
        steps
    }

    /// The words of a prompt, as the persona has them.
    pub(crate) fn text(&self, prompt: &Prompt) -> &str {
        prompt.among(&self.question.prompts)
    }

    /// Counts the turns that this one is within.
    pub(crate) fn depth(&self) -> u32 {
        self.resources.depth
    }

    pub(crate) fn steps(&self) -> &[StepRecord] {
        &self.ledger.steps
    }

    /// The step that is under way; counts from 1 over the turn and all turns within it.
    fn step(&self) -> u32 {
        self.ledger.number
    }

    /// Begins a step that no brain asked for, for calls of an engine's own.
    pub(crate) fn open_step(&mut self) {
        self.gather();
        self.ledger.number = self.resources.shared.next_step();
        self.ledger
            .enter_step(std::time::Duration::ZERO, Usage::default());
    }

    fn next_step(&mut self) -> u32 {
        self.ledger.brain_calls += 1;
        self.ledger.number = self.resources.shared.next_step();
        self.ledger.number
    }

    /// Runs a short piece of work on the guard. It is never held across an await; what a panic left of it is good enough.
    fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.resources.shared.guard.lock())
    }

    /// Tells of a plan, one line a step.
    pub(crate) fn tell_plan(&self, steps: Vec<String>) {
        self.emit(&Event::Planned { steps: steps.clone() });
        *self.resources.shared.plan.lock() = steps;
    }

    fn emit(&self, event: &Event) {
        self.resources.observer.event(event);
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

    /// Gives the circumstances of a call. Extras are handed on once.
    fn circumstances(&self, call_id: &str, extras: Map<String, Value>, pieces: Pieces) -> Circumstances {
        Circumstances {
            session_id: self.question.session_id.clone(),
            speaker: self.question.speaker.clone(),
            turn_id: self.question.turn_id.clone(),
            call_id: call_id.to_owned(),
            lang: self.question.lang.clone(),
            channel: self.question.channel.clone(),
            persona: self.question.persona_name.clone(),
            units: self.question.units.clone(),
            time_zone: self.question.time_zone.clone(),
            time_format: self.question.time_format.clone(),
            date_format: self.question.date_format.clone(),
            route: self.question.route.clone(),
            dialog: self
                .question
                .intended
                .as_ref()
                .and_then(|call| call.dialog.clone()),
            phrasing: self
                .question
                .intended
                .as_ref()
                .and_then(|call| call.phrasing.clone()),
            extras,
            pieces,
            progress: Pieces::default(),
            person: Reachable::default(),
            offline: None,
            left: Some(self.ledger.spending.left()),
            is_tainted: self.has_doubtful_arguments(),
            is_consented: false,
            cancel: self.resources.cancel.clone(),
        }
    }
}
