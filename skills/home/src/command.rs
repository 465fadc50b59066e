//! An order from its words to what came of it: what is meant is found, what asks is not moved without a yes, and the rest
//! is told.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::action::Action;
use super::deed::carry_out;
use super::given::{Control, Given, Set};
use super::guard::Guard;
use super::house::Entity;
use super::obeyed::Obeyed;
use super::order::Order;
use super::target::{Found, Search, Why, Wish};
use super::telling::{named, several, unknown};
use super::tools::{Shared, Tools};
use super::undo::Before;
use loquat_kit::dialog::Telling;

/// The kind of things that heat or cool a room.
const HEATING: &str = "climate";

pub(super) fn control(
    tools: Shared,
    asked: Control,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    async move { tools.obey(asked.into(), person).await }.boxed()
}

pub(super) fn set(
    tools: Shared,
    asked: Set,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    async move { tools.obey(asked.try_into()?, person).await }.boxed()
}

impl Tools {
    /// What is meant by an order, and the order as it is for these things.
    pub(super) fn find(&self, given: Given, person: &Circumstances) -> Result<(Order, Found), Why> {
        let given = self.about_heating(self.with_room(given)?, person);
        let house = self.home.house.read_recursive();
        let fits = |entity: &Entity| given.order.step(entity).is_some();
        let own = self.home.settings.area.as_deref();
        let search = Search::new(&house, &self.home.guard, own, self.words(person), &fits);
        let found = search.find(&Wish {
            thing: &given.thing,
            area: &given.area,
            kind: &given.kind,
            classes: &given.classes,
            spared: &given.spared,
            choice: &given.choice,
            usual: given.order.usual(),
            everything: given.order.everything(),
            likely: given.order.likely(),
            is_for_rooms: given.order.is_for_rooms(),
            is_near: given.order.is_near(),
            level_by: given.order.level_by(),
            is_for_one: matches!(
                given.order,
                Order::Degrees(_) | Order::DegreesBy(_) | Order::FanMode(_) | Order::Seek | Order::Clean(..)
            ),
        })?;
        let domains = found.ids.iter().map(|id| super::house::domain(id));
        Ok((given.order.upon(domains), found))
    }

    /// A room that is to be cleaned is no place where a vacuum stands.
    fn with_room(&self, mut given: Given) -> Result<Given, Why> {
        if given.order != Order::Do(Action::CleanArea) {
            return Ok(given);
        }
        let house = self.home.house.read_recursive();
        let own = self.home.settings.area.clone().unwrap_or_default();
        let named = std::mem::take(&mut given.area);
        let here = loquat_kit::folded(&named) == "here" || named.trim().is_empty();
        let wanted = loquat_kit::folded(if here { &own } else { &named });
        if here && wanted.is_empty() {
            return Err(Why::Nowhere);
        }
        let is_it = |name: &String| loquat_kit::folded(name) == wanted;
        let room = house.areas.iter().find(|area| area.names.iter().any(is_it));
        let room = room.ok_or(Why::NoPlace(named))?;
        given.order = Order::Clean(room.id.clone(), room.name().to_owned());
        Ok(given)
    }

    /// A step of warmth names nothing itself. What was spoken of before is meant where that is a heating or has one; else the
    /// step means what it means where nothing was spoken of.
    fn about_heating(&self, given: Given, person: &Circumstances) -> Given {
        if !given.of_last || self.has_heating(&given, person) {
            return given;
        }
        Given {
            thing: String::new(),
            area: String::new(),
            kind: HEATING.to_owned(),
            classes: Vec::new(),
            ..given
        }
    }

    /// Whether what is named is a heating, or has one in it, even one that can do nothing now.
    fn has_heating(&self, given: &Given, person: &Circumstances) -> bool {
        let house = self.home.house.read_recursive();
        let heats = |entity: &Entity| entity.domain() == HEATING;
        let own = self.home.settings.area.as_deref();
        let search = Search::new(&house, &self.home.guard, own, self.words(person), &heats).reading();
        let found = search.find(&Wish {
            thing: &given.thing,
            area: &given.area,
            kind: &given.kind,
            classes: &given.classes,
            choice: &given.choice,
            usual: &[HEATING],
            ..Wish::default()
        });
        match found {
            Ok(found) => !found.ids.is_empty(),
            Err(why) => matches!(why, Why::Several(_)),
        }
    }

    /// Moves what was resolved, or what is found now.
    pub(super) async fn obey(&self, given: Given, person: &Circumstances) -> Result<Obeyed, ToolError> {
        if let Err(fault) = self.home.ready().await {
            return Ok(Obeyed::fault(&fault));
        }
        let (order, resolved) = match self.resolved(given, person) {
            Ok(resolved) => resolved,
            Err(refused) => return *refused,
        };
        if resolved.ids.is_empty() {
            return Ok(Obeyed::left_out(resolved.left_out));
        }
        if let Some(refused) = self.refuse(&resolved, person) {
            return Ok(refused);
        }
        let ids = match self.within_limits(&order, resolved.ids) {
            Ok(ids) => ids,
            Err(limited) => return Ok(*limited),
        };
        let before = Before::of(&order, &ids, &self.home.house.read_recursive());
        let report = carry_out(&self.home, &order, &ids).await;
        let undo = before.of_moved(&report);
        let house = self.home.house.read_recursive();
        Ok(Obeyed::of(&order, report, resolved.left_out, &house).taken_back_by(undo))
    }

