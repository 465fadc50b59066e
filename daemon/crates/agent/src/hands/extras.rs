//! What one tool hands on to the next, past the brain. It adds to a call and never changes it: the person, or the
//! persona's trust, stands behind the arguments that the gate has seen.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::gate::{Admitted, Need};

/// More than this is not looked at: each is checked by itself.
const MOST: usize = 32;

/// The fields that the tools of the last step handed on, by the toolbox that gave them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extras(HashMap<String, Map<String, Value>>);

impl Extras {
    /// Keeps what a tool of this toolbox handed on.
    pub(crate) fn keep(&mut self, toolbox_id: &str, extras: Map<String, Value>) {
        if !extras.is_empty() {
            self.0.entry(toolbox_id.to_owned()).or_default().extend(extras);
        }
    }

    /// Gives what a call gets of it: nothing where a yes was needed, nothing of another toolbox, no argument that the
    /// call has, and only what keeps to the tool's schema.
    pub(crate) fn for_call(&self, call: &Admitted) -> Map<String, Value> {
        let tool = &call.entry.tool;
        let Some(offered) = self.0.get(call.entry.toolbox.id()) else {
            return Map::new();
        };
        if call.consent != Need::Nothing {
            tracing::warn!(
                tool = tool.name,
                "what another tool handed on is kept from a call that needed a yes"
            );
            return Map::new();
        }
        let mut given = Map::clone(&call.arguments);
        for (name, value) in offered.iter().take(MOST) {
            let taken = given.contains_key(name);
            given.entry(name).or_insert_with(|| value.clone());
            if !taken && call.entry.arguments.check(&given).is_err() {
                given.remove(name);
                tracing::warn!(
                    tool = tool.name,
                    name,
                    "what another tool handed on does not keep to the schema"
                );
            }
        }
        given.retain(|name, _| offered.contains_key(name) && !call.arguments.contains_key(name));
        given
    }
}
