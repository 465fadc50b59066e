//! What changes while a view is open, pushed as it happens: pieces of HTML that take the place of those of the same id.
//!
//! A browser that is too slow loses changes and gets the whole region again; nothing waits for it.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use loquat_part::events::Follower;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Interval, MissedTickBehavior};

use super::piece::Piece;
use super::{conversation, hearing, log, models, routines, shell, sound, timers, tools, turns};
use crate::change::Change;
use crate::page_state::PageState;
use crate::session::Session;
use crate::veil::Veil;

/// How often the level of the microphone is told.
const LEVEL: Duration = Duration::from_millis(100);

/// A view that is kept up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Region {
    Now,
    Timers,
    Routines,
    Turns,
    Turn(String),
    Models,
    Sound,
    Log,
}

impl Region {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "now" => Self::Now,
            "timers" => Self::Timers,
            "routines" => Self::Routines,
            "turns" => Self::Turns,
            "models" => Self::Models,
            "sound" => Self::Sound,
            "log" => Self::Log,
            other => Self::Turn(other.strip_prefix("turn-")?.to_owned()),
        })
    }

    fn has_level(&self) -> bool {
        matches!(self, Self::Now | Self::Sound)
    }
}

/// One open view.
struct Watch {
    page: Arc<PageState>,
    session: Arc<Session>,
    region: Region,
    changes: broadcast::Receiver<Change>,
    level: Interval,
    told_level: u32,
    /// What is to be sent before anything else happens.
    ready: Vec<Event>,
    _place: OwnedSemaphorePermit,
    /// Has turns tell of their answers while these are written, where they are shown.
    _follower: Option<Follower>,
}

/// Streams the pieces of a view that change while it is open.
pub(super) async fn live(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Path(name): Path<String>,
) -> Response {
    let Some(region) = Region::of(&name) else {
        return (StatusCode::NOT_FOUND, "Nothing of that name changes.").into_response();
    };
    let Ok(place) = Arc::clone(&page.watchers).try_acquire_owned() else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many views are open; close some.",
        )
            .into_response();
    };
    let mut level = tokio::time::interval(LEVEL);
    level.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let follower = (region == Region::Now).then(|| page.hub.follow_answers());
    let watch = Watch {
        changes: page.changes.subscribe(),
        page,
        session,
        region,
        level,
        told_level: 0,
        ready: Vec::new(),
        _place: place,
        _follower: follower,
    };
    Sse::new(events(watch))
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
        .into_response()
}

fn events(mut watch: Watch) -> impl Stream<Item = Result<Event, Infallible>> {
    // What changed between the view and its stream is not lost.
    watch.ready = watch.all();
    stream::unfold(watch, |mut watch| async move {
        loop {
            if !watch.ready.is_empty() {
                let event = watch.ready.remove(0);
                return Some((Ok(event), watch));
            }
            watch.wait().await?;
        }
    })
}

impl Watch {
    /// Waits for something to tell; `None` at the end.
    async fn wait(&mut self) -> Option<()> {
        tokio::select! {
            biased;
            change = self.changes.recv() => match change {
                Ok(change) => self.take(change),
                Err(RecvError::Lagged(_)) => self.ready = self.all(),
                Err(RecvError::Closed) => return None,
            },
            _ = self.level.tick(), if self.region.has_level() && self.page.device.hearing.ear.is_some() => self.tell_level(),
        }
        // One that has left, or has been idle for too long, sees no more.
        self.page.sessions.find(self.session.secret()).map(drop)
    }

    /// Takes this change and those behind it, each once.
    fn take(&mut self, first: Change) {
        let mut changes = BTreeSet::from([first]);
        loop {
            match self.changes.try_recv() {
                Ok(change) => drop(changes.insert(change)),
                Err(TryRecvError::Lagged(_)) => {
                    self.ready = self.all();
                    return;
                }
                Err(_) => break,
            }
        }
        for change in changes {
            let pieces = self.pieces(&change);
            self.ready.extend(pieces.into_iter().map(Piece::event));
        }
    }

    fn tell_level(&mut self) {
        let level = self
            .page
            .device
            .hearing
            .ear
            .as_ref()
            .map_or(0.0, loquat_speech::EarHandle::level);
        let level = (level * 100.0).round() as u32;
        if level != self.told_level {
            self.told_level = level;
            self.ready
                .push(Event::default().event("level").data(level.to_string()));
        }
    }

    fn pieces(&self, change: &Change) -> Vec<Piece> {
        let (page, session) = (&*self.page, &*self.session);
        let veil = Veil::of(session);
        match (&self.region, change) {
            (Region::Now, Change::Status) => {
                vec![shell::status_piece(page), hearing::listen(page, session, "/")]
            }
            (Region::Sound, Change::Status) => {
                vec![
                    shell::status_piece(page),
                    hearing::listen(page, session, "/sound"),
                ]
            }
            (_, Change::Status) => vec![shell::status_piece(page)],
            (Region::Now | Region::Sound, Change::Hearing) => vec![hearing::doing(page)],
            (Region::Now, Change::Answering) => vec![conversation::answering(page, session)],
            (Region::Now, Change::Writing) => vec![conversation::writing(page, session)],
            (Region::Timers, Change::Alerts) => vec![timers::rows(page, session)],
            (Region::Routines, Change::Alerts) => vec![routines::rows(page, session)],
            (Region::Now | Region::Sound, Change::HalfHeard) => vec![hearing::half_heard(page, veil)],
            (Region::Now, Change::Line(number)) => {
                conversation::line(page, session, *number).into_iter().collect()
            }
            (Region::Sound, Change::Line(_)) => vec![sound::heard(page, veil)],
            (Region::Now | Region::Turns, Change::Turn(id)) => {
                turns::row(page, session, id).into_iter().collect()
            }
            (Region::Turn(own), Change::Turn(id)) if own.as_str() == &**id => {
                turns::whole(page, session, id).into_iter().collect()
            }
            (Region::Turn(own), Change::Question(id)) if own.as_str() == &**id => {
                vec![tools::consent::asked(page, session, id)]
            }
            (Region::Models, Change::Fetch) => vec![models::fetching(page, session)],
            (Region::Models, Change::Models) => vec![models::listed(page, session)],
            (Region::Log, Change::Log) => vec![log::lines(page)],
            _ => Vec::new(),
        }
    }

    /// Draws the whole region.
    fn all(&self) -> Vec<Event> {
        let (page, session) = (&*self.page, &*self.session);
        let veil = Veil::of(session);
        let pieces = match &self.region {
            Region::Now => vec![
                hearing::doing(page),
                hearing::half_heard(page, veil),
                conversation::answering(page, session),
                conversation::all(page, session),
                conversation::writing(page, session),
                turns::latest(page, session),
            ],
            Region::Timers => vec![timers::rows(page, session)],
            Region::Routines => vec![routines::rows(page, session)],
            Region::Turns => vec![turns::latest(page, session)],
            Region::Turn(id) => {
                let asked = tools::consent::asked(page, session, id);
                turns::whole(page, session, id)
                    .into_iter()
                    .chain([asked])
                    .collect()
            }
            Region::Models => vec![models::fetching(page, session), models::listed(page, session)],
            Region::Sound => vec![
                hearing::doing(page),
                hearing::half_heard(page, veil),
                sound::heard(page, veil),
            ],
            Region::Log => vec![log::lines(page)],
        };
        pieces.into_iter().map(Piece::event).collect()
    }
}
