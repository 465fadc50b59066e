//! `loquat-list-tools`: the shopping list, the to-do list, notes and any other list that a person names.
//!
//! A list is there as long as something is on it. Nothing is told as done before it is kept.

use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::toolbox::{Category, Confirm};

use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;

mod elsewhere;
mod gaps;
mod goods;
mod item;
mod items;
mod names;
mod results;
mod store;
#[cfg(test)]
mod tests;
mod things;
mod tools;
mod undo;
mod words;

pub use elsewhere::{is_unnamed, items_of, names_of};
use serde_json::json;
pub use store::{Lists, Overview};
use tools::Shelf;

/// The toolbox's id.
pub const ID: &str = "loquat-list-tools";

/// The folder of its sentences.
const FOLDER: &str = "lists";

/// Puts things on a list.
pub const ADD: &str = "add_to_list";
/// Takes things off a list.
pub const REMOVE: &str = "remove_from_list";
/// Tells what is on a list.
pub const READ: &str = "read_list";
/// Tells whether things are on a list.
pub const FIND: &str = "find_on_list";
/// Takes everything off a list.
pub const CLEAR: &str = "clear_list";
const ALL: &str = "lists";
const CREATE: &str = "create_list";
const EXPORT: &str = "export_list";
const CHECK: &str = "check_list";
const RESTORE: &str = "restore_list";

const ITEMS: Slot = Slot {
    name: "items",
    argument: "items",
    read: gaps::items,
};
/// Things that every household buys.
const GOODS: Slot = Slot {
    name: "goods",
    argument: "items",
    read: goods::goods,
};
/// What is taken off a list.
const UNWANTED: Slot = Slot {
    name: "items",
    argument: "items",
    read: gaps::unwanted,
};
/// What is on the shopping list now.
const LISTED: Slot = Slot {
    name: "listed",
    argument: "items",
    read: goods::listed,
};
/// A few things that may be on it.
const SOUGHT: Slot = Slot {
    name: "sought",
    argument: "items",
    read: gaps::sought,
};
const LIST: Slot = Slot {
    name: "list",
    argument: "list",
    read: gaps::list,
};
/// A list that is to be emptied.
const CLEARED: Slot = Slot {
    name: "list",
    argument: "list",
    read: gaps::cleared,
};
/// A list that is to be made.
const NEW_LIST: Slot = Slot {
    name: "new_list",
    argument: "list",
    read: gaps::new_list,
};
/// What it is to be called, without the word for list.
const CALLED: Slot = Slot {
    name: "called",
    argument: "list",
    read: gaps::called,
};
/// A list that there is, whose name alone is said.
const KNOWN: Slot = Slot {
    name: "known",
    argument: "list",
    read: gaps::known,
};
const TEXT: Slot = Slot {
    name: "text",
    argument: "items",
    read: gaps::text,
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("add", ADD).slots(&[ITEMS, LIST]),
    // Before what is added: what is put as a question is none of that.
    Intent::new("find_asked", FIND).slots(&[GOODS, LISTED]).asked(),
    Intent::new("add_goods", ADD).slots(&[GOODS]),
    Intent::new("add_further", ADD).slots(&[GOODS]).further(),
    Intent::new("remove", REMOVE).slots(&[UNWANTED, LIST]),
    Intent::new("remove_listed", REMOVE).slots(&[LISTED]),
    Intent::new("read", READ).slots(&[LIST]),
    Intent::new("to_buy", READ),
    Intent::new("to_do", READ).unsaid(&[("list", Unsaid::Words(names::TO_DO))]),
    Intent::new("count", READ).slots(&[LIST]).answered("count"),
    Intent::new("find", FIND).slots(&[SOUGHT, GOODS, LIST]),
    Intent::new("lists", ALL),
    Intent::new("create", CREATE).slots(&[NEW_LIST, CALLED]),
    Intent::new("remove_it", REMOVE).meaning_last(),
    // What was looked for and is not there yet.
    Intent::new("add_it", ADD).only_behind(FIND),
    Intent::new("clear", CLEAR).slots(&[CLEARED]),
    Intent::new("clear_known", CLEAR).slots(&[KNOWN]),
    Intent::new("read_known", READ).slots(&[KNOWN]),
    Intent::new("note", ADD)
        .slots(&[TEXT])
        .unsaid(&[("list", Unsaid::Words(names::NOTES))]),
    Intent::new("is_added_to", CHECK)
        .slots(&[LIST])
        .unsaid(&[("for", Unsaid::Words("additions"))])
        .awaited(),
    Intent::new("becomes_empty", CHECK)
        .slots(&[LIST])
        .unsaid(&[("for", Unsaid::Words("empty"))])
        .awaited(),
    Intent::new("becomes_filled", CHECK)
        .slots(&[LIST])
        .unsaid(&[("for", Unsaid::Words("filled"))])
        .awaited(),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/lists/sentences"),
    intents: INTENTS,
    about: gaps::about,
    object: gaps::object,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(lists: &Arc<Lists>, wording: &Wording) -> FunctionToolbox {
    let shelf = &Shelf {
        lists: Arc::clone(lists),
        locales: Arc::clone(&wording.locales),
    };
    let functions = vec![
        Function::sharing(
            shelf,
            ADD,
            "Put things on the shopping list, the to-do list, the notes or another list.",
            tools::add,
        )
        .hinted(
            "There is no flour left at home.",
            "This is missing, so it is for the list.",
            json!({"items": "flour"}),
        )
        .changing()
        .undone_by(RESTORE),
        Function::sharing(shelf, REMOVE, "Take things off a list.", tools::remove)
            .hinted(
                "Somebody has brought flour already.",
                "This need not be on the list.",
                json!({"items": "flour"}),
            )
            .changing()
            .undone_by(RESTORE),
        Function::sharing(shelf, READ, "Tell what is on a list.", tools::read)
            .hinted(
                "Is anything missing at home?",
                "This asks what is on the list.",
                json!({}),
            )
            .with(|tool| tool.retold = vec!["list".to_owned(), "count".to_owned(), "items".to_owned()]),
        Function::sharing(shelf, FIND, "Tell whether things are on a list.", tools::find).with(|tool| {
            // A brain reads the list.
            tool.unseen = true;
            tool.retold = vec!["list".to_owned(), "found".to_owned(), "missing".to_owned()];
        }),
        Function::sharing(
            shelf,
            CHECK,
            "Tell whether a list is empty, or how often something was put on it.",
            tools::check,
        )
        // A brain reads the list.
        .with(|tool| tool.unseen = true),
        Function::sharing(shelf, CLEAR, "Delete everything on a list.", tools::clear)
            .changing()
            .asked_in(tools::asked_to_clear)
            .undone_by(RESTORE)
            .with(|tool| (tool.category, tool.confirm) = (Category::Dangerous, Confirm::Ask)),
        Function::sharing(shelf, ALL, "Tell which lists there are.", tools::all)
            .with(|tool| tool.retold = vec!["lists".to_owned()]),
        Function::sharing(shelf, CREATE, "Begin a list with nothing on it.", tools::create)
            .changing()
            .undone_by(RESTORE)
            // A brain that puts something on a list begins it.
            .with(|tool| tool.unseen = true),
        Function::sharing(
            shelf,
            EXPORT,
            "Give a list as plain text, one item a line.",
            tools::export,
        )
        .with(|tool| tool.value = Some("text".to_owned())),
        Function::sharing(shelf, RESTORE, "Make a list what it was.", undo::restore).only_undoing(),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
