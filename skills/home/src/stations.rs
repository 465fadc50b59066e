//! The voices of a home as rooms in which something can be said: its voice satellites, and in rooms without one the players that
//! speak by a voice of Home Assistant. A room is one station, by its area; what stands in none has its own name.

use std::collections::BTreeMap;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_kit::stations::{Announcement, Station, Stations, Unspoken};
use serde_json::{Map, Value, json};

use super::house::{Entity, House};
use super::link::{HomeAssistant, HomeFault};
use super::service::supports;

/// `ANNOUNCE` of a satellite.
const ANNOUNCE: u64 = 1;

/// `PLAY_MEDIA` of a player.
const PLAY_MEDIA: u64 = 512;

/// Players that are no speakers: an announcement turns on no screen.
const SCREENS: [&str; 2] = ["tv", "receiver"];

/// What the ids of the stations of a home begin with.
const HOME: &str = "home:";

/// What speaks in one room.
#[derive(Debug, Default, PartialEq, Eq)]
struct Voices {
    names: Vec<String>,
    satellites: Vec<String>,
    players: Vec<String>,
}

impl HomeAssistant {
    /// What speaks, by the room in which it stands or else by its own id. As for Home Assistant's own broadcast it does not
    /// matter whether conversations see a satellite, since nothing is told of it and nothing about it is changed.
    fn voices(&self) -> BTreeMap<String, Voices> {
        let house = self.house.read_recursive();
        let has_speech = house
            .entities
            .values()
            .any(|entity| entity.domain() == "tts" && entity.is_there());
        let mut rooms: BTreeMap<String, Voices> = BTreeMap::new();
        let all = house.entities.values().filter(|entity| entity.is_there());
        for entity in all.filter(|entity| !self.guard.asks(entity, &house)) {
            let is_satellite = entity.domain() == "assist_satellite" && supports(entity, ANNOUNCE);
            let speaks = is_satellite || has_speech && is_speaker(entity);
            if !speaks {
                continue;
            }
            let (id, names) = place(entity, &house);
            let room = rooms.entry(id).or_default();
            room.names = names;
            let ids = if is_satellite {
                &mut room.satellites
            } else {
                &mut room.players
            };
            ids.push(entity.id.clone());
        }
        rooms
    }

    /// The voice that people have chosen for the home's own assistant, since another may send their words elsewhere; where none is
    /// told, the first.
    async fn speech(&self) -> Option<String> {
        let assistants = self.ask(json!({"type": "assist_pipeline/pipeline/list"})).await;
        let chosen = assistants.ok().and_then(|assistants| chosen_voice(&assistants));
        let house = self.house.read_recursive();
        let voices = || {
            let voices = house.entities.values().filter(|entity| entity.domain() == "tts");
            voices.filter(|voice| voice.is_there())
        };
        let preferred = voices().find(|voice| Some(&voice.id) == chosen.as_ref());
        preferred
            .or_else(|| voices().next())
            .map(|voice| voice.id.clone())
    }

    async fn say_in(&self, room: &Voices, words: &str) -> Result<Value, HomeFault> {
        let data = |value: Value| value.as_object().cloned().unwrap_or_default();
        if !room.satellites.is_empty() {
            let message: Map<String, Value> = data(json!({"message": words}));
            return self
                .call("assist_satellite", "announce", &message, &room.satellites)
                .await;
        }
        let voice = self.speech().await.ok_or(HomeFault::Lost)?;
        let spoken = data(json!({"message": words, "media_player_entity_id": room.players}));
        self.call("tts", "speak", &spoken, &[voice]).await
    }
}

impl Stations for HomeAssistant {
    fn stations(&self) -> Vec<Station> {
        let is_there = self.is_ready();
        let rooms = self.voices().into_iter();
        let station = |(id, room): (String, Voices)| Station {
            id: format!("{HOME}{id}"),
            names: room.names,
            is_there,
            ..Station::default()
        };
        rooms.map(station).collect()
    }

