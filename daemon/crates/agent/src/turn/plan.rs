//! A call of a step with what the gate says to it, and how it is run. Decides nothing about it.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use crate::gate::{Admitted, Need, Refusal};
use crate::hands::run;
use loquat_conversation::event::{Event, Observer};
use loquat_conversation::toolbox::{Circumstances, Outcome, ToolError};

/// A person who waits longer in silence begins to doubt that anything happens.
const PATIENCE: Duration = Duration::from_secs(2);

/// A call of this step and what the gate says to it.
pub(super) struct Plan {
    /// Its place in the step.
    pub(super) index: usize,
    pub(super) admitted: Result<Admitted, Refusal>,
}

impl Plan {
    fn needs(&self) -> Option<Need> {
        self.admitted.as_ref().ok().map(|admitted| admitted.consent)
    }

    /// Tells whether it changes nothing and no person has to be asked for it.
    pub(super) fn reads(&self) -> bool {
        self.admitted
            .as_ref()
            .is_ok_and(|admitted| admitted.entry.tool.read_only && admitted.consent == Need::Nothing)
    }

    /// Tells whether a person is asked before it runs, as far as that is known before it is resolved.
    pub(super) fn asks(&self) -> bool {
        self.needs() == Some(Need::Consent)
    }

    /// Tells whether a person has said yes to it.
    pub(super) fn is_agreed(&self) -> bool {
        self.needs() == Some(Need::Given)
    }

    /// Tells why it may not run, where a person was asked and gave no yes.
    pub(super) fn denied(&self) -> Option<&'static str> {
        match self.needs() {
            Some(Need::Denied(why)) => Some(why),
            _ => None,
        }
    }

    /// Tells whether the brain got the call wrong.
    pub(super) fn is_mistake(&self) -> bool {
        self.admitted.as_ref().is_err_and(|refusal| refusal.mistake)
    }

    /// Tells whether its result is the answer of the turn.
    pub(super) fn is_final(&self) -> bool {
        let admitted = self.admitted.as_ref();
        admitted.is_ok_and(|admitted| admitted.entry.tool.is_final())
    }
}

/// A call that is about to run.
pub(super) struct Start {
    pub(super) index: usize,
    /// The key of the call, for the guard.
    pub(super) key: String,
    pub(super) admitted: Admitted,
    pub(super) circumstances: Circumstances,
    pub(super) step: u32,
    /// Is told when the call takes long.
    pub(super) observer: Arc<dyn Observer>,
}

/// A call that has run.
pub(super) struct Done {
    pub(super) index: usize,
    /// The key of the call, for the guard.
    pub(super) key: String,
    pub(super) admitted: Admitted,
    pub(super) outcome: Result<Outcome, ToolError>,
    pub(super) elapsed: Duration,
}

impl Done {
    /// Tells whether a brain has to follow something before there is a result.
    pub(super) fn brings_instructions(&self) -> bool {
        let brought = self.outcome.as_ref();
        brought.is_ok_and(|outcome| outcome.instructions.is_some())
    }
}

impl Start {
    /// Runs the call to its end, and tells once when that takes long.
    pub(super) async fn run(self) -> Done {
        let entry = Arc::clone(&self.admitted.entry);
        let call_id = self.circumstances.call_id.clone();
        let (outcome, elapsed) = {
            let mut call = pin!(run::run(entry, &self.admitted.arguments, self.circumstances));
            if let Ok(ended) = timeout(PATIENCE, call.as_mut()).await {
                ended
            } else {
                self.observer.event(&Event::ToolAwaited {
                    step: self.step,
                    call_id,
                    tool: self.admitted.entry.tool.name.clone(),
                    phrase: self.admitted.entry.tool.progress_phrase.clone(),
                });
                call.await
            }
        };
        Done {
            index: self.index,
            key: self.key,
            admitted: self.admitted,
            outcome,
            elapsed,
        }
    }
}
