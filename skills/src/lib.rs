//! The toolboxes that Loquat brings along, each in a folder of its own.
//!
//! A toolbox is a list of typed functions ([`function::Function`]); names, arguments and results of the tools are
//! those of the OVOS toolboxes with the same ids, so that a persona file written for OVOS works unchanged. How people
//! ask for them is an [`intent`], and what they say then a dialog, in files of a [`locale`]. Nothing here knows the bus
//! or a brain.
//!
//! Whose words a tool gives decides whether they mark a turn (`loquat_agent::origin`):
//!
//! | Text | Whose | What of it marks the turn |
//! | --- | --- | --- |
//! | names of alerts, texts of reminders, items and names of lists, facts | who said them, kept with each | what is from elsewhere, when it is read, changed or taken back |
//! | names, rooms, units and to-do lists of a home; what Assist says; why a service failed | others' | more than a plain name; each item of a to-do list; each answer to a question |
//! | states of a home | others' | what is neither a number nor a usual word |
//! | the place of a weather report | the service's | more than a plain name |
//! | titles, artists, players, Bluetooth devices, networks, notifications, pages, articles, files, output of commands | strangers' | every word |
//! | what tools of other programs and MCP servers give, and their errors | strangers' | every word but plain names and options |
//! | descriptions of tools, names of servers and personas, sentences of installed skills | announced to the persona that wants the box | nothing; a tool of an MCP server that has changed shows no description |
//! | instructions of a `SKILL.md` | its folder's | every word of one that is not trusted |
//! | names of services, settings, quiet hours, loudness, battery, time zone | the owner's and the device's | nothing |

use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use loquat_kit::records;
use loquat_tls::trust as tls;
use serde_json::{Map, Value};

pub mod alerts;
mod battery;
mod bluetooth;
mod choosing;
pub mod clock;
mod dbus;
pub mod dialog;
#[cfg(test)]
#[path = "../example/spell/mod.rs"]
mod example;
#[cfg(test)]
mod example_tests;
mod files;
pub mod function;
pub mod home;
pub mod intent;
mod kept_names;
mod knowledge;
mod lists;
pub mod locale;
mod lookup;
pub mod math;
pub mod mcp;
mod media;
mod memory;
mod net;
mod network;
mod notifications;
mod numbers;
pub mod pack;
pub mod permission;
mod power;
pub mod preferences;
mod resources;
pub mod rest;
pub mod services;
pub mod settings;
mod shell;
mod skill;
pub mod skill_md;
#[cfg(test)]
mod slow_records;
mod spelling;
#[cfg(test)]
mod spoken_tests;
mod time_zone;
pub mod volume;
pub mod weather;
pub mod web;
pub mod wikidata;
pub mod wikipedia;
pub mod wiktionary;

pub use choosing::Chosen;
pub use dbus::{DeviceAddresses, connecting};
pub use intent::Intents;
pub use kept_names::KeptNames;
pub use knowledge::{Knowledge, KnowledgeKind};
pub use lists::{Lists, Overview};
pub use locale::Locales;
pub use lookup::{Lookup, lookup, lookup_ids};
pub use loquat_kit::records::{Change, MEMORY, Records, Unkept, Volatile};
pub use media::Players;
pub use memory::{Memories, Memory, Source};
pub use notifications::Notifications;
pub use power::Inhibitor;
pub use resources::Resources;
pub use settings::ToolboxSettingsError;
use skill::Skill;
pub use spelling::folded;
pub use weather::{Home, WeatherSettings};
pub use web::WebSettings;

/// All skills, in the order in which they are listed to people.
const SKILLS: &[Skill] = &[
    clock::SKILL,
    math::SKILL,
    alerts::SKILL,
    lists::SKILL,
    memory::SKILL,
    // Before the weather: how warm it is in the bedroom is no forecast.
    home::SKILL,
    weather::SKILL,
    rest::SKILL,
    files::SKILL,
    shell::SKILL,
    web::SKILL,
    wikipedia::SKILL,
    wiktionary::SKILL,
    wikidata::SKILL,
    skill_md::SKILL,
    media::SKILL,
    volume::SKILL,
    notifications::SKILL,
    battery::SKILL,
    network::SKILL,
    power::SKILL,
    bluetooth::SKILL,
    time_zone::SKILL,
    services::SKILL,
    preferences::SKILL,
    #[cfg(test)]
    example::SKILL,
];

/// The ids of all toolboxes, in the order in which they are listed to people.
pub const TOOLBOXES: [&str; SKILLS.len()] = ids();

/// The toolbox with this id, set up with its part of a persona's settings; `None` when there is no such toolbox.
///
/// Settings that the toolbox does not know are refused, all of them at once.
pub fn find(
    id: &str,
    settings: &Map<String, Value>,
    resources: &Resources,
) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
    let skill = SKILLS.iter().find(|skill| skill.id == id)?;
    Some(skill.toolbox(settings, resources))
}

#[expect(
    clippy::indexing_slicing,
    reason = "the index is below the length, and no iterator is const"
)]
const fn ids() -> [&'static str; SKILLS.len()] {
    let mut ids = [""; SKILLS.len()];
    let mut index = 0;
    while index < ids.len() {
        ids[index] = SKILLS[index].id;
        index += 1;
    }
    ids
}
