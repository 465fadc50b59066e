//! Which persona answers in the conversation, with the others to choose from, and what begins it anew or goes on with the one
//! before. Decides nothing of who may answer.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use maud::{Markup, html};

use super::super::icons::{Icon, icon};
use super::super::piece::Piece;
use super::super::shell::csrf;
use crate::answer::answered;
use crate::answering::Answering;
use crate::device::Answerer;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// The element with the persona that answers.
const ID: &str = "answering";

/// Makes a piece of who answers, with the list of the others.
pub(in super::super) fn answering(page: &PageState, session: &Session) -> Piece {
    let answering = Answering::of(&*page.device.conversation);
    let html = html! {
        div.answering id=(ID) {
            @match &answering.now {
                Some(now) => {
                    button.quiet type="button" popovertarget="personas" {
                        (icon(Icon::Personas)) span { (printable(&now.name)) @if answering.is_gone { " is gone" } @else { " answers" } }
                    }
                    (others(session, &answering, now))
                },
                None => a.button.quiet href="/personas" { (icon(Icon::Personas)) "No persona answers" },
            }
        }
    };
    Piece::over(ID, html)
}

fn others(session: &Session, answering: &Answering, now: &Answerer) -> Markup {
    let usual = answering.usual.as_ref();
    let is_usual = |one: &Answerer| usual.is_some_and(|usual| usual.id == one.id);
    html! {
        section.personas id="personas" popover aria-labelledby="personas-title" {
            h2 id="personas-title" { "Who answers in this conversation?" }
            p.hint {
                "Whoever you choose also answers what is said aloud here. "
                @if let Some(usual) = usual { "A new conversation begins with " (printable(&usual.name)) "." }
            }
            form method="post" action="/conversation/persona" {
                (csrf(session))
                ul {
                    @for one in &answering.all {
                        // That the usual one answers is no choice, so that another usual one takes its place.
                        @let value = if is_usual(one) { "" } else { one.id.as_str() };
                        li { (choice(one, value, one.id == now.id)) }
                    }
                }
            }
            p.hint { a href="/personas" { "What each of them may do, and new ones" } }
        }
    }
}

fn choice(one: &Answerer, value: &str, is_now: bool) -> Markup {
    html! {
        button name="persona" value=(value) aria-current=[is_now.then_some("true")] {
            strong { (printable(&one.name)) }
            @if is_now { " " span.badge.good { "answers" } }
            @if let Some(about) = &one.about { span.hint { (printable(about)) } }
        }
    }
}

/// Makes the button that begins the conversation anew.
pub(super) fn begin(session: &Session) -> Markup {
    html! {
        form method="post" action="/conversation/new" data-quiet {
            (csrf(session))
            // A phone has no room for all of it.
            button.quiet aria-label="New conversation" { (icon(Icon::Begin)) span { "New" span.more { " conversation" } } }
        }
    }
}

/// Makes the button that goes on with the conversation that was set aside.
pub(super) fn go_on(session: &Session) -> Markup {
    html! {
        form method="post" action="/conversation/go-on" data-quiet {
            (csrf(session))
            button.quiet { (icon(Icon::GoOn)) "Go on with the one before" }
        }
    }
}

/// Has another persona answer.
pub(in super::super) async fn choose(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let id = sent.get("persona").filter(|id| !id.is_empty()).map(str::to_owned);
    let conversation = &page.device.conversation;
    let told = match conversation.choose(id).await {
        Ok(true) => {
            let name = Answering::of(&**conversation).name().unwrap_or_default();
            Ok(Some(format!(
                "{} answers in this conversation.",
                printable(&name)
            )))
        }
        Ok(false) => Err("This persona is not there any more.".to_owned()),
        Err(why) => Err(why),
    };
    answered(&session, "/", told)
}

/// Begins the conversation anew.
pub(in super::super) async fn begin_anew(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    let begun = page.device.conversation.begin_anew().await;
    let told = begun.map(|()| {
        page.tell_all(page.conversation.begins_anew());
        None
    });
    answered(&session, "/", told)
}

/// Goes on with the conversation that was set aside.
pub(in super::super) async fn take_back(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    let told = match page.device.conversation.go_on().await {
        Ok(true) => {
            page.tell_all(page.conversation.goes_on());
            Ok(None)
        }
        Ok(false) => Err("Nothing of the conversation before is known any more.".to_owned()),
        Err(why) => Err(why),
    };
    answered(&session, "/", told)
}
