//! The entries of Wiktionary in the languages of people.
//!
//! One question brings a word in every spelling that may be meant: dictionaries tell large letters from small ones.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::entry;
use crate::net::{Fault, Shelf};
use crate::reference::FRESH;
use crate::reference::source::{ENGLISH, Source};

/// Wiktionary.
#[derive(Debug)]
pub struct Wiktionary {
    source: Source,
    kept: Shelf<Option<Arc<Entry>>>,
}

/// A word and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) word: String,
    pub(crate) meanings: Vec<String>,
    pub(crate) lang: String,
}

impl Wiktionary {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            kept: Shelf::fresh_for(FRESH),
        }
    }

    /// What a word means, in this language or else in English.
    pub(crate) async fn look_up(
        &self,
        word: &str,
        lang: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<Entry>>, Fault> {
        let found = self.in_language(word, lang, now).await?;
        if found.is_some() || lang == ENGLISH {
            return Ok(found);
        }
        self.in_language(word, ENGLISH, now).await
    }

    async fn in_language(&self, word: &str, lang: &str, now: Timestamp) -> Result<Option<Arc<Entry>>, Fault> {
        let key = format!("{lang} {word}");
        if let Some(kept) = self.kept.fresh(&key, now) {
            return Ok(kept.answer);
        }
        let spellings = spellings(word);
        let titles = spellings.join("|");
        let question = [
            ("action", "query"),
            ("prop", "revisions"),
            ("rvprop", "content"),
            ("rvslots", "main"),
            ("redirects", "1"),
            ("titles", titles.as_str()),
        ];
        let answer = self.source.ask(lang, &question, now).await?;
        let pages = answer.pointer("/query/pages").and_then(Value::as_array);
        let pages = pages.ok_or(Fault::Garbled)?;
        let found = spellings.iter().find_map(|word| defined(word, pages, lang));
        Ok(self.kept.put(key, found.map(Arc::new), now).answer)
    }
}

/// As it was said, small, and as a name or a German noun.
fn spellings(word: &str) -> Vec<String> {
    let small = word.to_lowercase();
    let mut letters = small.chars();
    let large = letters.next().into_iter().flat_map(char::to_uppercase);
    let large: String = large.chain(letters).collect();
    let mut spellings = vec![word.to_owned()];
    for spelling in [small, large] {
        if !spellings.contains(&spelling) {
            spellings.push(spelling);
        }
    }
    spellings
}

fn defined(word: &str, pages: &[Value], lang: &str) -> Option<Entry> {
    let title = |page: &&Value| page.get("title").and_then(Value::as_str) == Some(word);
    let page = pages.iter().find(title)?;
    let text = page.pointer("/revisions/0/slots/main/content")?.as_str()?;
    let meanings = entry::meanings(text, lang);
    (!meanings.is_empty()).then(|| Entry {
        word: word.to_owned(),
        meanings,
        lang: lang.to_owned(),
    })
}
