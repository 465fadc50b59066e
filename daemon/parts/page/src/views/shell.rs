//! The frame around every view: head, how the device fares, the way to all views, and the choice that shows what people said.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::response::{IntoResponse, Response};
use loquat_agent::printable::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::icons::{Icon, icon};
use super::piece::Piece;
use super::search::field;
use crate::answer::see;
use crate::fares::Fares;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::words_choice;

/// A view: its path, its name and its icon.
type Known = (&'static str, &'static str, Icon);

/// The views by what they are for.
const GROUPS: [(&str, &[Known]); 3] = [
    (
        "Every day",
        &[
            ("/", "Now", Icon::Now),
            ("/timers", "Timers", Icon::Timers),
            ("/lists", "Lists", Icon::Lists),
            ("/memory", "Memory", Icon::Memory),
            ("/routines", "Routines", Icon::Routines),
        ],
    ),
    (
        "The device",
        &[
            ("/settings", "Settings", Icon::Settings),
            ("/personas", "Personas", Icon::Personas),
            ("/models", "Models", Icon::Models),
            ("/sound", "Sound", Icon::Sound),
            ("/check", "Check", Icon::Check),
        ],
    ),
    (
        "Behind the scenes",
        &[
            ("/turns", "Turns", Icon::Turns),
            ("/tools", "Tools", Icon::Tools),
            ("/log", "Log", Icon::Log),
        ],
    ),
];

/// Those that show what people said, and ask once whether they may.
const OF_WORDS: [&str; 6] = ["/", "/timers", "/lists", "/memory", "/routines", "/turns"];

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const ICON: &str = include_str!("icon.svg");

/// A view for a browser.
pub(super) struct View<'a> {
    /// Its path, which the navigation marks.
    pub(super) path: &'a str,
    pub(super) title: &'a str,
    /// What is told of it while it is open, by the path of the stream.
    pub(super) live: Option<String>,
    pub(super) content: Markup,
}

/// Puts a view into the frame that all have.
pub(super) fn shell(page: &PageState, session: &Session, view: &View<'_>) -> Markup {
    let content = html! {
        a.skip href="#main" { "Skip to the content" }
        header {
            a.brand href="/" aria-label="Loquat" { (PreEscaped(ICON)) span { "Loquat" } }
            (status(page))
            button.menu type="button" popovertarget="menu" { (icon(Icon::Menu)) "Menu" }
        }
        (navigation(session, view))
        main id="main" tabindex="-1" data-live=[view.live.as_deref()] {
            h1 { (printable(view.title)) }
            p id="connection" role="status" hidden { "The connection is lost. Trying again…" }
            @match session.take_notice() {
                Some(notice) => p id="notice" class=[notice.is_fault.then_some("fault")] role="status" { (printable(&notice.text)) },
                None => p id="notice" role="status" hidden {},
            }
            @if !session.has_chosen() && OF_WORDS.contains(&view.path) { (choice(session, view)) }
            (view.content)
        }
    };
    document(view.title, &content)
}

/// Shows the way to all views. On a small screen it is opened by the button in the head.
fn navigation(session: &Session, view: &View<'_>) -> Markup {
    let is_here =
        |path: &str| path == view.path || (path != "/" && view.path.starts_with(&format!("{path}/")));
    html! {
        nav id="menu" aria-label="Views" popover {
            (field("search-field", "Search", ""))
            @for (group, views) in GROUPS {
                div.group {
                    p { (group) }
                    @for (path, name, sign) in views {
                        a href=(path) aria-current=[is_here(path).then_some("page")] { (icon(*sign)) (name) }
                    }
                }
            }
            div.group {
                p { "This browser" }
                (revealing(session, view, !session.reveals(), &html! {
                    button.quiet {
                        @if session.reveals() { (icon(Icon::Hide)) "Hide what was said" } @else { (icon(Icon::Show)) "Show what was said" }
                    }
                }))
                form method="post" action="/leave" { (csrf(session)) button.quiet { (icon(Icon::Leave)) "Leave" } }
            }
        }
    }
}

/// Makes a form that shows what people said, or hides it.
fn revealing(session: &Session, view: &View<'_>, shown: bool, face: &Markup) -> Markup {
    let shown = if shown { "1" } else { "" };
    button(session, "/reveal", &[("back", view.path), ("shown", shown)], face)
}

/// Asks once whether what people said is shown in this browser, and says why it is not.
fn choice(session: &Session, view: &View<'_>) -> Markup {
    html! {
        section.card.choice.of-words aria-labelledby="choice" {
            div {
                h2 id="choice" { "May this browser show what was said?" }
                p {
                    "What people say and have the device keep is covered here until you choose, since others may see this screen. "
                    "What you type to the device here is always shown to you."
                }
            }
            div.row {
                (revealing(session, view, true, &html! { button.primary { "Show it" } }))
                (revealing(session, view, false, &html! { button { "Keep it covered" } }))
            }
        }
    }
}

/// Says in a few words how the device fares, and leads to what is wrong.
pub(super) fn status(page: &PageState) -> Markup {
    let fares = Fares::of(page);
    html! {
        a.status.(fares.grade.class()) id="status" href=(fares.view) {
            span.dot aria-hidden="true" {}
            span { (fares.words) }
        }
    }
}

/// Makes a piece of that.
pub(super) fn status_piece(page: &PageState) -> Piece {
    Piece::over("status", status(page))
}

/// Makes a whole document.
pub(crate) fn document(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (printable(title)) " · Loquat" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/page.css";
                script src="/assets/page.js" defer {}
            }
            body { (content) }
        }
    }
}

/// Makes the field that a form of this browser holds, so that no other page can send one.
pub(super) fn csrf(session: &Session) -> Markup {
    html! { input type="hidden" name="csrf" value=(session.csrf); }
}

/// Makes a button in a form of its own that has something done.
pub(super) fn button(session: &Session, action: &str, fields: &[(&str, &str)], face: &Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            (csrf(session))
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            (face)
        }
    }
}

/// Shows what people said, or hides it.
pub(super) async fn reveal(
    State(_): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let reveals = sent.get("shown") == Some("1");
    session.reveal(reveals);
    let back = see(sent.get("back").unwrap_or("/"));
    ([(SET_COOKIE, words_choice::kept(reveals))], back).into_response()
}

pub(super) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

pub(super) async fn script() -> Response {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT).into_response()
}

pub(super) async fn sign() -> Response {
    ([(CONTENT_TYPE, "image/svg+xml")], ICON).into_response()
}
