//! The table of all skills: what each is made of, and what its toolbox is made with.

use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::Toolbox;
use loquat_device::preferences::PermittedToolbox;
use loquat_device::{
    battery, bluetooth, media, network, notifications, power, preferences, services, time_zone, volume,
};
use loquat_everyday::{chance, help, spelling};
use loquat_files::{files, shell, skill_md};
use loquat_household::{intercom, people};
use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::room_players::RoomPlayers;
use loquat_kit::settings::{ToolboxSettingsError, refuse_unknown};
use loquat_notes::{lists, memory};
use loquat_online::{weather, web, wikidata, wikipedia, wiktionary};
use loquat_time::alerts;
use loquat_time::{clock, rest};
use serde_json::{Map, Value};
use {loquat_home as home, loquat_math as math};

use crate::resources::Resources;

/// A toolbox, or why a persona's settings of it cannot be.
type Made = Result<Arc<dyn Toolbox>, ToolboxSettingsError>;

/// A skill with what makes its toolbox.
pub(crate) struct Entry {
    pub(crate) skill: Skill,
    /// The settings are among those of the skill; their values are for the skill to judge.
    make: fn(&Map<String, Value>, &Resources) -> Made,
}

impl Entry {
    /// The toolbox, with its part of a persona's settings. Where it asks services outside the device, no way to its tools leads
    /// around the owner's word.
    pub(crate) fn toolbox(&self, settings: &Map<String, Value>, resources: &Resources) -> Made {
        refuse_unknown(self.skill.id, settings, self.skill.settings)?;
        let made = (self.make)(settings, resources)?;
        Ok(PermittedToolbox::of(made, resources.asking()))
    }
}

/// A row whose toolbox takes no settings.
macro_rules! row {
    ($name:ident, |$resources:ident, $wording:ident| $toolbox:expr) => {
        Entry {
            skill: $name::SKILL,
            make: |_, $resources| {
                let $wording = &$resources.wording();
                Ok(Arc::new($toolbox))
            },
        }
    };
    ($name:ident, |$settings:ident, $resources:ident, $wording:ident| $toolbox:expr) => {
        Entry {
            skill: $name::SKILL,
            make: |$settings, $resources| {
                let $wording = &$resources.wording();
                Ok(Arc::new($toolbox?))
            },
        }
    };
}

/// All skills, in the order in which they are listed to people.
pub(crate) const SKILLS: &[Entry] = &[
    row!(clock, |_r, wording| clock::toolbox(now(), wording)),
    row!(math, |_r, wording| math::toolbox(now(), wording)),
    row!(alerts, |r, wording| alerts::toolbox(
        &r.alerts,
        r.neighbours(),
        wording
    )),
    row!(lists, |r, wording| lists::toolbox(&r.lists, wording)),
    row!(memory, |r, wording| memory::toolbox(&r.memories, now(), wording)),
    row!(intercom, |r, wording| intercom::toolbox(&r.intercom, wording)),
    row!(people, |r, wording| people::toolbox(&r.residents, wording)),
    // Before the weather: how warm it is in the bedroom is no forecast.
    row!(home, |r, wording| home::toolbox(
        r.home_assistant.as_ref(),
        wording
    )),
    row!(weather, |r, wording| weather::toolbox(
        &r.weather_service(),
        &now(),
        wording
    )),
    row!(rest, |r, wording| rest::toolbox(&r.rest, &r.alerts, wording)),
    row!(files, |settings, _r, wording| files::toolbox(settings, wording)),
    row!(shell, |settings, r, wording| shell::toolbox(
        settings, &r.confine, wording
    )),
    row!(web, |r, wording| web::toolbox(
        r.searching(),
        r.pages(),
        &now(),
        wording
    )),
    row!(wikipedia, |r, wording| wikipedia::toolbox(
        &r.knowledge().wikipedia,
        now(),
        wording
    )),
    row!(wiktionary, |r, wording| wiktionary::toolbox(
        &r.knowledge().wiktionary,
        now(),
        wording
    )),
    row!(wikidata, |r, wording| wikidata::toolbox(
        &r.knowledge().wikidata,
        now(),
        wording
    )),
    row!(skill_md, |settings, r, _w| skill_md::toolbox(
        settings,
        &r.skill_folders
    )),
    row!(media, |r, wording| media::toolbox(
        &r.players,
        room_players(r),
        wording
    )),
    row!(volume, |r, wording| volume::toolbox(&r.mixers, wording)),
    row!(notifications, |r, wording| notifications::toolbox(
        &r.notifications,
        wording
    )),
    row!(battery, |r, wording| battery::toolbox(&r.system_bus, wording)),
    row!(network, |r, wording| network::toolbox(&r.system_bus, wording)),
    row!(power, |r, wording| power::toolbox(&r.system_bus, wording)),
    row!(bluetooth, |r, wording| bluetooth::toolbox(&r.system_bus, wording)),
    row!(time_zone, |r, wording| time_zone::toolbox(&r.system_bus, wording)),
    row!(services, |r, wording| services::toolbox(
        &r.system_bus,
        &r.services,
        wording
    )),
    row!(preferences, |r, wording| preferences::toolbox(
        r.asking(),
        forgetting(r),
        wording
    )),
    row!(chance, |_r, wording| chance::toolbox(&chance::fair(), wording)),
    row!(spelling, |_r, wording| spelling::toolbox(wording)),
    row!(help, |r, wording| help::toolbox(surroundings(r), wording)),
    #[cfg(test)]
    row!(example, |_r, wording| example::toolbox(wording)),
];

#[cfg(test)]
#[path = "../example/spell/mod.rs"]
mod example;

fn now() -> Now {
    Arc::new(Timestamp::now)
}

fn surroundings(resources: &Resources) -> help::Surroundings {
    let players = Arc::clone(&resources.players);
    help::Surroundings {
        has_home: resources.home_assistant.is_some(),
        has_player: Arc::new(move || !players.named().is_empty()),
    }
}

fn room_players(resources: &Resources) -> Option<Arc<dyn RoomPlayers>> {
    let home = resources.home_assistant.as_ref()?;
    Some(Arc::clone(home) as Arc<dyn RoomPlayers>)
}

fn forgetting(resources: &Resources) -> preferences::Forgetting {
    let memories = Arc::clone(&resources.memories);
    Arc::new(move |session_id| memories.forget_conversation(session_id))
}
