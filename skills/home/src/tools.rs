//! What all tools of the home share, and what a call means before it runs.
//!
//! A call is resolved before it runs: to the things that it means, and to whether a person has to say yes. What runs is what
//! was resolved, and a thing that asks is moved only with that yes, whatever has called.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::action::Action;
use super::given::given;
use super::guard::Guard;
use super::house::{Entity, Place};
use super::link::HomeAssistant;
use super::names::{ASSIST, FOLDER, RESTORE};
use super::order::{Order, figure};
use super::target::{Found, Why};
use super::telling::{LESS, MORE, MOST_NAMED, TO, apart, lang, named, told_name, unknown};
use super::words::Words;
use loquat_kit::dialog::{Gap, Tell, Telling};
use loquat_kit::locale::Locales;

/// Names and rooms that a brain is told which has named what is not there.
const MOST_SHOWN: usize = 24;

/// What all tools share.
#[derive(Debug)]
pub(super) struct Tools {
    pub(super) home: Arc<HomeAssistant>,
    pub(super) locales: Arc<Locales>,
}

pub(super) type Shared = Arc<Tools>;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ToResolve {
    tool: String,
    arguments: Map<String, Value>,
}

/// What a call means, as the gate reads it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Meaning {
    arguments: Map<String, Value>,
    asks: bool,
    told: Map<String, Value>,
}

impl Tell for Meaning {}

impl From<Resolved> for Meaning {
    fn from(resolved: Resolved) -> Self {
        let Resolved {
            arguments,
            asks,
            told,
        } = resolved;
        Self {
            arguments,
            asks,
            told,
        }
    }
}

pub(super) fn resolve(
    tools: Shared,
    asked: ToResolve,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Meaning, ToolError>> {
    async move { tools.resolve(asked, person).await.map(Meaning::from) }.boxed()
}

impl Tools {
    /// The words of the language of a person.
    pub(super) fn words(&self, person: &Circumstances) -> Words {
        Words::of(&self.locales, lang(person))
    }

    /// What a call means. What the home does not know at all is refused before it runs, so that others may take it. What is
    /// unclear otherwise is run all the same, and moves nothing: it tells what is wrong.
    async fn resolve(&self, asked: ToResolve, person: &Circumstances) -> Result<Resolved, ToolError> {
        let ToResolve { tool, mut arguments } = asked;
        // What a caller writes there was not resolved.
        arguments.remove("entities");
        arguments.remove("left_out");
        arguments.remove("is_sweep");
        if tool == ASSIST {
            return self.resolve_sentence(arguments, person).await;
        }
        if tool == RESTORE {
            return self.resolve_restoring(arguments, person);
        }
        let given = given(&tool, &arguments)?;
        let asked = given.order.clone();
        let (order, found) = match self.home.ready().await {
            Ok(()) => match self.find(given, person) {
                Err(Why::Unknown(said)) => return Err(self.nothing_called(&said)),
                Err(Why::NoPlace(said)) => return Err(self.no_place(&said)),
                Err(_) => (asked, Found::default()),
                Ok(found) => found,
            },
            Err(_) => (asked, Found::default()),
        };
        let house = self.home.house.read_recursive();
        let meant = || found.ids.iter().filter_map(|id| house.entities.get(id));
        let is_swept = found.is_sweep && Guard::asks_of_sweep(meant());
        let asks = is_swept || meant().any(|entity| self.home.guard.asks(entity, &house));
        let names: Vec<String> = meant().map(|entity| told_name(entity, &house)).collect();
        let mut told = Map::from_iter([(self.word(&order, person), self.counted(&names, person))]);
        if let Some(value) = order.value() {
            told.insert(TO.to_owned(), value);
        }
        if let Some(by) = order.change() {
            let way = if by < 0.0 { LESS } else { MORE };
            told.insert(way.to_owned(), figure(by.abs()));
        }
        arguments.insert("entities".to_owned(), json!(found.ids));
        if !found.left_out.is_empty() {
            arguments.insert("left_out".to_owned(), json!(found.left_out));
        }
        if found.is_sweep {
            arguments.insert("is_sweep".to_owned(), json!(true));
        }
        Ok(Resolved {
            arguments,
            asks,
            told,
        })
    }

    /// What an order is called in the language of the person.
    pub(super) fn word(&self, order: &Order, person: &Circumstances) -> String {
        let name = order.word();
        let mut listed = self.locales.values(FOLDER, lang(person), "orders.value");
        let word = listed.find(|(known, _)| known.trim() == name);
        word.map_or(name, |(_, word)| word.trim()).to_owned()
    }

    /// Names for a question: all of a few, and of more than can be kept in mind how many there are and the first ones.
    fn counted(&self, names: &[String], person: &Circumstances) -> Value {
        let told = Telling::new("swept")
            .with("count", Gap::Number(names.len() as f64))
            .with("things", named(names));
        let few = || json!(names);
        if names.len() <= MOST_NAMED {
            return few();
        }
        told.sentence(&self.locales, FOLDER, person)
            .map_or_else(few, Value::from)
    }

    pub(super) fn nothing_called(&self, said: &str) -> ToolError {
        let (some, names) = self.some_names();
        unknown(&format!("the home has nothing called '{said}'; {some}")).naming(names)
    }

    /// For a brain that named what is not there: in a sentence, and one by one.
    fn some_names(&self) -> (String, Vec<String>) {
        let house = self.home.house.read_recursive();
        let areas: Vec<&str> = house.areas.iter().map(Place::name).take(MOST_SHOWN).collect();
        let movable = house.exposed().filter(|entity| {
            let all = [Action::On, Action::Open, Action::Lock, Action::Play];
            all.iter().any(|action| Order::Do(*action).step(entity).is_some())
        });
        let things: Vec<&str> = movable.map(Entity::name).take(MOST_SHOWN).collect();
        let told = format!("it has {}; its rooms are {}", things.join(", "), areas.join(", "));
        let names = things.into_iter().chain(areas).map(str::to_owned);
        (told, names.collect())
    }

    pub(super) fn no_place(&self, said: &str) -> ToolError {
        let house = self.home.house.read_recursive();
        let places = house.areas.iter().chain(&house.floors).map(Place::name);
        let names: Vec<String> = places.take(MOST_SHOWN).map(str::to_owned).collect();
        let there_are = names.join(", ");
        unknown(&format!(
            "area: the home has no room '{said}'; its rooms and floors are {there_are}"
        ))
        .naming(names)
    }

    /// The kinds of things that there are, with their classes where they have some. Classes are others' words as well.
    pub(super) fn some_classes(&self) -> (String, Vec<String>) {
        let house = self.home.house.read_recursive();
        let told = |entity: &Entity| match entity.text("device_class") {
            Some(class) => format!("{} ({class})", entity.domain()),
            None => entity.domain().to_owned(),
        };
        let kinds: BTreeSet<String> = house.exposed().map(told).take(MOST_SHOWN * MOST_SHOWN).collect();
        let kinds: Vec<String> = kinds.into_iter().take(MOST_SHOWN).collect();
        let names = kinds.iter().flat_map(|kind| apart(kind)).collect();
        (kinds.join(", "), names)
    }
}
