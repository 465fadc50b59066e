//! The port through which skills keep what must not be lost: small records, by kind and id, as JSON.
//!
//! The daemon keeps them in its state file. Nothing here knows a file, nor what a record means.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use serde_json::Value;

/// One change of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What it is a record of: one word, the same for ever.
    pub kind: Cow<'static, str>,
    /// It is unique within its kind.
    pub id: String,
    /// What it holds from now on; `None` removes it.
    pub value: Option<Value>,
}

/// Why a record is not kept, in words that can follow "since".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the state file cannot be written; see `loquat check`")]
pub struct Unkept;

impl Change {
    /// A record that holds this from now on.
    pub fn write(kind: &'static str, id: impl Into<String>, value: Value) -> Self {
        Self {
            kind: Cow::Borrowed(kind),
            id: id.into(),
            value: Some(value),
        }
    }

    /// A record that is gone from now on.
    pub fn remove(kind: &'static str, id: impl Into<String>) -> Self {
        Self {
            kind: Cow::Borrowed(kind),
            id: id.into(),
            value: None,
        }
    }
}

/// Keeps records.
pub trait Records: Send + Sync + fmt::Debug {
    /// Makes all of these changes or none. Done when they are on the disk; a caller that gives up does not undo them.
    fn change(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), Unkept>>;

    /// All records of a kind, in the order of their ids.
    fn all(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Value)>, Unkept>>;

    /// Of the records of the kind [`MEMORY`] whose `owner` this is, those whose `text` holds one of these words in any of
    /// its forms: the best first, at most so many.
    fn search<'a>(
        &'a self,
        owner: &'a str,
        words: Vec<String>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<(String, Value)>, Unkept>>;
}

/// The kind of records whose words can be searched for.
pub const MEMORY: &str = "memory";

/// Keeps records as long as the process lives: for a device that has no place to write.
#[derive(Debug, Default)]
pub struct Volatile(Mutex<BTreeMap<(Cow<'static, str>, String), Value>>);

impl Records for Volatile {
    fn change(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), Unkept>> {
        let mut records = self.0.lock();
        for Change { kind, id, value } in changes {
            match value {
                Some(value) => records.insert((kind, id), value),
                None => records.remove(&(kind, id)),
            };
        }
        std::future::ready(Ok(())).boxed()
    }

    fn all(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Value)>, Unkept>> {
        let records = self.0.lock();
        let of_kind = records.iter().filter(|((known, _), _)| known == kind);
        let all = of_kind
            .map(|((_, id), value)| (id.clone(), value.clone()))
            .collect();
        std::future::ready(Ok(all)).boxed()
    }

    fn search<'a>(
        &'a self,
        owner: &'a str,
        words: Vec<String>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<(String, Value)>, Unkept>> {
        let hits = |value: &Value| {
            let text = crate::reading::folded(value["text"].as_str().unwrap_or_default());
            let held = |word: &&String| text.split(' ').any(|held| held == crate::reading::folded(word));
            words.iter().filter(held).count()
        };
        let records = self.0.lock();
        let mut found: Vec<_> = records
            .iter()
            .filter(|((kind, _), value)| kind == MEMORY && value["owner"] == owner)
            .map(|((_, id), value)| (hits(value), id.clone(), value.clone()))
            .filter(|(hits, ..)| *hits > 0)
            .collect();
        found.sort_by_key(|(hits, ..)| std::cmp::Reverse(*hits));
        let found = found.into_iter().take(most).map(|(_, id, value)| (id, value));
        std::future::ready(Ok(found.collect())).boxed()
    }
}
