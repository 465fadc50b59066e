//! Adds tools to a request that were found, or came, after its protocol was set up.

use std::sync::Arc;

use serde_json::Value;

use super::{Protocol, offer, prompts, step_schema};
use crate::brain::ChatRequest;
use crate::catalogue::Entry;

impl Protocol {
    /// Tells of tools that came after the instructions were given; nothing where the request itself offers them.
    pub(crate) fn tell_of(&self, new: &[Arc<Entry>]) -> Option<String> {
        if new.is_empty() || matches!(self, Self::Native { .. }) {
            return None;
        }
        let lines: Vec<String> = new.iter().map(|entry| format!("- {}", entry.line)).collect();
        Some(format!("{}\n{}", prompts::CAME, lines.join("\n")))
    }

    /// Offers these tools, too. A text protocol needs nothing: it was told of them in the observation.
    pub(crate) fn widen(&self, request: &mut ChatRequest, found: &[Arc<Entry>]) {
        match self {
            Self::Native { .. } => request.tools.extend(found.iter().map(offer)),
            Self::Json { .. } => {
                let steps = request
                    .response_schema
                    .as_mut()
                    .and_then(|schema| Arc::make_mut(schema).get_mut("anyOf"))
                    .and_then(Value::as_array_mut);
                if let Some(steps) = steps {
                    steps.extend(found.iter().map(|entry| step_schema::calling(entry)));
                }
            }
            _ => {}
        }
    }
}
