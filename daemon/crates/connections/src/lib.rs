//! Connections of one door: so many at once, and a new one in the place of the oldest on which nothing is asked, so that a
//! program that only holds connections keeps no other out. Knows no page and no protocol, and opens nothing.

pub mod certificate;
pub mod http_door;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;
use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::Instant;

/// The connections of a door that are open, the oldest first.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    /// A connection on which nothing was asked for so long may go.
    grace: Duration,
    tasks: JoinSet<()>,
    open: Vec<(AbortHandle, Requests)>,
}

impl Connections {
    /// Begins with none, and never keeps more than `most`. One goes for another no sooner than it was idle
    /// for `grace`.
    pub fn new(most: usize, grace: Duration) -> Self {
        Self {
            most,
            grace,
            tasks: JoinSet::new(),
            open: Vec::new(),
        }
    }

    /// Counts the connections that are open.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Tells whether one more may come: there is room, or one on which nothing is asked can go.
    pub fn has_room(&self) -> bool {
        self.open.len() < self.most || self.idle().is_some()
    }

    /// Serves one more. Where there is no room, the oldest without a request ends: it is half of a request at most, or one
    /// that a client keeps for later and opens again.
    pub fn serve<F: Future<Output = ()> + Send + 'static>(&mut self, requests: Requests, connection: F) {
        if self.open.len() >= self.most
            && let Some(oldest) = self.idle()
        {
            self.open.remove(oldest).0.abort();
        }
        self.open.push((self.tasks.spawn(connection), requests));
    }

    /// Finds the oldest on which nothing is asked.
    fn idle(&self) -> Option<usize> {
        self.open
            .iter()
            .position(|(_, requests)| requests.is_idle(self.grace))
    }

    /// Waits until one has ended, and tells if it broke; for ever where there are none. Cancel safe.
    pub async fn ended(&mut self) -> Option<JoinError> {
        let ended = match self.tasks.join_next().await {
            Some(ended) => ended,
            None => std::future::pending().await,
        };
        self.open.retain(|(task, _)| !task.is_finished());
        ended.err().filter(|error| !error.is_cancelled())
    }
}

/// Counts the things that were asked on one connection and are being answered.
#[derive(Debug, Clone)]
pub struct Requests(Arc<Asked>);

#[derive(Debug)]
struct Asked {
    count: AtomicUsize,
    /// The moment at which the connection came, or its last answer ended.
    since: Mutex<Instant>,
}

impl Default for Requests {
    fn default() -> Self {
        Self(Arc::new(Asked {
            count: AtomicUsize::new(0),
            since: Mutex::new(Instant::now()),
        }))
    }
}

impl Requests {
    fn is_idle(&self, grace: Duration) -> bool {
        self.0.count.load(Ordering::Acquire) == 0 && self.0.since.lock().elapsed() >= grace
    }

    /// Counts something that is asked, until this value is dropped.
    pub fn begin(&self) -> Counted {
        self.0.count.fetch_add(1, Ordering::AcqRel);
        Counted(self.clone())
    }

    /// Counts a request until the last of its answer is written.
    pub async fn count(self, request: Request, next: Next) -> Response {
        let counted = self.begin();
        let answer = next.run(request).await;
        answer.map(|body| Body::new(Answer::new(body, counted)))
    }
}

/// A thing that is asked. It ends its count with itself.
#[derive(Debug)]
pub struct Counted(Requests);

impl Drop for Counted {
    fn drop(&mut self) {
        let Asked { count, since } = &*self.0.0;
        *since.lock() = Instant::now();
        count.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The body of an answer. It counts as being answered until its end.
#[derive(Debug)]
pub struct Answer<Inner> {
    body: Inner,
    _counted: Counted,
}

impl<Inner> Answer<Inner> {
    /// Answers what was counted.
    pub fn new(body: Inner, counted: Counted) -> Self {
        Self {
            body,
            _counted: counted,
        }
    }
}

impl<Inner: HttpBody + Unpin> HttpBody for Answer<Inner> {
    type Data = Inner::Data;
    type Error = Inner::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Inner::Data>, Inner::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const GRACE: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn the_oldest_on_which_nothing_is_asked_makes_room_when_it_was_idle_for_a_while() {
        let mut connections = Connections::new(2, GRACE);
        let (busy, idle) = (Requests::default(), Requests::default());
        let counted = busy.begin();
        connections.serve(busy, pending());
        connections.serve(idle.clone(), pending());
        assert!(!connections.has_room());
        tokio::time::advance(GRACE).await;
        assert!(connections.has_room());
        let asked = idle.begin();
        assert!(!connections.has_room());
        drop(asked);
        assert!(!connections.has_room());
        tokio::time::advance(GRACE).await;
        connections.serve(Requests::default(), pending());
        assert_eq!(connections.count(), 2);
        assert!(connections.ended().await.is_none(), "it was asked to go");
        assert!(!connections.has_room(), "one is busy and the other has just come");
        drop(counted);
        tokio::time::advance(GRACE).await;
        assert!(connections.has_room());
    }
}
