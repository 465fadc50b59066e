//! The one stream of turn events and its readers' door.
//!
//! Every turn writes into the hub; log, terminal and whoever comes later read from it. A reader that lags loses the
//! oldest events and is told so; a turn never waits for a reader.

use std::sync::Arc;

use loquat_agent::event::{Event, Observer};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// Enough for the token stream of a long answer while a reader writes to a slow terminal.
const CAPACITY: usize = 1024;

/// An event and the turn it belongs to.
#[derive(Debug, Clone)]
pub struct News {
    /// The conversation.
    pub session_id: Arc<str>,
    /// The turn.
    pub turn_id: Arc<str>,
    /// What happened.
    pub event: Event,
}

/// Where turns report and readers listen.
#[derive(Debug, Clone)]
pub struct Hub(broadcast::Sender<News>);

impl Default for Hub {
    fn default() -> Self {
        Self::new()
    }
}

impl Hub {
    /// A hub without readers.
    pub fn new() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }

    /// Hears everything from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<News> {
        self.0.subscribe()
    }

    /// What one turn reports to.
    pub fn observer(&self, session_id: &str, turn_id: &str) -> Arc<dyn Observer> {
        Arc::new(Reporter {
            hub: self.clone(),
            session_id: session_id.into(),
            turn_id: turn_id.into(),
        })
    }
}

struct Reporter {
    hub: Hub,
    session_id: Arc<str>,
    turn_id: Arc<str>,
}

impl Observer for Reporter {
    fn event(&self, event: &Event) {
        let news = News {
            session_id: Arc::clone(&self.session_id),
            turn_id: Arc::clone(&self.turn_id),
            event: event.clone(),
        };
        // Nobody listening is no fault.
        drop(self.hub.0.send(news));
    }
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
                tracing::debug!(missed, "the log lost events");
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

fn log_one(news: &News) {
    let (session, turn) = (&*news.session_id, &*news.turn_id);
    match &news.event {
        Event::TurnEnded { reason, elapsed, .. } => {
            tracing::info!(
                session,
                turn,
                ?reason,
                elapsed_ms = elapsed.as_millis(),
                "turn ended"
            );
        }
        Event::BrainFailed { step, error } => {
            tracing::warn!(session, turn, step, error, "failed to get a reply");
        }
        Event::ToolCalled {
            step,
            toolbox_id,
            tool,
            ..
        } => {
            tracing::debug!(session, turn, step, toolbox_id, tool, "tool called");
        }
        Event::ToolReturned {
            step,
            tool,
            ok,
            elapsed,
            ..
        } => {
            tracing::debug!(
                session,
                turn,
                step,
                tool,
                ok,
                elapsed_ms = elapsed.as_millis(),
                "tool returned"
            );
        }
        Event::ReplyRejected { step, why } => tracing::debug!(session, turn, step, why, "reply rejected"),
        Event::CallDropped { step, tool, why } => {
            tracing::debug!(session, turn, step, tool, why, "call dropped");
        }
        Event::BrainReplied { step, elapsed, usage } => tracing::debug!(
            session,
            turn,
            step,
            elapsed_ms = elapsed.as_millis(),
            prompt_tokens = usage.prompt_tokens,
            completion_tokens = usage.completion_tokens,
            "brain replied"
        ),
        event => tracing::trace!(session, turn, ?event, "turn event"),
    }
}
