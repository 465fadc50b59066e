//! The connections of browsers: so many at once, and a new one in the place of the oldest on which nothing is asked. Knows
//! no page and opens nothing.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::task::{AbortHandle, JoinSet};

/// Connections at once. Each open tab keeps one, and a few more for a moment.
const MOST: usize = 64;

/// Those that are open, the oldest first.
#[derive(Default)]
pub(super) struct Connections {
    tasks: JoinSet<()>,
    open: Vec<(AbortHandle, Requests)>,
}

impl Connections {
    /// Whether one more may come: there is room, or one on which nothing is asked can go.
    pub(super) fn has_room(&self) -> bool {
        self.open.len() < MOST || self.open.iter().any(|(_, requests)| requests.is_idle())
    }

    /// Serves one more. Where there is no room, the oldest without a request ends: it is half of a request at most, or one
    /// that a browser keeps for later and opens again.
    pub(super) fn serve<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        requests: Requests,
        connection: F,
    ) {
        if self.open.len() >= MOST
            && let Some(oldest) = self.open.iter().position(|(_, requests)| requests.is_idle())
        {
            self.open.remove(oldest).0.abort();
        }
        self.open.push((self.tasks.spawn(connection), requests));
    }

    /// Waits until one has ended; for ever where there are none. Cancel safe.
    pub(super) async fn ended(&mut self) {
        match self.tasks.join_next().await {
            Some(_) => self.open.retain(|(task, _)| !task.is_finished()),
            None => std::future::pending().await,
        }
    }
}

/// How many requests of one connection are being answered.
#[derive(Debug, Clone, Default)]
pub(super) struct Requests(Arc<AtomicUsize>);

impl Requests {
    fn is_idle(&self) -> bool {
        self.0.load(Ordering::Acquire) == 0
    }

    /// Counts a request until the last of its answer is written.
    pub(super) async fn count(self, request: Request, next: Next) -> Response {
        self.0.fetch_add(1, Ordering::AcqRel);
        let counted = Counted(self);
        let answer = next.run(request).await;
        answer.map(|body| {
            Body::new(Answer {
                body,
                _counted: counted,
            })
        })
    }
}

/// Ends its count with itself.
struct Counted(Requests);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// What is written.
struct Answer {
    body: Body,
    _counted: Counted,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
