//! Each engine over the same ports: what it asks, what it runs, and how it ends when something fails.

mod auto;
mod chain_of_thought;
mod critic;
mod ends;
mod graph;
mod plan;
mod reflexion;
mod self_ask;
mod tree;

use loquat_agent::toolbox::Tool;
use serde_json::{Value, json};

use crate::tools::{Deed, tool};

/// A tool that takes one text.
fn asking(name: &str, deed: Deed) -> (Tool, Deed) {
    let (tool, deed) = tool(name, deed);
    let schema =
        json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]});
    (
        Tool {
            argument_schema: schema,
            ..tool
        },
        deed,
    )
}

/// `lookup(query)`, which always finds this.
fn lookup(found: &str) -> (Tool, Deed) {
    asking("lookup", Deed::Give(json!({"result": found})))
}

/// A call of it as it reaches the tool.
fn looked_up(query: &str) -> (String, Value) {
    ("lookup".to_owned(), json!({"query": query}))
}
