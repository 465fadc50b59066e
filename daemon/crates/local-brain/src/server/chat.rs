//! One chat request from its body to its reply. Never leaves the model at work for a client that is gone: dropping the
//! future or the reply's body gives the job up.

use std::time::Duration;

use http_body_util::Either;
use hyper::body::Incoming;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_util::sync::DropGuard;

use super::completion::Completion;
use super::events::EventStream;
use super::routes::{Body, json_response};
use super::{Service, body};
use crate::model::{Event, Job};
use crate::refusal::Refusal;
use crate::request::ChatRequest;

/// This many pieces of a reply may be on their way. When there are more, the model waits for the client.
const PIECES_ON_THE_WAY: usize = 64;

/// A load takes about a second.
const AFTER_LOADING: Duration = Duration::from_secs(1);

/// A reply takes some seconds, and eight are waiting.
const AFTER_BUSY: Duration = Duration::from_secs(5);

/// A job at the model's thread, given up when this is dropped.
#[derive(Debug)]
pub(super) struct Pending {
    events: mpsc::Receiver<Event>,
    _give_up: DropGuard,
}

impl Pending {
    /// Waits for the next event. There is none when the model's thread gave the job up itself. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// Polls for the next event, as [`Self::next`] waits for it.
    pub(super) fn poll_next(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Event>> {
        self.events.poll_recv(context)
    }
}

pub(super) async fn answer(service: &Service, incoming: Incoming) -> Result<Response<Body>, Refusal> {
    let request = ChatRequest::read(&body::read(incoming).await?)?;
    if service.facts.get().is_none() {
        return Err(Refusal::unavailable(
            "loading",
            "failed to answer: the model is still being loaded",
            AFTER_LOADING,
        ));
    }
    let stream = request.stream;
    let mut pending = queue(service, request)?;
    match pending.next().await {
        Some(Event::Started) => {}
        Some(Event::Refused(refusal)) => return Err(refusal),
        _ => return Err(ending()),
    }
    let completion = Completion::new(&service.model);
    if stream {
        Ok(streamed(completion, pending))
    } else {
        whole(&completion, pending).await
    }
}

fn queue(service: &Service, request: ChatRequest) -> Result<Pending, Refusal> {
    let (sender, events) = mpsc::channel(PIECES_ON_THE_WAY);
    let cancel = service.stop.child_token();
    let pending = Pending {
        events,
        _give_up: cancel.clone().drop_guard(),
    };
    let job = Job {
        request,
        events: sender,
        cancel,
    };
    match service.jobs.try_send(job) {
        Ok(()) => Ok(pending),
        Err(TrySendError::Full(_)) => Err(Refusal::unavailable(
            "busy",
            "failed to answer: too many requests are waiting for the model",
            AFTER_BUSY,
        )),
        Err(TrySendError::Closed(_)) => Err(ending()),
    }
}

fn streamed(completion: Completion, pending: Pending) -> Response<Body> {
    let mut response = Response::new(Either::Right(EventStream::new(completion, pending)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

async fn whole(completion: &Completion, mut pending: Pending) -> Result<Response<Body>, Refusal> {
    let mut content = String::new();
    while let Some(event) = pending.next().await {
        match event {
            Event::Started => {}
            Event::Piece(text) => content.push_str(&text),
            Event::Finished(finish, usage) => {
                let reply = completion.whole(&content, finish, usage);
                return Ok(json_response(StatusCode::OK, &reply));
            }
            Event::Refused(refusal) => return Err(refusal),
        }
    }
    Err(ending())
}

fn ending() -> Refusal {
    Refusal::unavailable(
        "ending",
        "failed to answer: the local brain is ending",
        AFTER_LOADING,
    )
}
