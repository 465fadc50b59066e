//! What is known of a Home Assistant's home: its entities with their states and names, its areas and floors.
//!
//! Made of what the server answers, of which only what is used is kept. Nothing here asks the server anything.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// A large home has about a thousand entities; more than these are not kept.
const MOST_ENTITIES: usize = 4_000;

/// Floors, and areas.
const MOST_PLACES: usize = 256;

/// Names of one thing: its own and its aliases.
const MOST_NAMES: usize = 32;

/// Characters of a name or of a state; a longer one is cut.
const LONGEST: usize = 120;

/// Members of a group or of a scene that are looked at.
const MOST_MEMBERS: usize = 256;

/// The attributes that are kept.
const KEPT: [&str; 29] = [
    "brightness",
    "code_arm_required",
    "code_format",
    "color_temp_kelvin",
    "current_humidity",
    "current_position",
    "current_temperature",
    "device_class",
    "entity_id",
    "fan_mode",
    "fan_modes",
    "friendly_name",
    "humidity",
    "hvac_modes",
    "is_volume_muted",
    "max_temp",
    "media_artist",
    "media_title",
    "min_temp",
    "percentage",
    "percentage_step",
    "rgb_color",
    "supported_color_modes",
    "supported_features",
    "target_temp_high",
    "target_temp_low",
    "temperature",
    "unit_of_measurement",
    "volume_level",
];

/// Kinds of entities that a conversation sees where a person has said nothing else.
const USUALLY_EXPOSED: [&str; 11] = [
    "climate",
    "cover",
    "fan",
    "humidifier",
    "light",
    "media_player",
    "scene",
    "switch",
    "todo",
    "vacuum",
    "water_heater",
];

/// Sensors that it sees then.
const USUALLY_EXPOSED_CLASSES: [&str; 15] = [
    "door",
    "garage_door",
    "lock",
    "motion",
    "opening",
    "presence",
    "window",
    "aqi",
    "carbon_monoxide",
    "carbon_dioxide",
    "humidity",
    "pm10",
    "pm25",
    "temperature",
    "volatile_organic_compounds",
];

/// A thing of the home.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Entity {
    /// It is written as `light.kitchen`.
    pub(crate) id: String,
    pub(crate) state: String,
    pub(crate) attributes: Map<String, Value>,
    /// What people call it, the name that is shown first.
    pub(crate) names: Vec<String>,
    /// It is in the area with this id.
    pub(crate) area: Option<String>,
    /// Whether a conversation may see it.
    pub(crate) is_exposed: bool,
}

impl Entity {
    /// `light` of `light.kitchen`.
    pub(crate) fn domain(&self) -> &str {
        domain(&self.id)
    }

    /// Its first name; the id of one without any.
    pub(crate) fn name(&self) -> &str {
        self.names.first().unwrap_or(&self.id)
    }

    pub(crate) fn text(&self, attribute: &str) -> Option<&str> {
        self.attributes.get(attribute)?.as_str()
    }

    pub(crate) fn number(&self, attribute: &str) -> Option<f64> {
        self.attributes.get(attribute)?.as_f64()
    }

    /// The texts of a list.
    pub(crate) fn texts(&self, attribute: &str) -> impl Iterator<Item = &str> {
        let listed = self.attributes.get(attribute).and_then(Value::as_array);
        listed.into_iter().flatten().filter_map(Value::as_str)
    }

    /// How bright, open, fast or loud it is, in percent; nothing where it does not tell.
    pub(crate) fn level(&self) -> Option<f64> {
        let level = match self.domain() {
            "light" | "fan" if self.state == "off" => Some(0.0),
            "light" => self.number("brightness").map(|of_255| of_255 / 2.55),
            "cover" | "valve" => self.number("current_position"),
            "fan" => self.number("percentage"),
            "media_player" => self.number("volume_level").map(|part| part * 100.0),
            "humidifier" => self.number("humidity"),
            _ => None,
        };
        level.map(f64::round)
    }

    /// What a group, or a scene, moves.
    pub(crate) fn members(&self) -> Option<Vec<&str>> {
        let members = self.attributes.get("entity_id")?.as_array()?;
        Some(members.iter().filter_map(Value::as_str).collect())
    }

