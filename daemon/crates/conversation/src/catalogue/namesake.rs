//! A tool whose name another box's tool has already: it is offered under a name of its own, made of its box's and its own,
//! and called in its box by its own.
//!
//! What a persona allows or forbids by name holds for both names.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::Entry;
use crate::prepared::Prepared;
use crate::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox, ToolboxWrapper};
use crate::turn_cache::TurnCache;

/// The box of such a tool.
#[derive(Debug)]
pub(super) struct Namesake {
    toolbox: Arc<dyn Toolbox>,
    /// The name of the tool here.
    name: String,
    /// The name of the tool in its box.
    own: String,
}

impl Namesake {
    /// The tool under a name that is not taken; nothing where no brain could call it by such a name.
    pub(super) fn entry(
        own: &Arc<Prepared>,
        toolbox: &Arc<dyn Toolbox>,
        is_taken: impl Fn(&str) -> bool,
        turn_cache: &TurnCache,
    ) -> Option<Arc<Entry>> {
        let name = name_of(toolbox.id(), &own.tool.name, is_taken);
        let renamed = Tool {
            name: name.clone(),
            ..own.tool.clone()
        };
        let prepared = turn_cache.prepared(&Arc::from([renamed]));
        let prepared = prepared.first()?;
        tracing::debug!(
            toolbox = toolbox.id(),
            tool = own.tool.name,
            name,
            "tool has a namesake"
        );
        let namesake = Self {
            toolbox: Arc::clone(toolbox),
            name,
            own: own.tool.name.clone(),
        };
        Some(Arc::new(Entry {
            prepared: Arc::clone(prepared),
            toolbox: Arc::new(namesake),
            own: Some(Arc::clone(own)),
        }))
    }

    fn own<'n>(&'n self, name: &'n str) -> &'n str {
        if name == self.name { &self.own } else { name }
    }
}

/// `other_tools_add`, or with a number behind it where that is taken, too.
fn name_of(toolbox_id: &str, tool: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let whole = format!(
        "{}_{tool}",
        toolbox_id.replace(|c: char| !c.is_alphanumeric(), "_")
    );
    let numbered = (2..).map(|number: u32| format!("{whole}_{number}"));
    let mut names = std::iter::once(whole.clone()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or(whole)
}

impl ToolboxWrapper for Namesake {
    fn inner(&self) -> &dyn Toolbox {
        &*self.toolbox
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.toolbox.call(self.own(name), arguments, circumstances)
    }

    fn question(&self, name: &str, arguments: &Map<String, Value>, lang: &str) -> Option<String> {
        self.toolbox.question(self.own(name), arguments, lang)
    }

    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        self.toolbox
            .decline(self.own(name), arguments, circumstances, why);
    }
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn its_name_tells_the_box_and_is_its_own() {
        assert_eq!(name_of("other-tools", "add", |_| false), "other_tools_add");
        let taken = ["other_tools_add", "other_tools_add_2"];
        assert_eq!(
            name_of("other-tools", "add", |name| taken.contains(&name)),
            "other_tools_add_3"
        );
    }
}
