//! What `loquat check` and the page find of the MCP servers: what each offers, what was left out and why, and what else it
//! writes.

use std::sync::Arc;

use loquat_part::{Finding, Verdict};
use loquat_skills::mcp::{ALLOWED, Condition as ServerCondition, Server, Servers};
use loquat_skills::{Change, Records, Volatile};
use tokio_util::sync::CancellationToken;

use super::names::Names;
use crate::app;
use crate::cli::allowed_tools::AllowedTools;
use crate::mcp_servers;
use crate::settings::{self, Environment, Settings};

const PART: &str = "mcp";

/// Really starts each, since a program that is there may still be none, and ends it again.
pub(super) async fn started(settings: &Settings, environment: &Environment) -> Option<Servers> {
    let rules = mcp_servers::rules(settings::mcp(settings), environment);
    if rules.is_empty() {
        return None;
    }
    let records: Arc<dyn Records> = Arc::new(Volatile::default());
    let allowed = AllowedTools::open(&settings.folders.state).ok().flatten();
    let allowed = allowed.and_then(|allowed| allowed.all().ok()).unwrap_or_default();
    let allowed = allowed
        .into_iter()
        .map(|(id, value)| Change::write(ALLOWED, id, value));
    // What is kept in memory is always kept.
    records.change(allowed.collect()).await.unwrap_or_default();
    let servers = Servers::new(rules, &records);
    let cancel = CancellationToken::new();
    let look = async {
        for server in servers.all() {
            drop(
                server
                    .condition()
                    .wait_for(|condition| *condition != ServerCondition::Starting)
                    .await,
            );
        }
        cancel.cancel();
    };
    tokio::join!(servers.clone().run(cancel.clone()), look);
    Some(servers)
}

/// Says how those that were started have been.
pub(super) fn findings(
    settings: &Settings,
    environment: &Environment,
    servers: Option<&Servers>,
) -> Vec<Finding> {
    servers.map_or_else(Vec::new, |servers| as_they_are(servers, settings, environment))
}

/// Names the tools that they had.
pub(super) fn names(servers: Option<&Servers>) -> Names {
    let servers = servers.into_iter().flat_map(Servers::all);
    let names = servers.filter_map(|server| match &*server.condition().borrow() {
        ServerCondition::Up { tools, .. } => {
            let names = tools.iter().map(|(tool, _)| tool.clone());
            Some((server.rules().toolbox_id(), names.collect()))
        }
        _ => None,
    });
    names.collect()
}

/// Says how servers are that have begun before.
pub(super) fn as_they_are(servers: &Servers, settings: &Settings, environment: &Environment) -> Vec<Finding> {
    if servers.is_empty() {
        return Vec::new();
    }
    let (personas, _) = app::load_personas(settings, environment);
    let boxes: Vec<&str> = personas
        .iter()
        .flat_map(|persona| &persona.handlers)
        .flat_map(|handler| &handler.toolboxes)
        .map(|toolbox| toolbox.id.as_str())
        .collect();
    let findings = servers.all().iter().flat_map(|server| one(server, &boxes));
    findings.collect()
}

fn one(server: &Server, boxes: &[&str]) -> Vec<Finding> {
    let name = &server.rules().name;
    let (tools, remarks) = match server.condition().borrow().clone() {
        ServerCondition::Up { tools, remarks } => (tools, remarks),
        ServerCondition::Down(why) => {
            let mend = format!("correct [mcp.servers.{name}]; the daemon works without it and tries again");
            return vec![Finding::bad(
                PART,
                Verdict::Broken,
                format!("{name}: {why}"),
                mend,
            )];
        }
        ServerCondition::Starting => return Vec::new(),
    };
    let tools = tools.iter().map(|(tool, asks)| {
        if *asks {
            format!("{tool} (asks)")
        } else {
            tool.clone()
        }
    });
    let tools: Vec<String> = tools.collect();
    let offers = match &tools[..] {
        [] => format!("{name} offers nothing"),
        tools => format!("{name} offers {}", tools.join(", ")),
    };
    let mut findings = vec![Finding::ok(PART, offers)];
    findings.extend(remarks.iter().map(|remark| {
        let mend = format!("see [mcp.servers.{name}] in loquat.toml");
        Finding::bad(PART, Verdict::Remark, format!("{name}: {remark}"), mend)
    }));
    findings.extend(server.passed_over().map(|told| {
        let mend = "have it write its log to standard error; standard output is for messages alone";
        Finding::bad(PART, Verdict::Remark, format!("{name}: {told}"), mend)
    }));
    let id = server.rules().toolbox_id();
    if !boxes.contains(&id.as_str()) {
        let mend = format!("add \"{id}\" to the toolboxes of a persona");
        findings.push(Finding::bad(
            PART,
            Verdict::Remark,
            format!("no persona lists {id}"),
            mend,
        ));
    }
    findings
}
