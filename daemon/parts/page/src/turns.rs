//! The last turns, each as a waterfall of what it asked brains and tools for. A reader of the stream of events; what a brain
//! was sent is played again from the journal when a person wants to see it.

mod kept;
mod played;
mod waterfall;

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use loquat_part::events::News;
use loquat_wire::session::DEFAULT_SESSION_ID;
use maud::{Markup, html};
use parking_lot::Mutex;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio_util::sync::CancellationToken;

pub(super) use self::kept::KeptTurn;
use self::waterfall::{summary, waterfall};
use super::PageState;
use super::live::{Change, Piece};
use super::session::Session;
use super::shell::{View, shell};
use super::tools::consent;
use super::veil::Veil;

/// Turns that are kept.
const MOST_TURNS: usize = 200;

/// Bytes of all that is kept of them; the oldest go first.
const MOST_BYTES: usize = 8 << 20;

/// Turns of the journal that are listed behind those.
const LISTED: u32 = 50;

/// The turns since the start.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<VecDeque<KeptTurn>>);

impl Turns {
    fn take(&self, news: &News) {
        let ids = (Arc::clone(&news.turn_id), Arc::clone(&news.session_id));
        self.with(ids, |turn| turn.take(&news.event));
    }

    /// A turn of this page is about to begin, and is looked at before it does.
    pub(super) fn expect(&self, id: &str) {
        self.with((id.into(), DEFAULT_SESSION_ID.into()), |_| {});
    }

    /// It did not begin, for this reason.
    pub(super) fn fail(&self, id: &str, why: &str) {
        self.with((id.into(), DEFAULT_SESSION_ID.into()), |turn| turn.fail(why));
    }

    /// Changes one, which is begun where it is not there yet; the oldest make room.
    fn with(&self, (id, session): (Arc<str>, Arc<str>), change: impl FnOnce(&mut KeptTurn)) {
        let mut turns = self.0.lock();
        let known = turns.iter().rposition(|turn| turn.id == id);
        let at = known.unwrap_or_else(|| {
            turns.push_back(KeptTurn::new(id, session));
            turns.len() - 1
        });
        if let Some(turn) = turns.get_mut(at) {
            change(turn);
        }
        while turns.len() > MOST_TURNS || turns.iter().map(KeptTurn::bytes).sum::<usize>() > MOST_BYTES {
            turns.pop_front();
        }
    }

    /// A copy of one of them.
    fn find(&self, id: &str) -> Option<KeptTurn> {
        let turns = self.0.lock();
        turns.iter().rev().find(|turn| &*turn.id == id).cloned()
    }

    /// How many are kept.
    #[cfg(test)]
    fn count(&self) -> usize {
        self.0.lock().len()
    }
}

/// Reads the stream until cancelled.
pub(super) async fn follow(
    page: Arc<PageState>,
    mut news: broadcast::Receiver<News>,
    cancel: CancellationToken,
) {
    while let Some(heard) = cancel.run_until_cancelled(news.recv()).await {
        match heard {
            // Pieces of what is being written are many, and all of it comes at the end.
            Ok(news) if KeptTurn::minds(&news.event) => {
                page.turns.take(&news);
                page.tell(Change::Turn(news.turn_id));
            }
            Ok(_) => {}
            Err(RecvError::Lagged(missed)) => tracing::debug!(missed, "the page lost events"),
            Err(RecvError::Closed) => return,
        }
    }
}

/// A turn's line in the list, as a piece.
pub(super) fn row(page: &PageState, id: &str, veil: Veil) -> Option<Piece> {
    let turn = page.turns.find(id)?;
    Some(Piece {
        id: format!("row-{id}"),
        into: Some("turns"),
        first: true,
        html: listed(&turn, veil),
    })
}

/// The list, as a piece.
pub(super) fn latest(page: &PageState, veil: Veil) -> Piece {
    let turns = page.turns.0.lock();
    let html = html! {
        ol.turns id="turns" aria-label="Turns, the newest first" {
            @for turn in turns.iter().rev() { (listed(turn, veil)) }
        }
    };
    Piece::over("turns", html)
}

fn listed(turn: &KeptTurn, veil: Veil) -> Markup {
    html! { li id={"row-" (turn.id)} { a href={"/turns/" (turn.id)} { (summary(turn, veil)) } } }
}

/// A turn's waterfall, as a piece.
pub(super) fn whole(page: &PageState, session: &Session, id: &str) -> Option<Piece> {
    let turn = page.turns.find(id)?;
    Some(Piece::over("turn", waterfall(&turn, veil_of(page, session, id))))
}

