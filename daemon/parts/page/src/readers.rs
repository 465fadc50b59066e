//! The tasks that follow what happens and tell open views of it: turns, the bus, half-heard words, log and status line. They
//! change nothing but what the page keeps.

use std::sync::Arc;

use loquat_agent::event::Event;
use loquat_bus::{Received, Subscription};
use loquat_part::events::News;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::topic;
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
            Ok(news) => {
                follow_answer(&page, &news);
                // Pieces of what is being written are many, and all of it comes at the end.
                if KeptTurn::minds(&news.event) {
                    page.turns.take(&news);
                    page.tell(Change::Turn(news.turn_id));
                }
            }
            Err(RecvError::Lagged(missed)) => tracing::debug!(missed, "the page lost events"),
            Err(RecvError::Closed) => return,
        }
    }
}

/// Keeps what is written of an answer in the device's own conversation, and of which question a turn is.
fn follow_answer(page: &PageState, news: &News) {
    if *news.session_id != *DEFAULT_SESSION_ID {
        return;
    }
    match &news.event {
        Event::TurnStarted { utterance, .. } => {
            if let Some(question) = page.conversation.answered_now(&news.session_id, utterance) {
                page.questions.goes_on(&question, &news.turn_id);
            }
        }
        Event::AnswerDelta { text, .. } => {
            page.conversation.write(&news.session_id, &news.turn_id, text);
            page.tell(Change::Writing);
        }
        Event::AnswerVoided { .. } if page.conversation.unwrite(&news.turn_id) => page.tell(Change::Writing),
        _ => {}
    }
}

/// Tells of what changes among timers, alarms, reminders and deeds until cancelled.
pub(super) async fn alerts(page: Arc<PageState>, cancel: CancellationToken) {
    let mut changes = page.device.resources.alerts.changes();
    while let Some(Ok(())) = cancel.run_until_cancelled(changes.changed()).await {
        page.alerts.look(&page.device.resources.alerts).await;
        page.tell(Change::Alerts);
    }
}

/// Reads the bus until cancelled.
pub(super) async fn conversation(page: Arc<PageState>, mut frames: Subscription, cancel: CancellationToken) {
    while let Some(Some(frame)) = cancel.run_until_cancelled(frames.recv()).await {
        let answers = answers(&page, &frame);
        page.tell_all(page.conversation.take(&frame, answers.as_deref()));
    }
}

/// Names the persona whose answer a frame says; a session names it where it is not the usual one.
fn answers(page: &PageState, frame: &Received) -> Option<String> {
    let conversation = &page.device.conversation;
    let session = (frame.canonical == topic::SPEAK).then(|| frame.message.context.session())?;
    let Some(id) = session.persona_id() else {
        return conversation.usual().map(|usual| usual.name);
    };
    let all = conversation.answerers().into_iter();
    all.filter(|one| one.id == id).map(|one| one.name).next()
}

/// Tells of who answers in the device's own conversation, whenever another does, until cancelled.
pub(super) async fn answering(page: Arc<PageState>, cancel: CancellationToken) {
    let conversation = &page.device.conversation;
    let (mut chosen, mut others) = (conversation.chosen(), conversation.replacements());
    loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            Ok(()) = chosen.changed() => {}
            Ok(()) = others.changed() => {}
            else => return,
        }
        page.tell(Change::Answering);
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
