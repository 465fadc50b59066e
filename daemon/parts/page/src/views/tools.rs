//! All tools, each with a form to try it. A call goes through the gate as every other; one that may do harm asks here first.

pub(super) mod carried_out;
pub(super) mod consent;
mod form;

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use loquat_agent::printable::printable;
use loquat_agent::toolbox::{Category, Confirm, Tool};
use loquat_agent::turn::IntendedCall;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use self::carried_out::{Begun, begun};
use super::shell::{View, csrf, shell};
use crate::answer::{answered, see};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// Lists the toolboxes that have tools, with these.
async fn all(page: &PageState) -> Vec<(String, Arc<[Tool]>)> {
    let toolboxes = page.device.tool_trials.toolboxes().await;
    toolboxes
        .iter()
        .map(|toolbox| (toolbox.id().to_owned(), toolbox.tools()))
        .filter(|(_, tools)| !tools.is_empty())
        .collect()
}

/// Tells whether it asks first.
fn asks(tool: &Tool) -> bool {
    tool.category == Category::Dangerous || tool.confirm != Confirm::Never
}

fn path(tool: &Tool) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    format!("/tools/{}/{}", encoded(&tool.toolbox_id), encoded(&tool.name))
}

/// Shows all tools.
pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let toolboxes = all(&page).await;
    let content = html! {
        p.hint { "What the personas of this device can do. Choose a tool to try it; one that may do harm asks first." }
        @for (id, tools) in &toolboxes {
            section.toolbox aria-label=(id) {
                h2 { (printable(id)) }
                ul.tools { @for tool in tools.iter().filter(|tool| !tool.only_undoes) { li { (listed(tool)) } } }
            }
        }
    };
    let view = View {
        path: "/tools",
        title: "Tools",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn listed(tool: &Tool) -> Markup {
    html! {
        a href=(path(tool)) { code { (printable(&tool.name)) } }
        " " (badges(tool))
        p { (printable(&tool.description)) }
    }
}

fn badges(tool: &Tool) -> Markup {
    html! {
        @if asks(tool) { span.badge.bad { "asks first" } " " }
        @if tool.read_only { span.badge.good { "changes nothing" } }
    }
}

async fn find(page: &PageState, toolbox: &str, name: &str) -> Option<Tool> {
    let toolbox = page.device.tool_trials.toolbox(toolbox).await?;
    toolbox.tools().iter().find(|tool| tool.name == name).cloned()
}

/// Shows one tool with its form.
pub(super) async fn one(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Path((toolbox, name)): Path<(String, String)>,
) -> Response {
    let Some(tool) = find(&page, &toolbox, &name).await else {
        let gone = html! { p.fault { "There is no such tool any more." } };
        let view = View {
            path: "/tools/gone",
            title: "Tool",
            live: None,
            content: gone,
        };
        return (StatusCode::NOT_FOUND, shell(&page, &session, &view)).into_response();
    };
    let pretty = |schema| serde_json::to_string_pretty(schema).unwrap_or_default();
    let content = html! {
        p { (badges(&tool)) " " (printable(&tool.toolbox_id)) }
        p { (printable(&tool.description)) }
        form.card method="post" action=(path(&tool)) {
            (csrf(&session))
            (form::fields(&tool.argument_schema))
            button.primary { "Try it" }
        }
        details { summary { "Schemas" } div.inside {
            h3 { "Arguments" } pre tabindex="0" { (pretty(&tool.argument_schema)) }
            h3 { "Result" } pre tabindex="0" { (pretty(&tool.output_schema)) }
        } }
        p { a href="/tools" { "All tools" } }
    };
    let view = View {
        path: &path(&tool),
        title: &tool.name,
        live: None,
        content,
    };
    shell(&page, &session, &view).into_response()
}

/// Calls it, and shows the turn.
pub(super) async fn call(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
    Path((toolbox, name)): Path<(String, String)>,
) -> Response {
    let Some(tool) = find(&page, &toolbox, &name).await else {
        let gone = "There is no such tool any more.".to_owned();
        return answered(&session, "/tools", Err(gone));
    };
    let arguments = match form::arguments(&tool.argument_schema, &sent) {
        Ok(arguments) => arguments,
        Err(why) => return answered(&session, &path(&tool), Err(why)),
    };
    let call = IntendedCall {
        toolbox_id: toolbox,
        tool: name,
        arguments,
        ..IntendedCall::default()
    };
    match begun(&page, &session, call) {
        Ok(Begun { turn_id, .. }) => see(&format!("/turns/{turn_id}")),
        Err(busy) => answered(&session, &path(&tool), Err(busy.to_string())),
    }
}
