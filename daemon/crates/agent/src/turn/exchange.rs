//! The conversation of a turn with its brain: begun in a dialect, asked for the next reply, and mended where a reply could
//! not be used. What a reply means is not its business.

use super::closing::Cause;
use super::ledger::Ledger;
use super::resources::Resources;
use super::window::Window;
use super::work::Work;
use loquat_conversation::brain::{ChatReply, Sampling};
use loquat_conversation::conversation::{Conversation, Item, Observations};
use loquat_conversation::dialect::phase::nothing;
use loquat_conversation::dialect::phase::step::{self, Steps};
use loquat_conversation::dialect::{Dialect, Manner, Wording, Words};
use loquat_conversation::event::ReplyFault;
use loquat_conversation::tokens::Scales;
use loquat_decoder::Flaw;

/// A call that was got wrong is mended with little chance involved; not with none, or a brain that draws none would
/// write the same again.
const REPAIR_TEMPERATURE: f32 = 0.2;

/// The conversation and what is known of the brain that it is held with.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) conversation: Conversation,
    /// The dialect of its steps unless the persona chose one.
    usual: Dialect,
    pub(super) window: Window,
    pub(super) scales: Scales,
    /// Counts how often the conversation was made shorter.
    pub(super) compactions: u32,
    /// Says whether the brain reasons before it replies, which takes room that a short reply does not have.
    pub(super) reasons: bool,
}

impl Exchange {
    /// A conversation in which nothing but the question stands.
    pub(super) fn about(resources: &Resources) -> Self {
        Self {
            conversation: Conversation::new(&resources.question, &resources.catalogue, nothing),
            usual: Dialect::Schema,
            window: Window::new(&resources.brain, &resources.turn_cache),
            scales: Scales::default(),
            compactions: 0,
            reasons: false,
        }
    }

    /// The conversation of a turn within this one, with the same brain.
    pub(super) fn within(&self, resources: &Resources) -> Self {
        Self {
            usual: self.usual,
            reasons: self.reasons,
            ..Self::about(resources)
        }
    }

    /// Begins a conversation of this kind.
    pub(super) fn begin(&mut self, resources: &Resources, manner: Manner, wording: Wording) {
        self.conversation =
            Conversation::in_manner(&resources.question, &resources.catalogue, manner, wording);
    }

    /// Begins a conversation of steps in the dialect that the persona chose, else in this one.
    pub(super) fn begin_steps(&mut self, resources: &Resources, usual: Dialect) -> Steps {
        self.usual = usual;
        let chosen = resources.settings.word("dialect");
        let preferred = chosen.and_then(|name| Dialect::named(&name)).unwrap_or(usual);
        let steps = Steps::new(&resources.catalogue, preferred, resources.may_end_with_call());
        self.begin(resources, steps.manner(), step::instructions);
        steps
    }

    pub(super) fn usual(&self) -> Dialect {
        self.usual
    }

    /// Says how the next reply is drawn: as usual, or nearly greedily and in so many tokens when it mends one that
    /// could not be used. A brain that reasons first needs its room.
    pub(super) fn sampling(&self, mends: bool, usual: Sampling, brief: Option<u32>) -> Sampling {
        if !mends {
            return usual;
        }
        Sampling {
            temperature: Some(REPAIR_TEMPERATURE),
            top_p: usual.top_p,
            max_tokens: brief.filter(|_| !self.reasons).or(usual.max_tokens),
        }
    }

    /// Shows the brain what was wrong with its reply and how to mend it; after too many in a row only the closing answer
    /// is left.
    pub(super) fn reject(
        &mut self,
        work: &mut Work,
        reply: &ChatReply,
        flaw: &Flaw,
        shape: impl Into<Words>,
    ) {
        work.ledger.reject(ReplyFault::Form, flaw.to_string());
        if let Some(said) = Item::rejected(reply) {
            // A small model that ran on once and again would do so a third time.
            if *flaw == Flaw::CutOff && self.conversation.ends_with(&said) {
                work.closing.begin(Cause::Flaws);
            }
            self.conversation.push(said);
        }
        if work.closing.count_flaw() {
            self.conversation.ask(Words::mending(flaw, shape));
        }
    }

    /// Shows the brain what came of the step's calls, and how much of the budget is left.
    pub(super) fn show(&mut self, resources: &Resources, ledger: &Ledger, mend: Option<String>) {
        let Some(step) = ledger.steps().last() else {
            return;
        };
        let mut observations = Observations::new(&step.calls);
        observations.stuck = step.calls.iter().any(|call| !call.ok) && !ledger.has_found();
        observations.mend = mend;
        let crowding = self.crowding(resources, Some(Item::Observed(observations.clone())));
        observations.advice = ledger.spending.advisory(crowding);
        let asked = self.conversation.sole_question();
        observations.asked = asked.map(|asked| what_was_asked(asked, &resources.shared.heard.said));
        self.conversation.push(Item::Observed(observations));
    }
}

/// The question without what an engine writes below it, or below a step of a plan, which the brain has read.
fn what_was_asked(asked: &str, said: &str) -> String {
    if asked.starts_with(said) {
        return said.to_owned();
    }
    asked.lines().next().unwrap_or_default().to_owned()
}
