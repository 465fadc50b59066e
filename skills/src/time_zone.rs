//! `loquat-time-zone-tools`: the time zone of the device, which systemd's timedate1 tells and sets.
//!
//! Sets no clock. What zone a place has is the clock toolbox's to know.

use std::sync::Arc;

use include_dir::include_dir;

use crate::clock::read_place;
use crate::function::{Function, FunctionToolbox};
use crate::intent::{Intent, Slot};
use crate::skill::Skill;

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
    read: read_place,
};

/// The skill.
pub(crate) const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: include_dir!("$CARGO_MANIFEST_DIR/src/time_zone/sentences"),
    intents: &[Intent::new("which", GET), Intent::new("set", SET).slots(&[PLACE])],
    settings: &[],
    make: |_, resources| {
        let bus = Arc::new(resources.system_bus.clone());
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
            .asking(),
        ];
        Ok(Arc::new(
            FunctionToolbox::new(ID, functions).telling(FOLDER, resources),
        ))
    },
};
