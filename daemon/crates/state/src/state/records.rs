//! The records of the skills, kept and asked for by the thread of the state.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_kit::records::{Change, Records, Unkept};
use tokio::sync::oneshot;

use super::State;
use crate::order::Order;
use crate::records::Record;

impl Records for State {
    fn change(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), Unkept>> {
        async move {
            let (done, written) = oneshot::channel();
            let done = Some(done);
            self.order(Order::Keep { changes, done }).await;
            written.await.map_err(|_| Unkept)
        }
        .boxed()
    }

    fn all(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<Record>, Unkept>> {
        async move {
            let (answer, records) = oneshot::channel();
            let answer = Some(answer);
            self.order(Order::Records { kind, answer }).await;
            records.await.map_err(|_| Unkept)
        }
        .boxed()
    }

    fn search<'a>(
        &'a self,
        owner: &'a str,
        words: Vec<String>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Record>, Unkept>> {
        async move {
            let (answer, found) = oneshot::channel();
            let search = Order::Search {
                owner: owner.to_owned(),
                words,
                most,
                answer: Some(answer),
            };
            self.order(search).await;
            found.await.map_err(|_| Unkept)
        }
        .boxed()
    }
}
