//! Adds tools to a request that were found after its protocol was set up.

use std::sync::Arc;

use serde_json::Value;

use super::{Protocol, offer, step_schema};
use crate::brain::ChatRequest;
use crate::catalogue::Entry;

impl Protocol {
    /// Offers these tools, too. A text protocol needs nothing: it was told of them in the observation.
    pub(crate) fn widen(&self, request: &mut ChatRequest, found: &[Arc<Entry>]) {
        match self {
            Self::Native { .. } => request.tools.extend(found.iter().map(offer)),
            Self::Json { .. } => {
                let calls = request
                    .response_schema
                    .as_mut()
                    .and_then(|schema| Arc::make_mut(schema).pointer_mut("/anyOf/0/properties/call/anyOf"))
                    .and_then(Value::as_array_mut);
                if let Some(calls) = calls {
                    calls.extend(found.iter().map(|entry| step_schema::one_call(entry)));
                }
            }
            _ => {}
        }
    }
}
