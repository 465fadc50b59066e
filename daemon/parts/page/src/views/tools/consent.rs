//! Calls of this page that wait for a yes: from the browser that began them, for just that call, and not for long.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_agent::printable::printable;
use maud::{Markup, html};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::super::guard::Submission;
use super::super::live::{Change, Piece};
use super::super::session::Session;
use super::super::shell::csrf;
use super::super::{PageState, answered};

/// Turns of this page that are known as such.
const MOST_TURNS: usize = 200;

/// A call that waits.
#[derive(Debug)]
struct Asked {
    request: Request,
    by: Arc<Session>,
    answer: oneshot::Sender<Consent>,
}

/// All that wait, by their turns.
#[derive(Debug, Default)]
pub(in super::super) struct Questions {
    asked: Mutex<HashMap<String, Asked>>,
    /// Turns of this page, and the secrets of the browsers that began them.
    of_page: Mutex<VecDeque<(String, String)>>,
}

impl Questions {
    /// A browser begins a turn.
    pub(super) fn begin(&self, turn_id: &str, session: &Session) {
        let mut turns = self.of_page.lock();
        if turns.len() >= MOST_TURNS {
            turns.pop_front();
        }
        turns.push_back((turn_id.to_owned(), session.secret().to_owned()));
    }

    /// Whether this browser has begun the turn.
    pub(in super::super) fn is_of(&self, session: &Session, turn_id: &str) -> bool {
        let turns = self.of_page.lock();
        turns
            .iter()
            .any(|(known, secret)| known == turn_id && secret == session.secret())
    }

    /// Takes the answer of a browser; false where nothing waits for it.
    fn answer(&self, session: &Session, (turn_id, call_id): (&str, &str), consent: Consent) -> bool {
        let mut asked = self.asked.lock();
        let is_meant = asked
            .get(turn_id)
            .is_some_and(|asked| asked.request.call_id == call_id && asked.by.secret() == session.secret());
        let asked = is_meant.then(|| asked.remove(turn_id)).flatten();
        asked.is_some_and(|asked| asked.answer.send(consent).is_ok())
    }
}

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
        self.0.questions.asked.lock().remove(self.1);
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
            let (answer, answered) = oneshot::channel();
            let asked = Asked {
                request: request.clone(),
                by: Arc::clone(&self.session),
                answer,
            };
            let turn_id = request.turn_id.as_str();
            self.page.questions.asked.lock().insert(turn_id.to_owned(), asked);
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

/// The question of a turn, as a piece; empty where none waits.
pub(in super::super) fn asked(page: &PageState, session: &Session, turn_id: &str) -> Piece {
    let asked = page.questions.asked.lock();
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

/// The two answers to a question.
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

/// A yes or a no.
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
    let done = if page.questions.answer(&session, (turn, call), consent) {
        Ok(None)
    } else {
        Err("This call waits for no answer any more.".to_owned())
    };
    answered(&session, &back, done)
}
