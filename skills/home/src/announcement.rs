//! Words that are spoken in other rooms, by the voice satellites of the home. Waits until they have been spoken.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::house::Entity;
use super::link::HomeFault;
use super::service::supports;
use super::target::{Search, Why, Wish};
use super::telling::MOST_NAMED;
use super::telling::{apart, fault_dialog, named};
use super::tools::{Shared, Tools};
use loquat_kit::dialog::{Gap, Tell, Telling};

/// `ANNOUNCE` of a satellite.
const ANNOUNCE: u64 = 1;

/// Characters of what is announced.
const LONGEST: usize = 500;

/// Satellites that speak at once.
const MOST: usize = 32;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Announce {
    /// What is to be said there.
    message: String,
    /// Room or floor; default: everywhere.
    #[serde(default)]
    area: String,
}

/// Where it was said.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Announced {
    done: bool,
    /// How many satellites have said it.
    count: usize,
    /// Which have not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Option<Telling>,
}

impl Tell for Announced {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names).cloned();
        self.failed
            .iter()
            .flat_map(|name| apart(name))
            .chain(told)
            .collect()
    }
}

impl Announced {
    fn problem(problem: String, told: Telling) -> Self {
        Self {
            problem: Some(problem),
            told: Some(told),
            ..Self::default()
        }
    }
}

pub(super) fn announce(
    tools: Shared,
    asked: Announce,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Announced, ToolError>> {
    async move { tools.announce(asked, person).await }.boxed()
}

/// A satellite, by its id and its name.
type Satellite = (String, String);

impl Tools {
    async fn announce(&self, asked: Announce, person: &Circumstances) -> Result<Announced, ToolError> {
        let message = asked.message.trim();
        if message.is_empty() || message.chars().count() > LONGEST {
            let rule = format!("message: write what is to be said, in at most {LONGEST} characters");
            return Err(ToolError::reply("ValueError", rule));
        }
        if let Err(fault) = self.home.ready().await {
            return Ok(Announced::problem(fault.to_string(), fault_dialog(&fault)));
        }
        let satellites = match self.satellites(&asked.area, person) {
            Ok(satellites) => satellites,
            Err(Why::NoPlace(said)) => return Err(self.no_place(&said)),
            Err(Why::Nowhere) => {
                let (problem, told) = self.puzzle(Why::Nowhere);
                return Ok(Announced::problem(problem, told));
            }
            Err(_) => Vec::new(),
        };
        if satellites.is_empty() {
            let problem = "there is no voice satellite there that can announce".to_owned();
            return Ok(Announced::problem(problem, Telling::new("no_satellite")));
        }
        Ok(self.speak(satellites, message).await)
    }

    /// Those of a room, a floor or the home that can announce. As for Home Assistant's own broadcast it does not matter
    /// whether conversations see them, since nothing is told of them and nothing about them is changed.
    fn satellites(&self, area: &str, person: &Circumstances) -> Result<Vec<Satellite>, Why> {
        let house = self.home.house.read_recursive();
        let can = |entity: &Entity| {
            let is_it = entity.domain() == "assist_satellite" && entity.is_there();
            is_it
                && supports(entity, ANNOUNCE)
                && (person.is_consented || !self.home.guard.asks(entity, &house))
        };
        let own = self.home.settings.area.as_deref();
        let search = Search::new(&house, &self.home.guard, own, self.words(person), &can);
        let satellites = house.entities.values().filter(|entity| can(entity));
        let there = search.within(
            &Wish {
                area,
                ..Wish::default()
            },
            satellites,
        )?;
        let named = there
            .into_iter()
            .map(|entity| (entity.id.clone(), entity.name().to_owned()));
        Ok(named.take(MOST).collect())
    }

    async fn speak(&self, satellites: Vec<Satellite>, message: &str) -> Announced {
        let data = Map::from_iter([("message".to_owned(), Value::from(message))]);
        let calls = satellites.iter().map(|(id, _)| {
            let satellite = std::slice::from_ref(id);
            self.home.call("assist_satellite", "announce", &data, satellite)
        });
        let answers = join_all(calls).await;
        let mut last = None;
        let mut failed = Vec::new();
        for ((_, name), answer) in satellites.iter().zip(answers) {
            match answer {
                // A long announcement is still being spoken when an answer is not waited for any more.
                Ok(_) | Err(HomeFault::Silent) => {}
                Err(fault) => {
                    failed.push(name.clone());
                    last = Some(fault);
                }
            }
        }
        announced(satellites.len() - failed.len(), failed, last.as_ref())
    }
}

fn announced(count: usize, failed: Vec<String>, fault: Option<&HomeFault>) -> Announced {
    let dialog = if count == 1 { "announced_once" } else { "announced" };
    let spoken = Telling::new(dialog).with("count", Gap::Number(count as f64));
    let told = match fault {
        None => spoken,
        Some(fault) if count == 0 => fault_dialog(fault),
        Some(_) => {
            let few: Vec<String> = failed.iter().take(MOST_NAMED).cloned().collect();
            spoken.then(
                Telling::new("not_announced")
                    .with("things", named(&few))
                    .naming(few),
            )
        }
    };
    Announced {
        done: failed.is_empty(),
        count,
        failed,
        problem: fault.map(ToString::to_string),
        told: Some(told),
    }
}
