//! The one stream of turn events and its readers' door.
//!
//! Every turn writes into the hub; log, terminal and later readers read from it. A reader that lags loses the
//! oldest events and is told so; a turn never waits for a reader.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loquat_agent::event::{Event, Observer};
use loquat_bus::Bus;
use loquat_orchestrator::frames::originated;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Message, Session, topic, with};
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::body::Body;
use super::own_voice::OwnVoice;

/// What the log lines of turns are known by.
pub const LOG_TARGET: &str = "loquat::events";

/// Enough for the token stream of a long answer while a reader writes to a slow terminal.
const CAPACITY: usize = 1024;

/// An event and the turn it belongs to.
#[derive(Debug, Clone)]
pub struct News {
    /// It belongs to this conversation.
    pub session_id: Arc<str>,
    /// The turn.
    pub turn_id: Arc<str>,
    /// Who answers.
    pub persona: Arc<str>,
    /// This has happened.
    pub event: Event,
}

/// Where turns report and readers listen.
#[derive(Debug, Clone)]
pub struct Hub {
    news: broadcast::Sender<News>,
    /// Whether a reader wants to hear answers while they are written.
    hears_answers: bool,
    /// How many follow answers while they are written.
    followers: Arc<AtomicUsize>,
    /// Speaks what is answered in the device's own session.
    voice: OwnVoice,
    /// Gives answers there.
    body: Body,
}

/// Has turns tell of their answers while these are written, until it is dropped.
#[derive(Debug)]
pub struct Follower(Arc<AtomicUsize>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Hub {
    fn default() -> Self {
        Self::new()
    }
}

impl Hub {
    /// Makes a hub without readers.
    pub fn new() -> Self {
        Self {
            news: broadcast::Sender::new(CAPACITY),
            hears_answers: false,
            followers: Arc::default(),
            voice: OwnVoice::default(),
            body: Body::default(),
        }
    }

    /// Sets whether its turns tell of their answers while these are written.
    #[must_use]
    pub fn hearing_answers(self, hears_answers: bool) -> Self {
        Self {
            hears_answers,
            ..self
        }
    }

    /// Has turns tell of their answers while these are written, for as long as what is given back is held.
    pub fn follow_answers(&self) -> Follower {
        self.followers.fetch_add(1, Ordering::Relaxed);
        Follower(Arc::clone(&self.followers))
    }

    /// Gives the voice that speaks what is answered in the device's own session.
    pub fn voice(&self) -> OwnVoice {
        self.voice.clone()
    }

    /// Gives all that gives answers in the room of the device.
    pub fn body(&self) -> Body {
        self.body.clone()
    }

    /// Hears everything from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    /// Makes the observer of one turn, which reports its events with these ids.
    pub fn observer(&self, session_id: &str, turn_id: &str, persona: &str) -> Arc<dyn Observer> {
        Arc::new(Reporter {
            hub: self.clone(),
            session_id: session_id.into(),
            turn_id: turn_id.into(),
            persona: persona.into(),
        })
    }
}

struct Reporter {
    hub: Hub,
    session_id: Arc<str>,
    turn_id: Arc<str>,
    persona: Arc<str>,
}

impl Observer for Reporter {
    fn event(&self, event: &Event) {
        let news = News {
            session_id: Arc::clone(&self.session_id),
            turn_id: Arc::clone(&self.turn_id),
            persona: Arc::clone(&self.persona),
            event: event.clone(),
        };
        // A hub without readers is no fault.
        drop(self.hub.news.send(news));
    }

    fn hears_answers(&self) -> bool {
        let is_spoken_here = *self.session_id == *DEFAULT_SESSION_ID;
        let is_followed = self.hub.followers.load(Ordering::Relaxed) > 0;
        self.hub.hears_answers || is_followed || is_spoken_here && self.hub.voice.begins_early()
    }
}

/// Tells the bus what happens in every turn, in the turn's session, until cancelled. What the bus does not take is lost,
/// and so are the oldest events when it takes them too slowly: no void is told for lost pieces of an answer, which is
/// whole in the event that ends the turn.
pub async fn tell(bus: Bus, mut news: broadcast::Receiver<News>, cancel: CancellationToken) {
    loop {
        let heard = tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            heard = news.recv() => heard,
        };
        let told = match heard {
            Ok(news) => bus.emit(on_the_bus(&news)).await,
            Err(broadcast::error::RecvError::Lagged(_)) => continue,
            Err(broadcast::error::RecvError::Closed) => return,
        };
        if let Err(error) = told {
            tracing::debug!(target: LOG_TARGET, %error, "an event of a turn was not told");
        }
    }
}

