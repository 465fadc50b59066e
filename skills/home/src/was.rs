//! How a thing of the home was, and what it is told to be so again. Tells it nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::action::Action;
use super::house::{Entity, House};
use super::order::Order;
use super::progress::Progress;
use super::service::{POSITION, supports};
use super::shade::Shade;

/// What of a thing can be set again, and whether it can.
const ATTRIBUTES: [&str; 11] = [
    "brightness",
    "color_temp_kelvin",
    "current_position",
    "fan_mode",
    "humidity",
    "is_volume_muted",
    "percentage",
    "rgb_color",
    "supported_features",
    "temperature",
    "volume_level",
];

/// How a thing was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Was {
    pub(super) entity: String,
    state: String,
    #[serde(default)]
    attributes: Map<String, Value>,
}

/// How all that moves with a thing is now: of a group or a scene, its members. Nothing where that cannot be told again.
pub(super) fn moved(entity: &Entity, house: &House) -> Option<Vec<Was>> {
    let Some(members) = entity.members() else {
        return Some(vec![Was::of(entity)?]);
    };
    let members = members.iter().map(|id| Was::of(house.entities.get(*id)?));
    members.collect()
}

impl Was {
    /// Nothing of a thing that a conversation may not see, or that cannot be told to be so.
    fn of(entity: &Entity) -> Option<Self> {
        let can_be_told = || orders(entity).iter().any(|order| order.step(entity).is_some());
        if !entity.is_exposed || !can_be_told() {
            return None;
        }
        let is_set =
            |(name, value): &(&String, &Value)| ATTRIBUTES.contains(&name.as_str()) && !value.is_null();
        let attributes = entity.attributes.iter().filter(is_set);
        Some(Self {
            entity: entity.id.clone(),
            state: entity.state.clone(),
            attributes: attributes
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        })
    }

    /// What the thing is told, one after the other, to be so again; nothing of it that is so.
    pub(super) fn orders(&self, now: &Entity) -> Vec<Order> {
        let was = Entity {
            id: self.entity.clone(),
            state: self.state.clone(),
            attributes: self.attributes.clone(),
            ..Entity::default()
        };
        let mut orders = orders(&was);
        orders.retain(|order| is_needed(order, now));
        orders
    }
}

/// What makes a thing what it is now, were it anything else.
fn orders(was: &Entity) -> Vec<Order> {
    match was.domain() {
        "light" | "switch" | "fan" | "siren" | "input_boolean" | "humidifier" => switched(was),
        "cover" | "valve" => match was.level() {
            // A person is asked whether to open or to close a door, and not whether to set it.
            Some(position) if position > 0.0 && position < 100.0 && supports(was, POSITION) => {
                vec![Order::Level(position)]
            }
            _ => by_state(was, &[("open", Action::Open), ("closed", Action::Close)]),
        },
        "lock" => by_state(was, &[("locked", Action::Lock), ("unlocked", Action::Unlock)]),
        "alarm_control_panel" => by_state(
            was,
            &[
                ("armed_away", Action::Arm),
                ("armed_home", Action::ArmHome),
                ("disarmed", Action::Disarm),
            ],
        ),
        "climate" => heating(was),
        "media_player" => player(was),
        "vacuum" | "lawn_mower" => by_state(
            was,
            &[
                ("docked", Action::Return),
                ("cleaning", Action::Start),
                ("mowing", Action::Start),
                ("paused", Action::Pause),
            ],
        ),
        _ => Vec::new(),
    }
}

fn by_state(was: &Entity, states: &[(&str, Action)]) -> Vec<Order> {
    let found = states.iter().find(|(state, _)| *state == was.state);
    found.map(|(_, action)| Order::Do(*action)).into_iter().collect()
}

fn switched(was: &Entity) -> Vec<Order> {
    match was.state.as_str() {
        "off" => vec![Order::Do(Action::Off)],
        "on" => {
            let colour = colour(was).map(Order::Colour);
            let level = was.level().map(Order::Level);
            let set: Vec<Order> = colour.into_iter().chain(level).collect();
            if set.is_empty() {
                vec![Order::Do(Action::On)]
            } else {
                set
            }
        }
        _ => Vec::new(),
    }
}

fn colour(light: &Entity) -> Option<Shade> {
    if let Some(kelvin) = light.number("color_temp_kelvin") {
        return Some(Shade::Kelvin(kelvin as u32));
    }
    let parts = light.attributes.get("rgb_color")?.as_array()?;
    let mut parts = parts.iter().filter_map(|part| u8::try_from(part.as_u64()?).ok());
    Some(Shade::Rgb([parts.next()?, parts.next()?, parts.next()?]))
}

