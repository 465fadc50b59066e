//! `loquat-people-tools`: the name of the person who speaks in a room, as it was said there ("this is Ana") or as the owner has
//! set it.
//!
//! A name said at one door of the device counts at that door alone; what the owner says or sets counts everywhere.

use std::sync::Arc;

use include_dir::include_dir;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, slot};
use loquat_kit::wording::Wording;

mod gaps;
mod residents;
#[cfg(test)]
mod tests;
mod tools;

pub(crate) use residents::PROGRAM;
pub use residents::{Doors, Residents};

/// The toolbox's id.
pub const ID: &str = "loquat-people-tools";

/// The folder of its sentences.
const FOLDER: &str = "people";

const NAME: &str = "name_speaker";
const WHO: &str = "tell_speaker";
const UNNAME: &str = "forget_speaker";

/// Any name, where the words in front of it can mean nothing else.
const GIVEN: Slot = slot("given", gaps::given);
/// A name that is written as one.
const SPELLED: Slot = slot("spelled", gaps::spelled).becoming("name");
/// The name of a person who is known already.
const KNOWN: Slot = slot("known", gaps::known).becoming("name");

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/people/sentences"),
    intents: &[
        Intent::new("name", NAME).slots(&[GIVEN.becoming("name"), SPELLED, KNOWN]),
        Intent::new("who", WHO),
        Intent::new("unname", UNNAME).slots(&[KNOWN]),
    ],
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(residents: &Arc<Residents>, wording: &Wording) -> FunctionToolbox {
    let functions = vec![
        Function::sharing(
            residents,
            NAME,
            "Keep what the person who speaks here is called.",
            tools::name,
        )
        .changing(),
        Function::sharing(
            residents,
            WHO,
            "Tell what the person who speaks here is called.",
            tools::tell,
        ),
        Function::sharing(
            residents,
            UNNAME,
            "Forget what the person who speaks here is called.",
            tools::forget,
        )
        .changing(),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