    /// The things of a call, and its order for them.
    pub(super) fn resolved(
        &self,
        mut given: Given,
        person: &Circumstances,
    ) -> Result<(Order, Found), Box<Result<Obeyed, ToolError>>> {
        let (left_out, is_sweep) = (std::mem::take(&mut given.left_out), given.is_sweep);
        let Some(ids) = given.entities.take() else {
            return self
                .find(given, person)
                .map_err(|why| Box::new(self.unclear(why)));
        };
        if ids.is_empty() && !left_out.is_empty() {
            return Err(Box::new(Ok(Obeyed::left_out(left_out))));
        }
        if ids.is_empty() {
            return Err(Box::new(match self.find(given, person) {
                // It came between the question and the call.
                Ok(_) => Err(unknown("what is meant has only just come; say it again")),
                Err(why) => self.unclear(why),
            }));
        }
        let given = self.with_room(given).map_err(|why| Box::new(self.unclear(why)))?;
        let order = given.order.upon(ids.iter().map(|id| super::house::domain(id)));
        let found = Found {
            ids,
            left_out,
            is_sweep,
        };
        Ok((order, found))
    }

    /// The last word before anything moves: a thing that asks, or that a conversation may not see, is not moved, and neither
    /// are many at once of which none was named.
    pub(super) fn refuse(&self, found: &Found, person: &Circumstances) -> Option<Obeyed> {
        let house = self.home.house.read_recursive();
        let meant = found.ids.iter().filter_map(|id| house.entities.get(id));
        if found.is_sweep && !person.is_consented && Guard::asks_of_sweep(meant.clone()) {
            let names: Vec<&str> = meant.map(Entity::name).collect();
            return Some(needs_yes(&names));
        }
        for id in &found.ids {
            let Some(entity) = house.entities.get(id).filter(|entity| entity.is_exposed) else {
                return Some(Obeyed::problem(
                    "it is not there any more, or Home Assistant does not show it to conversations"
                        .to_owned(),
                    Telling::new("gone"),
                ));
            };
            if !person.is_consented && self.home.guard.asks(entity, &house) {
                return Some(needs_yes(&[entity.name()]));
            }
        }
        None
    }

    /// Those that take as much as is wished; where none does, what the first one takes.
    fn within_limits(&self, order: &Order, ids: Vec<String>) -> Result<Vec<String>, Box<Obeyed>> {
        let house = self.home.house.read_recursive();
        let limit = |id: &String| {
            let entity = house.entities.get(id)?;
            Some((entity, order.limit(entity)?))
        };
        let (beyond, within): (Vec<String>, Vec<String>) =
            ids.into_iter().partition(|id| limit(id).is_some());
        match beyond.first().and_then(limit) {
            Some((entity, limit)) if within.is_empty() => Err(Box::new(Obeyed::limited(entity, &limit))),
            _ => Ok(within),
        }
    }

    /// What is not clear is told, except what is not known here at all, which may be for others.
    pub(super) fn unclear(&self, why: Why) -> Result<Obeyed, ToolError> {
        match why {
            Why::Unknown(said) => Err(self.nothing_called(&said)),
            Why::NoPlace(said) => Err(self.no_place(&said)),
            Why::Several(names) => {
                let (problem, told) = self.puzzle(Why::Several(names.clone()));
                Ok(Obeyed::several(names, problem, told))
            }
            why => {
                let (problem, told) = self.puzzle(why);
                Ok(Obeyed::problem(problem, told))
            }
        }
    }

    /// What is unclear about what is known, for a brain and for a person.
    pub(super) fn puzzle(&self, why: Why) -> (String, Telling) {
        match why {
            Why::Several(names) => {
                let listed = names.join(", ");
                let problem = format!("several things are called so: {listed}; ask which one is meant");
                (problem, several(&names))
            }
            Why::Unable(name) => {
                let problem = format!("{name} cannot do that");
                let told = Telling::new("unable")
                    .words("thing", loquat_agent::speakable(&name))
                    .naming([name]);
                (problem, told)
            }
            Why::Nowhere => (
                "it is not known in which room the device is; home_assistant.area tells it".to_owned(),
                Telling::new("no_room"),
            ),
            Why::Nothing | Why::Unknown(_) | Why::NoPlace(_) => {
                let (classes, names) = self.some_classes();
                let problem = format!("there is nothing of that kind there; the home has {classes}");
                (problem, Telling::new("nothing_there").naming(names))
            }
        }
    }
}

/// What is said where something is moved only after a yes, and none was given.
fn needs_yes(names: &[&str]) -> Obeyed {
    let problem = format!("{}: moved only after the person has said yes", names.join(", "));
    let spoken: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let told = Telling::new("needs_yes").with("things", named(&spoken));
    Obeyed::problem(problem, told.naming(spoken))
}
