//! Taking back what was done in the home: things are told to be again as they were. What cannot be told so, such as a
//! song that was played, is not offered to be taken back.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::action::Action;
use super::deed::{Report, carry_out};
use super::house::{Entity, House};
use super::obeyed::Obeyed;
use super::order::Order;
use super::target::Found;
use super::telling::{TO, told_name, unknown};
use super::tools::{Shared, Tools};
use super::was::{Was, moved};

/// More things than these are not taken back at once.
const MOST: usize = 64;

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
        Order::Level(_)
        | Order::LevelBy(_)
        | Order::Colour(_)
        | Order::Degrees(_)
        | Order::DegreesBy(_)
        | Order::FanMode(_) => false,
    }
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
