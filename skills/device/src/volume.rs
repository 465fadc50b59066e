//! `loquat-volume-tools`: how loud the device is.
//!
//! There may be several ways to its loudness; the first that is there is taken. Changes no single program's loudness.

use std::sync::Arc;

use include_dir::include_dir;
use serde_json::{Map, Value, json};

use crate::dbus::DeviceAddresses;
use alsa::Alsa;
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{InLanguage, Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;
use pulse::Pulse;

mod alsa;
mod mixer;
mod pulse;
#[cfg(test)]
mod tests;
mod tools;

pub use mixer::{Level, Mixer, MixerError};

/// The ways to the loudness of the device, the best first.
pub type Mixers = Arc<[Arc<dyn Mixer>]>;

/// The toolbox's id.
pub const ID: &str = "loquat-volume-tools";

/// The folder of its sentences.
const FOLDER: &str = "volume";

const GET: &str = "get_volume";
const SET: &str = "set_volume";
const CHANGE: &str = "change_volume";
const MUTE: &str = "mute";
const UNMUTE: &str = "unmute";
const TOGGLE: &str = "toggle_mute";

/// Of a hundred, where a person says no number.
const STEP: f64 = 10.0;

/// What a person means by a high, a usual and a low loudness, of a hundred.
const HIGH: f64 = 80.0;
const MEDIUM: f64 = 50.0;
const LOW: f64 = 20.0;

const PERCENT: Slot = Slot {
    name: "number",
    argument: "percent",
    read: read_number,
};
const SHARE: Slot = Slot {
    name: "share",
    argument: "percent",
    read: read_share,
};
const MORE: Slot = Slot {
    name: "number",
    argument: "by",
    read: read_number,
};
const LESS: Slot = Slot {
    name: "number",
    argument: "by",
    read: read_less,
};

/// So many hundredths, also more than there are: the tool tells how far the loudness goes. "Half" is no half of one.
fn read_number(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let number = loquat_kit::numbers::number(said, spoken.lang);
    number
        .filter(|number| *number == 0.0 || *number >= 1.0)
        .map(Value::from)
}

/// A part of all, as a language calls it: "a third".
fn read_share(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let said = loquat_kit::folded(said);
    let mut shares = spoken.locales.values(FOLDER, spoken.lang, "share.value");
    let is_called = |names: &str| names.split('|').any(|name| loquat_kit::folded(name) == said);
    let (hundredths, _) = shares.find(|(_, names)| is_called(names))?;
    hundredths.trim().parse::<f64>().ok().map(Value::from)
}

/// So many hundredths less.
fn read_less(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let number = read_number(said, spoken)?.as_f64()?;
    Some(Value::from(-number))
}

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("set", SET).slots(&[PERCENT, SHARE]),
    Intent::new("full", SET).unsaid(&[("percent", Unsaid::Number(100.0))]),
    Intent::new("high", SET).unsaid(&[("percent", Unsaid::Number(HIGH))]),
    Intent::new("medium", SET).unsaid(&[("percent", Unsaid::Number(MEDIUM))]),
    Intent::new("low", SET).unsaid(&[("percent", Unsaid::Number(LOW))]),
    Intent::new("louder", CHANGE).unsaid(&[("by", Unsaid::Number(STEP))]),
    Intent::new("quieter", CHANGE).unsaid(&[("by", Unsaid::Number(-STEP))]),
    Intent::new("louder_by", CHANGE).slots(&[MORE]),
    Intent::new("quieter_by", CHANGE).slots(&[LESS]),
    Intent::new("mute", MUTE),
    Intent::new("unmute", UNMUTE),
    Intent::new("toggle", TOGGLE),
    Intent::new("get", GET),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/volume/sentences"),
    intents: INTENTS,
    object: |call| [SET, CHANGE].contains(&call.tool.as_str()).then(Map::new),
    ..Skill::PLAIN
};

/// The toolbox.
pub fn toolbox(mixers: &Mixers, wording: &Wording) -> FunctionToolbox {
    let functions = vec![
        Function::sharing(mixers, GET, "Tell how loud the device is.", tools::get),
        Function::sharing(mixers, SET, "Set how loud the device is, in percent.", tools::set).changing(),
        Function::sharing(
            mixers,
            CHANGE,
            "Make the device louder, or with a number below zero quieter.",
            tools::change,
        )
        .hinted(
            "I can hardly hear you.",
            "This asks for more volume.",
            json!({"by": 20}),
        )
        .changing(),
        Function::sharing(mixers, MUTE, "Silence the device.", tools::mute).changing(),
        Function::sharing(mixers, UNMUTE, "Let the device be heard again.", tools::unmute).changing(),
        Function::sharing(
            mixers,
            TOGGLE,
            "Silence the device, or let it be heard again where it is silent.",
            tools::toggle,
        )
        .changing()
        .with(|tool| tool.unseen = true),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

/// The sound server, then ALSA, whose mixer is that of the card alone.
pub fn mixers(addresses: &DeviceAddresses) -> Mixers {
    let pulse: Arc<dyn Mixer> = Arc::new(Pulse {
        socket: addresses.sound_server.clone(),
        cookies: addresses.sound_cookies.clone(),
    });
    let alsa = addresses.alsa_mixer.clone().map(|name| {
        let mixer: Arc<dyn Mixer> = Arc::new(Alsa { name });
        mixer
    });
    [pulse].into_iter().chain(alsa).collect()
}