fn heating(was: &Entity) -> Vec<Order> {
    let degrees = was.number("temperature").map(Order::Degrees);
    let mode = was.text("fan_mode").map(|mode| Order::FanMode(mode.to_owned()));
    let action = if was.state == "off" {
        Action::Off
    } else {
        Action::On
    };
    degrees
        .into_iter()
        .chain(mode)
        .chain([Order::Do(action)])
        .collect()
}

fn player(was: &Entity) -> Vec<Order> {
    let muted = was.attributes.get("is_volume_muted").and_then(Value::as_bool);
    let muted = muted.map(|is_muted| Order::Do(if is_muted { Action::Mute } else { Action::Unmute }));
    let action = match was.state.as_str() {
        "playing" | "buffering" => Action::Play,
        "paused" => Action::Pause,
        "off" | "standby" => Action::Off,
        "idle" | "on" => Action::Stop,
        _ => return Vec::new(),
    };
    let level = was.level().map(Order::Level);
    level
        .into_iter()
        .chain(muted)
        .chain([Order::Do(action)])
        .collect()
}

/// Whether a thing is not so, and can be told to be.
fn is_needed(order: &Order, now: &Entity) -> bool {
    if let Order::Colour(shade) = order {
        return shade.suits(now) && colour(now) != Some(*shade);
    }
    let step = order.step(now);
    step.is_some_and(|step| step.wanted.progress(now) != Progress::Done)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn thing(id: &str, state: &str, attributes: &Value) -> Entity {
        Entity {
            id: id.to_owned(),
            state: state.to_owned(),
            attributes: attributes.as_object().cloned().unwrap_or_default(),
            is_exposed: true,
            ..Entity::default()
        }
    }

    #[test]
    fn a_thing_is_told_what_makes_it_what_it_was() {
        let coloured = json!({"brightness": 255, "rgb_color": [255, 0, 0], "supported_color_modes": ["rgb"]});
        let warm = json!({"brightness": 51, "color_temp_kelvin": 2700, "supported_color_modes": ["color_temp", "rgb"]});
        let half = json!({"current_position": 40, "supported_features": 15});
        let shut = json!({"current_position": 0, "supported_features": 15});
        let ajar = json!({"current_position": 40, "supported_features": 3});
        let cool = json!({"temperature": 19.0, "supported_features": 1});
        let heated = json!({"temperature": 22.5, "supported_features": 1});
        let plain = json!({});
        for (id, was, now, orders) in [
            (
                "light.a",
                ("off", &plain),
                ("on", &plain),
                vec![Order::Do(Action::Off)],
            ),
            (
                "light.a",
                ("on", &warm),
                ("on", &coloured),
                vec![Order::Colour(Shade::Kelvin(2700)), Order::Level(20.0)],
            ),
            (
                "cover.a",
                ("open", &half),
                ("closed", &shut),
                vec![Order::Level(40.0)],
            ),
            (
                "cover.a",
                ("closed", &shut),
                ("open", &half),
                vec![Order::Do(Action::Close)],
            ),
            (
                "cover.a",
                ("open", &ajar),
                ("closed", &plain),
                vec![Order::Do(Action::Open)],
            ),
            (
                "lock.a",
                ("unlocked", &plain),
                ("locked", &plain),
                vec![Order::Do(Action::Unlock)],
            ),
            (
                "climate.a",
                ("heat", &cool),
                ("heat", &heated),
                vec![Order::Degrees(19.0)],
            ),
            ("switch.a", ("on", &plain), ("on", &plain), vec![]),
        ] {
            let kept = Was::of(&thing(id, was.0, was.1)).expect(id);
            assert_eq!(kept.orders(&thing(id, now.0, now.1)), orders, "{id} was {was:?}");
        }
    }

    #[test]
    fn what_is_hidden_or_cannot_be_told_again_is_not_taken_back() {
        let hidden = Entity {
            is_exposed: false,
            ..thing("light.a", "off", &json!({}))
        };
        assert_eq!(Was::of(&hidden), None);
        for (id, state) in [("scene.a", "x"), ("script.a", "off"), ("light.a", "unavailable")] {
            assert_eq!(Was::of(&thing(id, state, &json!({}))), None, "{id}");
        }
    }
}
