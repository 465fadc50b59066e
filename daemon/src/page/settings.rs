//! All settings as the files have them now, each with its source, and what is wrong with them. Changes none.

use std::sync::Arc;

use axum::extract::{Extension, State};
use loquat_agent::printable::printable;
use maud::{Markup, html};

use super::PageState;
use super::session::Session;
use super::shell::{View, button, shell};
use crate::settings::{Complaint, Entry, Origin, Settings};

/// The settings as they would be read now, and what is wrong with them.
pub(super) fn fresh(page: &PageState) -> (Settings, Vec<Complaint>) {
    let (settings, complaints) = Settings::load_leniently(&page.environment, &page.options);
    (settings, complaints.0)
}

/// What is wrong, with its place.
pub(super) fn complaints(all: &[Complaint]) -> Markup {
    html! {
        @if all.is_empty() { p.fine { "Nothing is wrong with the files." } }
        @else {
            ul.complaints {
                @for complaint in all {
                    li.(if complaint.is_refusal() { "bad" } else { "remark" }) {
                        code { (printable(&complaint.origin.to_string())) } " " (printable(&complaint.text))
                    }
                }
            }
        }
    }
}

/// The view.
pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let own = Arc::clone(&page);
    let read = tokio::task::spawn_blocking(move || fresh(&own));
    let content = if let Ok((settings, wrong)) = read.await {
        let entries = settings.entries();
        let running = page.settings.entries();
        let mut tables: Vec<(&str, Vec<&Entry>)> = Vec::new();
        for entry in &entries {
            let table = entry.key.split('.').next().unwrap_or_default();
            match tables.last_mut() {
                Some((last, rows)) if *last == table => rows.push(entry),
                _ => tables.push((table, vec![entry])),
            }
        }
        let counts = |entry: &Entry| {
            running
                .iter()
                .any(|own| own.key == entry.key && own.value == entry.value)
        };
        html! {
            p.hint {
                "As the files say now. Change loquat.toml, then have it read again; what counts after a restart only is "
                "told then."
            }
            (complaints(&wrong))
            (button(&session, "/reload", &[("back", "/settings")], &html! { button { "Read settings and personas again" } }))
            @for (table, rows) in &tables {
                details.table open[rows.iter().any(|entry| entry.origin != Origin::Default)] {
                    summary { h2 { code { "[" (table) "]" } } }
                    dl.settings { @for entry in rows { (row(entry, counts(entry))) } }
                }
            }
        }
    } else {
        html! { p.fault { "The settings could not be read; see the log." } }
    };
    let view = View {
        path: "/settings",
        title: "Settings",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn row(entry: &Entry, counts: bool) -> Markup {
    let name = entry.key.split_once('.').map_or("", |(_, name)| name);
    let value = match &entry.value {
        None => "not set".to_owned(),
        Some(_) if entry.is_secret => "set, and not shown".to_owned(),
        // What is below may be a program's arguments or an address, which hold secrets of others.
        Some(toml::Value::Table(table)) => table.keys().cloned().collect::<Vec<_>>().join(", "),
        Some(value) => value.to_string(),
    };
    let is_set = entry.origin != Origin::Default;
    html! {
        dt { code { (name) } }
        dd.set[is_set] {
            p { code.value { (printable(&value)) } @if !counts { " " span.badge.busy { "after a restart" } } }
            @if is_set { p.source { "from " (printable(&shown(entry))) } }
            p.hint { (entry.doc.trim().replace('\n', " ")) }
        }
    }
}

/// Where it comes from, without what a flag says of a secret.
fn shown(entry: &Entry) -> String {
    match &entry.origin {
        Origin::Flag(_) if entry.is_secret => "a flag".to_owned(),
        origin => origin.to_string(),
    }
}
