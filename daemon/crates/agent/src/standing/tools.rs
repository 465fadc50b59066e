//! Prepared tools: preparing a few takes longer than everything else that a turn does by itself.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalogue::Prepared;
use crate::toolbox::Tool;

/// When there are more names than these, all are forgotten: a toolbox whose tools are always new must not fill the
/// memory.
const MOST: usize = 1_000;

/// So many of one name are kept: toolboxes may share names, and personas may trust the same tool differently.
const ALIKE: usize = 4;

/// A tool that was tried.
#[derive(Debug)]
pub(super) struct Tried {
    tool: Arc<Tool>,
    /// What was made of it; nothing when it cannot be offered.
    pub(super) prepared: Option<Arc<Prepared>>,
}

/// What was made of each tool, by its name.
#[derive(Debug, Default)]
pub(super) struct Tools {
    kept: HashMap<String, Vec<Tried>>,
}

impl Tools {
    /// What was made of a tool, if it was tried.
    pub(super) fn get(&self, tool: &Arc<Tool>) -> Option<&Tried> {
        let mut alike = self.kept.get(&tool.name)?.iter();
        alike.find(|tried| Arc::ptr_eq(&tried.tool, tool) || tried.tool == *tool)
    }

    /// Keeps what was made of a tool.
    pub(super) fn keep(&mut self, tool: &Arc<Tool>, prepared: Option<Arc<Prepared>>) {
        if self.kept.len() >= MOST {
            self.kept.clear();
        }
        let alike = self.kept.entry(tool.name.clone()).or_default();
        if alike.len() >= ALIKE {
            alike.remove(0);
        }
        alike.push(Tried {
            tool: Arc::clone(tool),
            prepared,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, toolbox: usize) -> Arc<Tool> {
        Arc::new(Tool::safe(format!("box {toolbox}"), name, "Does."))
    }

    fn prepared(tool: &Tool) -> Option<Arc<Prepared>> {
        Prepared::new(tool).ok().map(Arc::new)
    }

    #[test]
    fn what_was_kept_is_there_and_nothing_else_is() {
        let mut tools = Tools::default();
        tools.keep(&tool("one", 1), prepared(&tool("one", 1)));
        let found = tools
            .get(&tool("one", 1))
            .and_then(|tried| tried.prepared.as_ref());
        assert_eq!(found.map(|found| found.tool.toolbox_id.as_str()), Some("box 1"));
        assert!(tools.get(&tool("one", 2)).is_none());
        tools.keep(&tool("one", 2), None);
        assert!(
            tools
                .get(&tool("one", 2))
                .is_some_and(|tried| tried.prepared.is_none())
        );
        assert!(tools.get(&tool("one", 1)).is_some());
    }

    #[test]
    fn there_are_never_more_than_the_bounds() {
        let mut tools = Tools::default();
        for number in 0..=MOST {
            tools.keep(&tool("same", number), None);
            tools.keep(&tool(&format!("tool {number}"), 1), None);
        }
        assert!(tools.kept.len() <= MOST);
        assert!(tools.kept.values().all(|alike| alike.len() <= ALIKE));
        assert!(tools.get(&tool("same", MOST)).is_some());
    }
}
