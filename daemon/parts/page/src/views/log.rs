//! The end of the log, as it grows.

use std::sync::Arc;

use axum::extract::{Extension, State};
use maud::{Markup, html};

use super::piece::Piece;
use super::shell::{View, shell};
use crate::page_state::PageState;
use crate::session::Session;

/// Lines that are shown.
const SHOWN: usize = 200;

/// Makes a piece of the end of the log.
pub(super) fn lines(page: &PageState) -> Piece {
    let all = page.device.log.lines();
    let shown = all.get(all.len().saturating_sub(SHOWN)..).unwrap_or_default();
    let html = html! {
        ol.log id="log" aria-label="Log, the newest last" tabindex="0" {
            @for line in shown { li.(level(line)) { code { (line) } } }
        }
    };
    Piece::over("log", html)
}

fn level(line: &str) -> &'static str {
    let head = line.get(..60).unwrap_or(line);
    if head.contains("ERROR") {
        "error"
    } else if head.contains("WARN") {
        "warning"
    } else {
        "usual"
    }
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let content = html! {
        p.hint { "What the daemon told since its start. What people say is not in it." }
        (lines(&page).html)
    };
    let view = View {
        path: "/log",
        title: "Log",
        live: Some("/live/log".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}
