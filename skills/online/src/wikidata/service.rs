//! The things of Wikidata and what is written down about them.
//!
//! A question takes two or three requests: for the thing, for the fact, and for the name of what the fact is.

use jiff::Timestamp;
use serde_json::Value;

use super::fact::{Fact, Written, written};
use crate::net::{Fault, Shelf};
use crate::reference::FRESH;
use crate::reference::prose;
use crate::reference::source::{ENGLISH, Source};
use loquat_kit::folded;

/// In letters, of a name.
const LONGEST: usize = 100;

/// Wikidata.
#[derive(Debug)]
pub struct Wikidata {
    source: Source,
    kept: Shelf<Option<Known>>,
}

/// A fact about a thing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    /// The thing's name.
    pub(super) subject: String,
    pub(super) value: Written,
    /// The name of the thing that the value is, if it is one.
    pub(super) name: Option<String>,
    /// Of a person who died, and whose age is asked for.
    pub(super) died: Option<Written>,
}

impl Wikidata {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            kept: Shelf::fresh_for(FRESH),
        }
    }

    /// A fact about what has this name.
    pub(super) async fn find(
        &self,
        subject: &str,
        fact: Fact,
        lang: &str,
        now: Timestamp,
    ) -> Result<Option<Known>, Fault> {
        let key = format!("{lang} {} {}", fact.name, folded(subject));
        if let Some(kept) = self.kept.fresh(&key, now) {
            return Ok(kept.answer);
        }
        let found = self.asked(subject, fact, lang, now).await?;
        Ok(self.kept.put(key, found, now).answer)
    }

    async fn asked(
        &self,
        subject: &str,
        fact: Fact,
        lang: &str,
        now: Timestamp,
    ) -> Result<Option<Known>, Fault> {
        let Some((id, label)) = self.thing(subject, lang, now).await? else {
            return Ok(None);
        };
        let mut value = None;
        for property in fact.properties {
            if value.is_none() {
                value = self.statement(&id, property, now).await?;
            }
        }
        let Some(value) = value else {
            return Ok(None);
        };
        let name = match &value {
            Written::Thing(id) => self.label(id, lang, now).await?,
            _ => None,
        };
        let died = match fact.name {
            "age" => self.statement(&id, "P570", now).await?,
            _ => None,
        };
        Ok(Some(Known {
            subject: label,
            value,
            name,
            died,
        }))
    }

    /// The id and the name of the first thing that a search finds.
    async fn thing(
        &self,
        subject: &str,
        lang: &str,
        now: Timestamp,
    ) -> Result<Option<(String, String)>, Fault> {
        let question = [
            ("action", "wbsearchentities"),
            ("search", subject),
            ("language", lang),
            ("uselang", lang),
            ("type", "item"),
            ("limit", "1"),
        ];
        let answer = self.source.ask(lang, &question, now).await?;
        let found = answer
            .get("search")
            .and_then(Value::as_array)
            .ok_or(Fault::Garbled)?;
        let first = found.first().and_then(|thing| {
            let text = |name: &str| thing.get(name).and_then(Value::as_str);
            Some((text("id")?.to_owned(), readable(text("label").unwrap_or(subject))))
        });
        Ok(first)
    }

    async fn statement(&self, id: &str, property: &str, now: Timestamp) -> Result<Option<Written>, Fault> {
        let question = [("action", "wbgetclaims"), ("entity", id), ("property", property)];
        let answer = self.source.ask(ENGLISH, &question, now).await?;
        let claims = answer.get("claims").ok_or(Fault::Garbled)?;
        let statements = claims.get(property).and_then(Value::as_array);
        Ok(statements.and_then(|statements| written(statements)))
    }

    /// The name of a thing, in the language or else in English.
    async fn label(&self, id: &str, lang: &str, now: Timestamp) -> Result<Option<String>, Fault> {
        let langs = format!("{lang}|{ENGLISH}");
        let question = [
            ("action", "wbgetentities"),
            ("ids", id),
            ("props", "labels"),
            ("languages", langs.as_str()),
        ];
        let answer = self.source.ask(lang, &question, now).await?;
        let label = |lang: &str| answer.pointer(&format!("/entities/{id}/labels/{lang}/value"));
        let found = label(lang).or_else(|| label(ENGLISH)).and_then(Value::as_str);
        Ok(found.map(readable))
    }
}

fn readable(name: &str) -> String {
    let plain: String = name.chars().filter(|letter| !letter.is_control()).collect();
    prose::cut(&plain, LONGEST)
}
