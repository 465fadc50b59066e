//! The conversation as it happens, who answers in it, and a line to type to the device. Says nothing itself.

mod answering;

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_failure::with_causes;
use loquat_part::orders::OrderError;
use maud::{Markup, html};

pub(super) use self::answering::{answering, begin_anew, choose, take_back};
use super::icons::{Icon, icon};
use super::piece::Piece;
use super::shell::{View, button, csrf, shell};
use super::{hearing, setup, turns};
use crate::answer::answered;
use crate::change::Change;
use crate::clock::hour_and_minute;
use crate::conversation::{Kept, Line, Speaker};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

/// What a beginner may try: none of it needs a language model, and all of it is soon undone.
const EXAMPLES: [&str; 4] = [
    "What can you do?",
    "Set a timer for five minutes",
    "Put milk on the shopping list",
    "What time is it in Tokyo?",
];

/// Makes a piece of one line.
pub(super) fn line(page: &PageState, session: &Session, number: u64) -> Option<Piece> {
    let kept = page.conversation.kept();
    let line = kept.lines.iter().rev().find(|line| line.number == number)?;
    Some(Piece {
        id: format!("line-{number}"),
        into: Some("lines"),
        first: false,
        html: shown(page, session, &kept, line),
    })
}

/// Makes a piece of all lines.
pub(super) fn all(page: &PageState, session: &Session) -> Piece {
    Piece::over("lines", lines(page, session))
}

fn lines(page: &PageState, session: &Session) -> Markup {
    let kept = page.conversation.kept();
    html! {
        div id="lines" { @for line in &kept.lines { (shown(page, session, &kept, line)) } }
    }
}

/// Lifts the veil from what was typed in this browser and from what answers it, since it is no secret there.
fn veil_of(page: &PageState, session: &Session, question: Option<&str>) -> Veil {
    match question {
        Some(question) if page.questions.is_of(session, question) => Veil::Lifted,
        _ => Veil::of(session),
    }
}

fn shown(page: &PageState, session: &Session, kept: &Kept, line: &Line) -> Markup {
    let veil = veil_of(page, session, line.question.as_deref());
    let (class, name) = match line.speaker {
        Speaker::Person => ("person", "You"),
        Speaker::Device => ("device", line.by.as_deref().unwrap_or("Loquat")),
        Speaker::Nobody => return mark(session, kept, line),
    };
    html! {
        div id={"line-" (line.number)} class=(class) {
            p.who {
                (printable(name)) @if !line.session.is_empty() { " in " (line.session) } " · " (hour_and_minute(line.at))
                @match kept.ahead_of(line.number) {
                    Some(1) => " · waits for the one before it",
                    Some(ahead) => { " · waits, " (ahead) " before it" },
                    None => {},
                }
            }
            p.said { (veil.words(&line.text)) }
        }
    }
}

/// Shows where the conversation was begun anew, and what goes on with the one before.
fn mark(session: &Session, kept: &Kept, line: &Line) -> Markup {
    html! {
        div.mark id={"line-" (line.number)} {
            p { (line.text) " · " (hour_and_minute(line.at)) }
            @if kept.aside == Some(line.number) { (answering::go_on(session)) }
        }
    }
}

/// Makes a piece of the answer that is being written. Screen readers are told of it once it is whole.
pub(super) fn writing(page: &PageState, session: &Session) -> Piece {
    let kept = page.conversation.kept();
    let html = html! {
        div.device id="writing" aria-live="off" hidden[kept.writing.is_none()] {
            @if let Some(writing) = &kept.writing {
                @let veil = veil_of(page, session, writing.question.as_deref());
                p.who { "Loquat is writing" }
                p.said { (veil.words(&writing.text)) }
            }
        }
    };
    Piece::over("writing", html)
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = html! {
        (setup::offered(&page, &session).await)
        section.now aria-labelledby="talk" {
            h2 #talk.unseen { "Conversation" }
            div.senses {
                (hearing::doing(&page).html) (hearing::meter(&page))
                div.choices { (answering(&page, &session).html) (answering::begin(&session)) }
            }
            div.lines role="log" aria-labelledby="talk" tabindex="0" {
                (lines(&page, &session))
                (examples(&session))
                (writing(&page, &session).html)
            }
            (hearing::half_heard(&page, veil).html)
            div.controls {
            form.ask method="post" action="/ask" data-quiet {
                (csrf(&session))
                label.unseen for="question" { "Type to the device" }
                div.row {
                    input #question name="question" placeholder="Type to the device" autocomplete="off" required maxlength="4000";
                    button.primary { (icon(Icon::Send)) "Send" }
                }
            }
            div.row {
                (button(&session, "/stop", &[("back", "/")], &html! { button { (icon(Icon::Stop)) "Stop" } }))
                (hearing::listen(&page, &session, "/").html)
            }
            }
        }
        section aria-labelledby="lately" {
            h2 #lately { "Latest turns" }
            p.hint { "Each question with what was done to answer it." }
            div.few { (turns::latest(&page, &session).html) }
            p { a href="/turns" { "All turns" } }
        }
    };
    let view = View {
        path: "/",
        title: "Now",
        live: Some("/live/now".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Shows what may be tried, until something was said.
fn examples(session: &Session) -> Markup {
    html! {
        div.examples {
            p { "Nothing was said yet. Speak to the device, type below, or try one of these:" }
            @for example in EXAMPLES {
                form method="post" action="/ask" data-quiet {
                    (csrf(session))
                    input type="hidden" name="question" value=(example);
                    button { (example) }
                }
            }
        }
    }
}

/// Takes a typed line as said to the device.
pub(super) async fn ask(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let told = page.orders.tell(sent.get("question").unwrap_or_default()).await;
    let told = told.map(|question| {
        page.questions.begin(&question, &session);
        // What the bus brought of it before that is shown again, now as this browser's own.
        for line in page.conversation.of_question(&question) {
            page.tell(Change::Line(line));
        }
    });
    answered(&session, "/", done(told))
}

fn done(done: Result<(), OrderError>) -> Result<Option<String>, String> {
    done.map(|()| None).map_err(|error| with_causes(&error))
}

/// Opens the microphone.
pub(super) async fn listen(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let listens = page.orders.listen().await;
    answered(&session, sent.get("back").unwrap_or("/"), done(listens))
}

/// Ends what the device does and says.
pub(super) async fn stop(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let stopped = page.orders.stop().await;
    answered(&session, sent.get("back").unwrap_or("/"), done(stopped))
}
