//! `loquat-network-tools`: by what the device is connected, and to which of the networks that it knows, by `NetworkManager`.
//!
//! Joins no network that the device does not know, and sees no password. Names of networks are strangers' words.

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

mod service;
#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "loquat-network-tools";

/// The folder of its sentences.
const FOLDER: &str = "network";

const GET: &str = "get_network";
const LIST: &str = "list_networks";
const CONNECT: &str = "connect_network";
const WIFI: &str = "set_wifi";

/// For a network to be joined, and for what is asked before.
const PATIENCE: Duration = Duration::from_secs(30);

/// In characters; a network's name has 32 at most.
const LONGEST_NAME: usize = 64;

const NAME: Slot = Slot {
    name: "network",
    argument: "name",
    read: |said, _| (said.chars().count() <= LONGEST_NAME).then(|| Value::from(said)),
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("state", GET),
    Intent::new("address", GET).answered("address"),
    Intent::new("known", LIST),
    Intent::new("connect", CONNECT).slots(&[NAME]),
    Intent::new("reconnect", CONNECT),
    Intent::new("wifi_on", WIFI).unsaid(&[("state", Unsaid::Words("on"))]),
    Intent::new("wifi_off", WIFI).unsaid(&[("state", Unsaid::Words("off"))]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/network/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    let bus = Arc::new(bus.clone());
    let functions = vec![
        Function::sharing(
            &bus,
            GET,
            "Tell whether this device is connected, by what, and its address.",
            tools::get,
        ),
        Function::sharing(&bus, LIST, "Tell which networks this device knows.", tools::list),
        Function::sharing(
            &bus,
            CONNECT,
            "Connect this device to a network that it knows.",
            tools::connect,
        )
        .asking()
        .asked_in(|arguments| {
            if arguments.is_empty() {
                return Some(Telling::new("ask_reconnect"));
            }
            let name = asked::named(arguments, "name", &[])?;
            Some(Telling::new("ask_connect").words("name", name))
        }),
        Function::sharing(
            &bus,
            WIFI,
            "Switch the wifi of this device on or off.",
            tools::set_wifi,
        )
        .asking()
        .asked_in(|arguments| match arguments.get("state")?.as_str()? {
            "on" => Some(Telling::new("ask_wifi_on")),
            "off" => Some(Telling::new("ask_wifi_off")),
            _ => None,
        }),
    ];
    let functions = functions.into_iter().map(|function| {
        function.with(|tool| {
            tool.brings_foreign_text = true;
            tool.timeout = PATIENCE;
        })
    });
    FunctionToolbox::new(ID, functions.collect()).telling(FOLDER, wording)
}
