//! The tools that search and read; what they find comes from the modules beside.

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::{Page, Pages};
use super::search::Searching;
use crate::net::Fault;
use crate::net::guard::Refusal;
use crate::reference::source;
use crate::wikipedia::Hit;
use loquat_kit::dialog::{Tell, Telling};

const USUAL_RESULTS: u8 = 5;

const MOST_RESULTS: u8 = 10;

/// In bytes.
const LONGEST_QUERY: usize = 400;

/// In letters; a brain that reads more loses the question.
const LONGEST_TEXT: usize = 6000;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Query {
    /// What to search for.
    query: String,
    /// At most 10; default: 5.
    #[serde(default)]
    max_results: Option<u8>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Results {
    results: Vec<Entry>,
    query: String,
}

/// One of several.
#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    title: String,
    url: String,
    snippet: String,
}

impl From<Hit> for Entry {
    fn from(hit: Hit) -> Self {
        let Hit { title, url, snippet } = hit;
        Self { title, url, snippet }
    }
}

impl Tell for Results {
    fn tell(&self) -> Option<Telling> {
        let first = self.results.first()?;
        let told = Telling::new("found").words("title", &first.title);
        Some(told.words("snippet", &first.snippet))
    }
}

pub(super) async fn web_search(
    Query { query, max_results }: Query,
    person: &Circumstances,
    searching: &Searching,
    now: Timestamp,
) -> Result<Results, ToolError> {
    let query = query.trim();
    if query.is_empty() || query.len() > LONGEST_QUERY {
        let complaint = "query: is empty or too long; write a few words";
        return Err(ToolError::reply("ValueError", complaint));
    }
    let most = max_results.unwrap_or(USUAL_RESULTS).clamp(1, MOST_RESULTS);
    let lang = source::language_of(person);
    let found = searching.search(query, most.into(), &lang, now).await;
    let found = found.map_err(|fault| match fault {
        // A server that has not been told to answer programs.
        Fault::Refused(403) => ToolError::reply(
            "ConnectionError",
            "the search server gives no JSON; its owner has to add json to search.formats of SearXNG",
        ),
        fault => fault.of(searching.name()),
    })?;
    if found.is_empty() {
        let complaint = format!("query: {} found nothing; use other words", searching.name());
        return Err(ToolError::reply("LookupError", complaint));
    }
    Ok(Results {
        results: found.into_iter().map(Entry::from).collect(),
        query: query.to_owned(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Address {
    /// Begins with https.
    url: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReadPage {
    title: String,
    text: String,
    /// Letters of the text that are left out at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    /// Where it was found in the end.
    url: String,
}

/// A page is for a brain to read, not for a sentence.
impl Tell for ReadPage {}

pub(super) async fn fetch_page(
    Address { url }: Address,
    pages: &Pages,
    now: Timestamp,
) -> Result<ReadPage, ToolError> {
    let page = pages.read(url.trim(), now).await.map_err(complaint)?;
    Ok(text(page))
}

pub(super) fn text(Page { url, readable }: Page) -> ReadPage {
    let length = readable.text.chars().count();
    ReadPage {
        title: readable.title,
        text: readable.text.chars().take(LONGEST_TEXT).collect(),
        left_out: length.checked_sub(LONGEST_TEXT).filter(|rest| *rest > 0),
        url: url.into(),
    }
}

fn complaint(refusal: Refusal) -> ToolError {
    let class = match refusal {
        Refusal::Fault(_) | Refusal::Redirects => "ConnectionError",
        Refusal::Private | Refusal::Robots => "PermissionError",
        _ => "ValueError",
    };
    ToolError::reply(
        class,
        format!("url: the page {refusal}; go on without it or name another one"),
    )
}
