//! What the device does later, again and again, when something is so, or when a word is said for it: listed, set by the tools that
//! do so for who asks aloud, and deleted.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_skills::alerts::{Alert, DO_LATER, DO_WHEN, Kind, SET_ROUTINE};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::icons::{Icon, icon};
use super::piece::Piece;
use super::shell::{View, button, shell};
use super::timers::{TOOLBOX, cancelled, framed, repeat, rings};
use super::tools::carried_out::carried_out;
use crate::answer::answered;
use crate::clock::{soon, weekdays};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    page.alerts.look(&page.device.resources.alerts).await;
    let content = html! {
        (rows(&page, &session).html)
        div.forms { (at_a_time(&session)) (at_a_word(&session)) (at_an_event(&session)) }
    };
    let view = View {
        path: "/routines",
        title: "Routines",
        live: Some("/live/routines".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Makes a piece of all of them.
pub(super) fn rows(page: &PageState, session: &Session) -> Piece {
    let veil = Veil::of(session);
    let all = page.alerts.all();
    let shown: Vec<&Alert> = all.iter().filter(|alert| !rings(alert)).collect();
    let html = html! {
        div id="routines" {
            @if shown.is_empty() {
                div.empty {
                    p { strong { "Nothing is done by itself." } }
                    p {
                        "Say “every morning at seven tell me the weather”, “when the front door is open, turn on the hall light” or "
                        "“when I say good night, turn everything off”. Or write it below."
                    }
                }
            }
            ul.rows { @for alert in shown { li id={"alert-" (alert.id)} { (row(alert, session, veil)) } } }
        }
    };
    Piece::over("routines", html)
}

fn row(alert: &Alert, session: &Session, veil: Veil) -> Markup {
    let id = alert.id.to_string();
    let words = |words: &str| html! { q { (veil.words(words)) } };
    let name = alert.name.as_deref().unwrap_or_default();
    let delete = html! { button.quiet aria-label={"Delete the " (alert.kind.name()) " " (id)} { (icon(Icon::Delete)) "Delete" } };
    html! {
        div {
            @match (alert.kind, &alert.on) {
                (Kind::Routine, _) => {
                    p.what { "When you say " (words(name)) }
                    ol.steps { @for step in &alert.steps { li { (veil.words(step)) } } }
                },
                (_, Some(event)) => {
                    p.what { "When " (words(&event.words)) }
                    p.figures { @if name.is_empty() { "you are told" } @else { (words(name)) } }
                },
                _ => {
                    p.what { (words(name)) }
                    p.figures { (soon(alert.due)) @if let Some(days) = weekdays(alert.weekdays()) { ", again " (days) } }
                },
            }
            @if alert.is_own_turn() { p.hint { "A persona does this of its own accord; its file says so." } }
        }
        @if !alert.is_own_turn() {
            div.deeds { (button(session, "/routines/remove", &[("id", &id)], &delete)) }
        }
    }
}

fn form(session: &Session, what: &str, title: &str, fields: &Markup) -> Markup {
    framed(session, ["/routines/set", what, title, "Keep it"], fields)
}

/// Shows a field in which a sentence or a part of one is written.
fn text(id: &str, name: &str, label: &str, example: &str, required: bool) -> Markup {
    html! {
        div.field {
            label for=(id) { (label) @if !required { span.hint { " (empty: you are told)" } } }
            input id=(id) name=(name) placeholder={"as in " (example)} required[required] maxlength="300" autocomplete="off";
        }
    }
}

fn at_a_time(session: &Session) -> Markup {
    let fields = html! {
        (text("deed-command", "command", "What to do", "tell me the weather", true))
        (text("deed-time", "time", "At what time", "7 am, or sunset", true))
        (repeat("deed-repeat"))
    };
    form(session, "time", "At a time", &fields)
}

fn at_a_word(session: &Session) -> Markup {
    let fields = html! {
        (text("routine-phrase", "phrase", "When I say", "good night", true))
        div.field {
            label for="routine-steps" { "Do this, a line each" }
            textarea id="routine-steps" name="steps" rows="3" required maxlength="2000"
                placeholder="turn off the bed light\nwake me at seven" {}
        }
    };
    form(session, "word", "At a word", &fields)
}

fn at_an_event(session: &Session) -> Markup {
    let fields = html! {
        (text("event-event", "event", "When", "the front door is open", true))
        (text("event-command", "command", "What to do", "turn on the hall light", false))
        label.check.field {
            input type="checkbox" name="always" value="1" checked;
            span { "Every time, and not only the next time" }
        }
    };
    form(session, "event", "When something is so", &fields)
}

/// Sets one.
pub(super) async fn set(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let words = |name| (name, sent.words(name));
    let (tool, arguments) = match sent.get("what") {
        Some("time") => (DO_LATER, vec![words("command"), words("time"), words("repeat")]),
        Some("word") => {
            let steps = sent.get("steps").unwrap_or_default().lines().map(str::trim);
            let steps: Value = steps.filter(|step| !step.is_empty()).collect();
            (SET_ROUTINE, vec![words("phrase"), ("steps", steps)])
        }
        Some("event") => {
            let always = json!(sent.get("always").is_some());
            (
                DO_WHEN,
                vec![words("event"), words("command"), ("always", always)],
            )
        }
        _ => {
            return answered(
                &session,
                "/routines",
                Err("Choose what is to be kept.".to_owned()),
            );
        }
    };
    carried_out(&page, &session, "/routines", (TOOLBOX, tool), &arguments).await
}

/// Deletes one.
pub(super) async fn remove(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    cancelled(&page, &session, "/routines", &sent).await
}
