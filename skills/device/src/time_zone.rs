//! `loquat-time-zone-tools`: the time zone of the device, which systemd's timedate1 tells and sets.
//!
//! Sets no clock. What zone a place has is the clock toolbox's to know.

use std::sync::Arc;

use include_dir::include_dir;

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::asked;
use loquat_kit::dialog::Telling;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::slots;
use loquat_kit::wording::Wording;

#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-time-zone-tools";

/// The folder of its sentences.
const FOLDER: &str = "time_zone";

const GET: &str = "get_time_zone";
const SET: &str = "set_time_zone";

const PLACE: Slot = Slot {
    name: "place",
    argument: "place",
    read: slots::place,
};

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/time_zone/sentences"),
    intents: &[Intent::new("which", GET), Intent::new("set", SET).slots(&[PLACE])],
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    let bus = Arc::new(bus.clone());
    let functions = vec![
        Function::sharing(
            &bus,
            GET,
            "Tell which time zone this device is set to.",
            tools::get,
        ),
        Function::sharing(
            &bus,
            SET,
            "Set the time zone of this device to that of a place.",
            tools::set,
        )
        .asking()
        .asked_in(|arguments| {
            let place = asked::named(arguments, "place", &[])?;
            Some(Telling::new("ask_set").words("place", place))
        }),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
