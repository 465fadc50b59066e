//! The toolboxes that Loquat brings along, each in a folder of its own.
//!
//! A toolbox is a list of typed functions ([`loquat_kit::function::Function`]); ids, names and
//! arguments of those that OVOS has too are OVOS's, so that a persona file written for OVOS finds them. Nothing here knows the
//! bus or a brain.
//!
//! Whose words a tool gives decides whether they mark a turn (`loquat_agent::origin`):
//!
//! | Text | Whose | What of it marks the turn |
//! | --- | --- | --- |
//! | names of alerts, texts of reminders, items and names of lists, facts | who said them, kept with each | what is from elsewhere, when it is read, changed or taken back |
//! | names of rooms with a voice, names of persons | who set them or said them | nothing |
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
use loquat_kit::Skill;
use serde_json::{Map, Value};

#[cfg(test)]
mod example_tests;
pub mod pack;
#[cfg(test)]
mod permission_tests;
mod resources;
mod table;

pub use loquat_device::media::Players;
pub use loquat_device::notifications::Notifications;
pub use loquat_device::power::Inhibitor;
pub use loquat_device::{DeviceAddresses, connecting, preferences, services, volume};
pub use loquat_everyday::help;
pub use loquat_files::skill_md;
pub use loquat_home as home;
pub use loquat_household::{intercom, people};
pub use loquat_kit::answers::Chosen;
pub use loquat_kit::calendar::Calendar;
pub use loquat_kit::intent::{Pronoun, Standing};
pub use loquat_kit::people::{Named, People, Presence, Whereabouts};
pub use loquat_kit::records::{Change, MEMORY, Records, Unkept, Volatile};
pub use loquat_kit::settings::ToolboxSettingsError;
pub use loquat_kit::stations::{Announcement, Station, Stations, Unspoken};
pub use loquat_kit::{Intents, Locales, Things, folded, locale, numbers, permission};
pub use loquat_mcp_client as mcp;
pub use loquat_notes::lists::{Lists, Overview};
pub use loquat_notes::memory::{Memories, Memory, Source};
pub use loquat_notes::{lists, memory};
pub use loquat_online::knowledge::{Knowledge, KnowledgeKind};
pub use loquat_online::weather::{self, Home, WeatherSettings};
pub use loquat_online::web::WebSettings;
pub use loquat_online::{Lookup, lookup, lookup_ids, wikidata, wikipedia};
pub use loquat_time::{alerts, rest};
pub use resources::Resources;
use table::SKILLS;

/// The ids of all toolboxes, in the order in which they are listed to people.
pub const TOOLBOXES: [&str; SKILLS.len()] = ids();

fn skills() -> impl Iterator<Item = &'static Skill> {
    SKILLS.iter().map(|entry| &entry.skill)
}

/// The ids of the toolboxes that a persona has to set up.
pub fn set_up_ids() -> Vec<&'static str> {
    let skills = skills().filter(|skill| skill.is_set_up);
    skills.map(|skill| skill.id).collect()
}

/// The sentences of all skills.
pub fn locales() -> Locales {
    Skill::locales(skills())
}

/// What people say for the tools of all skills.
pub fn intents(locales: Arc<Locales>) -> Intents {
    Intents::new(skills(), locales)
}

/// The toolbox with this id, set up with its part of a persona's settings; `None` when there is no such toolbox.
///
/// Settings that the toolbox does not know are refused, all of them at once.
pub fn find(
    id: &str,
    settings: &Map<String, Value>,
    resources: &Resources,
) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
    let entry = SKILLS.iter().find(|entry| entry.skill.id == id)?;
    Some(entry.toolbox(settings, resources))
}

#[expect(
    clippy::indexing_slicing,
    reason = "the index is below the length, and no iterator is const"
)]
const fn ids() -> [&'static str; SKILLS.len()] {
    let mut ids = [""; SKILLS.len()];
    let mut index = 0;
    while index < ids.len() {
        ids[index] = SKILLS[index].skill.id;
        index += 1;
    }
    ids
}
