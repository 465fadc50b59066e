//! One field that searches what was said, what is kept and what is set, and what it found, in groups that lead to the places.
//! Changes nothing, and notes nothing of what was searched for.

mod places;
mod words;

use std::sync::Arc;

use axum::extract::{Extension, Query, State};
use loquat_agent::printable::printable;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use self::places::{Group, Hit, Kind};
use self::words::{LONGEST, Part, Unsearched, Words};
use super::icons::{Icon, icon};
use super::shell::{View, button, shell};
use crate::page_state::PageState;
use crate::session::Session;

/// What the address holds.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    q: String,
}

/// What came of a search.
#[derive(Debug, Default)]
struct Found {
    groups: Vec<Group>,
    /// Why a place was not looked through.
    unread: Vec<String>,
}

impl Found {
    fn take(&mut self, looked: Result<Group, String>) {
        match looked {
            Ok(group) => self.groups.push(group),
            Err(why) => self.unread.push(why),
        }
    }

    /// Counts the places.
    fn count(&self) -> usize {
        self.groups
            .iter()
            .map(|group| group.hits.len() + group.more)
            .sum()
    }
}

/// Makes the field by which a person searches. It is a form, so that it needs no script.
pub(super) fn field(id: &str, label: &str, words: &str) -> Markup {
    html! {
        form.search role="search" method="get" action="/search" aria-label=(label) {
            label.unseen for=(id) { "Search this device" }
            (icon(Icon::Search))
            input id=(id) type="search" name="q" value=(words) placeholder="Search" maxlength=(LONGEST) required autocomplete="off";
        }
    }
}

/// Searches, and shows what was found.
pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Query(Asked { q }): Query<Asked>,
) -> Markup {
    let own = format!("/search?q={}", utf8_percent_encode(&q, NON_ALPHANUMERIC));
    let found = match Words::of(&q) {
        Ok(words) => shown(&session, &own, &q, &searched(&page, &session, &words).await),
        Err(Unsearched::Empty) => html! {
            p.hint { "It looks through what was said, timers, routines, lists, memory, personas and settings." }
        },
        Err(Unsearched::TooLong) => html! { p.fault { "A search has " (LONGEST) " letters at most." } },
    };
    let view = View {
        path: &own,
        title: "Search",
        live: None,
        content: html! { div.again { (field("search-again", "Search again", &q)) } (found) },
    };
    shell(&page, &session, &view)
}

/// Looks through all places, one search after the other. What this browser does not show is left out.
async fn searched(page: &PageState, session: &Session, words: &Words) -> Found {
    let _one_at_a_time = page.searching.lock().await;
    let mut found = Found::default();
    found.take(Ok(places::said(page, session, words)));
    found.take(places::turns(page, session, words).await);
    if session.reveals() {
        page.alerts.look(&page.device.resources.alerts).await;
        found.take(Ok(places::timers(page, words)));
        found.take(Ok(places::routines(page, words)));
        found.take(places::lists(page, words).await);
        found.take(places::memory(page, words).await);
    }
    found.take(Ok(places::personas(page, words)));
    found.take(places::settings(page, words).await);
    found
}

fn shown(session: &Session, own: &str, words: &str, found: &Found) -> Markup {
    let looked: Vec<&str> = found
        .groups
        .iter()
        .map(|group| group.looked_through.as_str())
        .collect();
    html! {
        p role="status" {
            @match found.count() {
                0 => { "Nothing was found for " q { (printable(words)) } "." },
                1 => "One place was found.",
                count => { (count) " places were found." },
            }
        }
        @if !session.reveals() { (covered(session, own)) }
        @for why in &found.unread { p.fault { (printable(why)) } }
        @for group in found.groups.iter().filter(|group| !group.hits.is_empty()) { (listed(group)) }
        p.hint { "Looked through: " (looked.join("; ")) "." }
    }
}

/// Says that what is covered was left out, and offers to show it.
fn covered(session: &Session, own: &str) -> Markup {
    html! {
        section.card.choice aria-labelledby="covered" {
            div {
                h2 id="covered" { "What is covered was not looked through" }
                p { "This browser does not show what people said and have the device keep. What you typed here yourself was looked through." }
            }
            div.row {
                (button(session, "/reveal", &[("back", own), ("shown", "1")], &html! { button { (icon(Icon::Show)) "Show it and search" } }))
            }
        }
    }
}

fn listed(group: &Group) -> Markup {
    let (id, name, path, sign) = named(group.kind);
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (icon(sign)) (name) }
            ul.rows.found { @for hit in &group.hits { li { (found(hit)) } } }
            @if group.more > 0 { p.hint { (group.more) " more in " a href=(path) { (name) } "." } }
        }
    }
}

/// Gives the id of a group, its name, its view and its icon.
fn named(kind: Kind) -> (&'static str, &'static str, &'static str, Icon) {
    match kind {
        Kind::Said => ("found-said", "Conversation", "/", Icon::Now),
        Kind::Turns => ("found-turns", "Turns", "/turns", Icon::Turns),
        Kind::Timers => ("found-timers", "Timers", "/timers", Icon::Timers),
        Kind::Routines => ("found-routines", "Routines", "/routines", Icon::Routines),
        Kind::Lists => ("found-lists", "Lists", "/lists", Icon::Lists),
        Kind::Memory => ("found-memory", "Memory", "/memory", Icon::Memory),
        Kind::Personas => ("found-personas", "Personas", "/personas", Icon::Personas),
        Kind::Settings => ("found-settings", "Settings", "/settings", Icon::Settings),
    }
}

fn found(hit: &Hit) -> Markup {
    html! {
        a href=(hit.path) {
            span.what { @for Part { text, is_found } in &hit.excerpt { @if *is_found { mark { (printable(text)) } } @else { (printable(text)) } } }
            @if !hit.about.is_empty() { span.figures { (printable(&hit.about)) } }
        }
    }
}
