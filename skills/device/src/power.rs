//! `loquat-power-tools`: suspends, restarts or switches off the device by logind, after a yes of the person.
//!
//! Runs nothing with more rights than logind and polkit give to the user of Loquat.

use std::sync::Arc;

use include_dir::include_dir;

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::dialog::Telling;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::Intent;
use loquat_kit::wording::Wording;

mod inhibitor;
mod logind;
#[cfg(test)]
mod tests;
mod tools;

pub use inhibitor::Inhibitor;

/// The toolbox's id.
const ID: &str = "loquat-power-tools";

/// The folder of its sentences.
const FOLDER: &str = "power";

const SUSPEND: &str = "suspend_device";
const RESTART: &str = "restart_device";
const POWER_OFF: &str = "power_off_device";

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("suspend", SUSPEND),
    Intent::new("restart", RESTART),
    Intent::new("power_off", POWER_OFF),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/power/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    let bus = Arc::new(bus.clone());
    let functions = vec![
        Function::sharing(
            &bus,
            SUSPEND,
            "Suspend this device until a person wakes it by hand.",
            tools::suspend,
        )
        .asking()
        .asked_in(|_| Some(Telling::new("ask_suspend"))),
        Function::sharing(
            &bus,
            RESTART,
            "Restart this device, which takes about a minute.",
            tools::restart,
        )
        .asking()
        .asked_in(|_| Some(Telling::new("ask_restart"))),
        Function::sharing(
            &bus,
            POWER_OFF,
            "Switch this device off until a person switches it on by hand.",
            tools::power_off,
        )
        .asking()
        .asked_in(|_| Some(Telling::new("ask_power_off"))),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
