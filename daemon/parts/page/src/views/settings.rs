//! All settings as the files have them now, each with its source, and what is wrong with them; those that people change
//! often can be changed here.

mod network;

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_settings::wording::without_password;
use loquat_settings::{Complaint, Entry, Origin};
use maud::{Markup, html};

use super::shell::{View, button, csrf, shell};
use crate::answer::answered;
use crate::device::{Administration, CurrentSettings, ListedSetting, QuickSetting};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// Shows what is wrong, with its place.
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

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let administration = Arc::clone(&page.device.administration);
    let read = tokio::task::spawn_blocking(move || administration.settings());
    let content = if let Ok(current) = read.await {
        let mut tables: Vec<(&str, Vec<&ListedSetting>)> = Vec::new();
        for line in &current.settings {
            let table = line.entry.key.split('.').next().unwrap_or_default();
            match tables.last_mut() {
                Some((last, rows)) if *last == table => rows.push(line),
                _ => tables.push((table, vec![line])),
            }
        }
        html! {
            p.hint {
                "As the files say now. Change loquat.toml, then have it read again; what counts after a restart only is "
                "told then."
            }
            (complaints(&current.complaints))
            (form(&session, &current, &*page.device.administration))
            (network::table(&session, &current.network))
            (button(&session, "/reload", &[("back", "/settings")], &html! { button { "Read settings and personas again" } }))
            @for (table, rows) in &tables {
                details.table open[rows.iter().any(|line| line.entry.origin != Origin::Default)] {
                    summary { h2 { code { "[" (table) "]" } } }
                    dl.settings { @for line in rows { (row(line)) } }
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

/// Offers what people change often. A field that is left empty is as without the setting.
fn form(session: &Session, current: &CurrentSettings, administration: &dyn Administration) -> Markup {
    let [(speed_key, speed), (model_key, model)] = [QuickSetting::Speed, QuickSetting::Model].map(|what| {
        let key = administration.key(what);
        (key, current.settings.iter().find(|line| line.entry.key == key))
    });
    let words = written(speed);
    let named = written(model);
    let present = &current.models;
    let is_other = named != "auto" && !present.contains(&named);
    let other = is_other.then_some(named.as_str());
    let source = |line: Option<&ListedSetting>| {
        let origin = line.map_or(&Origin::Default, |line| &line.entry.origin);
        html! { span.hint { "from " (printable(&origin.to_string())) } }
    };
    html! {
        section aria-labelledby="often" {
            h2 id="often" { "Changed often" }
            form method="post" action="/settings" {
                (csrf(session))
                input type="hidden" name="key" value=(speed_key);
                label for="speed" { "Words per minute, where Loquat speaks itself" }
                input id="speed" name="value" inputmode="numeric" value=(words);
                (source(speed)) " "
                button { "Set the speed" }
            }
            form method="post" action="/settings" {
                (csrf(session))
                input type="hidden" name="key" value=(model_key);
                label for="model" { "The model on this device" }
                select id="model" name="value" {
                    option value="" selected[named == "auto"] { "as fits the memory" }
                    @for name in present.iter().map(String::as_str).chain(other) {
                        option value=(name) selected[name == named] { (printable(name)) }
                    }
                }
                (source(model)) " "
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

/// Writes the value of a setting as a field holds it.
fn written(line: Option<&ListedSetting>) -> String {
    let value = line.and_then(|line| line.entry.value.as_ref());
    value.map_or_else(String::new, |value| {
        let text = value.as_str().map(str::to_owned);
        text.unwrap_or_else(|| value.to_string())
    })
}

pub(super) use network::change as change_network;

pub(super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let value = sent.get("value").unwrap_or_default().to_owned();
    let administration = &page.device.administration;
    let is_meant = |what: &QuickSetting| sent.get("key") == Some(administration.key(*what));
    let done = match [QuickSetting::Speed, QuickSetting::Model]
        .into_iter()
        .find(is_meant)
    {
        None => Err("This setting is not changed here; edit loquat.toml.".to_owned()),
        Some(what) => administration.change(what, value).await.map(|()| {
            Some(format!(
                "{} is changed, and counts from now on.",
                administration.key(what)
            ))
        }),
    };
    answered(&session, "/settings", done)
}

/// Has the device's own conversation forgotten, as "forget this conversation" has.
pub(super) async fn forget(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    let forgotten = page.device.administration.forget().await;
    let told = forgotten.map(|()| Some("The conversation is forgotten.".to_owned()));
    answered(&session, "/settings", told)
}

fn row(ListedSetting { entry, counts }: &ListedSetting) -> Markup {
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

/// Says where a setting comes from, without what a flag says of a secret.
fn shown(entry: &Entry) -> String {
    match &entry.origin {
        Origin::Flag(_) if entry.is_secret => "a flag".to_owned(),
        origin => origin.to_string(),
    }
}
