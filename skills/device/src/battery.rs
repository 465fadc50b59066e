//! `loquat-battery-tools`: how full the battery of the device is, by `UPower`.
//!
//! Changes nothing.

use std::sync::Arc;

use include_dir::include_dir;

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::Intent;
use loquat_kit::wording::Wording;

#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-battery-tools";

/// The folder of its sentences.
const FOLDER: &str = "battery";

const GET: &str = "get_battery";

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/battery/sentences"),
    intents: &[Intent::new("level", GET)],
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    let bus = Arc::new(bus.clone());
    let functions = vec![Function::sharing(
        &bus,
        GET,
        "Tell how full the battery of this device is, and how long it lasts.",
        tools::get,
    )];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
