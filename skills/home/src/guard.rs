//! Which things of a home are moved only after a yes: locks, alarms, doors, garages, gates, valves, sirens, and what could
//! move these. Decided by the thing itself, never by what a sentence or a tool calls it. Moves nothing.

use serde_json::{Map, Value};

use super::house::{Entity, House, domain};

/// Kinds that always ask.
const ALWAYS: [&str; 4] = ["alarm_control_panel", "lock", "siren", "valve"];

/// Classes of covers that ask.
pub(super) const CLASSES: [&str; 3] = ["door", "garage", "gate"];

/// Parts of names that make a cover of no class one of those, without accents.
const NAMED: [&str; 22] = [
    "door",
    "garage",
    "gate",
    "tor",
    "tur",
    "garten tor",
    "porte",
    "portail",
    "porton",
    "puerta",
    "cochera",
    "verja",
    "porta",
    "portao",
    "garagem",
    "portone",
    "cancello",
    "cancelletto",
    "serranda",
    "basculante",
    "einfahrt",
    "hoftor",
];

/// Kinds whose services do no harm, whatever they are called with.
const HARMLESS: [&str; 10] = [
    "climate",
    "fan",
    "humidifier",
    "light",
    "logbook",
    "media_player",
    "notify",
    "persistent_notification",
    "tts",
    "vacuum",
];

/// Kinds whose services do no harm with things that do not ask.
const DEPENDING: [&str; 3] = ["cover", "scene", "switch"];

/// Groups of groups, and steps within steps.
const DEEPEST: usize = 8;

/// What the owner says of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    /// Ids, or kinds, that ask as well.
    pub(crate) asks: Vec<String>,
    /// Scripts, scenes and buttons that do not.
    pub(crate) unasked: Vec<String>,
}

/// Whether all things of a kind need a yes.
pub(crate) fn always_asks(domain: &str) -> bool {
    ALWAYS.contains(&domain)
}

impl Guard {
    /// Whether these are more than a person may have meant who has named none of them: what does harm, or takes long to be put
    /// right, where it is moved in many places at once.
    pub(crate) fn asks_of_sweep<'e>(things: impl Iterator<Item = &'e Entity>) -> bool {
        let mut weighty = things.filter(|entity| !HARMLESS.contains(&entity.domain()));
        weighty.nth(1).is_some()
    }

    /// Whether moving it needs a yes of the person.
    pub(crate) fn asks(&self, entity: &Entity, house: &House) -> bool {
        self.asks_within(entity, house, 0)
    }

    fn asks_within(&self, entity: &Entity, house: &House, depth: usize) -> bool {
        let is_listed = |list: &[String]| {
            let mut listed = list.iter();
            listed.any(|one| *one == entity.id || one == entity.domain())
        };
        if depth > DEEPEST || is_listed(&self.asks) || ALWAYS.contains(&entity.domain()) {
            return true;
        }
        match entity.domain() {
            "button" | "input_button" | "scene" | "script" if self.unasked.contains(&entity.id) => false,
            // What a press does is not known, except of one that only has its device show itself.
            "button" | "input_button" => entity.text("device_class") != Some("identify"),
            "script" => !house.harmless_scripts.contains(&entity.id),
            // What a scene without members moves is not known.
            "scene" => entity.members().is_none() || self.has_asking_member(entity, house, depth),
            "cover" => is_opening_for_people(entity) || self.has_asking_member(entity, house, depth),
            _ => self.has_asking_member(entity, house, depth),
        }
    }

    fn has_asking_member(&self, entity: &Entity, house: &House, depth: usize) -> bool {
        let members = entity.members().unwrap_or_default();
        members.iter().any(|id| self.asks_by_id(id, house, depth + 1))
    }

    /// What is not known asks, unless its kind cannot do harm.
    fn asks_by_id(&self, id: &str, house: &House, depth: usize) -> bool {
        match house.entities.get(id) {
            Some(entity) => self.asks_within(entity, house, depth),
            None => {
                !HARMLESS.contains(&domain(id)) || self.asks.iter().any(|one| one == id || one == domain(id))
            }
        }
    }

    /// Whether a script can be seen to move nothing that asks.
    pub(crate) fn is_harmless_script(&self, config: &Value, house: &House) -> bool {
        config
            .get("sequence")
            .is_some_and(|steps| self.are_harmless(steps, house, 0))
    }

    fn are_harmless(&self, steps: &Value, house: &House, depth: usize) -> bool {
        match steps {
            _ if depth > DEEPEST => false,
            Value::Array(steps) => steps.iter().all(|step| self.are_harmless(step, house, depth + 1)),
            Value::Object(step) => self.is_harmless(step, house, depth),
            _ => false,
        }
    }

    fn is_harmless(&self, step: &Map<String, Value>, house: &House, depth: usize) -> bool {
        step.iter().all(|(key, value)| match key.as_str() {
            "action" | "service" => self.is_harmless_service(value, step, house),
            "sequence" | "then" | "else" | "default" | "choose" | "parallel" | "repeat" => {
                self.are_harmless(value, house, depth + 1)
            }
            // What belongs to a service that was judged, and what only waits or decides.
            "alias"
            | "continue_on_error"
            | "data"
            | "enabled"
            | "entity_id"
            | "metadata"
            | "target"
            | "id"
            | "if"
            | "condition"
            | "conditions"
            | "count"
            | "while"
            | "until"
            | "for_each"
            | "delay"
            | "wait_template"
            | "wait_for_trigger"
            | "timeout"
            | "continue_on_timeout"
            | "stop" => true,
            _ => false,
        })
    }

    fn is_harmless_service(&self, service: &Value, step: &Map<String, Value>, house: &House) -> bool {
        let Some((kind, _)) = service.as_str().and_then(|service| service.split_once('.')) else {
            return false;
        };
        if HARMLESS.contains(&kind) && !self.asks.iter().any(|one| one == kind) {
            return true;
        }
        let ids = named_targets(step);
        DEPENDING.contains(&kind)
            && ids.is_some_and(|ids| {
                let mut ids = ids.iter();
                ids.all(|id| house.entities.contains_key(*id) && !self.asks_by_id(id, house, 0))
            })
    }
}

