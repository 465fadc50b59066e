//! `loquat tools`: our toolboxes and those that others offer on the bus.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use loquat_agent::toolbox::{Circumstances, Tool, Toolbox};
use loquat_skills::Resources;
use serde_json::{Map, Value, json};

use super::arguments::Tools;
use super::{Context, Exit, Style};
use crate::app;
use crate::link;
use crate::settings::{Settings, bus_address, wording::nearest};
use crate::supervisor::Supervisor;
use crate::tools::{HostedTool, RemoteToolboxes, own_toolboxes};

/// Carries out `loquat tools`.
pub(super) async fn run(context: Context, command: Option<Tools>) -> Result<Exit> {
    let supervisor = Supervisor::new();
    let done = match command.unwrap_or(Tools::List) {
        Tools::List => list(&context, &supervisor).await,
        Tools::Call { tool, arguments } => call(&context, &supervisor, &tool, &arguments).await,
    };
    supervisor.end_back().await;
    done
}

async fn list(context: &Context, supervisor: &Supervisor) -> Result<Exit> {
    let own = own_tools(context);
    let others = match remote(&context.settings, supervisor).await {
        Some(remote) => remote.list().await,
        None => Vec::new(),
    };
    let is_own = |tool: &Tool| own.iter().any(|(ours, _)| ours.toolbox_id == tool.toolbox_id);
    let others: Vec<Tool> = others.into_iter().filter(|tool| !is_own(tool)).collect();
    let own = own.iter().map(|(tool, _)| (tool, "built in"));
    let all: Vec<_> = own
        .chain(others.iter().map(|tool| (tool, "on the bus")))
        .collect();
    let output = context.output;
    for (tool, place) in &all {
        output.pieces(&[
            (Style::Plain, &format!("{}/", tool.toolbox_id)),
            (Style::Bold, &tool.name),
            (Style::Plain, &format!("  ({place})")),
        ]);
        output.line(format!("    {}", tool.description));
    }
    let described = |(tool, place): &(&Tool, &str)| {
        json!({"toolbox_id": tool.toolbox_id, "name": tool.name, "description": tool.description,
            "argument_schema": tool.argument_schema, "output_schema": tool.output_schema, "place": place})
    };
    output.value(&all.iter().map(described).collect::<Vec<_>>());
    Ok(Exit::Ok)
}

async fn call(context: &Context, supervisor: &Supervisor, name: &str, arguments: &str) -> Result<Exit> {
    let arguments: Map<String, Value> = serde_json::from_str(arguments)
        .with_context(|| format!("failed to read the arguments: '{arguments}' is not a JSON object"))?;
    let who = circumstances(context);
    let outcome = match find(own_tools(context), name) {
        Some((tool, toolbox)) if !keeps_something(&*toolbox) => {
            hosted(tool, toolbox)?.call(arguments, &who).await
        }
        found => call_on_bus(context, supervisor, name, found.is_some(), arguments, &who).await?,
    };
    match outcome {
        Ok(result) => {
            let result = Value::Object(result);
            context.output.line(serde_json::to_string_pretty(&result)?);
            context.output.value(&json!({"result": result}));
            Ok(Exit::Ok)
        }
        Err(error) => {
            context.output.remark(format!("loquat: {}", for_people(&error)));
            context.output.value(&json!({"error": error}));
            Ok(Exit::Failed)
        }
    }
}

async fn call_on_bus(
    context: &Context,
    supervisor: &Supervisor,
    name: &str,
    is_built_in: bool,
    arguments: Map<String, Value>,
    who: &Circumstances,
) -> Result<Result<Map<String, Value>, String>> {
    let remote = remote(&context.settings, supervisor).await;
    if is_built_in {
        let offered = match &remote {
            Some(remote) => remote.list().await,
            None => Vec::new(),
        };
        if !offered.iter().any(|tool| is_named(tool, name)) {
            bail!(
                "failed to call '{name}': what it changes is kept by the running daemon, and none answers; start it \
                 first, with: systemctl --user start loquat, or: loquat run"
            );
        }
    }
    let Some(remote) = remote else {
        let meant = meant(context, &[], name);
        bail!("failed to find the tool '{name}': it is not built in and no bus answers; {meant}");
    };
    let offered = remote.list().await;
    let meant = meant(context, &offered, name);
    let Some(tool) = offered.into_iter().find(|tool| is_named(tool, name)) else {
        bail!("failed to find the tool '{name}': neither built in nor on the bus; {meant}");
    };
    let Some(toolbox) = remote.toolbox_as_called_by_a_person(&tool.toolbox_id) else {
        bail!("failed to find the toolbox '{}' again", tool.toolbox_id);
    };
    Ok(hosted(tool, toolbox)?.call(arguments, who).await)
}

/// What is wrong, without the name that OVOS gives to this kind of error.
fn for_people(error: &str) -> &str {
    let (kind, told) = error.split_once(": ").unwrap_or(("", error));
    let is_kind = kind.ends_with("Error") && kind.chars().all(char::is_alphanumeric);
    if is_kind { told } else { error }
}

fn hosted(tool: Tool, toolbox: Arc<dyn Toolbox>) -> Result<HostedTool> {
    let name = tool.name.clone();
    HostedTool::new(tool, toolbox)
        .with_context(|| format!("failed to use '{name}': its schemas do not compile"))
}

/// Tells whether its tools change something, which only the running daemon keeps.
fn keeps_something(toolbox: &dyn Toolbox) -> bool {
    toolbox.tools().iter().any(|tool| !tool.read_only)
}

/// Those of this process as the settings have them; the owner cannot be asked here for a service outside of the device.
fn own_tools(context: &Context) -> Vec<(Tool, Arc<dyn Toolbox>)> {
    let resources = Resources::volatile(Arc::new(loquat_skills::locales()));
    let toolboxes = own_toolboxes(&app::with_network(resources, &context.settings));
    toolboxes
        .into_iter()
        .flat_map(|toolbox| {
            toolbox
                .tools()
                .iter()
                .map(|tool| (tool.clone(), Arc::clone(&toolbox)))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn find(tools: Vec<(Tool, Arc<dyn Toolbox>)>, name: &str) -> Option<(Tool, Arc<dyn Toolbox>)> {
    tools.into_iter().find(|(tool, _)| is_named(tool, name))
}

/// Asks whether the nearest tool was meant, or says where all are listed.
fn meant(context: &Context, offered: &[Tool], name: &str) -> String {
    let own = own_tools(context);
    let names = own.iter().map(|(tool, _)| tool).chain(offered);
    let near = nearest(name, names.map(|tool| tool.name.as_str()));
    near.map_or_else(
        || "see: loquat tools list".to_owned(),
        |near| format!("did you mean {near}?"),
    )
}

fn is_named(tool: &Tool, name: &str) -> bool {
    tool.name == name || name.split_once('/') == Some((&tool.toolbox_id, &tool.name))
}

/// Finds the boxes on the bus, if there is a bus.
pub(super) async fn remote(settings: &Settings, supervisor: &Supervisor) -> Option<RemoteToolboxes> {
    if !link::answers(&bus_address(settings)).await {
        return None;
    }
    let (bus, ..) = link::join(&settings.bus, bus_address(settings), supervisor).await;
    Some(RemoteToolboxes::new(
        bus,
        Duration::from_secs_f64(settings.tools.bus_timeout_seconds),
    ))
}

fn circumstances(context: &Context) -> Circumstances {
    app::device(&context.settings).circumstances()
}
