//! `loquat-service-tools`: the services of the system that the settings allow, by systemd.
//!
//! Without such services it has no tools. No other unit is ever named to systemd, whatever is said.

use std::sync::Arc;
use std::time::Duration;

use include_dir::include_dir;
use serde_json::Value;

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::asked;
use loquat_kit::dialog::Telling;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;

mod allowed;
mod systemd;
#[cfg(test)]
mod tests;
mod tools;

pub use allowed::{AllowedServices, AllowedServicesError};
use tools::Desk;

/// The toolbox's id.
pub const ID: &str = "loquat-service-tools";

/// The folder of its sentences.
const FOLDER: &str = "services";

const LIST: &str = "list_services";
const CONTROL: &str = "control_service";

/// For a service to start or to stop, and for what is asked before.
const PATIENCE: Duration = Duration::from_secs(30);

/// In characters.
const LONGEST_NAME: usize = 80;

const NAME: Slot = Slot {
    name: "service",
    argument: "service",
    read: |said, _| (said.chars().count() <= LONGEST_NAME).then(|| Value::from(said)),
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("all", LIST),
    Intent::new("start", CONTROL)
        .slots(&[NAME])
        .unsaid(&[("action", Unsaid::Words("start"))]),
    Intent::new("stop", CONTROL)
        .slots(&[NAME])
        .unsaid(&[("action", Unsaid::Words("stop"))]),
    Intent::new("restart", CONTROL)
        .slots(&[NAME])
        .unsaid(&[("action", Unsaid::Words("restart"))]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/services/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, allowed: &AllowedServices, wording: &Wording) -> FunctionToolbox {
    let desk = Arc::new(Desk {
        bus: bus.clone(),
        allowed: allowed.clone(),
    });
    let mut functions = Vec::new();
    if !desk.allowed.is_empty() {
        functions.push(Function::sharing(
            &desk,
            LIST,
            "Tell whether the services of this device run that may be changed.",
            tools::list,
        ));
        let control = Function::sharing(
            &desk,
            CONTROL,
            "Start, stop or restart a service of this device.",
            tools::control,
        );
        let control = control.asking().asked_in(|arguments| {
            let dialog = match arguments.get("action")?.as_str()? {
                "start" => "ask_start",
                "stop" => "ask_stop",
                "restart" => "ask_restart",
                _ => return None,
            };
            let name = asked::named(arguments, "service", &["action"])?;
            Some(Telling::new(dialog).words("name", name))
        });
        functions.push(control.with(|tool| tool.timeout = PATIENCE));
    }
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
