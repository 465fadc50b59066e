//! Timers, alarms and reminders: they count down, and are set, changed and deleted by the tools that do so for who asks aloud.

mod forms;

pub(super) use self::forms::{framed, repeat};

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_skills::alerts::{Alert, Kind};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::icons::{Icon, icon};
use super::piece::Piece;
use super::shell::{View, button, shell};
use super::tools::carried_out::carried_out;
use crate::answer::answered;
use crate::clock::{left, soon, weekdays};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

/// The toolbox that sets and changes them.
pub(super) const TOOLBOX: &str = loquat_skills::alerts::ID;

/// Tells whether it is shown here; the others are done and not rung, and shown among routines.
pub(super) fn rings(alert: &Alert) -> bool {
    matches!(alert.kind, Kind::Timer | Kind::Alarm | Kind::Reminder)
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    page.alerts.look(&page.device.resources.alerts).await;
    let content = html! {
        (rows(&page, &session).html)
        (forms::all(&session))
    };
    let view = View {
        path: "/timers",
        title: "Timers, alarms and reminders",
        live: Some("/live/timers".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Makes a piece of all of them, the next one first.
pub(super) fn rows(page: &PageState, session: &Session) -> Piece {
    let veil = Veil::of(session);
    let all = page.alerts.all();
    let shown: Vec<&Alert> = all.iter().filter(|alert| rings(alert)).collect();
    let html = html! {
        div id="alerts" {
            @if shown.is_empty() {
                div.empty {
                    p { strong { "Nothing is set." } }
                    p { "What you set counts down here. Say “set a timer for ten minutes”, or set one below." }
                }
            }
            ul.rows { @for alert in shown { li id={"alert-" (alert.id)} { (row(page, alert, session, veil)) } } }
        }
    };
    Piece::over("alerts", html)
}

fn row(page: &PageState, alert: &Alert, session: &Session, veil: Veil) -> Markup {
    let id = alert.id.to_string();
    let named = |what: &str| format!("{what} the {} {id}", alert.kind.name());
    let toggle = if alert.is_paused() { "Go on" } else { "Pause" };
    html! {
        div {
            p.what {
                (title(alert, veil))
                @if alert.is_ringing() { " " span.badge.busy { "rings" } }
            }
            (due(page, alert))
        }
        div.deeds {
            @if alert.is_ringing() {
                (button(session, "/stop", &[("back", "/timers")], &html! { button.primary { (icon(Icon::Stop)) "Stop" } }))
            } @else {
                @if alert.kind == Kind::Timer {
                    (button(session, "/timers/pause", &[("id", &id)], &html! {
                        button.quiet aria-label=(named(toggle)) { (toggle) }
                    }))
                }
                (forms::change(session, alert))
            }
            (button(session, "/timers/remove", &[("id", &id)], &html! {
                button.quiet aria-label=(named("Delete")) { (icon(Icon::Delete)) "Delete" }
            }))
        }
    }
}

/// Says what it is called: its name, or else what it was set to.
fn title(alert: &Alert, veil: Veil) -> Markup {
    let kind = match alert.kind {
        Kind::Alarm => "Alarm",
        Kind::Reminder => "Reminder",
        _ => "Timer",
    };
    html! {
        @match (&alert.name, alert.kind) {
            (Some(name), Kind::Reminder) => { (kind) ": " strong { (veil.words(name)) } },
            (Some(name), _) => { strong { (veil.words(name)) } " " span.kind { (kind) } },
            (None, _) => strong {
                (kind)
                @if let Some(span) = alert.set_to() { " of " (left(Duration::try_from_secs_f64(span).unwrap_or_default())) }
            },
        }
    }
}

/// Says when it is due, and what is left until then.
fn due(page: &PageState, alert: &Alert) -> Markup {
    let seconds = page.device.resources.alerts.seconds_left(alert);
    let seconds = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let counts = alert.kind == Kind::Timer && !alert.is_paused() && !alert.is_ringing();
    html! {
        p.figures {
            @if let Some(seconds) = seconds {
                @if alert.kind == Kind::Timer {
                    span.left data-left=[counts.then(|| seconds.as_secs().to_string())] { (left(seconds)) }
                    @if alert.is_paused() { " left, paused" } @else { " left, until " (soon(alert.due)) }
                } @else { (soon(alert.due)) }
            }
            @if let Some(days) = weekdays(alert.weekdays()) { ", again " (days) }
            @if alert.person.session_id != "default" { ", for " (printable(&alert.person.session_id)) }
        }
    }
}

/// Sets one, or changes when one is due: the form says by which tool.
pub(super) async fn set(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let tool = match sent.get("what") {
        Some("timer") => "set_timer",
        Some("alarm") => "set_alarm",
        Some("reminder") => "set_reminder",
        Some("change") => "change_alert",
        _ => return answered(&session, "/timers", Err("Choose what is to be set.".to_owned())),
    };
    let words =
        ["duration", "time", "date", "repeat", "name", "text", "to"].map(|name| (name, sent.words(name)));
    let id = (tool == "change_alert").then(|| ("id", number(&sent)));
    let arguments: Vec<(&str, Value)> = words.into_iter().chain(id).collect();
    carried_out(&page, &session, "/timers", (TOOLBOX, tool), &arguments).await
}

/// Has a timer stand still, or go on.
pub(super) async fn pause(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let id = number(&sent);
    page.alerts.look(&page.device.resources.alerts).await;
    let is_paused = page
        .alerts
        .all()
        .iter()
        .any(|alert| json!(alert.id) == id && alert.is_paused());
    let tool = if is_paused { "resume_timer" } else { "pause_timer" };
    carried_out(&page, &session, "/timers", (TOOLBOX, tool), &[("id", id)]).await
}

/// Deletes one.
pub(super) async fn remove(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    cancelled(&page, &session, "/timers", &sent).await
}

/// Has one cancelled, and shows the view behind.
pub(super) async fn cancelled(
    page: &Arc<PageState>,
    session: &Arc<Session>,
    back: &str,
    sent: &Submission,
) -> Response {
    let id = number(sent);
    page.alerts.look(&page.device.resources.alerts).await;
    if !page.alerts.all().iter().any(|alert| json!(alert.id) == id) {
        return answered(session, back, Err("It was gone already.".to_owned()));
    }
    carried_out(page, session, back, (TOOLBOX, "cancel_alert"), &[("id", id)]).await
}

/// Gives the id that a form names.
fn number(sent: &Submission) -> Value {
    json!(
        sent.get("id")
            .and_then(|id| id.parse::<u64>().ok())
            .unwrap_or_default()
    )
}