    /// Whether it can be told anything at the moment.
    pub(crate) fn is_there(&self) -> bool {
        self.state != "unavailable"
    }
}

/// The kind of an entity, by its id.
pub(crate) fn domain(id: &str) -> &str {
    id.split_once('.').map_or(id, |(domain, _)| domain)
}

/// An area or a floor.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) id: String,
    pub(crate) names: Vec<String>,
    /// The area is on this floor.
    pub(crate) floor: Option<String>,
}

impl Place {
    pub(crate) fn name(&self) -> &str {
        self.names.first().unwrap_or(&self.id)
    }
}

/// What the registry says of an entity.
#[derive(Debug, Clone, Default)]
struct Entry {
    name: Option<String>,
    aliases: Vec<String>,
    area: Option<String>,
    exposed: Option<bool>,
    /// Says whether it is hidden, or a setting of a device.
    is_aside: bool,
}

/// The home.
#[derive(Debug, Clone, Default)]
pub(crate) struct House {
    pub(crate) entities: BTreeMap<String, Entity>,
    pub(crate) areas: Vec<Place>,
    pub(crate) floors: Vec<Place>,
    /// The scripts that are known to move nothing that asks.
    pub(crate) harmless_scripts: Vec<String>,
    entries: BTreeMap<String, Entry>,
    /// Entities without an entry that the settings take in.
    also: Vec<String>,
}

/// The registries as the server lists them.
#[derive(Debug, Default)]
pub(crate) struct Registries {
    pub(crate) floors: Value,
    pub(crate) areas: Value,
    pub(crate) devices: Value,
    pub(crate) entities: Value,
    /// `config/entity_registry/get_entries`: aliases and what Assist may see.
    pub(crate) details: Value,
}

impl House {
    /// A home of which nothing is known yet.
    pub(crate) fn taking_in(also: &[String]) -> Self {
        Self {
            also: also.to_vec(),
            ..Self::default()
        }
    }

    /// Things that a conversation may see.
    pub(crate) fn exposed(&self) -> impl Iterator<Item = &Entity> {
        self.entities.values().filter(|entity| entity.is_exposed)
    }

    pub(crate) fn area(&self, id: &str) -> Option<&Place> {
        self.areas.iter().find(|area| area.id == id)
    }

    /// Takes the registries in, which say how things are called, where they are and who may see them.
    pub(crate) fn furnish(&mut self, registries: &Registries) {
        self.floors = places(&registries.floors, "floor_id");
        self.areas = places(&registries.areas, "area_id");
        let devices: BTreeMap<&str, (Option<&str>, Option<&str>)> = list(&registries.devices)
            .filter_map(|device| {
                let name = text(device, "name_by_user").or_else(|| text(device, "name"));
                Some((text(device, "id")?, (text(device, "area_id"), name)))
            })
            .collect();
        self.entries = list(&registries.entities)
            .take(MOST_ENTITIES)
            .filter(|listed| text(listed, "disabled_by").is_none())
            .filter_map(|listed| {
                let id = text(listed, "entity_id")?;
                let device = text(listed, "device_id").and_then(|device| devices.get(device));
                let details = registries.details.get(id).filter(|details| details.is_object());
                Some((cut(id), entry(listed, details, device.copied())))
            })
            .collect();
        let ids: Vec<String> = self.entities.keys().cloned().collect();
        for id in ids {
            self.introduce(&id);
        }
    }

    /// Takes in an event of `subscribe_entities`: `a` are all, `c` changes, `r` what is gone.
    pub(crate) fn apply(&mut self, event: &Value) {
        let members = |key: &str| event.get(key).and_then(Value::as_object).into_iter().flatten();
        for (id, state) in members("a") {
            self.add(id, state);
        }
        for (id, change) in members("c") {
            self.change(id, change);
        }
        for id in event.get("r").and_then(Value::as_array).into_iter().flatten() {
            if let Some(id) = id.as_str() {
                self.entities.remove(id);
            }
        }
    }

