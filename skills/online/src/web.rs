//! `ovos-web-search-tools`: searches the web, by a server of one's own or in Wikipedia, and reads pages.
//!
//! Both tools send out words, so neither counts as one that only reads: a turn that has taken in strangers' words asks the
//! person first.

use std::sync::Arc;

use futures_util::FutureExt;
use include_dir::include_dir;
use loquat_agent::toolbox::Tool;

use crate::reference::gap;
use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::permission::Service;
use loquat_kit::wording::Wording;

mod charset;
mod page;
mod readable;
mod robots;
mod search;
mod settings;
#[cfg(test)]
mod tests;
mod tools;

pub use page::Pages;
pub use search::Searching;
pub use settings::WebSettings;

/// The toolbox's id.
pub const ID: &str = "ovos-web-search-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "web";

pub(crate) const SEARCH: &str = "web_search";
/// The dialog that tells the first result.
pub(crate) const FOUND: &str = "found";

const FETCH: &str = "fetch_page";

const QUERY: Slot = Slot {
    name: "query",
    argument: "query",
    read: gap::read_query,
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[Intent::new("search", SEARCH).slots(&[QUERY])];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/web/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox. The servers are the device's.
pub fn toolbox(
    searching: Arc<Searching>,
    pages: Arc<Pages>,
    now: &Now,
    wording: &Wording,
) -> FunctionToolbox {
    let searched = searching.service();
    let [search_now, fetch_now] = [Arc::clone(now), Arc::clone(now)];
    let functions = vec![
        Function::waiting(SEARCH, "Search the web.", move |question, person| {
            let (searching, now) = (Arc::clone(&searching), search_now());
            async move { tools::web_search(question, person, &searching, now).await }.boxed()
        })
        .with(|tool| sending(tool, searched)),
        Function::waiting(FETCH, "Read a web page.", move |question, _| {
            let (pages, now) = (Arc::clone(&pages), fetch_now());
            async move { tools::fetch_page(question, &pages, now).await }.boxed()
        })
        .with(|tool| {
            sending(tool, Service::WebPages);
            tool.timeout = page::PATIENCE;
        }),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

/// What it is given goes out; what it brings was written by strangers. Doing it again does no harm.
fn sending(tool: &mut Tool, to: Service) {
    tool.reaches = Some(to.to_string());
    tool.read_only = false;
    tool.brings_foreign_text = true;
    tool.sends = true;
}