/// The entities that a step names; nothing where it names anything else.
fn named_targets(step: &Map<String, Value>) -> Option<Vec<&str>> {
    let mut ids = Vec::new();
    let data = step.get("data").and_then(|data| data.get("entity_id"));
    if let Some(target) = step.get("target") {
        let target = target.as_object().filter(|target| target.len() == 1)?;
        read_ids(target.get("entity_id")?, &mut ids)?;
    }
    for value in [step.get("entity_id"), data].into_iter().flatten() {
        read_ids(value, &mut ids)?;
    }
    (!ids.is_empty()).then_some(ids)
}

fn read_ids<'a>(value: &'a Value, ids: &mut Vec<&'a str>) -> Option<()> {
    match value {
        Value::String(id) => ids.push(id),
        Value::Array(list) => {
            for id in list {
                ids.push(id.as_str()?);
            }
        }
        _ => return None,
    }
    Some(())
}

/// A garage, a door or a gate.
pub(super) fn is_opening_for_people(cover: &Entity) -> bool {
    if let Some(class) = cover.text("device_class") {
        return CLASSES.contains(&class);
    }
    let id = cover.id.replace(['.', '_'], " ");
    let mut names = cover
        .names
        .iter()
        .chain([&id])
        .map(|name| loquat_kit::folded(name));
    names.any(|name| name.split(' ').any(is_called_so))
}

