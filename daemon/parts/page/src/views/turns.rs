//! The last turns, each as a waterfall of what it asked brains and tools for. What a brain was sent is played again from the
//! journal when a person wants to see it.

mod played;
mod waterfall;

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

pub(super) use self::played::before;
use self::waterfall::{summary, waterfall};
use super::piece::Piece;
use super::shell::{View, shell};
use super::tools::consent;
use crate::page_state::PageState;
use crate::session::Session;
use crate::turns::KeptTurn;
use crate::veil::Veil;

/// Turns of the journal that are listed behind those.
const LISTED: u32 = 50;

/// Makes a piece of a turn's line in the list.
pub(super) fn row(page: &PageState, session: &Session, id: &str) -> Option<Piece> {
    let turn = page.turns.find(id)?;
    Some(Piece {
        id: format!("row-{id}"),
        into: Some("turns"),
        first: true,
        html: listed(page, session, &turn),
    })
}

/// Makes a piece of the list.
pub(super) fn latest(page: &PageState, session: &Session) -> Piece {
    let turns = page.turns.all();
    let html = html! {
        ol.turns id="turns" aria-label="Turns, the newest first" {
            @for turn in turns.iter().rev() { (listed(page, session, turn)) }
        }
    };
    Piece::over("turns", html)
}

fn listed(page: &PageState, session: &Session, turn: &KeptTurn) -> Markup {
    let veil = veil_of(page, session, &turn.id);
    html! { li.of-form[turn.is_of_form] id={"row-" (turn.id)} { a href={"/turns/" (turn.id)} { (summary(turn, veil)) } } }
}

/// Makes a piece of a turn's waterfall.
pub(super) fn whole(page: &PageState, session: &Session, id: &str) -> Option<Piece> {
    let turn = page.turns.find(id)?;
    Some(Piece::over("turn", waterfall(&turn, veil_of(page, session, id))))
}

/// Lifts the veil from a turn that a person has put together on this page, since it is no secret to them.
fn veil_of(page: &PageState, session: &Session, id: &str) -> Veil {
    if page.questions.is_of(session, id) {
        Veil::Lifted
    } else {
        Veil::of(session)
    }
}

/// Shows all turns.
pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let before = before(&page, LISTED).await;
    let content = html! {
        p.hint { "Each question, and what was asked of brains and tools to answer it." }
        @if page.turns.all().is_empty() {
            div.empty {
                p { strong { "Nothing was asked since the start." } }
                p { "Ask something, and its turn stands here: what the model was sent, what tools did, and how long it took." }
            }
        }
        (latest(&page, &session).html)
        @match before {
            Ok(before) => @if !before.is_empty() {
                section aria-labelledby="before" {
                    h2 #before { "Before the last start" }
                    ol.turns aria-label="Turns before the last start" {
                        @for turn in &before {
                            li { a href={"/turns/" (turn.id)} { (waterfall::summary_of_journal(turn, veil)) } }
                        }
                    }
                }
            },
            Err(why) => p.fault { (why) },
        }
    };
    let view = View {
        path: "/turns",
        title: "Turns",
        live: Some("/live/turns".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Shows one turn.
pub(super) async fn one(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Path(id): Path<String>,
) -> Response {
    let veil = veil_of(&page, &session, &id);
    let live = page.turns.find(&id);
    let is_live = live.is_some();
    let turn = match live {
        Some(turn) => Ok(turn),
        None => played::turn(&page, &id).await,
    };
    let (status, content) = match turn {
        Ok(turn) => {
            let content = html! {
                (waterfall(&turn, veil))
                (consent::asked(&page, &session, &id).html)
                p { a href="/turns" { "All turns" } }
            };
            (StatusCode::OK, content)
        }
        Err(why) => (StatusCode::NOT_FOUND, html! { p.fault { (why) } }),
    };
    let view = View {
        path: &format!("/turns/{id}"),
        title: "Turn",
        live: is_live.then(|| format!("/live/turn-{id}")),
        content,
    };
    (status, shell(&page, &session, &view)).into_response()
}

/// Shows what the brain was sent in a step, as a piece of a view or, for a browser without scripts, as a
/// view.
pub(super) async fn prompt(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Path((id, step)): Path<(String, u32)>,
) -> Response {
    let veil = veil_of(&page, &session, &id);
    let content = match played::prompt(&page, &id, step).await {
        Ok(prompt) => waterfall::prompt(&prompt, veil),
        Err(why) => html! { p.fault { (why) } },
    };
    let view = View {
        path: &format!("/turns/{id}/prompts/{step}"),
        title: "Prompt",
        live: None,
        content: html! { div id="prompt" { (content) } p { a href={"/turns/" (id)} { "The turn" } } },
    };
    shell(&page, &session, &view).into_response()
}