    fn add(&mut self, id: &str, state: &Value) {
        let is_new = !self.entities.contains_key(id);
        if (is_new && self.entities.len() >= MOST_ENTITIES) || id.len() > LONGEST {
            return;
        }
        let attributes = state.get("a").and_then(Value::as_object);
        let entity = Entity {
            id: id.to_owned(),
            state: text(state, "s").map(cut).unwrap_or_default(),
            attributes: attributes.into_iter().flatten().filter_map(kept).collect(),
            ..Entity::default()
        };
        self.entities.insert(id.to_owned(), entity);
        self.introduce(id);
    }

    fn change(&mut self, id: &str, change: &Value) {
        let Some(entity) = self.entities.get_mut(id) else {
            return;
        };
        if let Some(more) = change.get("+") {
            if let Some(state) = text(more, "s") {
                entity.state = cut(state);
            }
            let attributes = more.get("a").and_then(Value::as_object);
            entity
                .attributes
                .extend(attributes.into_iter().flatten().filter_map(kept));
        }
        let gone = change.pointer("/-/a").and_then(Value::as_array);
        for attribute in gone.into_iter().flatten().filter_map(Value::as_str) {
            entity.attributes.remove(attribute);
        }
        self.introduce(id);
    }

    /// Gives an entity its names, its area and whether it is to be seen.
    fn introduce(&mut self, id: &str) {
        let entry = self.entries.get(id).cloned();
        let is_taken_in = self.also.iter().any(|also| also == id);
        let Some(entity) = self.entities.get_mut(id) else {
            return;
        };
        let entry = entry.unwrap_or_default();
        let shown = entity.text("friendly_name").map(str::to_owned);
        let names = shown.into_iter().chain(entry.name).chain(entry.aliases);
        entity.names = distinct(names);
        entity.area = entry.area;
        let usually = !entry.is_aside && is_usually_exposed(entity);
        entity.is_exposed = is_taken_in || entry.exposed.unwrap_or(usually);
    }
}

fn is_usually_exposed(entity: &Entity) -> bool {
    let class = entity.text("device_class").unwrap_or_default();
    match entity.domain() {
        "binary_sensor" | "sensor" => USUALLY_EXPOSED_CLASSES.contains(&class),
        domain => USUALLY_EXPOSED.contains(&domain),
    }
}

fn entry(listed: &Value, details: Option<&Value>, device: Option<(Option<&str>, Option<&str>)>) -> Entry {
    let all = details.unwrap_or(listed);
    let (of_device, called) = device.unzip();
    let own = text(listed, "name").or_else(|| text(listed, "original_name"));
    Entry {
        name: own.or(called.flatten()).map(cut),
        aliases: names(all.get("aliases")),
        area: text(listed, "area_id").or(of_device.flatten()).map(cut),
        exposed: all
            .pointer("/options/conversation/should_expose")
            .and_then(Value::as_bool),
        is_aside: text(listed, "hidden_by").is_some() || text(listed, "entity_category").is_some(),
    }
}

fn places(listed: &Value, id: &str) -> Vec<Place> {
    let place = |one: &Value| {
        let aliases = names(one.get("aliases"));
        Some(Place {
            id: cut(text(one, id)?),
            names: distinct(text(one, "name").map(cut).into_iter().chain(aliases)),
            floor: text(one, "floor_id").map(cut),
        })
    };
    list(listed).take(MOST_PLACES).filter_map(place).collect()
}

