//! The settings that people change, each with a form; and all settings as the files have them now, each with its source and
//! what is wrong with it.

pub(super) mod fields;
mod network;
mod restart;
mod towns;

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_settings::wording::without_password;
use loquat_settings::{Complaint, Entry, Origin};
use maud::{Markup, html};
use secrecy::SecretString;

use self::fields::Fields;
use super::icons::{Icon, icon};
use super::setup;
use super::shell::{View, button, shell};
use crate::answer::answered;
use crate::device::{CurrentSettings, EasySetting, KeptToken, ListedSetting, Wish};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// The settings that people change.
pub(super) const EASY: [EasySetting; 13] = [
    EasySetting::Language,
    EasySetting::Place,
    EasySetting::Latitude,
    EasySetting::Longitude,
    EasySetting::TimeZone,
    EasySetting::Units,
    EasySetting::TimeFormat,
    EasySetting::Persona,
    EasySetting::Model,
    EasySetting::WakeWord,
    EasySetting::Voice,
    EasySetting::Speed,
    EasySetting::Home,
];

pub(super) use network::change as change_network;
pub(super) use restart::restart;
pub(super) use towns::look_up;

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
            @if !current.complaints.is_empty() { (complaints(&current.complaints)) }
            @if page.standing.borrow().mistake.is_some() {
                p.fault { "Until that is mended, the old settings count." }
            }
            (restart::offered(&page, &session, &current))
            (forms(&page, &session, &current))
            section aria-labelledby="all" {
                h2 id="all" { "All settings" }
                @if current.complaints.is_empty() { (complaints(&current.complaints)) }
                p.hint {
                    "Every key of loquat.toml, as the files say now. Change the file, then have it read again; what counts after a "
                    "restart only is told then."
                }
                (button(&session, "/reload", &[("back", "/settings")], &html! { button { (icon(Icon::Again)) "Read settings and personas again" } }))
                @for (table, rows) in &tables {
                    details.table {
                        summary {
                            h3 { code { "[" (table) "]" } }
                            @let set = rows.iter().filter(|line| line.entry.origin != Origin::Default).count();
                            @if set > 0 { " " span.badge { (set) " set" } }
                        }
                        dl.settings { @for line in rows { (row(line)) } }
                    }
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

/// Shows the settings that people change, each in a form of its own.
fn forms(page: &PageState, session: &Session, current: &CurrentSettings) -> Markup {
    let fields = Fields {
        session,
        current,
        administration: &*page.device.administration,
        back: "/settings",
    };
    html! {
        div.forms {
            (fields::language(&fields))
            (fields::place(&fields))
            (fields::units(&fields))
            (fields::persona(&fields))
            (fields::model(&fields))
            (fields::wake_word(&fields))
            (fields::voice(&fields))
            (fields::home(&fields))
        }
        (network::table(session, &current.network))
        section.card aria-labelledby="conversation" {
            h2 id="conversation" { "This conversation" }
            p {
                "Forgotten, the device knows no more what was said to it. What you had it remember stays, and so does the list of "
                "turns."
            }
            (button(session, "/conversation/forget", &[], &html! {
                button.danger data-sure="Forget what was said to this device?" { "Forget this conversation" }
            }))
        }
    }
}

/// Gives the view to which a person comes back: that of the settings, or the first one.
fn back_of(sent: &Submission) -> &'static str {
    match sent.get("back") {
        Some(setup::PATH) => setup::PATH,
        _ => "/settings",
    }
}

/// Changes what a form holds and is another than before.
pub(super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let back = back_of(&sent);
    let administration = &page.device.administration;
    let sent_for = |what: EasySetting| Some((what, sent.get(administration.key(what))?.trim().to_owned()));
    let mut wishes: Vec<Wish> = EASY.into_iter().filter_map(sent_for).collect();
    let token = sent
        .get("home-token")
        .map(str::trim)
        .filter(|token| !token.is_empty());
    let mut kept = None;
    if let Some(token) = token {
        match kept_token(&page, SecretString::from(token)).await {
            Ok(token) => {
                wishes.push((EasySetting::HomeToken, token.file.clone()));
                kept = Some(token);
            }
            Err(why) => return answered(&session, back, Err(why)),
        }
    }
    let is_ours = !wishes.is_empty();
    let changed = match changes_only(&page, wishes).await {
        Some(_) if !is_ours => Err("This setting is not changed here; edit loquat.toml.".to_owned()),
        // The file of the token is named already.
        Some(wishes) if wishes.is_empty() && token.is_some() => {
            Ok("The token is saved. It counts from the next connection to Home Assistant on.".to_owned())
        }
        Some(wishes) if wishes.is_empty() => Ok("Nothing was to be changed.".to_owned()),
        Some(wishes) => administration.change(wishes).await.map(|report| told(&report)),
        None => Err("The settings could not be read; see the log.".to_owned()),
    };
    // A token belongs to what it was sent with.
    if let (Err(_), Some(kept)) = (&changed, kept) {
        take_back(&page, kept).await;
    }
    answered(&session, back, changed.map(Some))
}

async fn take_back(page: &PageState, kept: KeptToken) {
    let administration = Arc::clone(&page.device.administration);
    let taken = tokio::task::spawn_blocking(move || administration.take_back_home_token(&kept)).await;
    if let Ok(Err(error)) = taken {
        tracing::warn!(error, "a token of Home Assistant was kept whose form was refused");
    }
}

/// Keeps the token of Home Assistant.
async fn kept_token(page: &PageState, token: SecretString) -> Result<KeptToken, String> {
    let administration = Arc::clone(&page.device.administration);
    let kept = tokio::task::spawn_blocking(move || administration.keep_home_token(&token));
    kept.await
        .map_err(|_| "The token could not be kept; see the log.".to_owned())?
}

/// Leaves out what is as it was, so that a file holds what a person has chosen and nothing else.
async fn changes_only(page: &PageState, wishes: Vec<Wish>) -> Option<Vec<Wish>> {
    let administration = Arc::clone(&page.device.administration);
    let read = tokio::task::spawn_blocking(move || {
        let current = administration.settings();
        let is_new = |(what, to): &Wish| {
            let key = administration.key(*what);
            let line = current.settings.iter().find(|line| line.entry.key == key);
            line.is_none_or(|line| said(&line.entry) != *to)
        };
        wishes.into_iter().filter(is_new).collect()
    });
    read.await.ok()
}

/// Writes the value of a setting as a field holds it; empty where it is not set.
pub(super) fn said(entry: &Entry) -> String {
    let value = entry.value.as_ref().filter(|_| entry.origin != Origin::Default);
    value.map_or_else(String::new, |value| {
        let text = value.as_str().map(str::to_owned);
        text.unwrap_or_else(|| value.to_string())
    })
}

/// Says that it was saved, and which of it counts later.
fn told(report: &str) -> String {
    let later = report
        .lines()
        .find_map(|line| line.strip_prefix("after a restart: "));
    match later {
        None => "Saved. It counts from now on.".to_owned(),
        Some(keys) => {
            format!("Saved. After a restart these count: {keys}. The restart is at the top of Settings.")
        }
    }
}

/// Has the device's own conversation forgotten, as "forget this conversation" has.
pub(super) async fn forget(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    let forgotten = page.device.conversation.forget().await;
    if forgotten.is_ok() {
        page.tell_all(page.conversation.is_forgotten());
    }
    let told = forgotten.map(|()| Some("The conversation is forgotten.".to_owned()));
    answered(&session, "/settings", told)
}

/// Gives the id of a setting's row.
pub(super) fn id_of(entry: &Entry) -> String {
    format!("all-{}", entry.key)
}

/// Writes the value of a setting as far as it is shown.
pub(super) fn shown_value(entry: &Entry) -> String {
    match &entry.value {
        None => "not set".to_owned(),
        Some(_) if entry.is_secret => "set, and not shown".to_owned(),
        // What is below may be a program's arguments or an address, which hold secrets of others.
        Some(toml::Value::Table(table)) => table.keys().cloned().collect::<Vec<_>>().join(", "),
        Some(value) => without_password(&value.to_string()),
    }
}

fn row(ListedSetting { entry, counts }: &ListedSetting) -> Markup {
    let name = entry.key.split_once('.').map_or("", |(_, name)| name);
    let value = shown_value(entry);
    let is_set = entry.origin != Origin::Default;
    html! {
        dt id=(id_of(entry)) { code { (name) } }
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
