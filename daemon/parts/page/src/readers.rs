//! The tasks that follow what happens and tell open views of it: turns, the bus, half-heard words, log and status line. They
//! change nothing but what the page keeps.

use std::sync::Arc;

use loquat_bus::Subscription;
use loquat_part::events::News;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio_util::sync::CancellationToken;

use super::change::Change;
use super::page_state::PageState;
use super::turns::KeptTurn;

/// Reads the stream of events until cancelled.
pub(super) async fn turns(
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

/// Reads the bus until cancelled.
pub(super) async fn conversation(page: Arc<PageState>, mut frames: Subscription, cancel: CancellationToken) {
    while let Some(Some(frame)) = cancel.run_until_cancelled(frames.recv()).await {
        for change in page.conversation.take(&frame) {
            page.tell(change);
        }
    }
}

/// Tells of what is understood while the device still listens, until cancelled.
pub(super) async fn half_heard(page: Arc<PageState>, cancel: CancellationToken) {
    let mut half_heard = page.device.hearing.so_far.clone();
    while let Some(Ok(())) = cancel.run_until_cancelled(half_heard.changed()).await {
        page.tell(Change::HalfHeard);
    }
}

/// Tells of changes of log and status line until cancelled.
pub(super) async fn log(page: Arc<PageState>, cancel: CancellationToken) {
    let (mut lines, mut status) = (page.device.log.changes(), page.status.clone());
    loop {
        let change = tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            Ok(()) = status.changed() => Change::Status,
            Ok(()) = lines.changed() => Change::Log,
            else => return,
        };
        page.tell(change);
    }
}
