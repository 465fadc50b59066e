//! `loquat-memory-tools`: what a person asked to have remembered, found again by its words.
//!
//! Each session has its own. Nothing is told as remembered before it is kept, and nothing is forgotten that fits a wish
//! only by chance.

use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::toolbox::{Category, Confirm};

use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::dialog::Telling;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::wording::Wording;

mod gaps;
mod results;
mod store;
#[cfg(test)]
mod tests;
mod tools;
mod undo;
mod words;

use serde_json::json;
pub use store::{Memories, Memory, Source};
use tools::Keeper;

/// The toolbox's id.
pub const ID: &str = "loquat-memory-tools";

/// The folder of its sentences.
const FOLDER: &str = "memory";

const REMEMBER: &str = "remember";
const RECALL: &str = "recall";
const FORGET: &str = "forget";
const FORGET_ALL: &str = "forget_everything";
const RESTORE: &str = "restore_memory";

const FACT: Slot = Slot {
    name: "fact",
    argument: "fact",
    read: gaps::fact,
};
const ABOUT: Slot = Slot {
    name: "about",
    argument: "about",
    read: gaps::about,
};

/// What something remembered tells.
const KNOWN: Slot = Slot {
    name: "known",
    argument: "about",
    read: gaps::known,
};

/// A fact without a "that" in front of it.
const STATEMENT: Slot = Slot {
    name: "statement",
    argument: "fact",
    read: gaps::statement,
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("remember", REMEMBER).slots(&[FACT, STATEMENT]),
    Intent::new("recall", RECALL).slots(&[ABOUT]),
    Intent::new("recall_all", RECALL),
    Intent::new("recall_known", RECALL).slots(&[KNOWN]),
    Intent::new("forget", FORGET).slots(&[ABOUT]),
    Intent::new("forget_all", FORGET_ALL),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/memory/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(memories: &Arc<Memories>, now: Now, wording: &Wording) -> FunctionToolbox {
    let keeper = Keeper {
        memories: Arc::clone(memories),
        now,
    };
    let functions = vec![
        Function::sharing(
            &keeper,
            REMEMBER,
            "Remember a fact for later conversations.",
            tools::remember,
        )
        .hinted(
            "My shoe size is 42.",
            "This is a fact to remember.",
            json!({"fact": "My shoe size is 42."}),
        )
        .changing()
        .undone_by(RESTORE),
        Function::sharing(
            &keeper,
            RECALL,
            "Tell what was remembered before, about something or at all.",
            tools::recall,
        )
        .hinted(
            "Where are my glasses?",
            "This asks for what was remembered.",
            json!({"about": "glasses"}),
        )
        .with(|tool| tool.retold = vec!["facts".to_owned(), "count".to_owned()]),
        Function::sharing(
            &keeper,
            FORGET,
            "Forget what was remembered about something.",
            tools::forget,
        )
        .changing()
        .undone_by(RESTORE),
        Function::sharing(
            &keeper,
            FORGET_ALL,
            "Forget everything that was remembered.",
            tools::forget_everything,
        )
        .changing()
        .asked_in(|_| Some(Telling::new("ask_forget_all")))
        .with(|tool| (tool.category, tool.confirm) = (Category::Dangerous, Confirm::Ask)),
        Function::sharing(
            &keeper,
            RESTORE,
            "Make what is remembered what it was.",
            undo::restore,
        )
        .only_undoing(),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
