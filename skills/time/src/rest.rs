//! `loquat-rest-tools`: going to sleep, waking up, and not disturbing the person.
//!
//! What was chosen is kept in the records; the daemon closes the ear and holds back what it would say, by what [`Rest`]
//! tells it.

use std::sync::Arc;

use include_dir::include_dir;

use crate::alerts::Alerts;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::slots;
use loquat_kit::wording::Wording;

mod state;
#[cfg(test)]
mod tests;
mod tools;

pub use loquat_kit::hours::{Hours, HoursError};
pub use state::{Rest, Resting};
use tools::Bed;

/// The toolbox's id.
const ID: &str = "loquat-rest-tools";

/// The folder of its sentences.
const FOLDER: &str = "rest";

const SLEEP: &str = "go_to_sleep";
const WAKE: &str = "wake_up";
const QUIET: &str = "do_not_disturb";

const TIME: Slot = Slot {
    name: "time",
    argument: "until",
    read: slots::time,
};
const DURATION: Slot = Slot {
    name: "duration",
    argument: "duration",
    read: slots::span,
};
/// One of a unit, of which the sentence says that it is the next: "for the next hour".
const UNIT: Slot = Slot {
    name: "unit",
    argument: "duration",
    read: |said, spoken| slots::span(&format!("1 {said}"), spoken),
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("sleep", SLEEP).slots(&[TIME, DURATION, UNIT]),
    Intent::new("wake", WAKE),
    Intent::new("quiet", QUIET).slots(&[TIME, DURATION, UNIT]),
    Intent::new("loud", WAKE).answered("disturbing"),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/rest/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(rest: &Arc<Rest>, alerts: &Arc<Alerts>, wording: &Wording) -> FunctionToolbox {
    let bed = || Bed {
        rest: Arc::clone(rest),
        alerts: Arc::clone(alerts),
        locales: Arc::clone(&wording.locales),
    };
    let [sleep, wake, quiet] = [bed(), bed(), bed()];
    let functions = vec![
        Function::waiting(
            SLEEP,
            "Go to sleep: hear nothing but the wake word. Only when the person wants that.",
            move |arguments, person| Box::pin(tools::go_to_sleep(sleep.clone(), arguments, person)),
        )
        .changing(),
        Function::waiting(
            WAKE,
            "Wake up, and disturb the person again.",
            move |arguments, _| Box::pin(tools::wake_up(wake.clone(), arguments)),
        )
        .changing(),
        Function::waiting(
            QUIET,
            "Say nothing unasked for a while; alarms and timers ring.",
            move |arguments, person| Box::pin(tools::do_not_disturb(quiet.clone(), arguments, person)),
        )
        .changing(),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
