//! Taking back what was done in the home: things are told to be again as they were. What cannot be told so, such as a
//! song that was played, is not offered to be taken back.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::action::Action;
use super::deed::{Report, carry_out};
use super::house::{Entity, House};
use super::obeyed::Obeyed;
use super::order::Order;
use super::progress::Progress;
use super::service::{POSITION, supports};
use super::shade::Shade;
use super::target::Found;
use super::telling::{TO, told_name, unknown};
use super::tools::{Shared, Tools};

/// More things than these are not taken back at once.
const MOST: usize = 64;

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
    entity: String,
    state: String,
    #[serde(default)]
    attributes: Map<String, Value>,
}

/// What makes things what they were.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Undo {
    things: Vec<Was>,
}

/// What each thing of an order was before it.
#[derive(Debug, Default)]
pub(super) struct Before(Vec<(String, Option<Vec<Was>>)>);

impl Before {
    /// Of things that are about to be told something.
    pub(super) fn of(order: &Order, ids: &[String], house: &House) -> Self {
        let was = |id: &String| {
            let entity = house.entities.get(id)?;
            if is_for_good(order, entity) {
                None
            } else {
                moved(entity, house)
            }
        };
        Self(ids.iter().map(|id| (id.clone(), was(id))).collect())
    }

    /// What takes back what came of it. Nothing where something that was moved cannot be made what it was.
    pub(super) fn of_moved(self, report: &Report) -> Vec<Was> {
        let moved = [&report.done, &report.under_way, &report.unseen];
        let is_moved = |id: &String| moved.iter().any(|ids| ids.contains(id));
        let was = self.0.into_iter().filter(|(id, _)| is_moved(id));
        let was: Option<Vec<Vec<Was>>> = was.map(|(_, was)| was).collect();
        let was = was.unwrap_or_default().concat();
        if was.len() <= MOST { was } else { Vec::new() }
    }
}

/// Whether an order brings something that no other order takes back.
fn is_for_good(order: &Order, entity: &Entity) -> bool {
    match order {
        Order::Do(Action::Next | Action::Previous | Action::Press) => true,
        Order::Do(_) => matches!(entity.domain(), "script"),
        Order::Clean(..) | Order::Seek | Order::Play(_) => true,
        Order::Level(_) | Order::LevelBy(_) | Order::Colour(_) | Order::Degrees(_) | Order::FanMode(_) => {
            false
        }
    }
}

/// How all that moves with a thing is now: of a group or a scene, its members. Nothing where that cannot be told again.
fn moved(entity: &Entity, house: &House) -> Option<Vec<Was>> {
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
    fn orders(&self, now: &Entity) -> Vec<Order> {
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

pub(super) fn restore(
    tools: Shared,
    undo: Undo,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    async move { tools.restore(&undo, person).await }.boxed()
}

impl Tools {
    async fn restore(&self, undo: &Undo, person: &Circumstances) -> Result<Obeyed, ToolError> {
        if let Err(fault) = self.home.ready().await {
            return Ok(Obeyed::fault(&fault));
        }
        let steps = self.steps(undo);
        let ids = steps.iter().flatten().flat_map(|(_, ids)| ids);
        let found = Found {
            ids: ids.cloned().collect(),
            ..Found::default()
        };
        if found.ids.is_empty() {
            return Err(unknown("all is as it was before, so nothing is taken back"));
        }
        if let Some(refused) = self.refuse(&found, person) {
            return Ok(refused);
        }
        let mut carried_out: Vec<(Order, Report)> = Vec::new();
        for step in steps {
            let told = step.into_iter().map(async |(order, ids)| {
                let report = carry_out(&self.home, &order, &ids).await;
                (order, report)
            });
            carried_out.extend(join_all(told).await);
        }
        Ok(Obeyed::of_several(carried_out, &self.home.house.read_recursive()))
    }

    /// What is told at the same time, step by step: which order to which things.
    fn steps(&self, undo: &Undo) -> Vec<Vec<(Order, Vec<String>)>> {
        let house = self.home.house.read_recursive();
        let mut steps: Vec<Vec<(Order, Vec<String>)>> = Vec::new();
        for was in &undo.things {
            let now = house.entities.get(&was.entity);
            let orders = now.map(|now| was.orders(now)).unwrap_or_default();
            for (number, order) in orders.into_iter().enumerate() {
                if steps.len() == number {
                    steps.push(Vec::new());
                }
                let Some(step) = steps.get_mut(number) else {
                    continue;
                };
                match step.iter_mut().find(|(known, _)| *known == order) {
                    Some((_, ids)) => ids.push(was.entity.clone()),
                    None => step.push((order, vec![was.entity.clone()])),
                }
            }
        }
        steps
    }

    /// What a call that takes others back means: it asks for what asks whenever it is moved.
    pub(super) fn resolve_restoring(
        &self,
        arguments: Map<String, Value>,
        person: &Circumstances,
    ) -> Result<Resolved, ToolError> {
        let undo: Undo = serde_json::from_value(Value::Object(arguments))
            .map_err(|error| ToolError::reply("ValueError", error.to_string()))?;
        let house = self.home.house.read_recursive();
        let mut told: Map<String, Value> = Map::new();
        let (mut asks, mut things, mut values) = (false, Vec::new(), Vec::new());
        for was in undo.things {
            let Some(now) = house.entities.get(&was.entity) else {
                continue;
            };
            let orders = was.orders(now);
            if orders.is_empty() {
                continue;
            }
            asks |= self.home.guard.asks(now, &house);
            things.push(was);
            for order in orders {
                values.extend(order.value());
                let named = told.entry(self.word(&order, person)).or_insert_with(|| json!([]));
                let name = json!(told_name(now, &house));
                if let Some(names) = named.as_array_mut().filter(|names| !names.contains(&name)) {
                    names.push(name);
                }
            }
        }
        if let [value] = values.as_slice() {
            told.insert(TO.to_owned(), value.clone());
        }
        // A yes is for what was read out: what need not be moved now is not moved later.
        Ok(Resolved {
            arguments: Map::from_iter([("things".to_owned(), json!(things))]),
            asks,
            told,
        })
    }
}

#[cfg(test)]
mod tests {
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
        let player = thing("media_player.a", "playing", &json!({}));
        assert!(is_for_good(&Order::Do(Action::Next), &player));
        assert!(!is_for_good(&Order::Do(Action::Pause), &player));
    }
}
