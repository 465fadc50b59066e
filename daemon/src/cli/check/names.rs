//! Which tools of a persona have one name, and which of them is called by it. Asks the bus for the toolboxes that are there.

use std::collections::BTreeMap;

use loquat_agent::toolbox::Tool;
use loquat_part::{Finding, Verdict};
use loquat_skills::{mcp, skill_md};

use crate::app::Roll;
use crate::cli::tools::remote;
use crate::mind::{Handler, ReadyPersona};
use crate::settings::{Environment, Settings};
use crate::supervisor::Supervisor;
use crate::tools::{is_set_apart, shadowed};

const PART: &str = "tools";

/// The names of tools, by the id of their toolbox.
pub(super) type Names = BTreeMap<String, Vec<String>>;

/// Finds what is left out, and what has another name than its own. `servers` are the tools of MCP servers.
pub(super) async fn findings(settings: &Settings, environment: &Environment, servers: Names) -> Vec<Finding> {
    let personas = Roll::of(settings, environment).ready;
    let mut elsewhere = on_the_bus(settings).await;
    elsewhere.extend(servers);
    let mut findings: Vec<Finding> = Vec::new();
    for persona in &personas {
        let of_persona = persona.handlers.iter().flat_map(|handler| {
            let rivals = rivals(persona, handler, &elsewhere);
            rivals.into_iter().chain(set_apart(persona, handler))
        });
        for finding in of_persona {
            if findings.iter().all(|known| known.detail != finding.detail) {
                findings.push(finding);
            }
        }
    }
    findings
}

async fn on_the_bus(settings: &Settings) -> Names {
    let supervisor = Supervisor::new();
    let tools = match remote(settings, &supervisor).await {
        Some(remote) => remote.list().await,
        None => Vec::new(),
    };
    supervisor.end_back().await;
    let mut names = Names::new();
    for Tool { toolbox_id, name, .. } in tools {
        names.entry(toolbox_id).or_default().push(name);
    }
    names
}

fn rivals(persona: &ReadyPersona, handler: &Handler, elsewhere: &Names) -> Vec<Finding> {
    let here = handler.toolboxes.iter();
    let here = here.filter(|toolbox| !toolbox.id().starts_with(mcp::PREFIX));
    let here = here.map(|toolbox| {
        let tools = toolbox.tools();
        let names = tools.iter().map(|tool| tool.name.clone());
        (toolbox.id().to_owned(), names.collect())
    });
    let remote = handler.remote.iter().map(|wanted| wanted.toolbox_id.as_str());
    let servers = handler.toolboxes.iter().map(|toolbox| toolbox.id());
    let servers = servers.filter(|id| id.starts_with(mcp::PREFIX));
    let others = remote.chain(servers);
    let others = others.filter_map(|id| Some((id.to_owned(), elsewhere.get(id)?.clone())));
    let all: Vec<(String, Vec<String>)> = here.chain(others).collect();
    let all = handler.order.arranged(all, |(id, _)| id);
    let finding = |shadowed| {
        let mend = "list the toolbox that you want before the other one, or leave one of them out";
        Finding::bad(
            PART,
            Verdict::Remark,
            format!("{}: {shadowed}", persona.name),
            mend,
        )
    };
    shadowed(&all).into_iter().map(finding).collect()
}

fn set_apart(persona: &ReadyPersona, handler: &Handler) -> Vec<Finding> {
    let own = handler
        .toolboxes
        .iter()
        .filter(|toolbox| toolbox.id() == skill_md::ID);
    let tools = own.flat_map(|toolbox| toolbox.tools().to_vec());
    let apart = tools.filter(|tool| tool.within.is_none() && is_set_apart(&tool.name));
    let finding = |tool: Tool| {
        let detail = format!(
            "{}: a skill that somebody else wrote is called {}, since other toolboxes have or may have a tool of its own name",
            persona.name, tool.name
        );
        let mend = "put it into the folder skills beside loquat.toml if you vouch for what it says";
        Finding::bad(PART, Verdict::Remark, detail, mend)
    };
    apart.map(finding).collect()
}
