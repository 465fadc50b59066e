//! `loquat-notification-tools`: notifications of the desktop, shown by the program of the desktop that does that, and read
//! aloud where the settings have them kept.
//!
//! Without that setting no notification of another program is ever heard. What they say are strangers' words.

use std::sync::Arc;

use include_dir::include_dir;
use serde_json::{Map, Value};

use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::wording::Wording;

mod hearing;
mod kept;
mod service;
#[cfg(test)]
mod tests;
mod tools;

pub use hearing::Notifications;

/// The toolbox's id.
const ID: &str = "loquat-notification-tools";

/// The folder of its sentences.
const FOLDER: &str = "notifications";

const SHOW: &str = "show_notification";
const READ: &str = "read_notifications";
const CLEAR: &str = "clear_notifications";

/// In characters, of what is shown.
const LONGEST_TEXT: usize = 400;

const TEXT: Slot = Slot {
    name: "text",
    argument: "text",
    read: |said, spoken| (said.chars().count() <= LONGEST_TEXT).then(|| Value::from(spoken.said)),
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("show", SHOW).slots(&[TEXT]),
    Intent::new("read", READ),
    Intent::new("clear", CLEAR),
    Intent::new("read_them", READ).meaning_last(),
    Intent::new("clear_them", CLEAR).meaning_last(),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/notifications/sentences"),
    intents: INTENTS,
    // Whatever is done next is done with all of them.
    object: |_| Some(Map::new()),
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(notifications: &Arc<Notifications>, wording: &Wording) -> FunctionToolbox {
    let functions = vec![
        Function::sharing(
            notifications,
            SHOW,
            "Show a notification on the screen of this device.",
            tools::show,
        )
        .changing(),
        Function::sharing(
            notifications,
            READ,
            "Read the notifications that other programs have shown on this device.",
            tools::read,
        )
        .with(|tool| tool.brings_foreign_text = true),
        Function::sharing(
            notifications,
            CLEAR,
            "Take the notifications off the screen and forget them.",
            tools::clear,
        )
        .changing(),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
