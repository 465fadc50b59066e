//! What a turn works with: its brain, its settings, what lasts from turn to turn, and who hears of it. A turn changes
//! nothing here but what all turns within the whole one share.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::call_ids::CallIds;
use super::heard::Heard;
use super::taint::Taint;
use super::telling::Telling;
use super::window::Window;
use crate::gate::Policy;
use crate::hands::guard::Guard;
use loquat_conversation::brain::Brain;
use loquat_conversation::budget::Limit;
use loquat_conversation::consent::Person;
use loquat_conversation::event::Observer;
use loquat_conversation::means::Means;
use loquat_conversation::question::Question;
use loquat_conversation::toolbox::Arrivals;
use loquat_conversation::turn_cache::TurnCache;

/// All that a turn works with.
#[derive(Clone)]
pub(super) struct Resources {
    pub(super) brain: Arc<dyn Brain>,
    pub(super) window: Window,
    /// The engine's own settings from the persona file.
    pub(super) settings: Arc<Map<String, Value>>,
    /// A loop within the turn may take this many steps unless a setting says otherwise.
    pub(super) loop_steps: u32,
    pub(super) policy: Policy,
    /// The state that lasts from turn to turn.
    pub(super) turn_cache: Arc<TurnCache>,
    /// The person who is asked before a tool may do harm.
    pub(super) person: Option<Arc<dyn Person>>,
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
    pub(super) depth: u32,
    /// Cancels the running tools.
    pub(super) cancel: CancellationToken,
}

impl Resources {
    pub(super) fn new(question: &Question, means: &Means) -> Self {
        let loops = Limit::Steps("max_iterations");
        Self {
            brain: Arc::clone(&means.brain),
            window: Window::new(&means.brain, &means.turn_cache),
            settings: Arc::new(means.settings.clone()),
            loop_steps: means.budget.with_limit(loops, &means.settings).max_iterations,
            policy: Policy::new(&means.settings),
            turn_cache: Arc::clone(&means.turn_cache),
            person: means.person.clone(),
            arrivals: means.arrivals.clone(),
            stands: true,
            telling: Telling::to(&means.observer),
            observer: Arc::clone(&means.observer),
            shared: Arc::new(Shared::of(question)),
            depth: 0,
            cancel: CancellationToken::new(),
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
}

/// A turn and all turns within it have this in common.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) heard: Heard,
    /// The number of the last step.
    steps: AtomicU32,
    pub(super) call_ids: CallIds,
    pub(super) guard: Mutex<Guard>,
    pub(super) plan: Mutex<Vec<String>>,
    taint: Mutex<Taint>,
}

impl Shared {
    fn of(question: &Question) -> Self {
        Self {
            heard: Heard::with(question),
            taint: Mutex::new(if question.is_foreign {
                Taint::Inherited
            } else {
                Taint::of(&question.history)
            }),
            steps: AtomicU32::default(),
            call_ids: CallIds::default(),
            guard: Mutex::default(),
            plan: Mutex::default(),
        }
    }

    /// The number of the next step, counted from 1.
    pub(super) fn next_step(&self) -> u32 {
        self.steps.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn taint(&self) -> MutexGuard<'_, Taint> {
        self.taint.lock()
    }
}
