//! All settings as the files have them now, each with its source, and what is wrong with them; those that people change
//! often can be changed here.

mod network;

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_failure::with_causes;
use loquat_models::Catalogue;
use maud::{Markup, html};

use super::guard::Submission;
use super::session::Session;
use super::shell::{View, button, csrf, shell};
use super::{PageState, answered};
use crate::app::counts_at_once;
use crate::preferences::{Change, MODEL, SPEED, models_present};
use crate::settings::wording::without_password;
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
                || counts_at_once(&entry.key)
        };
        html! {
            p.hint {
                "As the files say now. Change loquat.toml, then have it read again; what counts after a restart only is "
                "told then."
            }
            (complaints(&wrong))
            (form(&session, &settings))
            (network::table(&session, &settings))
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

/// What people change often. A field that is left empty is as without the setting.
fn form(session: &Session, settings: &Settings) -> Markup {
    let speed = settings.voice.words_per_minute.to_string();
    let model = settings.local_brain.model.as_str();
    let present = models_present(settings, &Catalogue::embedded());
    let named = (model != "auto" && !present.iter().any(|name| name == model)).then_some(model);
    let source =
        |key: &str| html! { span.hint { "from " (printable(&settings.origin_of(key).to_string())) } };
    html! {
        section aria-labelledby="often" {
            h2 id="often" { "Changed often" }
            form method="post" action="/settings" {
                (csrf(session))
                input type="hidden" name="key" value=(SPEED);
                label for="speed" { "Words per minute, where Loquat speaks itself" }
                input id="speed" name="value" inputmode="numeric" value=(speed);
                (source(SPEED)) " "
                button { "Set the speed" }
            }
            form method="post" action="/settings" {
                (csrf(session))
                input type="hidden" name="key" value=(MODEL);
                label for="model" { "The model on this device" }
                select id="model" name="value" {
                    option value="" selected[model == "auto"] { "as fits the memory" }
                    @for name in present.iter().map(String::as_str).chain(named) {
                        option value=(name) selected[name == model] { (printable(name)) }
                    }
                }
                (source(MODEL)) " "
                button { "Use the model" }
            }
            (button(session, "/conversation/forget", &[], &html! {
                button.danger data-sure="Forget what was said to this device?" { "Forget this conversation" }
            }))
            p.hint {
                "The device then knows no more what was said to it. What you had it remember stays, and so does the list of "
                "turns."
            }
        }
    }
}

pub(super) use network::change as change_network;

/// Changes one of these settings.
pub(super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let value = sent.get("value").unwrap_or_default().to_owned();
    let key = [SPEED, MODEL]
        .into_iter()
        .find(|key| sent.get("key") == Some(*key));
    let done = match key {
        None => Err("This setting is not changed here; edit loquat.toml.".to_owned()),
        Some(key) => match page.wishes.change(Change::Key(key, value)).await {
            Ok(_) => Ok(Some(format!("{key} is changed, and counts from now on."))),
            Err(why) => Err(with_causes(&why)),
        },
    };
    answered(&session, "/settings", done)
}

/// Has the device's own conversation forgotten, as "forget this conversation" has.
pub(super) async fn forget(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    let forgotten = page.forgetter.forget().await;
    let told = forgotten.map(|()| Some("The conversation is forgotten.".to_owned()));
    answered(&session, "/settings", told.map_err(|why| with_causes(&why)))
}

fn row(entry: &Entry, counts: bool) -> Markup {
    let name = entry.key.split_once('.').map_or("", |(_, name)| name);
    let value = match &entry.value {
        None => "not set".to_owned(),
        Some(_) if entry.is_secret => "set, and not shown".to_owned(),
        // What is below may be a program's arguments or an address, which hold secrets of others.
        Some(toml::Value::Table(table)) => table.keys().cloned().collect::<Vec<_>>().join(", "),
        Some(value) => without_password(&value.to_string()),
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
