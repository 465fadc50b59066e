//! The conversation as it happens, and a line to type to the device. Says nothing itself.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_failure::with_causes;
use loquat_part::orders::OrderError;
use maud::{Markup, html};

use super::piece::Piece;
use super::shell::{View, button, csrf, shell};
use super::{hearing, turns};
use crate::answer::answered;
use crate::clock::time_of_day;
use crate::conversation::{Line, Speaker};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

pub(super) fn line(page: &PageState, number: u64, veil: Veil) -> Option<Piece> {
    let kept = page.conversation.kept();
    let line = kept.lines.iter().rev().find(|line| line.number == number)?;
    Some(Piece {
        id: format!("line-{number}"),
        into: Some("lines"),
        first: false,
        html: shown(line, veil),
    })
}

/// Makes a piece of all lines.
pub(super) fn all(page: &PageState, veil: Veil) -> Piece {
    Piece::over("lines", lines(page, veil))
}

fn lines(page: &PageState, veil: Veil) -> Markup {
    let kept = page.conversation.kept();
    html! {
        div.lines id="lines" role="log" aria-label="Conversation" tabindex="0" {
            @for line in &kept.lines { (shown(line, veil)) }
        }
    }
}

fn shown(line: &Line, veil: Veil) -> Markup {
    let (class, name) = match line.speaker {
        Speaker::Person => ("person", "You"),
        Speaker::Device => ("device", "Loquat"),
    };
    html! {
        div id={"line-" (line.number)} class=(class) {
            p.who { (name) @if !line.session.is_empty() { " in " (line.session) } " · " (time_of_day(line.at)) }
            p.said { (veil.words(&line.text)) }
        }
    }
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = html! {
        section.now aria-labelledby="talk" {
            h2 #talk { "Conversation" }
            (hearing::doing(&page).html)
            (hearing::meter(&page))
            (hearing::half_heard(&page, veil).html)
            (lines(&page, veil))
            form.ask method="post" action="/ask" data-quiet {
                (csrf(&session))
                label for="question" { "Type to the device" }
                div.row {
                    input #question name="question" autocomplete="off" required maxlength="4000";
                    button.primary { "Send" }
                }
            }
            div.row {
                (button(&session, "/listen", &[("back", "/")], &html! { button { "Listen now" } }))
                (button(&session, "/stop", &[("back", "/")], &html! { button { "Stop" } }))
            }
        }
        section aria-labelledby="lately" {
            h2 #lately { "Latest turns" }
            (turns::latest(&page, veil).html)
        }
    };
    let view = View {
        path: "/",
        title: "Now",
        live: Some("/live/now".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Takes a typed line as said to the device.
pub(super) async fn ask(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let told = page.orders.tell(sent.get("question").unwrap_or_default()).await;
    answered(&session, "/", done(told))
}

fn done(done: Result<(), OrderError>) -> Result<Option<String>, String> {
    done.map(|()| None).map_err(|error| with_causes(&error))
}

/// Opens the microphone.
pub(super) async fn listen(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let listens = page.orders.listen().await;
    answered(&session, sent.get("back").unwrap_or("/"), done(listens))
}

/// Ends what the device does and says.
pub(super) async fn stop(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let stopped = page.orders.stop().await;
    answered(&session, sent.get("back").unwrap_or("/"), done(stopped))
}
