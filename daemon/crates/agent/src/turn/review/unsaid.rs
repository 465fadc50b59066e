//! What becomes of a call in which a small model has filled in arguments that were not said: they are left out where the
//! call means nothing with them or a person is asked about it, and after a failure the model is told to leave them out.
//!
//! A call that works at once, and that no person is asked about, is never changed.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::gate::{Admitted, Grounds, unsaid};
use crate::turn::ledger::Ledger;
use crate::turn::resources::Resources;
use loquat_conversation::record::CallRecord;
use loquat_conversation::toolbox::Tool;

/// One word alone may be another name for what was said. A model that makes up this many fills in a form.
const SEVERAL: usize = 2;

/// What a small model has made up of a call, by what was said and seen.
pub(in crate::turn) struct MadeUp<'t> {
    pub(in crate::turn) resources: &'t Resources,
    pub(in crate::turn) ledger: &'t Ledger,
}

impl MadeUp<'_> {
    /// The call without what was made up, if that is several arguments.
    pub(in crate::turn) fn without_several(&self, admitted: &Admitted) -> Option<Admitted> {
        self.without_so_many(admitted, SEVERAL)
    }

    /// The call without anything that was made up, if anything was.
    pub(in crate::turn) fn without(&self, admitted: &Admitted) -> Option<Admitted> {
        self.without_so_many(admitted, 1)
    }

    fn without_so_many(&self, admitted: &Admitted, least: usize) -> Option<Admitted> {
        let made_up = self.arguments(&admitted.arguments, &admitted.entry.tool);
        (made_up.len() >= least).then(|| {
            let mut arguments = admitted.arguments.as_ref().clone();
            arguments.retain(|name, _| !made_up.contains(name));
            Admitted {
                arguments: Arc::new(arguments),
                ..admitted.clone()
            }
        })
    }

    /// Tells a small model what it made up of the last step's only call, which has failed.
    pub(super) fn complaint(&self) -> Option<String> {
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
        let entry = self.resources.catalogue.find(tool)?;
        let made_up = self.arguments(arguments, &entry.tool);
        (!made_up.is_empty()).then(|| {
            let names = made_up.join(" and ");
            format!("Call it once more without {names}, which the person did not say.")
        })
    }

    /// Names the arguments that nothing gave.
    fn arguments(&self, arguments: &Map<String, Value>, tool: &Tool) -> Vec<String> {
        let Resources { question, shared, .. } = self.resources;
        // What an intent has understood was said, whatever the words of the call are.
        if question.intended.is_some() || !self.resources.is_small() || !self.resources.is_in_english() {
            return Vec::new();
        }
        let heard = &shared.heard;
        let history = question.history.iter().map(|message| message.content.as_str());
        let brought = self.ledger.calls().filter(|call| call.ok);
        let brought = brought.map(|call| &*call.observation);
        let texts = [heard.said.as_str(), &heard.surroundings]
            .into_iter()
            .chain(history);
        let grounds = Grounds::new(texts.chain(brought).collect());
        unsaid(arguments, tool, &grounds)
    }
}
