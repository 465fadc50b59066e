//! Lets a question, for whose reply a person waits, go before a preparation at a worker that does one thing at a time. The
//! preparation is taken up again afterwards. Knows no worker and asks nothing itself.

use tokio::sync::watch;

/// Counts the questions that are open.
#[derive(Debug, Default)]
pub(super) struct Precedence {
    open: watch::Sender<usize>,
}

/// A question that is open until this is dropped.
#[derive(Debug)]
pub(super) struct OpenQuestion<'a>(&'a Precedence);

impl Precedence {
    /// Has every preparation give way until what is returned is dropped.
    pub(super) fn question(&self) -> OpenQuestion<'_> {
        self.open.send_modify(|open| *open += 1);
        OpenQuestion(self)
    }

    /// Prepares while no question is open. A question that comes meanwhile drops the preparation, which is begun again when
    /// no question is open any more. Cancel safe where the preparation is.
    pub(super) async fn prepare<F: Future>(&self, preparation: impl Fn() -> F) -> F::Output {
        let mut open = self.open.subscribe();
        loop {
            until(&mut open, |open| open == 0).await;
            tokio::select! {
                biased;
                () = until(&mut open, |open| open > 0) => tracing::debug!("a preparation gives way to a question"),
                prepared = preparation() => return prepared,
            }
        }
    }
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.0.open.send_modify(|open| *open = open.saturating_sub(1));
    }
}

/// Waits for such a number. The sender lives as long as its borrower, so that the wait cannot fail.
async fn until(open: &mut watch::Receiver<usize>, wanted: impl Fn(usize) -> bool) {
    drop(open.wait_for(|open| wanted(*open)).await);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn a_preparation_gives_way_and_is_begun_again() {
        let (precedence, begun, ends) = (Precedence::default(), AtomicUsize::new(0), Notify::new());
        let began = Notify::new();
        let preparation = || async {
            begun.fetch_add(1, Ordering::SeqCst);
            began.notify_one();
            ends.notified().await;
        };
        let person = async {
            began.notified().await;
            let first = precedence.question();
            let second = precedence.question();
            tokio::task::yield_now().await;
            drop(first);
            tokio::task::yield_now().await;
            assert_eq!(begun.load(Ordering::SeqCst), 1, "a question is open still");
            drop(second);
            began.notified().await;
            ends.notify_one();
        };
        tokio::join!(precedence.prepare(preparation), person);
        assert_eq!(begun.load(Ordering::SeqCst), 2);
    }
}
