//! Timers, alarms, reminders and deeds, each with a way to take it away.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_skills::alerts::Alert;
use maud::{Markup, html};

use super::shell::{View, button, shell};
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
    let all = page.device.resources.alerts.all().await;
    let veil = Veil::of(&session);
    let content = html! {
        @if all.is_empty() { p.hint { "No timer, alarm or reminder is set. Say: set a timer for ten minutes." } }
        ul.rows { @for alert in &all { li { (row(alert, &session, veil)) } } }
    };
    let view = View {
        path: "/timers",
        title: "Timers",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn row(alert: &Alert, session: &Session, veil: Veil) -> Markup {
    let id = alert.id.to_string();
    let name = format!("Take away the {} {id}", alert.kind.name());
    html! {
        div {
            p.what {
                strong { (alert.kind.name()) } " "
                @if let Some(name) = &alert.name { (veil.words(name)) }
            }
            p.figures {
                @if let Some(event) = &alert.on { "when " (veil.words(&event.words)) }
                @else if alert.is_paused() { "paused" } @else { (day_and_time(alert.due)) }
                @if alert.is_repeated() { ", and again" }
                @if alert.person.session_id != "default" { ", for " (printable(&alert.person.session_id)) }
            }
        }
        @if alert.is_ringing() { span.badge.busy { "rings" } }
        (button(session, "/timers/remove", &[("id", &id)], &html! { button.quiet aria-label=(name) { "Take away" } }))
    }
}

/// Takes one away.
pub(super) async fn remove(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let id = sent.get("id").and_then(|id| id.parse().ok());
    let gone = match id {
        Some(id) => page.device.resources.alerts.cancel(id).await,
        None => false,
    };
    let done = if gone {
        Ok(Some("It is taken away.".to_owned()))
    } else {
        Err("It was gone already.".to_owned())
    };
    answered(&session, "/timers", done)
}
