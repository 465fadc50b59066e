//! The tools of a turn: each with the toolbox that runs it and its schemas compiled.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::decoder::{Names, squash};
use crate::gate::Schema;
use crate::standing::Standing;
use crate::toolbox::{Tool, Toolbox};

mod discovery;
mod relevance;
mod usage;
mod wording;

use discovery::Discovery;

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
    /// Those that a prompt lists.
    shown: Vec<Arc<Entry>>,
    /// All of them.
    all: Vec<Arc<Entry>>,
    names: Names,
    /// Finds those that are not shown.
    discovery: Option<Arc<Discovery>>,
}

/// What a toolbox holds; nothing when it panics, for a toolbox must not take the turn along.
fn tools_of(toolbox: &dyn Toolbox) -> Arc<[Tool]> {
    std::panic::catch_unwind(AssertUnwindSafe(|| toolbox.tools())).unwrap_or_else(|_| {
        tracing::error!(toolbox = toolbox.id(), "toolbox crashed while listing its tools");
        Arc::default()
    })
}

/// A tool with its schemas compiled; nothing when its argument schema cannot be, or when nobody could call it by its
/// name.
fn entry(tool: Tool, toolbox: Arc<dyn Toolbox>, standing: &Standing) -> Option<Arc<Entry>> {
    if !wording::is_callable(&tool.name) {
        tracing::warn!(
            toolbox = toolbox.id(),
            "a tool whose name is no single word is left out"
        );
        return None;
    }
    let tool = wording::presentable(tool);
    match standing.schema(&tool.argument_schema) {
        Ok(arguments) => {
            let output = standing.schema(&tool.output_schema).ok();
            Some(Arc::new(Entry {
                tool,
                toolbox,
                arguments,
                output,
            }))
        }
        Err(error) => {
            tracing::warn!(toolbox = toolbox.id(), tool = tool.name, %error, "tool left out");
            None
        }
    }
}

fn names_of(entries: &[Arc<Entry>]) -> Names {
    Names::new(entries.iter().map(|entry| entry.tool.name.clone()))
}

/// From this likeness on a name is taken for a slip of the pen.
const LIKENESS: f64 = 0.8;

impl Catalogue {
    /// Asks all toolboxes for their tools. A tool whose argument schema cannot be compiled is left out: no call of it
    /// could ever be checked.
    pub(crate) fn new(toolboxes: &[Arc<dyn Toolbox>], standing: &Standing) -> Self {
        let mut entries: Vec<Arc<Entry>> = Vec::new();
        for toolbox in toolboxes {
            for tool in tools_of(toolbox.as_ref()).iter().cloned() {
                if entries.iter().any(|entry| entry.tool.name == tool.name) {
                    continue;
                }
                entries.extend(entry(tool, Arc::clone(toolbox), standing));
            }
        }
        Self {
            names: names_of(&entries),
            shown: entries.clone(),
            all: entries,
            discovery: None,
        }
    }

    /// Shows no more than `most` tools: those that fit the utterance best, in their usual order, and one that finds the
    /// others. Every tool can still be called.
    pub(crate) fn narrowed(mut self, utterance: &str, most: usize, standing: &Standing) -> Self {
        if self.all.len() <= most.max(2) {
            return self;
        }
        let scores = relevance::scores(utterance, self.all.iter().map(|entry| &entry.tool));
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        let score = |index: &usize| scores.get(*index).copied().unwrap_or_default();
        order.sort_by(|one, other| score(other).total_cmp(&score(one)));
        let kept: HashSet<usize> = order.into_iter().take(most.max(2) - 1).collect();
        let all = self.all.iter().map(Arc::clone).enumerate();
        let (shown, hidden): (Vec<_>, Vec<_>) = all.partition(|(index, _)| kept.contains(index));
        let plain = |part: Vec<(usize, Arc<Entry>)>| part.into_iter().map(|(_, entry)| entry).collect();
        let discovery = Arc::new(Discovery::new(plain(hidden), |name| self.find(name).is_some()));
        self.shown = plain(shown);
        let toolbox = Arc::clone(&discovery) as Arc<dyn Toolbox>;
        if let Some(entry) = entry(discovery.tool(), toolbox, standing) {
            self.shown.push(Arc::clone(&entry));
            self.all.push(entry);
        }
        self.names = names_of(&self.all);
        self.discovery = Some(discovery);
        self
    }

    /// The tools that were found after the prompt was made.
    pub(crate) fn found(&self) -> Vec<Arc<Entry>> {
        self.discovery
            .as_ref()
            .map(|discovery| discovery.found())
            .unwrap_or_default()
    }

    /// Whether there are no tools.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The tools that a prompt lists, in order.
    pub(crate) fn entries(&self) -> &[Arc<Entry>] {
        &self.shown
    }

    /// The names of all tools, for the decoder.
    pub(crate) fn known(&self) -> &Names {
        &self.names
    }

    /// The names of all tools in order.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// The tool that a brain's spelling means.
    pub(crate) fn find(&self, written: &str) -> Option<Arc<Entry>> {
        let name = self.names.resolve(written)?;
        self.all
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
