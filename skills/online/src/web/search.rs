//! Searches the web: a `SearXNG` server where the owner has one, else Wikipedia.
//!
//! Reads no search page that is made for people.

use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize;

use super::settings::WebSettings;
use crate::net::Outlet;
use crate::net::{Fault, Wire};
use crate::reference::prose;
use crate::wikipedia::Hit;
use crate::wikipedia::Wikipedia;
use loquat_kit::permission::{Permissions, Service};

/// In letters.
const LONGEST: usize = 300;

/// The way to results.
#[derive(Debug)]
pub struct Searching {
    own: Option<(String, Wire)>,
    outlet: Outlet,
    wikipedia: Arc<Wikipedia>,
}

#[derive(Deserialize)]
struct Results {
    results: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    url: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    content: Option<String>,
}

impl Searching {
    /// By these settings; nothing is asked yet.
    pub fn new(settings: &WebSettings, permissions: &Arc<Permissions>, wikipedia: Arc<Wikipedia>) -> Self {
        let own = settings.search_url.as_ref().filter(|url| !url.is_empty());
        let wire = |url: &String| (url.clone(), Wire::to(&[url], settings.contact.as_deref()));
        Self {
            own: own.map(wire),
            outlet: Outlet::to(Service::WebSearch, permissions),
            wikipedia,
        }
    }

    pub(super) fn service(&self) -> Service {
        if self.own.is_some() {
            Service::WebSearch
        } else {
            Service::Wikipedia
        }
    }

    /// What the person is told is searched.
    pub(super) fn name(&self) -> &'static str {
        if self.own.is_some() {
            "the search server"
        } else {
            "Wikipedia"
        }
    }

    /// At most so many results.
    pub(super) async fn search(
        &self,
        words: &str,
        most: usize,
        lang: &str,
        now: Timestamp,
    ) -> Result<Vec<Hit>, Fault> {
        let Some((url, wire)) = &self.own else {
            return self.wikipedia.search(words, most, lang, now).await;
        };
        let question = [
            ("q", words.to_owned()),
            ("format", "json".to_owned()),
            ("language", lang.to_owned()),
        ];
        let answer = wire.ask(&self.outlet, url, "/search", &question, now).await?;
        let results: Results = serde_json::from_value(answer).map_err(|_| Fault::Garbled)?;
        Ok(results.results.into_iter().filter_map(hit).take(most).collect())
    }
}

fn hit(entry: Entry) -> Option<Hit> {
    let is_page = ["http://", "https://"]
        .iter()
        .any(|scheme| entry.url.starts_with(scheme));
    let line = |text: &str| prose::cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST);
    (is_page && entry.url.len() <= 2048).then(|| Hit {
        title: line(&entry.title),
        snippet: line(entry.content.as_deref().unwrap_or_default()),
        url: entry.url,
    })
}
