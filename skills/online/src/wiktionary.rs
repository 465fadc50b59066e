//! `ovos-wiktionary-tools`: what words mean, by Wiktionary.
//!
//! Asks a server only when a tool is called, and tells no more than the first meanings.

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

mod entry;
mod service;
#[cfg(test)]
mod tests;
mod tools;

pub use service::Wiktionary;

/// The toolbox's id.
pub const ID: &str = "ovos-wiktionary-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "wiktionary";

pub(crate) const DEFINE: &str = "define_word";

/// The dialog that tells a meaning in the person's language.
pub(crate) const MEANING: &str = "meaning";

const WORD: Slot = Slot {
    name: "word",
    argument: "word",
    read: gap::read_word,
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[Intent::new("define", DEFINE).slots(&[WORD])];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/wiktionary/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox. The server is the device's.
pub fn toolbox(wiktionary: &Arc<Wiktionary>, now: Now, wording: &Wording) -> FunctionToolbox {
    let wiktionary = Arc::clone(wiktionary);
    let functions = vec![
        Function::waiting(DEFINE, "Tell what a word means.", move |question, person| {
            let (wiktionary, now) = (Arc::clone(&wiktionary), now());
            async move { tools::define_word(question, person, &wiktionary, now).await }.boxed()
        })
        .with(|tool| {
            tool.brings_foreign_text = true;
            tool.sends = true;
            tool.reaches = Some(Service::Wiktionary.to_string());
            tool.timeout = 2 * reference::PATIENCE;
        }),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