/// What a person has put together on this page is no secret to them.
fn veil_of(page: &PageState, session: &Session, id: &str) -> Veil {
    if page.questions.is_of(session, id) {
        Veil::Lifted
    } else {
        Veil::of(session)
    }
}

/// The view of all.
pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let before = played::before(&page, LISTED).await;
    let content = html! {
        p.hint { "Each question, and what was asked of brains and tools to answer it." }
        (latest(&page, veil).html)
        @match before {
            Ok(before) => @if !before.is_empty() {
                section aria-labelledby="before" {
                    h2 #before { "Before the last start" }
                    ol.turns aria-label="Turns before the last start" {
                        @for turn in &before {
                            li { a href={"/turns/" (turn.id)} { (waterfall::summary_of_journal(turn, veil)) } }
                        }
                    }
                }
            },
            Err(why) => p.fault { (why) },
        }
    };
    let view = View {
        path: "/turns",
        title: "Turns",
        live: Some("/live/turns".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// The view of one.
pub(super) async fn one(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Path(id): Path<String>,
) -> Response {
    let veil = veil_of(&page, &session, &id);
    let live = page.turns.find(&id);
    let is_live = live.is_some();
    let turn = match live {
        Some(turn) => Ok(turn),
        None => played::turn(&page, &id).await,
    };
    let (status, content) = match turn {
        Ok(turn) => {
            let content = html! {
                (waterfall(&turn, veil))
                (consent::asked(&page, &session, &id).html)
                p { a href="/turns" { "All turns" } }
            };
            (StatusCode::OK, content)
        }
        Err(why) => (StatusCode::NOT_FOUND, html! { p.fault { (why) } }),
    };
    let view = View {
        path: &format!("/turns/{id}"),
        title: "Turn",
        live: is_live.then(|| format!("/live/turn-{id}")),
        content,
    };
    (status, shell(&page, &session, &view)).into_response()
}

/// What the brain was sent in a step, as a piece of a view or, for a browser without scripts, as a view.
pub(super) async fn prompt(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Path((id, step)): Path<(String, u32)>,
) -> Response {
    let veil = veil_of(&page, &session, &id);
    let content = match played::prompt(&page, &id, step).await {
        Ok(prompt) => waterfall::prompt(&prompt, veil),
        Err(why) => html! { p.fault { (why) } },
    };
    let view = View {
        path: &format!("/turns/{id}/prompts/{step}"),
        title: "Prompt",
        live: None,
        content: html! { div id="prompt" { (content) } p { a href={"/turns/" (id)} { "The turn" } } },
    };
    shell(&page, &session, &view).into_response()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loquat_agent::event::Event;
    use loquat_agent::record::Reason;

    use super::*;

    fn news(turn: usize, event: Event) -> News {
        News {
            session_id: "default".into(),
            turn_id: format!("turn-{turn}").into(),
            persona: "Tester".into(),
            event,
        }
    }

    #[test]
    fn ten_thousand_turns_take_no_more_room_than_two_hundred() {
        let turns = Turns::default();
        for turn in 0..10_000 {
            let utterance = "a".repeat(100_000);
            turns.take(&news(
                turn,
                Event::TurnStarted {
                    utterance,
                    engine: "react".to_owned(),
                },
            ));
            for step in 0..3 {
                turns.take(&news(
                    turn,
                    Event::ToolReturned {
                        step,
                        call_id: format!("c{step}"),
                        tool: "look".to_owned(),
                        ok: true,
                        observation: "b".repeat(20_000).into(),
                        elapsed: Duration::from_millis(3),
                    },
                ));
            }
            turns.take(&news(
                turn,
                Event::TurnEnded {
                    reason: Reason::Answered,
                    answer: "Yes.".to_owned(),
                    elapsed: Duration::from_secs(1),
                },
            ));
        }
        assert_eq!(turns.count(), MOST_TURNS);
        let bytes: usize = turns.0.lock().iter().map(KeptTurn::bytes).sum();
        assert!(bytes <= MOST_BYTES, "{bytes}");
        assert!(turns.find("turn-9999").is_some() && turns.find("turn-9000").is_none());
    }

    #[test]
    fn one_turn_that_never_ends_is_bounded_too() {
        let turns = Turns::default();
        for step in 0..100_000 {
            turns.take(&news(
                0,
                Event::Thought {
                    step,
                    text: "c".repeat(5_000),
                },
            ));
        }
        assert!(turns.0.lock().iter().map(KeptTurn::bytes).sum::<usize>() <= MOST_BYTES);
        assert_eq!(turns.count(), 1);
    }
}
