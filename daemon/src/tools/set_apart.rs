//! The tools that strangers have written down in `SKILL.md` files, by names that no other toolbox of the persona may bear.
//!
//! Such a file names itself. Where it takes the name of a tool that the persona trusts, a brain that means that one would have
//! the stranger's instructions followed. What a program on the bus or an MCP server will offer is not known before it is there,
//! so with any of those every tool of strangers is set apart, and else those whose names are taken.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};
use serde_json::{Map, Value};

/// How such names begin. No tool of another program is offered that begins so.
const BEGINNING: &str = "skill_md_";

/// Whether only a tool that was set apart has this name.
pub(crate) fn is_set_apart(name: &str) -> bool {
    name.starts_with(BEGINNING)
}

/// What else the persona has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Others<'a> {
    /// The names that are taken.
    pub(crate) names: &'a [String],
    /// Whether there are toolboxes whose names are not known yet.
    pub(crate) has_unknown: bool,
}

impl Others<'_> {
    /// Whether one of them may be meant by this name, in any of the spellings that brains have for it.
    fn may_bear(&self, name: &str) -> bool {
        self.has_unknown || self.names.iter().any(|taken| bare(taken) == bare(name))
    }
}

fn bare(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The toolbox.
#[derive(Debug)]
pub(crate) struct SetApart {
    inner: Arc<dyn Toolbox>,
    tools: Arc<[Tool]>,
    /// The names of the tools, and those that they have in the toolbox itself.
    names: Vec<(String, String)>,
}

impl SetApart {
    /// The toolbox, whose tools never change, beside these others.
    pub(crate) fn of(inner: Arc<dyn Toolbox>, others: Others<'_>) -> Arc<dyn Toolbox> {
        let plain = inner.tools();
        let is_apart = |tool: &&Tool| tool.brings_foreign_text && others.may_bear(&tool.name);
        let renamed = plain.iter().filter(is_apart);
        let renamed: Vec<&str> = renamed.map(|tool| tool.name.as_str()).collect();
        if renamed.is_empty() {
            return inner;
        }
        let called = |name: &str| {
            if renamed.contains(&name) {
                format!("{BEGINNING}{name}")
            } else {
                name.to_owned()
            }
        };
        let tools = plain.iter().map(|tool| Tool {
            name: called(&tool.name),
            within: tool.within.as_deref().map(called),
            ..tool.clone()
        });
        let names = plain.iter().map(|tool| (called(&tool.name), tool.name.clone()));
        Arc::new(Self {
            tools: tools.collect(),
            names: names.collect(),
            inner: Arc::clone(&inner),
        })
    }
}

impl Toolbox for SetApart {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn overhead(&self) -> Duration {
        self.inner.overhead()
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        let known = self.names.iter().find(|(called, _)| called == name);
        let name = known.map_or(name, |(_, plain)| plain);
        self.inner.call(name, arguments, circumstances)
    }
}