fn on_the_bus(news: &News) -> Message {
    let mut message = originated(topic::LOQUAT_TURN_EVENT, as_json(news));
    message.context.set_session(&Session::named(&news.session_id));
    message
}

/// Writes an event as JSON, with its time in seconds and the turn's id.
pub fn as_json(news: &News) -> Value {
    // Nothing in it can fail to become JSON.
    let mut data = serde_json::to_value(&news.event).unwrap_or_default();
    if let Some(elapsed) = data.get_mut("elapsed") {
        let duration: Duration = serde_json::from_value(elapsed.take()).unwrap_or_default();
        *elapsed = json!(duration.as_secs_f64());
    }
    with(data, "turn_id", &*news.turn_id)
}

/// Writes the log from the stream: one line a turn at `info`, decisions at `debug`, what people say at `trace`.
pub async fn log(mut news: broadcast::Receiver<News>, cancel: CancellationToken) {
    loop {
        let heard = tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            heard = news.recv() => heard,
        };
        match heard {
            Ok(news) => log_one(&news),
            Err(broadcast::error::RecvError::Lagged(missed)) => {
                tracing::debug!(target: LOG_TARGET, missed, "the log lost events");
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

fn log_one(news: &News) {
    let (session, turn, persona) = (&*news.session_id, &*news.turn_id, &*news.persona);
    match &news.event {
        Event::TurnEnded { reason, elapsed, .. } => {
            tracing::info!(
                target: LOG_TARGET, session,
                turn,
                persona,
                ?reason,
                elapsed_ms = elapsed.as_millis(),
                "turn ended"
            );
        }
        Event::BrainFailed { step, error } => {
            tracing::warn!(target: LOG_TARGET, session, turn, step, error, "failed to get a reply");
        }
        Event::ToolCalled {
            step,
            toolbox_id,
            tool,
            ..
        } => {
            tracing::debug!(target: LOG_TARGET, session, turn, step, toolbox_id, tool, "tool called");
        }
        Event::ToolReturned {
            step,
            tool,
            ok,
            elapsed,
            ..
        } => {
            tracing::debug!(
                target: LOG_TARGET, session,
                turn,
                step,
                tool,
                ok,
                elapsed_ms = elapsed.as_millis(),
                "tool returned"
            );
        }
        Event::ReplyRejected { step, fault, why } => {
            tracing::debug!(target: LOG_TARGET, session, turn, step, ?fault, "reply rejected");
            // The reason may hold a number that the person said.
            tracing::trace!(target: LOG_TARGET, session, turn, step, why, "why the reply was rejected");
        }
        Event::CallDropped { step, tool, why } => {
            tracing::debug!(target: LOG_TARGET, session, turn, step, tool, why, "call dropped");
        }
        Event::BrainReplied { step, elapsed, usage } => tracing::debug!(
            target: LOG_TARGET, session,
            turn,
            step,
            elapsed_ms = elapsed.as_millis(),
            prompt_tokens = usage.prompt_tokens,
            completion_tokens = usage.completion_tokens,
            "brain replied"
        ),
        event => tracing::trace!(target: LOG_TARGET, session, turn, ?event, "turn event"),
    }
}
