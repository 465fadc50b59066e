//! What persons had remembered, with a way to have it forgotten.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use jiff::Timestamp;
use loquat_agent::printable::printable;
use loquat_skills::{Memory, Source};
use maud::{Markup, html};

use super::shell::{View, csrf, shell};
use crate::answer::answered;
use crate::clock::day_and_time;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = match page.device.resources.memories.of_all_owners().await {
        Ok(all) if all.is_empty() => {
            html! { p.hint { "Nothing is remembered. Say: remember that I park on the left side." } }
        }
        Ok(all) => form(&all, &session, veil),
        Err(why) => html! { p.fault { "What is remembered cannot be read, since " (why) "." } },
    };
    let view = View {
        path: "/memory",
        title: "Memory",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn form(all: &[(String, Memory)], session: &Session, veil: Veil) -> Markup {
    html! {
        form method="post" action="/memory/forget" {
            (csrf(session))
            ul.rows {
                @for (id, memory) in all {
                    li {
                        label.check {
                            input type="checkbox" name="id" value=(id);
                            span {
                                span.what { (veil.words(&memory.text)) }
                                span.figures {
                                    (source(memory.source)) ", "
                                    (day_and_time(Timestamp::from_second(memory.since).unwrap_or_default()))
                                    @if memory.owner != "default" { ", in " (printable(&memory.owner)) }
                                }
                            }
                        }
                    }
                }
            }
            button.danger data-sure="Forget what is marked?" { "Forget what is marked" }
        }
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Told => "told by a person",
        Source::Noted => "noted by the device",
        Source::Program => "brought by a program",
    }
}

/// Forgets what is marked.
pub(super) async fn forget(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let known = page
        .device
        .resources
        .memories
        .of_all_owners()
        .await
        .unwrap_or_default();
    let marked: Vec<String> = sent
        .all("id")
        .filter(|id| known.iter().any(|(known, _)| known == id))
        .map(str::to_owned)
        .collect();
    let count = marked.len();
    let done = if count == 0 {
        Err("Nothing was marked that is still remembered.".to_owned())
    } else {
        match page.device.resources.memories.forget(marked).await {
            Ok(()) => Ok(Some(format!("Forgotten: {count}."))),
            Err(why) => Err(format!("Nothing was forgotten, since {why}.")),
        }
    };
    answered(&session, "/memory", done)
}
