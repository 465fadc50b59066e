//! Prepared tools: preparing a few takes longer than everything else that a turn does by itself.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::prepared::Prepared;
use crate::toolbox::Tool;

/// This many lists of tools are kept: a toolbox whose tools are always new must not fill the memory.
const MOST: usize = 100;

/// Bounds of all of it, in bytes: a box whose schemas are always new ones must not, either.
const LARGEST: usize = 64 << 20;

/// The tools of a toolbox that can be offered.
pub(crate) type PreparedTools = Arc<[Arc<Prepared>]>;

/// The prepared tools of each toolbox's list, the latest last.
#[derive(Debug, Default)]
pub(super) struct Tools {
    kept: VecDeque<(Arc<[Tool]>, PreparedTools)>,
}

impl Tools {
    /// Finds what was made of a list. Mostly it is the very same one; boxes of other processes announce theirs again.
    pub(super) fn get(&self, tools: &Arc<[Tool]>) -> Option<PreparedTools> {
        let same = self.kept.iter().find(|(known, _)| Arc::ptr_eq(known, tools));
        let found = same.or_else(|| self.kept.iter().find(|(known, _)| known == tools));
        found.map(|(_, prepared)| Arc::clone(prepared))
    }

    /// Keeps what was made of a list.
    pub(super) fn keep(&mut self, tools: &Arc<[Tool]>, prepared: &PreparedTools) {
        let new = weight(prepared);
        let mut kept: usize = self.kept.iter().map(|(_, kept)| weight(kept)).sum();
        while self.kept.len() >= MOST || kept + new > LARGEST {
            match self.kept.pop_front() {
                Some((_, oldest)) => kept -= weight(&oldest),
                None => break,
            }
        }
        self.kept.push_back((Arc::clone(tools), Arc::clone(prepared)));
    }
}

fn weight(prepared: &PreparedTools) -> usize {
    prepared.iter().map(|prepared| prepared.weight()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(name: &str) -> Arc<[Tool]> {
        Arc::from([Tool::safe("box", name, "Does.")])
    }

    fn prepared(tools: &[Tool]) -> PreparedTools {
        tools
            .iter()
            .map(|tool| Arc::new(Prepared::new(tool, tools).unwrap()))
            .collect()
    }

    #[test]
    fn what_was_kept_is_there_and_nothing_else_is() {
        let mut tools = Tools::default();
        let one = list("one");
        tools.keep(&one, &prepared(&one));
        for equal in [one, list("one")] {
            assert_eq!(tools.get(&equal).unwrap()[0].tool.name, "one");
        }
        assert!(tools.get(&list("other")).is_none());
    }

    #[test]
    fn there_are_never_more_than_the_bound() {
        let mut tools = Tools::default();
        for number in 0..=MOST {
            let passing = list(&format!("tool_{number}"));
            tools.keep(&passing, &prepared(&passing));
        }
        assert_eq!(tools.kept.len(), MOST);
        assert!(tools.get(&list(&format!("tool_{MOST}"))).is_some());
    }
}
