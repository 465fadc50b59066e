//! Who answers: the personas of the device with their handlers, where each was read, and what is wrong with their files.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_failure::with_causes;
use loquat_persona::Handler;
use maud::{Markup, html};

use super::settings::complaints;
use super::shell::{View, button, shell};
use crate::answer::answered;
use crate::device::ListedPersona;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let administration = Arc::clone(&page.device.administration);
    let read = tokio::task::spawn_blocking(move || administration.personas());
    let content = if let Ok(read) = read.await {
        html! {
            (complaints(&read.complaints))
            (button(&session, "/reload", &[("back", "/personas")], &html! { button { "Read settings and personas again" } }))
            @for listed in &read.personas { (card(listed)) }
        }
    } else {
        html! { p.fault { "The files of personas could not be read; see the log." } }
    };
    let view = View {
        path: "/personas",
        title: "Personas",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn card(listed: &ListedPersona) -> Markup {
    let ListedPersona {
        persona,
        answers,
        is_default,
        why_not,
    } = listed;
    let why_not = why_not
        .as_deref()
        .or((!answers).then_some("its file was read after the last start or reading; read them again"));
    html! {
        article.card aria-label=(persona.name) {
            h2 {
                (printable(&persona.name)) " "
                @if *is_default { span.badge.good { "answers" } }
                @if !answers { span.badge.bad { "not ready" } }
            }
            @if let Some(why) = why_not { p.fault { (printable(why)) } }
            @if let Some(about) = &persona.description { p { (printable(about)) } }
            dl.facts {
                dt { "Read from" } dd { code { (printable(&persona.origin.to_string())) } }
                @if let Some(lang) = &persona.lang { dt { "Language" } dd { (printable(lang)) } }
                @for handler in &persona.handlers { (way(handler)) }
            }
            @if let Some(prompt) = &persona.system_prompt {
                details { summary { "Its instructions" } div.inside { pre tabindex="0" { (crate::veil::lines(prompt)) } } }
            }
        }
    }
}

/// Shows one way of a persona to answer.
fn way(handler: &Handler) -> Markup {
    let boxes: Vec<&str> = handler
        .toolboxes
        .iter()
        .map(|choice| choice.id.as_str())
        .collect();
    html! {
        dt { "Answers by" } dd { code { (printable(handler.lookup.as_deref().unwrap_or(&handler.engine_id))) } }
        @if !boxes.is_empty() { dt { "With the tools of" } dd { (printable(&boxes.join(", "))) } }
    }
}

/// Reads settings and personas again.
pub(super) async fn reload(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let done = page.orders.reload().await;
    let back = sent.get("back").unwrap_or("/settings");
    answered(
        &session,
        back,
        done.map(Some).map_err(|error| with_causes(&error)),
    )
}
