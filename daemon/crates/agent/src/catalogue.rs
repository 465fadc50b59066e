//! The tools of a turn: each with the toolbox that runs it and its schemas compiled.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::decoder::{Names, squash};
use crate::gate::Schema;
use crate::toolbox::{Tool, Toolbox};

mod usage;

/// A tool, who runs it, and what its arguments and results must look like.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The descriptor.
    pub(crate) tool: Tool,
    /// Who runs it.
    pub(crate) toolbox: Arc<dyn Toolbox>,
    /// Its argument schema.
    pub(crate) arguments: Schema,
    /// Its output schema; absent when it cannot be compiled, for then nothing can be checked.
    pub(crate) output: Option<Schema>,
}

/// The tools of a turn in the persona's order. Of two with the same name the first counts.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    entries: Vec<Arc<Entry>>,
    names: Names,
}

/// What a toolbox holds; nothing when it panics, for a toolbox must not take the turn along.
fn tools_of(toolbox: &dyn Toolbox) -> Vec<Tool> {
    std::panic::catch_unwind(AssertUnwindSafe(|| toolbox.tools())).unwrap_or_else(|_| {
        tracing::error!(toolbox = toolbox.id(), "toolbox crashed while listing its tools");
        Vec::new()
    })
}

/// From this likeness on a name is taken for a slip of the pen.
const LIKENESS: f64 = 0.8;

impl Catalogue {
    /// Asks all toolboxes for their tools. A tool whose argument schema cannot be compiled is left out: no call of it
    /// could ever be checked.
    pub(crate) fn new(toolboxes: &[Arc<dyn Toolbox>]) -> Self {
        let mut entries: Vec<Arc<Entry>> = Vec::new();
        for toolbox in toolboxes {
            for tool in tools_of(toolbox.as_ref()) {
                if entries.iter().any(|entry| entry.tool.name == tool.name) {
                    continue;
                }
                match Schema::compile(&tool.argument_schema) {
                    Ok(arguments) => {
                        let output = Schema::compile(&tool.output_schema).ok();
                        entries.push(Arc::new(Entry {
                            tool,
                            toolbox: Arc::clone(toolbox),
                            arguments,
                            output,
                        }));
                    }
                    Err(error) => {
                        tracing::warn!(toolbox = toolbox.id(), tool = tool.name, %error, "tool left out");
                    }
                }
            }
        }
        let names = Names::new(entries.iter().map(|entry| entry.tool.name.clone()));
        Self { entries, names }
    }

    /// Whether there are no tools.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tools in order.
    pub(crate) fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// Their names, for the decoder.
    pub(crate) fn known(&self) -> &Names {
        &self.names
    }

    /// Their names in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// The tool that a brain's spelling means.
    pub(crate) fn find(&self, written: &str) -> Option<Arc<Entry>> {
        let name = self.names.resolve(written)?;
        self.entries
            .iter()
            .find(|entry| entry.tool.name == name)
            .map(Arc::clone)
    }

    /// The tool whose name is most like `written`, if any is like it.
    pub(crate) fn nearest(&self, written: &str) -> Option<&str> {
        let wanted: String = squash(written).chars().take(100).collect();
        let likeness = |name: &str| {
            let name = squash(name);
            let contained = wanted.len() > 2 && (name.contains(&wanted) || wanted.contains(&name));
            if contained {
                1.0
            } else {
                strsim::jaro_winkler(&wanted, &name)
            }
        };
        let scored = self.names().map(|name| (likeness(name), name));
        scored
            .filter(|(score, _)| *score >= LIKENESS)
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, name)| name)
    }
}
