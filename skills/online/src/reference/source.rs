//! A work that has a server for each language, or one for all.
//!
//! Knows nothing of what is asked.

use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::Circumstances;
use serde_json::Value;

use crate::net::Outlet;
use crate::net::{Fault, Wire};

/// What is asked where a language has nothing.
pub(crate) const ENGLISH: &str = "en";

/// A work.
#[derive(Debug)]
pub(crate) struct Source {
    /// `{lang}` in it stands for the language.
    url: String,
    outlet: Outlet,
    wire: Arc<Wire>,
}

impl Source {
    pub(crate) fn new(url: String, outlet: Outlet, wire: Arc<Wire>) -> Self {
        Self { url, outlet, wire }
    }

    /// Where the server of a language is.
    pub(crate) fn address(&self, lang: &str) -> String {
        self.url.replace("{lang}", lang).trim_end_matches('/').to_owned()
    }

    /// What its programming interface answers.
    pub(crate) async fn ask(
        &self,
        lang: &str,
        question: &[(&str, &str)],
        now: Timestamp,
    ) -> Result<Value, Fault> {
        let form = [("format", "json"), ("formatversion", "2")].into_iter();
        let question: Vec<(&str, String)> = form
            .chain(question.iter().copied())
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        let answer = self
            .wire
            .ask(&self.outlet, &self.address(lang), "/w/api.php", &question, now)
            .await?;
        // A complaint comes with a good status.
        if !answer.is_object() || answer.get("error").is_some() {
            return Err(Fault::Garbled);
        }
        Ok(answer)
    }
}

/// The language of a tag as servers are named after it.
pub(crate) fn language(tag: Option<&str>) -> String {
    let lang = tag
        .and_then(|tag| tag.split(['-', '_']).next())
        .unwrap_or_default();
    let is_name = (2..=3).contains(&lang.len()) && lang.chars().all(|letter| letter.is_ascii_alphabetic());
    if is_name {
        lang.to_ascii_lowercase()
    } else {
        ENGLISH.to_owned()
    }
}

/// The language of a person, in the same way.
pub(crate) fn language_of(person: &Circumstances) -> String {
    language(person.lang.as_deref())
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn only_languages_become_part_of_an_address() {
        for (tag, expected) in [
            (Some("de-AT"), "de"),
            (Some("PT_br"), "pt"),
            (Some("evil.example/#"), "en"),
            (Some(""), "en"),
            (None, "en"),
        ] {
            assert_eq!(language(tag), expected, "{tag:?}");
        }
    }
}
