//! What goes on behind a form: a bounded number of calls and downloads, owned by one task and ended with it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// At once; one more is refused.
const MOST: usize = 6;

/// As much as may be done at once is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{MOST} things are being done already; try again when one of them has ended")]
pub(super) struct Busy;

#[derive(Debug)]
pub(super) struct Work {
    sender: mpsc::Sender<BoxFuture<'static, ()>>,
    receiver: Mutex<mpsc::Receiver<BoxFuture<'static, ()>>>,
    places: Arc<Semaphore>,
    ending: CancellationToken,
}

impl Default for Work {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(MOST);
        Self {
            sender,
            receiver: Mutex::new(receiver),
            places: Arc::new(Semaphore::new(MOST)),
            ending: CancellationToken::new(),
        }
    }
}

impl Work {
    /// Has this done. It is given what tells it to end.
    pub(super) fn begin<Doing>(&self, doing: impl FnOnce(CancellationToken) -> Doing) -> Result<(), Busy>
    where
        Doing: Future<Output = ()> + Send + 'static,
    {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Busy)?;
        let doing = doing(self.ending.clone());
        let done = async move {
            doing.await;
            drop(place);
        };
        self.sender.try_send(done.boxed()).map_err(|_| Busy)
    }

    /// Does it until cancelled, and waits for what was told to end.
    pub(super) async fn run(&self, cancel: CancellationToken) {
        let mut receiver = self.receiver.lock().await;
        let mut doing = JoinSet::new();
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some(_) = doing.join_next() => {}
                Some(work) = receiver.recv() => drop(doing.spawn(work)),
            }
        }
        self.ending.cancel();
        while doing.join_next().await.is_some() {}
    }
}
