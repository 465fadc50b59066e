//! `loquat-bluetooth-tools`: the Bluetooth devices that this one is paired with, by `BlueZ`.
//!
//! Pairs with no device. The names of devices are strangers' words.

use std::sync::Arc;
use std::time::Duration;

use include_dir::include_dir;
use serde_json::{Map, Value};

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::asked;
use loquat_kit::dialog::Telling;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::wording::Wording;

mod service;
#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-bluetooth-tools";

/// The folder of its sentences.
const FOLDER: &str = "bluetooth";

const LIST: &str = "list_bluetooth_devices";
const CONNECT: &str = "connect_bluetooth";
const DISCONNECT: &str = "disconnect_bluetooth";

/// For a device to answer by radio, and for what is asked before.
const PATIENCE: Duration = Duration::from_secs(30);

/// In characters.
const LONGEST_NAME: usize = 64;

const NAME: Slot = Slot {
    name: "device",
    argument: "name",
    read: |said, _| (said.chars().count() <= LONGEST_NAME).then(|| Value::from(said)),
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("devices", LIST),
    Intent::new("state", LIST).answered("on"),
    Intent::new("connect", CONNECT).slots(&[NAME]),
    Intent::new("disconnect", DISCONNECT).slots(&[NAME]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/bluetooth/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    let bus = Arc::new(bus.clone());
    let functions = vec![
        Function::sharing(
            &bus,
            LIST,
            "Tell which Bluetooth devices are paired, and which are connected.",
            tools::list,
        ),
        Function::sharing(
            &bus,
            CONNECT,
            "Connect a paired Bluetooth device, such as a speaker.",
            tools::connect,
        )
        .changing()
        .asked_in(|arguments| asked_to("ask_connect", arguments)),
        Function::sharing(
            &bus,
            DISCONNECT,
            "Disconnect a Bluetooth device.",
            tools::disconnect,
        )
        .changing()
        .asked_in(|arguments| asked_to("ask_disconnect", arguments)),
    ];
    let functions = functions.into_iter().map(|function| {
        function.with(|tool| {
            tool.brings_foreign_text = true;
            tool.timeout = PATIENCE;
        })
    });
    FunctionToolbox::new(ID, functions.collect()).telling(FOLDER, wording)
}

/// The question whether to connect to a device, or to part from it.
fn asked_to(dialog: &'static str, arguments: &Map<String, Value>) -> Option<Telling> {
    let name = asked::named(arguments, "name", &[])?;
    Some(Telling::new(dialog).words("name", name))
}