    fn speak<'a>(
        &'a self,
        id: &'a str,
        announcement: &'a Announcement,
    ) -> BoxFuture<'a, Result<(), Unspoken>> {
        async move {
            let mut voices = self.voices();
            let room = id.strip_prefix(HOME).and_then(|id| voices.remove(id));
            let room = room.ok_or(Unspoken::Gone)?;
            match self.say_in(&room, &announcement.words).await {
                // A long announcement is still being spoken when an answer is not waited for any more.
                Ok(_) | Err(HomeFault::Silent) => Ok(()),
                Err(fault) => {
                    tracing::warn!(%fault, "a room of the home was not told something");
                    Err(Unspoken::Gone)
                }
            }
        }
        .boxed()
    }
}

/// The engine with which the preferred assistant of a home speaks.
fn chosen_voice(assistants: &Value) -> Option<String> {
    let preferred = assistants.get("preferred_pipeline")?;
    let all = assistants.get("pipelines")?.as_array()?;
    let assistant = all.iter().find(|one| one.get("id") == Some(preferred))?;
    assistant.get("tts_engine")?.as_str().map(str::to_owned)
}

fn is_speaker(entity: &Entity) -> bool {
    let class = entity.text("device_class").unwrap_or_default();
    let is_shown = entity.domain() == "media_player" && entity.is_exposed;
    is_shown && supports(entity, PLAY_MEDIA) && !SCREENS.contains(&class)
}

/// The room of a thing, or else the thing itself, with its names.
fn place(entity: &Entity, house: &House) -> (String, Vec<String>) {
    match entity.area.as_deref().and_then(|area| house.area(area)) {
        Some(area) => (area.id.clone(), area.names.clone()),
        None => (entity.id.clone(), entity.names.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::house::Registries;
    use crate::link::Condition;
    use crate::settings::HomeSettings;

    #[test]
    fn a_room_speaks_by_its_satellites_or_else_by_its_speakers_and_never_by_a_screen() {
        let settings = HomeSettings::new("http://127.0.0.1:1", Arc::new(|| Err("there is none".to_owned())));
        let home = HomeAssistant::new(settings);
        let states = json!({"a": {
            "assist_satellite.desk": {"s": "idle", "a": {"supported_features": 1}},
            "assist_satellite.mute": {"s": "idle", "a": {"supported_features": 0}},
            "media_player.radio": {"s": "idle", "a": {"friendly_name": "Radio", "supported_features": 512}},
            "media_player.hall": {"s": "idle", "a": {"friendly_name": "Hall", "supported_features": 512}},
            "media_player.tv": {"s": "idle", "a": {"device_class": "tv", "supported_features": 512}},
            "media_player.deaf": {"s": "idle", "a": {"supported_features": 0}},
        }});
        {
            let mut house = home.house.write();
            house.furnish(&Registries {
                areas: json!([{"area_id": "office", "name": "Office", "aliases": ["study"]}]),
                entities: json!([
                    {"entity_id": "assist_satellite.desk", "area_id": "office"},
                    {"entity_id": "media_player.radio", "area_id": "office"},
                ]),
                ..Registries::default()
            });
            house.apply(&states);
        }
        let rooms = |home: &HomeAssistant| -> Vec<Vec<String>> {
            home.stations().into_iter().map(|station| station.names).collect()
        };
        assert_eq!(
            rooms(&home),
            [["Office", "study"]],
            "there is no voice for players"
        );
        assert!(!home.stations()[0].is_there, "there is no connection");
        home.house
            .write()
            .apply(&json!({"a": {"tts.cloud": {"s": "unknown", "a": {}}}}));
        home.condition.send_replace(Condition::Ready { is_admin: false });
        assert_eq!(rooms(&home), [vec!["Hall"], vec!["Office", "study"]]);
        let voices = home.voices();
        assert_eq!(voices["office"].satellites, ["assist_satellite.desk"]);
        assert_eq!(voices["media_player.hall"].players, ["media_player.hall"]);
        assert!(home.stations().iter().all(|station| station.is_there));
    }
}
