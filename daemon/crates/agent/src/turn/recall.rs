//! What lasts from turn to turn, as one turn uses it: results that may be used again, toolboxes that do not answer, and
//! sessions that are stopped. Runs no call.

use std::sync::Arc;
use std::time::Duration;

use crate::gate::Admitted;
use loquat_conversation::question::Question;
use loquat_conversation::toolbox::{Category, Outcome, ToolError};
use loquat_conversation::turn_cache::{Failing, Scope, TurnCache};

/// What lasts, and for whom it is looked up.
#[derive(Debug, Clone)]
pub(super) struct Recall {
    lasting: Arc<TurnCache>,
    session_id: String,
    turn_id: String,
    /// The language, units and clock that a result depends on.
    manner: String,
    /// A call that a sentence asked for goes astray in no loop: the person is told each time, and asks again or not. Such a turn
    /// is not counted, and runs also where a brain has failed too often.
    is_thought: bool,
}

impl Recall {
    pub(super) fn of(question: &Question, lasting: &Arc<TurnCache>) -> Self {
        Self {
            lasting: Arc::clone(lasting),
            session_id: question.session_id.clone(),
            turn_id: question.turn_id.clone(),
            manner: question.manner(),
            is_thought: question.intended.is_none(),
        }
    }

    /// Finds what an equal call brought a short while ago, if its tool allows to use that again.
    pub(super) fn cached(&self, admitted: &Admitted, key: &str) -> Option<Outcome> {
        let scope = self.scope(admitted, key)?;
        self.lasting.cache().get(&scope)
    }

    fn scope(&self, admitted: &Admitted, key: &str) -> Option<Scope> {
        let tool = &admitted.entry.tool;
        let is_kept = tool.cacheable > Duration::ZERO && tool.read_only && tool.category != Category::Async;
        is_kept.then(|| {
            Scope::new(
                tool.cache_scope,
                [&self.session_id, &self.turn_id],
                admitted.entry.toolbox.id(),
                key,
                self.manner.clone(),
            )
        })
    }

    /// Tells why a toolbox is not even asked, if it does not answer these days.
    pub(super) fn outage(&self, admitted: &Admitted) -> Option<String> {
        let toolbox = admitted.entry.toolbox.id();
        let admits = self.lasting.breakers().admit(toolbox);
        (!admits).then(|| {
            format!(
                "the toolbox '{toolbox}' does not answer at the moment; the tool was not run. Go on without it."
            )
        })
    }

    /// Keeps of a call's end what later calls need to know.
    pub(super) fn remember(&self, admitted: &Admitted, key: &str, outcome: &Result<Outcome, ToolError>) {
        let toolbox = admitted.entry.toolbox.id();
        let failure = match outcome {
            Err(ToolError::Reply { class, .. }) => Some(class.as_str()),
            _ => None,
        };
        self.lasting.breakers().ended(toolbox, failure);
        if !admitted.entry.tool.read_only {
            self.lasting.cache().forget(toolbox);
        }
        if let (Some(scope), Ok(outcome)) = (self.scope(admitted, key), outcome) {
            // What ends the turn or hands something on is more than its result.
            if outcome.answer.is_none() && outcome.extras.is_empty() {
                let time = admitted.entry.tool.cacheable;
                self.lasting.cache().keep(scope, outcome.clone(), time);
            }
        }
    }

    pub(super) fn session_id(&self) -> &str {
        &self.session_id
    }

    /// Tells whether so much failed in the session that nothing is tried any more.
    pub(super) fn is_stopped_by_failures(&self) -> bool {
        self.is_thought && self.lasting.is_stopped(&self.session_id)
    }

    /// Notes whether this failed once more, and tells whether it has failed so often that the session is stopped now.
    pub(super) fn stops_the_session(&self, what: Failing, failed: bool) -> bool {
        if !self.is_thought {
            return false;
        }
        let mut stops = self.lasting.emergency_stops();
        stops.note(&self.session_id, what, failed)
    }
}
