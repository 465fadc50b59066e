//! `loquat-chance-tools`: a coin, dice, and a number between two others.
//!
//! Where chance comes from is a port ([`Draw`]). What is drawn is for games; no secret is made of it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::turn::IntendedCall;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, slot};
use loquat_kit::report::Nothing;
use loquat_kit::wording::Wording;
use serde_json::{Map, Value};

mod said;
#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-chance-tools";

/// The folder of its sentences.
const FOLDER: &str = "chance";

const FLIP: &str = "flip_coin";
const ROLL: &str = "roll_dice";
const PICK: &str = "pick_number";

const COUNT: Slot = slot("count", said::count);
const SIDES: Slot = slot("sides", said::sides);
/// A word for a die that says how many sides it has, as in "d20".
const DIE: Slot = slot("die", said::die).becoming("sides");
const FROM: Slot = slot("from", said::whole);
const TO: Slot = slot("to", said::whole);

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/chance/sentences"),
    intents: &[
        Intent::new("flip", FLIP),
        Intent::new("roll", ROLL).slots(&[COUNT, SIDES, DIE]),
        Intent::new("pick", PICK).slots(&[FROM, TO]),
        Intent::new("roll_further", ROLL)
            .slots(&[COUNT])
            .only_behind(ROLL),
    ],
    object: dice_of,
    ..Skill::PLAIN
};

/// The dice that a throw was made with, as far as their sides were said: so many of them are thrown next.
fn dice_of(call: &IntendedCall) -> Option<Map<String, Value>> {
    let sides = call.arguments.get_key_value(DIE.argument).into_iter();
    let sides = sides.map(|(argument, sides)| (argument.clone(), sides.clone()));
    (call.tool == ROLL).then(|| sides.collect())
}

/// Draws one number of a range, each as likely as any other.
pub type Draw = Arc<dyn Fn(RangeInclusive<i64>) -> i64 + Send + Sync>;

/// The chance of this process.
pub fn fair() -> Draw {
    Arc::new(rand::random_range)
}

/// The toolbox.
pub fn toolbox(draw: &Draw, wording: &Wording) -> FunctionToolbox {
    let (coin, dice, number) = (Arc::clone(draw), Arc::clone(draw), Arc::clone(draw));
    let functions = vec![
        Function::new(FLIP, "Flip a coin: heads or tails.", move |_: Nothing, _| {
            Ok(tools::flip(&coin))
        }),
        Function::new(ROLL, "Roll one or more dice.", move |wish, _| {
            tools::roll(&dice, &wish)
        }),
        Function::new(PICK, "Pick a whole number by chance.", move |wish, _| {
            tools::pick(&number, &wish)
        }),
    ];
    // A second call is another throw.
    let functions = functions
        .into_iter()
        .map(|function| function.with(|tool| tool.idempotent = false));
    FunctionToolbox::new(ID, functions.collect()).telling(FOLDER, wording)
}
