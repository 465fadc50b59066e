//! A reply as server-sent events, written while the model writes. Never ends with `[DONE]` unless the reply is whole.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::body::Frame;
use serde_json::Value;

use super::chat::Pending;
use super::completion::Completion;
use crate::model::Event;

/// The body of a streamed reply. Dropping it gives the reply up.
#[derive(Debug)]
pub(crate) struct EventStream {
    completion: Completion,
    pending: Pending,
    ready: VecDeque<Bytes>,
    over: bool,
}

impl EventStream {
    /// The body for a job that has started.
    pub(super) fn new(completion: Completion, pending: Pending) -> Self {
        let ready = VecDeque::from([data(&completion.first_chunk())]);
        Self {
            completion,
            pending,
            ready,
            over: false,
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Started => {}
            Event::Piece(text) => self.ready.push_back(data(&self.completion.text_chunk(&text))),
            Event::Finished(finish, usage) => {
                self.ready.push_back(data(&self.completion.finish_chunk(finish)));
                self.ready.push_back(data(&self.completion.usage_chunk(usage)));
                self.ready.push_back(Bytes::from_static(b"data: [DONE]\n\n"));
                self.over = true;
            }
            Event::Refused(refusal) => {
                self.ready.push_back(data(&refusal.to_json()));
                self.over = true;
            }
        }
    }
}

impl hyper::body::Body for EventStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(Frame::data(bytes))));
            }
            if self.over {
                return Poll::Ready(None);
            }
            match ready!(self.pending.poll_next(context)) {
                Some(event) => self.take(event),
                None => self.over = true,
            }
        }
    }
}

fn data(content: &Value) -> Bytes {
    Bytes::from(format!("data: {content}\n\n"))
}
