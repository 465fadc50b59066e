//! What counts after a restart only, and the restart. Where nothing would start the daemon again it is said how a person does.

use std::sync::Arc;

use axum::extract::{Extension, State};
use maud::{Markup, html};

use crate::device::CurrentSettings;
use crate::page_state::PageState;
use crate::session::Session;
use crate::views::icons::{Icon, icon};
use crate::views::shell::{View, button, shell};

/// Tells what waits for a restart, and offers it; nothing where nothing waits.
pub(super) fn offered(page: &PageState, session: &Session, current: &CurrentSettings) -> Markup {
    let waiting = current.settings.iter().filter(|line| !line.counts);
    let waiting: Vec<&str> = waiting.map(|line| line.entry.key.as_str()).collect();
    if waiting.is_empty() {
        return html! {};
    }
    html! {
        section.card aria-labelledby="restart" {
            h2 id="restart" { "After a restart" }
            p { "These settings have changed and count after a restart: " (named(&waiting)) "." }
            @if page.device.administration.can_restart() {
                (button(session, "/restart", &[], &html! {
                    button.primary data-sure="Restart Loquat? What it is doing now is ended." { (icon(Icon::Again)) "Restart Loquat" }
                }))
            } @else {
                p.hint {
                    "Nothing would start Loquat again by itself. Type " code { "systemctl --user restart loquat" } ", or end "
                    code { "loquat run" } " with Ctrl-C and start it again."
                }
            }
        }
    }
}

fn named(keys: &[&str]) -> Markup {
    html! {
        @for (place, key) in keys.iter().enumerate() {
            @if place > 0 { ", " }
            code { (key) }
        }
    }
}

/// Restarts, and tells how one comes back: no browser is known after it.
pub(in crate::views) async fn restart(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let can = page.device.administration.can_restart();
    if can {
        tracing::info!("a restart was ordered on the page");
        page.device.administration.restart();
    }
    let content = html! {
        @if can {
            p { "Loquat ends now and is back in about ten seconds." }
            p {
                "Then let this browser in again: type " code { "loquat page" } " on the device, or "
                a href="/" { "open the page" } " if it has a password."
            }
        } @else {
            p.fault { "Nothing would start Loquat again, so it was not ended." }
        }
    };
    let view = View {
        path: "/settings",
        title: "Restart",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}
