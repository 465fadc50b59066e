//! `loquat-battery-tools`: how full the battery of the device is, by `UPower`.
//!
//! Changes nothing.

use std::sync::Arc;

use include_dir::include_dir;

use crate::function::{Function, FunctionToolbox};
use crate::intent::Intent;
use crate::skill::Skill;

#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-battery-tools";

/// The folder of its sentences.
const FOLDER: &str = "battery";

const GET: &str = "get_battery";

/// The skill.
pub(crate) const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: include_dir!("$CARGO_MANIFEST_DIR/src/battery/sentences"),
    intents: &[Intent::new("level", GET)],
    settings: &[],
    make: |_, resources| {
        let bus = Arc::new(resources.system_bus.clone());
        let functions = vec![Function::sharing(
            &bus,
            GET,
            "Tell how full the battery of this device is, and how long it lasts.",
            tools::get,
        )];
        Ok(Arc::new(
            FunctionToolbox::new(ID, functions).telling(FOLDER, resources),
        ))
    },
};