/// Compounds end with the word in some languages, and begin with it in others.
fn is_called_so(word: &str) -> bool {
    NAMED.iter().any(|part| {
        word == *part || (part.len() > 3 && word.contains(part)) || (part.len() == 3 && word.ends_with(part))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Guard;
    use crate::house::House;

    fn house() -> House {
        let mut house = House::default();
        house.apply(&json!({"a": {
            "light.lamp": {"s": "on", "a": {}},
            "lock.front": {"s": "locked", "a": {}},
            "siren.roof": {"s": "off", "a": {}},
            "valve.garden": {"s": "closed", "a": {}},
            "alarm_control_panel.house": {"s": "disarmed", "a": {}},
            "switch.plug": {"s": "on", "a": {}},
            "button.gate": {"s": "unknown", "a": {}},
            "button.find": {"s": "unknown", "a": {"device_class": "identify"}},
            "input_button.bell": {"s": "unknown", "a": {}},
            "vacuum.robot": {"s": "docked", "a": {}},
            "lawn_mower.robot": {"s": "docked", "a": {}},
            "input_boolean.guests": {"s": "off", "a": {}},
            "cover.blind": {"s": "open", "a": {"device_class": "blind"}},
            "cover.shade": {"s": "open", "a": {"friendly_name": "Kitchen Shade"}},
            "cover.big": {"s": "open", "a": {"device_class": "garage"}},
            "cover.no_class": {"s": "open", "a": {"friendly_name": "Garagentor"}},
            "cover.all": {"s": "open", "a": {"entity_id": ["cover.blind", "cover.big"]}},
            "light.all": {"s": "on", "a": {"entity_id": ["light.lamp"]}},
            "switch.mixed": {"s": "on", "a": {"entity_id": ["switch.plug", "lock.front"]}},
            "cover.itself": {"s": "open", "a": {"device_class": "blind", "entity_id": ["cover.itself"]}},
            "scene.calm": {"s": "x", "a": {"entity_id": ["light.lamp", "light.gone"]}},
            "scene.open": {"s": "x", "a": {"entity_id": ["light.lamp", "lock.front"]}},
            "scene.unknown": {"s": "x", "a": {}},
            "script.any": {"s": "off", "a": {}},
        }}));
        house
    }

    #[test]
    fn what_moves_doors_asks_and_what_does_not_does_not() {
        let house = house();
        let guard = Guard::default();
        let asking: Vec<&str> = house
            .entities
            .values()
            .filter(|entity| guard.asks(entity, &house))
            .map(|entity| entity.id.as_str())
            .collect();
        let expected = [
            "alarm_control_panel.house",
            "button.gate",
            "cover.all",
            "cover.big",
            "cover.itself",
            "cover.no_class",
            "input_button.bell",
            "lock.front",
            "scene.open",
            "scene.unknown",
            "script.any",
            "siren.roof",
            "switch.mixed",
            "valve.garden",
        ];
        assert_eq!(asking, expected);
    }

    #[test]
    fn the_owner_says_what_asks_as_well() {
        let house = house();
        let guard = Guard {
            asks: vec!["switch.plug".to_owned(), "climate".to_owned()],
            unasked: ["scene.unknown", "lock.front", "button.gate"]
                .map(str::to_owned)
                .to_vec(),
        };
        let asks = |id: &str| guard.asks(&house.entities[id], &house);
        assert!(asks("switch.plug") && asks("lock.front") && asks("switch.mixed"));
        assert!(!asks("scene.unknown") && !asks("light.lamp") && !asks("button.gate"));
    }

    #[test]
    fn a_script_is_harmless_where_every_step_is() {
        let (house, guard) = (house(), Guard::default());
        let judged =
            |sequence: Value| guard.is_harmless_script(&json!({"alias": "x", "sequence": sequence}), &house);
        for harmless in [
            json!([{"action": "light.turn_on", "target": {"area_id": "kitchen"}}, {"delay": 3}]),
            json!([{"service": "switch.turn_off", "target": {"entity_id": ["switch.plug"]}}]),
            json!([{"action": "scene.turn_on", "target": {"entity_id": "scene.calm"}}]),
            json!([{"if": [{"condition": "sun"}], "then": [{"action": "fan.turn_on", "target": {"entity_id": "all"}}]}]),
            json!([{"choose": [{"conditions": [], "sequence": [{"action": "light.turn_off"}]}], "default": []}]),
        ] {
            assert!(judged(harmless.clone()), "{harmless}");
        }
        for harmful in [
            json!([{"action": "lock.unlock", "target": {"entity_id": "lock.front"}}]),
            json!([{"action": "homeassistant.turn_on", "target": {"entity_id": "cover.big"}}]),
            json!([{"action": "{{ 'lock.unlock' }}"}]),
            json!([{"action": "switch.turn_on", "target": {"entity_id": "{{ x }}"}}]),
            json!([{"action": "switch.turn_on", "target": {"area_id": "hall"}}]),
            json!([{"action": "cover.open_cover", "target": {"entity_id": "cover.blind", "area_id": "garage"}}]),
            json!([{"action": "cover.open_cover", "target": {"entity_id": ["cover.blind", "cover.big"]}}]),
            json!([{"action": "scene.turn_on", "target": {"entity_id": "scene.open"}}]),
            json!([{"action": "script.turn_on", "target": {"entity_id": "script.any"}}]),
            json!([{"device_id": "1", "domain": "lock", "type": "unlock"}]),
            json!([{"event": "open_the_door"}]),
            json!([{"scene": "scene.open"}]),
            json!([{"parallel": [{"action": "light.turn_on"}, {"action": "lock.open"}]}]),
            json!("text"),
            json!([[[[[[[[[[[[{"action": "light.turn_on"}]]]]]]]]]]]]),
        ] {
            assert!(!judged(harmful.clone()), "{harmful}");
        }
        assert!(!guard.is_harmless_script(&json!({"use_blueprint": {"path": "x"}}), &house));
        assert!(!guard.is_harmless_script(&Value::Null, &house));
    }
}
