//! One utterance being answered: `think()` asks the brain for a step, `act()` runs its calls, and however the turn
//! ends, it ends once, with one record.
//!
//! It has four parts: what it works with (`resources`), the conversation with its brain (`exchange`), what it has brought so
//! far (`work`), and what the brain was told of its calls and answers (`review`). `judge`, `agreeing`, `entry` and `leave` are
//! the way of a call: the gate, the person, the start and the end. The turn itself only leads from one to the next.
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
mod exchange;
mod following;
mod graph;
mod heard;
mod judge;
mod leave;
mod ledger;
mod life;
mod offer;
mod plan;
mod recall;
mod resolving;
mod resources;
mod restating;
mod review;
mod room;
mod sayable;
mod settings;
mod strangers;
mod streaks;
mod taint;
mod talk;
mod telling;
mod think;
mod unasked;
mod window;
mod work;

use self::closing::Closing;
use self::exchange::Exchange;
use self::ledger::Ledger;
use self::resources::Resources;
use self::review::Review;
use self::settings::EngineSettings;
use self::strangers::Judged;
use self::telling::Listener;
use self::work::Work;
use loquat_conversation::brain::ChatReply;
use loquat_conversation::budget::Spending;
use loquat_conversation::dialect::phase::step::Steps;
use loquat_conversation::dialect::{Dialect, Manner, Wording};

pub(crate) use ending::Ending;
pub use engine::Engine;
pub use loquat_conversation::budget::Budget;
pub use loquat_conversation::intended::{IntendedCall, Phrasing};
pub use loquat_conversation::means::Means;
pub use loquat_conversation::question::{Likely, Question, Restating, Selection};
pub use loquat_conversation::stop::{StopSignal, Stopper, stop_pair};
pub use loquat_conversation::turn_cache::{TurnCache, not_offered};

pub use life::answer;

use self::ask::Equip;
use self::think::Move;

/// A step that goes on, or the end of the turn.
pub(crate) type Flow<T> = Result<T, Ending>;

/// An utterance that is being answered. It outlives the engine's future, so that nothing is lost when that is
/// dropped.
pub(crate) struct Turn {
    pub(crate) resources: Resources,
    pub(crate) exchange: Exchange,
    pub(crate) work: Work,
    review: Review,
    judged: Judged,
}

impl Turn {
    fn new(engine: &Engine, question: Question, means: &Means) -> Self {
        let budget = means.budget.with_limit(engine.limit, &means.settings);
        let resources = Resources::new(question, means, &budget);
        let ledger = Ledger::new(Spending::new(budget), &resources);
        Self {
            exchange: Exchange::about(&resources),
            work: Work::begun(ledger, Closing::after(resources.policy.repairs)),
            review: Review::default(),
            judged: Judged::default(),
            resources,
        }
    }

    /// What the persona file says about the engine.
    pub(crate) fn settings(&self) -> &EngineSettings {
        &self.resources.settings
    }

    /// Begins a conversation in which one thing after the other is asked for.
    pub(crate) fn begin(&mut self, wording: Wording) {
        self.begin_in(Manner::Phases, wording);
    }

    /// Begins a conversation of this kind.
    pub(crate) fn begin_in(&mut self, manner: Manner, wording: Wording) {
        self.exchange.begin(&self.resources, manner, wording);
    }

    /// Begins a conversation of steps in the dialect that the persona chose, else in this one.
    pub(crate) fn begin_steps(&mut self, usual: Dialect) -> Steps {
        self.exchange.begin_steps(&self.resources, usual)
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

    /// Asks the brain once, in the conversation as it is.
    async fn ask(&mut self, equip: impl Equip, listener: Option<&Listener>) -> Flow<ChatReply> {
        let (resources, work) = (&self.resources, &mut self.work);
        self.exchange.ask(resources, work, equip, listener).await
    }
}
