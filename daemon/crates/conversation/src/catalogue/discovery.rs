//! The tool that finds the tools for which a prompt had no room.

use parking_lot::Mutex;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::Entry;
use crate::prepared::relevance::scores_told;
use crate::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};

const FOUND_AT_ONCE: usize = 5;

/// Names it may have; the first that no other tool has.
const NAMES: [&str; 3] = ["find_tools", "discover_tools", "loquat_find_tools"];

/// The tools that are not shown, and those that were found among them.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    name: &'static str,
    hidden: Vec<Arc<Entry>>,
    /// Indices into the hidden ones, in the order in which they were found.
    found: Mutex<Vec<usize>>,
}

impl Discovery {
    /// Finds these tools. `taken` knows the names of all tools.
    pub(super) fn new(hidden: Vec<Arc<Entry>>, taken: impl Fn(&str) -> bool) -> Self {
        let name = NAMES.into_iter().find(|name| !taken(name));
        Self {
            name: name.unwrap_or(NAMES[0]),
            hidden,
            found: Mutex::default(),
        }
    }

    fn tool(&self) -> Tool {
        Tool {
            argument_schema: json!({
                "type": "object",
                "properties": {"query": {"type": "string", "description": "What the tool should do."}},
                "required": ["query"]
            }),
            ..Tool::safe(
                self.id(),
                self.name,
                "Finds further tools that are not listed here. Use it when no listed tool fits, before you say that \
                 something cannot be done.",
            )
        }
    }

    pub(super) fn found(&self) -> Vec<Arc<Entry>> {
        let found = self.found.lock();
        found
            .iter()
            .filter_map(|index| self.hidden.get(*index).map(Arc::clone))
            .collect()
    }

    fn find(&self, query: &str) -> Vec<usize> {
        let mut scored: Vec<(f64, usize)> =
            scores_told(query, self.hidden.iter().map(|entry| entry.scored()))
                .into_iter()
                .zip(0..)
                .filter(|(score, _)| *score > 0.0)
                .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0));
        let best: Vec<usize> = scored
            .into_iter()
            .map(|(_, index)| index)
            .take(FOUND_AT_ONCE)
            .collect();
        let mut found = self.found.lock();
        let new = best
            .iter()
            .filter(|index| !found.contains(index))
            .copied()
            .collect::<Vec<_>>();
        found.extend(new);
        best
    }
}

impl Toolbox for Discovery {
    fn id(&self) -> &'static str {
        "loquat-tool-finder"
    }

    fn tools(&self) -> Arc<[Tool]> {
        [self.tool()].into()
    }

    fn call<'a>(
        &'a self,
        _: &'a str,
        arguments: Map<String, Value>,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default();
        let best = self.find(query);
        let lines: Vec<String> = best
            .into_iter()
            .filter_map(|index| self.hidden.get(index).map(|entry| entry.line.clone()))
            .collect();
        let result = if lines.is_empty() {
            json!({"tools": [], "note": "no tool fits; go on without one"})
        } else {
            json!({"tools": lines, "note": "these can be called from now on"})
        };
        let result = result.as_object().cloned().unwrap_or_default();
        Box::pin(std::future::ready(Ok(result.into())))
    }
}
