//! What a turn works with: its question and tools, its brain, its settings, what lasts from turn to turn, and who hears of
//! it. A turn changes little here but what all turns within the whole one share.

use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::Map;
use tokio_util::sync::CancellationToken;

use super::call_ids::CallIds;
use super::heard::Heard;
use super::offer;
use super::recall::Recall;
use super::settings::EngineSettings;
use super::taint::Taint;
use super::telling::Telling;
use crate::gate::Policy;
use crate::hands::guard::Guard;
use loquat_conversation::brain::{Brain, Capabilities};
use loquat_conversation::budget::Budget;
use loquat_conversation::catalogue::Catalogue;
use loquat_conversation::consent::{Person, Reachable};
use loquat_conversation::dialect::prompts::Prompt;
use loquat_conversation::event::{Event, Observer};
use loquat_conversation::grammar::Grammar;
use loquat_conversation::means::Means;
use loquat_conversation::pieces::Pieces;
use loquat_conversation::question::Question;
use loquat_conversation::toolbox::{Arrivals, Circumstances, Left};
use loquat_conversation::turn_cache::TurnCache;

/// All that a turn works with.
#[derive(Clone)]
pub(crate) struct Resources {
    pub(crate) question: Question,
    /// The tools that may be called for it.
    pub(crate) catalogue: Arc<Catalogue>,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) settings: EngineSettings,
    pub(super) policy: Policy,
    /// What catalogues and the sizes of requests are looked up in.
    pub(super) turn_cache: Arc<TurnCache>,
    pub(super) recall: Recall,
    /// The person who is asked before a tool may do harm.
    pub(super) person: Option<Arc<dyn Person>>,
    /// Understands the sentences of the device.
    pub(super) grammar: Option<Arc<dyn Grammar>>,
    /// Toolboxes that may still come.
    pub(super) arrivals: Option<Arc<dyn Arrivals>>,
    pub(super) observer: Arc<dyn Observer>,
    /// Says whether this turn's answer is the answer.
    pub(super) stands: bool,
    /// Present where that is heard early.
    pub(super) telling: Option<Telling>,
    /// All turns within the whole one share this.
    pub(super) shared: Arc<Shared>,
    /// Counts the turns that this one is within.
    pub(crate) depth: u32,
    /// Cancels the running tools.
    pub(super) cancel: CancellationToken,
}

impl Resources {
    pub(super) fn new(question: Question, means: &Means, budget: &Budget) -> Self {
        let settings = EngineSettings::of(means);
        let catalogue = if budget.max_tool_calls == 0 {
            Catalogue::default()
        } else {
            offer::to(&question, means, &settings)
        };
        Self {
            catalogue: Arc::new(catalogue),
            brain: Arc::clone(&means.brain),
            settings,
            policy: Policy::new(&means.settings),
            turn_cache: Arc::clone(&means.turn_cache),
            recall: Recall::of(&question, &means.turn_cache),
            person: means.person.clone(),
            grammar: means.grammar.clone(),
            arrivals: means.arrivals.clone(),
            stands: true,
            telling: Telling::to(&means.observer),
            observer: Arc::clone(&means.observer),
            shared: Arc::new(Shared::of(&question)),
            depth: 0,
            cancel: CancellationToken::new(),
            question,
        }
    }

    /// The resources of a turn within this one, whose answer is not the answer.
    pub(super) fn within(&self) -> Self {
        Self {
            arrivals: None,
            stands: false,
            telling: None,
            depth: self.depth + 1,
            cancel: self.cancel.child_token(),
            ..self.clone()
        }
    }

    /// Tells what the brain that is asked first can be asked for.
    pub(super) fn capabilities(&self) -> Capabilities {
        self.brain.capabilities()
    }

    /// Tells whether that brain is a small model, with which some ways to an answer do not work.
    pub(crate) fn is_small(&self) -> bool {
        self.capabilities().small
    }

    /// The words of a prompt, as the persona has them.
    pub(crate) fn text(&self, prompt: &Prompt) -> &str {
        prompt.among(&self.question.prompts)
    }

    /// Tells of a plan, one line a step.
    pub(crate) fn tell_plan(&self, steps: Vec<String>) {
        self.emit(&Event::Planned { steps: steps.clone() });
        *self.shared.plan.lock() = steps;
    }

    pub(super) fn emit(&self, event: &Event) {
        self.observer.event(event);
    }

    /// Takes back what was told of the answer, which was none.
    pub(super) fn take_back_answer(&self, step: u32) {
        if let Some(telling) = &self.telling {
            telling.take_back(step);
        }
    }

    /// Gives the circumstances of a call, with so much left of the budget.
    pub(super) fn circumstances(&self, call_id: &str, left: Left) -> Circumstances {
        let question = &self.question;
        let intended = question.intended.as_ref();
        Circumstances {
            session_id: question.session_id.clone(),
            speaker: question.speaker.clone(),
            turn_id: question.turn_id.clone(),
            call_id: call_id.to_owned(),
            lang: question.lang.clone(),
            channel: question.channel.clone(),
            persona: question.persona_name.clone(),
            units: question.units.clone(),
            time_zone: question.time_zone.clone(),
            time_format: question.time_format.clone(),
            date_format: question.date_format.clone(),
            route: question.route.clone(),
            dialog: intended.and_then(|call| call.dialog.clone()),
            phrasing: intended.and_then(|call| call.phrasing.clone()),
            extras: Map::new(),
            pieces: Pieces::default(),
            progress: Pieces::default(),
            person: Reachable::default(),
            offline: None,
            left: Some(left),
            is_tainted: self.has_doubtful_arguments(),
            is_consented: false,
            cancel: self.cancel.clone(),
        }
    }
}

/// A turn and all turns within it have this in common.
pub(super) struct Shared {
    pub(super) heard: Heard,
    /// The number of the last step.
    steps: AtomicU32,
    pub(super) call_ids: CallIds,
    guard: Mutex<Guard>,
    pub(super) plan: Mutex<Vec<String>>,
    pub(super) taint: Taint,
    /// Says whether a call has run well that may have changed something.
    has_changed: AtomicBool,
}

impl Shared {
    fn of(question: &Question) -> Self {
        Self {
            heard: Heard::with(question),
            taint: Taint::of(question),
            steps: AtomicU32::default(),
            call_ids: CallIds::default(),
            guard: Mutex::default(),
            plan: Mutex::default(),
            has_changed: AtomicBool::default(),
        }
    }

    /// A call has run well that may have changed something.
    pub(super) fn note_change(&self) {
        self.has_changed.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_changed(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
    }

    /// The number of the next step, counted from 1.
    pub(super) fn next_step(&self) -> u32 {
        self.steps.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Runs a short piece of work on the guard. It is never held across an await; what a panic left of it is good enough.
    pub(super) fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.guard.lock())
    }
}
