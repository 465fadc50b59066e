//! `ovos-wikipedia-tools`: who or what something is, by Wikipedia.
//!
//! Asks a server only when a tool is called, and tells no more than the first sentences of an article.

use std::sync::Arc;

use futures_util::FutureExt;
use include_dir::include_dir;

use crate::reference::{self, gap};
use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::permission::Service;
use loquat_kit::wording::Wording;

mod service;
#[cfg(test)]
mod tests;
mod tools;

pub use service::Wikipedia;
pub(crate) use service::{Found, Hit};

/// The toolbox's id.
pub const ID: &str = "ovos-wikipedia-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = reference::FOLDER;

pub(crate) const LOOK_UP: &str = "search_wikipedia";

const RANDOM: &str = "random_article";

/// The dialog that tells an article in the person's language.
pub(crate) const ARTICLE: &str = "article";

const TOPIC: Slot = Slot {
    name: "topic",
    argument: "query",
    read: gap::read_topic,
};
const NAME: Slot = Slot {
    name: "name",
    read: gap::read_name,
    ..TOPIC
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("look_up", LOOK_UP).slots(&[TOPIC]),
    Intent::new("who", LOOK_UP).slots(&[NAME]),
    Intent::new("random", RANDOM),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/wikipedia/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox. The server is the device's.
pub fn toolbox(wikipedia: &Arc<Wikipedia>, now: Now, wording: &Wording) -> FunctionToolbox {
    let [wikipedia, other] = [wikipedia, wikipedia].map(Arc::clone);
    let then = Arc::clone(&now);
    let functions = vec![
        Function::waiting(
            LOOK_UP,
            "Look up a person, place or thing in Wikipedia.",
            move |question, person| {
                let (wikipedia, now) = (Arc::clone(&wikipedia), now());
                async move { tools::search_wikipedia(question, person, &wikipedia, now).await }.boxed()
            },
        )
        .with(of_an_article),
        Function::waiting(
            RANDOM,
            "Tell of any article of Wikipedia.",
            move |nothing, person| {
                let (wikipedia, now) = (Arc::clone(&other), then());
                async move { tools::random_article(nothing, person, &wikipedia, now).await }.boxed()
            },
        )
        .with(|tool| {
            of_an_article(tool);
            tool.unseen = true;
            tool.idempotent = false;
        }),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

/// What is the same for all tools that tell an article.
fn of_an_article(tool: &mut loquat_agent::toolbox::Tool) {
    tool.value = Some("summary".to_owned());
    tool.brings_foreign_text = true;
    tool.sends = true;
    tool.reaches = Some(Service::Wikipedia.to_string());
    tool.timeout = 2 * reference::PATIENCE;
}
