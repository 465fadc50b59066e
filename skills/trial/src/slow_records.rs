//! Records for tests, which take their time and can be made to fail. They keep nothing on a disk.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use loquat_kit::records::{Change, Records, Unkept, Volatile};

/// Records that can be made to fail, and that take their time.
#[derive(Debug, Default)]
pub struct Slow {
    kept: Volatile,
    /// Whether nothing can be kept or read.
    pub fails: AtomicBool,
}

impl Records for Slow {
    fn change(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), Unkept>> {
        if self.fails.load(Ordering::SeqCst) {
            return std::future::ready(Err(Unkept)).boxed();
        }
        let written = self.kept.change(changes);
        async move {
            tokio::task::yield_now().await;
            written.await
        }
        .boxed()
    }

    fn all(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Value)>, Unkept>> {
        async move {
            tokio::task::yield_now().await;
            if self.fails.load(Ordering::SeqCst) {
                return Err(Unkept);
            }
            self.kept.all(kind).await
        }
        .boxed()
    }

    fn search<'a>(
        &'a self,
        owner: &'a str,
        words: Vec<String>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<(String, Value)>, Unkept>> {
        self.kept.search(owner, words, most)
    }
}