fn names(list: Option<&Value>) -> Vec<String> {
    let names = list.and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).map(cut).collect()
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.filter(|name| !name.trim().is_empty()) {
        if kept.len() < MOST_NAMES && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// An attribute that is used, no larger than it need be.
fn kept((key, value): (&String, &Value)) -> Option<(String, Value)> {
    if !KEPT.contains(&key.as_str()) {
        return None;
    }
    let value = match value {
        Value::String(text) => Value::from(cut(text)),
        Value::Array(items) => {
            let short = items.iter().filter_map(|item| match item {
                Value::String(text) => Some(Value::from(cut(text))),
                Value::Number(_) => Some(item.clone()),
                _ => None,
            });
            // One member too many is as good as an unknown one.
            Value::Array(short.take(MOST_MEMBERS + 1).collect())
        }
        Value::Object(_) => return None,
        plain => plain.clone(),
    };
    Some((key.clone(), value))
}

fn list(listed: &Value) -> impl Iterator<Item = &Value> {
    listed.as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// What people hear of a name, cut where it is too long.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{House, LONGEST, MOST_ENTITIES, Registries};

    fn house() -> House {
        let mut house = House::taking_in(&["lock.shed".to_owned()]);
        house.furnish(&Registries {
            floors: json!([{"floor_id": "up", "name": "First floor", "aliases": ["upstairs"]}]),
            areas: json!([{"area_id": "bed", "name": "Bedroom", "aliases": ["Schlafzimmer"], "floor_id": "up"}]),
            devices: json!([{"id": "d", "name": "Lamp", "name_by_user": null, "area_id": "bed"}]),
            entities: json!([
                {"entity_id": "light.lamp", "device_id": "d", "name": null, "original_name": null},
                {"entity_id": "light.hidden", "hidden_by": "user"},
                {"entity_id": "switch.shut", "name": "Shut"},
            ]),
            details: json!({
                "light.lamp": {"aliases": ["Leuchte"], "options": {}},
                "switch.shut": {"aliases": [], "options": {"conversation": {"should_expose": false}}},
            }),
        });
        house.apply(&json!({"a": {
            "light.lamp": {"s": "off", "a": {"friendly_name": "Bed Lamp", "brightness": null, "secret": 1}},
            "light.hidden": {"s": "off", "a": {}},
            "switch.shut": {"s": "off", "a": {}},
            "lock.shed": {"s": "locked", "a": {}},
            "lock.other": {"s": "locked", "a": {}},
        }}));
        house
    }

    #[test]
    fn names_areas_and_exposure_are_as_the_person_set_them() {
        let house = house();
        let lamp = &house.entities["light.lamp"];
        assert_eq!(lamp.names, ["Bed Lamp", "Lamp", "Leuchte"]);
        assert_eq!(lamp.area.as_deref(), Some("bed"));
        assert!(!lamp.attributes.contains_key("secret"));
        let exposed: Vec<&str> = house.exposed().map(|entity| entity.id.as_str()).collect();
        assert_eq!(exposed, ["light.lamp", "lock.shed"]);
    }

    #[test]
    fn changes_are_taken_in_and_nothing_grows_without_end() {
        let mut house = house();
        house.apply(&json!({"c": {
            "light.lamp": {"+": {"s": "on", "a": {"brightness": 102}}},
            "light.unknown": {"+": {"s": "on"}},
        }, "r": ["lock.shed"]}));
        assert_eq!(house.entities["light.lamp"].state, "on");
        assert_eq!(house.entities["light.lamp"].number("brightness"), Some(102.0));
        assert!(!house.entities.contains_key("light.unknown") && !house.entities.contains_key("lock.shed"));
        house.apply(
            &json!({"c": {"light.lamp": {"-": {"a": ["brightness"]}, "+": {"s": "x".repeat(10_000)}}}}),
        );
        assert_eq!(house.entities["light.lamp"].number("brightness"), None);
        assert_eq!(house.entities["light.lamp"].state.len(), LONGEST);
        for number in 0..2 * MOST_ENTITIES {
            house.apply(&json!({"a": {format!("light.n{number}"): {"s": "on"}}}));
        }
        assert_eq!(house.entities.len(), MOST_ENTITIES);
    }

    #[test]
    fn what_is_no_home_is_an_empty_one() {
        for strange in [
            json!(null),
            json!([1, "a", null]),
            json!({"a": [], "c": 3, "r": {}}),
            json!({"a": {"x": 1}}),
        ] {
            let mut house = House::default();
            house.furnish(&Registries {
                floors: strange.clone(),
                areas: strange.clone(),
                devices: strange.clone(),
                entities: strange.clone(),
                details: strange.clone(),
            });
            house.apply(&strange);
            assert!(house.exposed().next().is_none());
        }
    }
}
