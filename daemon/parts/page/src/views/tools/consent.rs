//! Calls of this page that wait for a yes: from the browser that began them, for just that call, and not for long.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_agent::printable::printable;
use maud::{Markup, html};
use tokio::time::timeout;

use super::super::piece::Piece;
use super::super::shell::csrf;
use crate::answer::answered;
use crate::change::Change;
use crate::page_state::PageState;
use crate::questions::Asked;
use crate::session::Session;
use crate::submission::Submission;

/// The person at a browser.
pub(super) struct PagePerson {
    page: Arc<PageState>,
    session: Arc<Session>,
}

impl PagePerson {
    pub(super) fn new(page: Arc<PageState>, session: Arc<Session>) -> Self {
        Self { page, session }
    }
}

/// A question that is taken back when its turn does not wait any more.
struct Open<'a>(&'a PageState, &'a str);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.questions.take_back(self.1);
        self.0.tell(Change::Question(self.1.into()));
    }
}

impl Person for PagePerson {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        async move {
            // A PIN is said to the device, which counts the wrong ones.
            if request.pin {
                return Consent::Barred;
            }
            let turn_id = request.turn_id.as_str();
            let answered = self.page.questions.ask(request, Arc::clone(&self.session));
            let _open = Open(&self.page, turn_id);
            self.page.tell(Change::Question(turn_id.into()));
            match timeout(self.page.device.patience, answered).await {
                Ok(Ok(consent)) => consent,
                _ => Consent::Unclear,
            }
        }
        .boxed()
    }
}

/// Makes a piece of the question of a turn; it is empty where none waits.
pub(in super::super) fn asked(page: &PageState, session: &Session, turn_id: &str) -> Piece {
    let asked = page.questions.asked();
    let html = match asked.get(turn_id) {
        None => html! { div id="asked" {} },
        Some(asked) if asked.by.secret() != session.secret() => html! {
            div id="asked" { p.notice role="status" { "It waits for a yes in the browser that began it." } }
        },
        Some(Asked { request, .. }) if request.question.is_some() => {
            let question = request.question.as_deref().unwrap_or_default();
            html! {
                div id="asked" {
                    div.card.question role="alertdialog" aria-labelledby="may" {
                        h2 #may { (printable(question)) }
                        (answers(session, turn_id, &request.call_id, "Yes, from now on"))
                    }
                }
            }
        }
        Some(Asked { request, .. }) => {
            let told = serde_json::to_string_pretty(request.told()).unwrap_or_default();
            html! {
                div id="asked" {
                    div.card.question role="alertdialog" aria-labelledby="may" aria-describedby="call" {
                        h2 #may { "May this run?" }
                        p { code { (printable(&request.tool)) } " " (printable(&request.description)) }
                        pre #call tabindex="0" { (told) }
                        (answers(session, turn_id, &request.call_id, "Yes, run it"))
                    }
                }
            }
        }
    };
    Piece::over("asked", html)
}

/// Shows the two answers to a question.
fn answers(session: &Session, turn_id: &str, call_id: &str, yes: &str) -> Markup {
    html! {
        form.row method="post" action="/answer" {
            (csrf(session))
            input type="hidden" name="turn" value=(turn_id);
            input type="hidden" name="call" value=(call_id);
            button.danger name="yes" value="1" { (yes) }
            button name="yes" value="0" { "No" }
        }
    }
}

/// Takes a yes or a no.
pub(in super::super) async fn answer(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let turn = sent.get("turn").unwrap_or_default();
    let call = sent.get("call").unwrap_or_default();
    let consent = match sent.get("yes") {
        Some("1") => Consent::Given,
        _ => Consent::Refused,
    };
    let back = if page.questions.is_of(&session, turn) {
        format!("/turns/{turn}")
    } else {
        "/turns".to_owned()
    };
    let done = if page.questions.answer(&session, turn, call, consent) {
        Ok(None)
    } else {
        Err("This call waits for no answer any more.".to_owned())
    };
    answered(&session, &back, done)
}
