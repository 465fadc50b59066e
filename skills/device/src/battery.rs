//! `loquat-battery-tools`: how full the battery of the device is, by `UPower`.
//!
//! Changes nothing.

use std::sync::Arc;

use include_dir::include_dir;

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::slots;
use loquat_kit::wording::Wording;

#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-battery-tools";

/// The folder of its sentences.
const FOLDER: &str = "battery";

const GET: &str = "get_battery";
const CHECK: &str = "check_battery";

/// So many percent are low for what people say.
const LOW: f64 = 20.0;

const BELOW: Slot = percent("below");
const AT_MOST: Slot = percent("at_most");
const AT_LEAST: Slot = percent("at_least");

const fn percent(argument: &'static str) -> Slot {
    Slot {
        name: "percent",
        argument,
        read: slots::percent,
    }
}

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/battery/sentences"),
    intents: &[
        Intent::new("level", GET),
        Intent::new("falls_below", CHECK).slots(&[BELOW]).awaited(),
        Intent::new("falls_to", CHECK).slots(&[AT_MOST]).awaited(),
        Intent::new("rises_to", CHECK).slots(&[AT_LEAST]).awaited(),
        Intent::new("is_full", CHECK)
            .unsaid(&[("at_least", Unsaid::Number(100.0))])
            .awaited(),
        Intent::new("is_low", CHECK)
            .unsaid(&[("at_most", Unsaid::Number(LOW))])
            .awaited(),
        Intent::new("charges", CHECK)
            .unsaid(&[("charging", Unsaid::Truth(true))])
            .awaited(),
        Intent::new("discharges", CHECK)
            .unsaid(&[("charging", Unsaid::Truth(false))])
            .awaited(),
    ],
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    let bus = Arc::new(bus.clone());
    let functions = vec![
        Function::sharing(
            &bus,
            GET,
            "Tell how full the battery of this device is, and how long it lasts.",
            tools::get,
        ),
        Function::sharing(
            &bus,
            CHECK,
            "Tell whether the battery of this device is so full, and charging or not.",
            tools::check,
        )
        // A brain reads how full it is.
        .with(|tool| tool.unseen = true),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
