//! `loquat-intercom-tools`: says something aloud in other rooms, and answers what was said here from another one.
//!
//! What is announced is spoken there and nothing else: no room takes it for an order, and no brain is shown it.

use std::sync::Arc;
use std::time::Duration;

use include_dir::include_dir;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Ask, Intent, Slot, Unsaid, slot};
use loquat_kit::wording::Wording;

mod answers;
mod caller;
mod exchange;
mod gaps;
mod pace;
mod phrasing;
mod results;
mod said;
#[cfg(test)]
mod tests;
mod tools;
mod which;

pub use caller::Caller;
pub use exchange::{Intercom, LONGEST};
pub use loquat_kit::stations::DEVICE;
pub use said::{Aim, Said, Trouble};

/// The toolbox's id.
pub const ID: &str = "loquat-intercom-tools";

/// The tool that says something in other rooms.
pub const ANNOUNCE: &str = "announce";

/// The folder of its sentences.
const FOLDER: &str = "intercom";

const REPLY: &str = "reply_to_room";
const ROOMS: &str = "list_rooms";

/// A home may answer only when all of it was spoken.
const PATIENCE: Duration = Duration::from_secs(14);

/// A room that is known to have a voice, or a person who was named in one.
const ROOM: Slot = slot("room", gaps::room);
/// A room in which nothing can be said, or of which nothing is known.
const PLACE: Slot = slot("place", gaps::place).becoming("room");
const MESSAGE: Slot = slot("message", gaps::message);
/// Words that answer only where something was said that can be answered.
const ANSWER: Slot = slot("answer", gaps::answer).becoming("message");

const ELSEWHERE: &[(&str, Unsaid)] = &[("elsewhere", Unsaid::Truth(true))];

const SAY_WHAT: Ask = Ask {
    unless: &["message"],
    answer: "say_what",
};
const SAY_BACK: Ask = Ask {
    unless: &["message"],
    answer: "say_back",
};
const WHERE: Ask = Ask {
    unless: &["room"],
    answer: "where",
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("announce", ANNOUNCE)
        .slots(&[MESSAGE])
        .asking(&[SAY_WHAT]),
    Intent::new("tell_room", ANNOUNCE)
        .slots(&[ROOM, MESSAGE])
        .asking(&[SAY_WHAT]),
    Intent::new("announce_in", ANNOUNCE)
        .slots(&[PLACE, MESSAGE])
        .asking(&[SAY_WHAT]),
    Intent::new("announce_elsewhere", ANNOUNCE)
        .slots(&[MESSAGE])
        .unsaid(ELSEWHERE)
        .asking(&[WHERE, SAY_WHAT]),
    Intent::new("say_what", ANNOUNCE).slots(&[MESSAGE]).answering(),
    Intent::new("say_back", REPLY).slots(&[MESSAGE]).answering(),
    Intent::new("where", ANNOUNCE).slots(&[ROOM, PLACE]).answering(),
    Intent::new("reply", REPLY)
        .slots(&[MESSAGE, ANSWER])
        .asking(&[SAY_BACK]),
    Intent::new("list_rooms", ROOMS),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/intercom/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The ids, within our own skill, of the intents that have something said in other rooms, and for an answer of those that answer.
pub fn intents(is_reply: bool) -> impl Iterator<Item = String> {
    let leads = move |intent: &&Intent| intent.tool == ANNOUNCE || (is_reply && intent.tool == REPLY);
    let intents = INTENTS.iter().filter(leads);
    intents.map(|intent| format!("{FOLDER}.{}", intent.name))
}

/// The toolbox.
pub fn toolbox(intercom: &Arc<Intercom>, wording: &Wording) -> FunctionToolbox {
    let functions = vec![
        Function::sharing(
            intercom,
            ANNOUNCE,
            "Say something aloud in another room of the house, or in all of them.",
            tools::announce,
        )
        .hinted(
            "Everybody should come down for dinner.",
            "This is for the people in other rooms.",
            serde_json::json!({"message": "Please come down for dinner."}),
        )
        .changing(),
        Function::sharing(
            intercom,
            REPLY,
            "Answer what was said here last from another room.",
            tools::reply,
        )
        .changing(),
        Function::sharing(
            intercom,
            ROOMS,
            "List the rooms in which something can be said aloud.",
            tools::rooms,
        ),
    ];
    let functions = functions.into_iter();
    let functions = functions.map(|function| function.with(|tool| tool.timeout = PATIENCE));
    FunctionToolbox::new(ID, functions.collect()).telling(FOLDER, wording)
}
