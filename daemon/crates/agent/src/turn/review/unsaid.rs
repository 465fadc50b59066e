//! What becomes of a call in which a small model has filled in arguments that were not said: they are left out where the
//! call means nothing with them or a person is asked about it, and after a failure the model is told to leave them out.
//!
//! A call that works at once, and that no person is asked about, is never changed.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::gate::{Admitted, Grounds, Need, unsaid};
use crate::turn::Turn;
use loquat_conversation::record::CallRecord;
use loquat_conversation::toolbox::Tool;

/// One word alone may be another name for what was said. A model that makes up this many fills in a form.
const SEVERAL: usize = 2;

impl Turn {
    /// The call without what was made up, if that is several arguments.
    pub(in crate::turn) fn without_several(&self, admitted: &Admitted) -> Option<Admitted> {
        self.without_unsaid(admitted, SEVERAL)
    }

    fn without_unsaid(&self, admitted: &Admitted, least: usize) -> Option<Admitted> {
        let made_up = self.unsaid(&admitted.arguments, &admitted.entry.tool);
        (made_up.len() >= least).then(|| {
            let mut arguments = admitted.arguments.as_ref().clone();
            arguments.retain(|name, _| !made_up.contains(name));
            Admitted {
                arguments: Arc::new(arguments),
                ..admitted.clone()
            }
        })
    }

    /// The call as a person is asked about it, without anything that was made up. They hear what it is that they allow.
    pub(in crate::turn) fn asked_about(&mut self, index: usize, admitted: Admitted) -> Admitted {
        let asks = admitted.consent == Need::Consent;
        let Some(spared) = asks.then(|| self.without_unsaid(&admitted, 1)).flatten() else {
            return admitted;
        };
        if let Some(record) = self.record(index) {
            record.arguments = Arc::clone(&spared.arguments);
        }
        spared
    }

    /// The call without what was made up, where the brain was told to leave such out. A small model leaves out only a part.
    pub(super) fn as_it_was_told(&self, admitted: Admitted) -> Admitted {
        let spared = self.review.unsaid_told.then(|| self.without_unsaid(&admitted, 1));
        spared.flatten().unwrap_or(admitted)
    }

    /// Words for a small model about the last step's only call, which has failed.
    pub(in crate::turn) fn tell_of_unsaid(&mut self) -> Option<String> {
        let told = self.told_of_unsaid();
        self.review.unsaid_told |= told.is_some();
        told
    }

    fn told_of_unsaid(&self) -> Option<String> {
        let [
            CallRecord {
                ok: false,
                tool,
                arguments,
                ..
            },
        ] = self.ledger.last_calls()
        else {
            return None;
        };
        let entry = self.catalogue.find(tool)?;
        let made_up = self.unsaid(arguments, &entry.tool);
        (!made_up.is_empty()).then(|| {
            let names = made_up.join(" and ");
            format!("Call it once more without {names}, which the person did not say.")
        })
    }

    fn unsaid(&self, arguments: &Map<String, Value>, tool: &Tool) -> Vec<String> {
        // What an intent has understood was said, whatever the words of the call are.
        if self.question.intended.is_some() || !self.is_small() || !self.is_in_english() {
            return Vec::new();
        }
        let heard = &self.resources.shared.heard;
        let history = self.question.history.iter();
        let history = history.map(|message| message.content.as_str());
        let calls = self.ledger.steps.iter().flat_map(|step| &step.calls);
        let brought = calls.filter(|call| call.ok).map(|call| &*call.observation);
        let texts = [heard.said.as_str(), &heard.surroundings]
            .into_iter()
            .chain(history);
        let grounds = Grounds::new(texts.chain(brought).collect());
        unsaid(arguments, tool, &grounds)
    }
}
