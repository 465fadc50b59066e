//! The frame around every view: head, navigation, status line, and the switch that shows what people said.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use loquat_agent::printable::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::answer::see;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// The views, by their paths.
pub(super) const VIEWS: [(&str, &str); 12] = [
    ("/", "Now"),
    ("/turns", "Turns"),
    ("/tools", "Tools"),
    ("/timers", "Timers"),
    ("/lists", "Lists"),
    ("/memory", "Memory"),
    ("/personas", "Personas"),
    ("/settings", "Settings"),
    ("/models", "Models"),
    ("/sound", "Sound"),
    ("/check", "Check"),
    ("/log", "Log"),
];

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
    let reveals = session.reveals();
    let content = html! {
        a.skip href="#main" { "Skip to the content" }
        header {
            a.brand href="/" { (PreEscaped(ICON)) span { "Loquat" } }
            p.status id="status" title="How the device fares" { (status(page)) }
            form method="post" action="/reveal" {
                (csrf(session))
                input type="hidden" name="back" value=(view.path);
                input type="hidden" name="shown" value=(if reveals { "" } else { "1" });
                button.quiet aria-pressed=(reveals.to_string()) {
                    (if reveals { "Hide what was said" } else { "Show what was said" })
                }
            }
        }
        nav aria-label="Views" {
            @for (path, name) in VIEWS {
                @let is_here = path == view.path || (path != "/" && view.path.starts_with(&format!("{path}/")));
                a href=(path) aria-current=[is_here.then_some("page")] { (name) }
            }
            form method="post" action="/leave" { (csrf(session)) button.quiet { "Leave" } }
        }
        main id="main" tabindex="-1" data-live=[view.live.as_deref()] {
            h1 { (printable(view.title)) }
            p id="connection" role="status" hidden { "The connection is lost. Trying again…" }
            @match session.take_notice() {
                Some(notice) => p id="notice" class=[notice.is_fault.then_some("fault")] role="status" { (printable(&notice.text)) },
                None => p id="notice" role="status" hidden {},
            }
            (view.content)
        }
    };
    document(view.title, &content)
}

/// Says in one line how the device fares.
pub(super) fn status(page: &PageState) -> String {
    printable(&page.status.borrow()).into_owned()
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
    session.reveal(sent.get("shown") == Some("1"));
    see(sent.get("back").unwrap_or("/"))
}

pub(super) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

pub(super) async fn script() -> Response {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT).into_response()
}

pub(super) async fn icon() -> Response {
    ([(CONTENT_TYPE, "image/svg+xml")], ICON).into_response()
}
