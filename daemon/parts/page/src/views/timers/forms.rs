//! The forms by which timers, alarms and reminders are set and changed. Sets none.

use loquat_skills::alerts::{Alert, Kind};
use maud::{Markup, html};

use super::super::icons::{Icon, icon};
use super::super::shell::csrf;
use crate::session::Session;

/// How often something is due, as the tools read it, and in words.
const REPEATS: [(&str, &str); 4] = [
    ("", "once"),
    ("daily", "every day"),
    ("weekdays", "on weekdays"),
    ("weekends", "at weekends"),
];

/// Shows the three forms.
pub(super) fn all(session: &Session) -> Markup {
    html! {
        div.forms {
            (form(session, "timer", "New timer", &html! {
                (text("timer-duration", "duration", "How long", "10 minutes", true))
                (text("timer-name", "name", "For what", "pasta", false))
            }))
            (form(session, "alarm", "New alarm", &html! {
                (text("alarm-time", "time", "At what time", "7 am", true))
                (repeat("alarm-repeat"))
            }))
            (form(session, "reminder", "New reminder", &html! {
                (text("reminder-text", "text", "Of what", "call Ada", true))
                (text("reminder-time", "time", "At what time", "5 pm", true))
                (text("reminder-date", "date", "On which day", "tomorrow", false))
            }))
        }
    }
}

fn form(session: &Session, what: &str, title: &str, fields: &Markup) -> Markup {
    framed(
        session,
        ["/timers/set", what, title, &format!("Set the {what}")],
        fields,
    )
}

/// Frames the fields of a form that goes to this address and makes something of this kind; a title and the words on its button.
pub(in super::super) fn framed(
    session: &Session,
    [address, what, title, does]: [&str; 4],
    fields: &Markup,
) -> Markup {
    let heading = format!("new-{what}");
    html! {
        form.card method="post" action=(address) aria-labelledby=(heading) {
            h2 id=(heading) { (title) }
            (csrf(session))
            input type="hidden" name="what" value=(what);
            (fields)
            button.primary { (icon(Icon::Add)) (does) }
        }
    }
}

fn text(id: &str, name: &str, label: &str, example: &str, required: bool) -> Markup {
    html! {
        div.field {
            label for=(id) { (label) @if !required { span.hint { " (if you like)" } } }
            input id=(id) name=(name) placeholder={"as in " (example)} required[required] maxlength="120" autocomplete="off";
        }
    }
}

/// Shows a field in which it is chosen how often something is to be.
pub(in super::super) fn repeat(id: &str) -> Markup {
    html! {
        div.field {
            label for=(id) { "How often" }
            select id=(id) name="repeat" { @for (value, words) in REPEATS { option value=(value) { (words) } } }
        }
    }
}

/// Shows what changes when one is due, folded away until it is wanted.
pub(super) fn change(session: &Session, alert: &Alert) -> Markup {
    let (id, field) = (alert.id.to_string(), format!("to-{}", alert.id));
    let (label, example) = match alert.kind {
        Kind::Timer => ("How long from now", "15 minutes"),
        _ => ("At what time", "8:30 am"),
    };
    html! {
        details.change id={"change-" (id)} {
            summary.quiet aria-label={"Change the " (alert.kind.name()) " " (id)} { "Change" }
            form method="post" action="/timers/set" {
                (csrf(session))
                input type="hidden" name="what" value="change";
                input type="hidden" name="id" value=(id);
                label for=(field) { (label) }
                div.row {
                    input id=(field) name="to" placeholder={"as in " (example)} required maxlength="60" autocomplete="off";
                    button.primary { "Change" }
                }
            }
        }
    }
}
