//! What the tools take, do and tell; the home, what is meant and how it is done are the work of the modules beside.
//!
//! A call is resolved before it runs: to the things that it means, and to whether a person has to say yes. What runs is what
//! was resolved, and a thing that asks is moved only with that yes, whatever has called.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::deed::{Report, carry_out};
use super::gaps::READABLE;
use super::house::{Entity, House};
use super::link::{HomeAssistant, HomeFault};
use super::order::{Action, Order, Shade};
use super::target::{Found, Search, Why, Wish};
use super::{ASSIST, CONTROL, FOLDER, SET};
use crate::dialog::{Gap, Tell, Telling};
use crate::locale::Locales;

/// Named in one sentence.
const MOST_NAMED: usize = 4;

/// Reading that are told at once.
const MOST_TOLD: usize = 6;

/// Reading that a brain is shown.
const MOST_SHOWN: usize = 24;

/// What all tools share.
#[derive(Debug)]
pub(super) struct Tools {
    pub(super) home: Arc<HomeAssistant>,
    pub(super) locales: Arc<Locales>,
}

pub(super) type Shared = Arc<Tools>;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Control {
    action: Action,
    /// Its name, or the room.
    #[serde(default)]
    thing: String,
    /// Room or floor.
    #[serde(default)]
    area: String,
    /// light, switch, fan, cover, lock, climate, player or everything.
    #[serde(default)]
    kind: String,
    /// What was resolved; not for callers.
    #[serde(default)]
    #[schemars(skip)]
    entities: Option<Vec<String>>,
    #[serde(default)]
    #[schemars(skip)]
    left_out: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Set {
    /// Its name, or the room.
    #[serde(default)]
    thing: String,
    #[serde(default)]
    area: String,
    /// Brightness, position, speed or volume, 0 to 100.
    #[serde(default)]
    level: Option<f64>,
    /// red, blue, warm white …
    #[serde(default)]
    color: Option<String>,
    /// Degrees of the heating.
    #[serde(default)]
    temperature: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    entities: Option<Vec<String>>,
    #[serde(default)]
    #[schemars(skip)]
    left_out: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Read {
    /// A name.
    #[serde(default)]
    thing: String,
    /// Room or floor.
    #[serde(default)]
    area: String,
    /// temperature, humidity, light, window, door, lock …
    #[serde(default)]
    kind: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ToResolve {
    tool: String,
    arguments: Map<String, Value>,
}

/// What came of an order.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    /// What does it now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    things: Vec<String>,
    /// What was not reached by a wide wish, since it asks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// Why something was not done, and the mend.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Option<Telling>,
}

/// A reading.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Reading {
    states: Vec<Seen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    is_of_strangers: bool,
    #[serde(skip)]
    told: Option<Telling>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Seen {
    name: String,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<String>,
}

/// What a call means, as the gate reads it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Meaning {
    arguments: Map<String, Value>,
    asks: bool,
    told: Map<String, Value>,
}

impl Tell for Obeyed {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names);
        let shown = self.things.iter().chain(&self.left_out);
        shown.flat_map(|name| apart(name)).chain(told.cloned()).collect()
    }
}

impl Tell for Reading {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn is_of_strangers(&self) -> bool {
        self.is_of_strangers
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names).cloned();
        let shown = self.states.iter().flat_map(|seen| {
            let further = seen.unit.iter().chain(&seen.area).cloned();
            apart(&seen.name).chain(further)
        });
        shown.chain(told).collect()
    }
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

/// An order as it was given: to what, and what for.
struct Given {
    order: Order,
    thing: String,
    area: String,
    kind: String,
    entities: Option<Vec<String>>,
    left_out: Vec<String>,
}

impl From<Control> for Given {
    fn from(asked: Control) -> Self {
        Self {
            order: Order::Do(asked.action),
            thing: asked.thing,
            area: asked.area,
            kind: asked.kind,
            entities: asked.entities,
            left_out: asked.left_out,
        }
    }
}

impl TryFrom<Set> for Given {
    type Error = ToolError;

    fn try_from(asked: Set) -> Result<Self, ToolError> {
        let complaint = |text: String| ToolError::reply("ValueError", text);
        let shade = asked.color.as_deref().filter(|name| !name.trim().is_empty());
        let order = match (asked.level, shade, asked.temperature) {
            (Some(level), None, None) if (0.0..=100.0).contains(&level) => Order::Level(level),
            (Some(_), None, None) => return Err(complaint("level: write a number from 0 to 100".to_owned())),
            (None, Some(name), None) => Order::Colour(Shade::named(name).ok_or_else(|| {
                let known: Vec<&str> = Shade::names().collect();
                complaint(format!("color: write one of {}", known.join(", ")))
            })?),
            (None, None, Some(degrees)) if (-50.0..=150.0).contains(&degrees) => Order::Degrees(degrees),
            (None, None, Some(_)) => {
                return Err(complaint("temperature: write degrees such as 21".to_owned()));
            }
            _ => {
                return Err(complaint(
                    "write just one of level, color and temperature".to_owned(),
                ));
            }
        };
        Ok(Self {
            order,
            thing: asked.thing,
            area: asked.area,
            kind: String::new(),
            entities: asked.entities,
            left_out: asked.left_out,
        })
    }
}

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

pub(super) fn read(
    tools: Shared,
    asked: Read,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Reading, ToolError>> {
    async move { tools.look(&asked, person).await }.boxed()
}

pub(super) fn resolve(
    tools: Shared,
    asked: ToResolve,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Meaning, ToolError>> {
    async move { tools.resolve(asked, person).await.map(Meaning::from) }.boxed()
}

impl Tools {
    /// What a call means. What the home does not know at all is refused before it runs, so that others may take it. What is
    /// unclear otherwise is run all the same, and moves nothing: it tells what is wrong.
    async fn resolve(&self, asked: ToResolve, person: &Circumstances) -> Result<Resolved, ToolError> {
        let ToResolve { tool, mut arguments } = asked;
        // What a caller writes there was not resolved.
        arguments.remove("entities");
        arguments.remove("left_out");
        if tool == ASSIST {
            return self.resolve_sentence(arguments, person).await;
        }
        let given = given(&tool, &arguments)?;
        let found = match self.home.ready().await {
            Ok(()) => match self.find(&given, person) {
                Err(Why::Unknown(said)) => return Err(nothing_called(&said, &self.home.house.read())),
                found => found.unwrap_or_default(),
            },
            Err(_) => Found::default(),
        };
        let house = self.home.house.read();
        let meant = || found.ids.iter().filter_map(|id| house.entities.get(id));
        let asks = meant().any(|entity| self.home.guard.asks(entity, &house));
        let names: Vec<String> = meant().map(|entity| told_name(entity, &house)).collect();
        let mut told = Map::from_iter([(self.word(given.order, person), json!(names))]);
        if let Some(value) = value(given.order) {
            told.insert("to".to_owned(), value);
        }
        arguments.insert("entities".to_owned(), json!(found.ids));
        if !found.left_out.is_empty() {
            arguments.insert("left_out".to_owned(), json!(found.left_out));
        }
        Ok(Resolved {
            arguments,
            asks,
            told,
        })
    }

    /// What an order is called in the language of the person.
    fn word(&self, order: Order, person: &Circumstances) -> String {
        let name = order.word();
        let mut listed = self.locales.values(FOLDER, lang(person), "orders.value");
        let word = listed.find(|(known, _)| known.trim() == name);
        word.map_or(name, |(_, word)| word.trim()).to_owned()
    }

    fn find(&self, given: &Given, person: &Circumstances) -> Result<Found, Why> {
        let house = self.home.house.read();
        let fits = |entity: &Entity| given.order.step(entity).is_some();
        let own = self.home.settings.area.as_deref();
        let search = Search::new(
            (&house, &self.home.guard),
            own,
            (&self.locales, lang(person)),
            &fits,
        );
        search.find(&Wish {
            thing: &given.thing,
            area: &given.area,
            kind: &given.kind,
            usual: given.order.usual(),
        })
    }

    async fn obey(&self, given: Given, person: &Circumstances) -> Result<Obeyed, ToolError> {
        if let Err(fault) = self.home.ready().await {
            return Ok(Obeyed::fault(&fault));
        }
        let resolved = match &given.entities {
            Some(ids) if !ids.is_empty() => Found {
                ids: ids.clone(),
                left_out: given.left_out.clone(),
            },
            Some(_) if !given.left_out.is_empty() => return Ok(Obeyed::left_out(given.left_out)),
            unresolved => match self.find(&given, person) {
                Ok(found) if unresolved.is_none() => found,
                // It came between the question and the call.
                Ok(_) => return Err(unknown("what is meant has only just come; say it again")),
                Err(why) => return self.unclear(why),
            },
        };
        if resolved.ids.is_empty() {
            return Ok(Obeyed::left_out(resolved.left_out));
        }
        if let Some(refused) = self.refuse(&resolved.ids, person) {
            return Ok(refused);
        }
        let report = carry_out(&self.home, given.order, &resolved.ids).await;
        Ok(Obeyed::of(given.order, report, resolved.left_out))
    }

    /// The last word before anything moves: a thing that asks, or that a conversation may not see, is not moved.
    fn refuse(&self, ids: &[String], person: &Circumstances) -> Option<Obeyed> {
        let house = self.home.house.read();
        for id in ids {
            let Some(entity) = house.entities.get(id).filter(|entity| entity.is_exposed) else {
                return Some(Obeyed::problem(
                    "it is not there any more, or Home Assistant does not show it to conversations"
                        .to_owned(),
                    Telling::new("gone"),
                ));
            };
            if !person.is_consented && self.home.guard.asks(entity, &house) {
                let problem = format!("{} is moved only after the person has said yes", entity.name());
                return Some(Obeyed::problem(
                    problem,
                    Telling::new("needs_yes")
                        .with("things", Gap::Several(vec![entity.name().to_owned()]))
                        .naming([entity.name()]),
                ));
            }
        }
        None
    }

    /// What is not clear is told, except what is not known here at all, which may be for others.
    fn unclear(&self, why: Why) -> Result<Obeyed, ToolError> {
        Err(match why {
            Why::Unknown(said) => nothing_called(&said, &self.home.house.read()),
            Why::Several(names) => {
                let problem = format!(
                    "several things are called so: {}; ask which one is meant",
                    names.join(", ")
                );
                return Ok(Obeyed::problem(problem, several(&names)));
            }
            Why::Nothing => {
                let problem = "there is nothing of that kind there".to_owned();
                return Ok(Obeyed::problem(problem, Telling::new("nothing_there")));
            }
            Why::Unable(name) => {
                let problem = format!("{name} cannot do that");
                let told = Telling::new("unable")
                    .words("thing", loquat_agent::speakable(&name))
                    .naming([name]);
                return Ok(Obeyed::problem(problem, told));
            }
        })
    }

    async fn look(&self, asked: &Read, person: &Circumstances) -> Result<Reading, ToolError> {
        if let Err(fault) = self.home.ready().await {
            return Ok(Reading {
                problem: Some(fault.to_string()),
                told: Some(fault_dialog(&fault)),
                ..Reading::default()
            });
        }
        let house = self.home.house.read();
        let kind = crate::folded(&asked.kind);
        let fits = |entity: &Entity| READABLE.contains(&entity.domain()) && measures(entity, &kind);
        let own = self.home.settings.area.as_deref();
        let search = Search::new(
            (&house, &self.home.guard),
            own,
            (&self.locales, lang(person)),
            &fits,
        );
        let found = search.reading().find(&Wish {
            thing: &asked.thing,
            area: if asked.area.is_empty() && asked.thing.is_empty() {
                own.unwrap_or_default()
            } else {
                &asked.area
            },
            usual: &READABLE,
            ..Wish::default()
        });
        match found {
            Ok(found) => {
                let entities = found.ids.iter().filter_map(|id| house.entities.get(id));
                let entities: Vec<&Entity> = entities.collect();
                Ok(self.states(&entities, &kind, (&house, person)))
            }
            Err(Why::Several(names)) => Ok(Reading {
                problem: Some(format!("several things are called so: {}", names.join(", "))),
                told: Some(several(&names)),
                ..Reading::default()
            }),
            Err(Why::Unknown(said)) => Err(nothing_called(&said, &house)),
            Err(Why::Nothing | Why::Unable(_)) => Err(unknown("the home has no such thing there")),
        }
    }

    fn states(&self, entities: &[&Entity], kind: &str, (house, person): (&House, &Circumstances)) -> Reading {
        let told = |entity: &&&Entity| self.told_state(entity, kind, person);
        let mut tellings = entities.iter().take(MOST_TOLD).map(|entity| told(&entity));
        let first = tellings.next().flatten();
        let all = first.and_then(|first| tellings.try_fold(first, |all, next| Some(all.then(next?))));
        // What is neither a number nor a state may be the words of a stranger.
        let is_free = |entity: &&&Entity| {
            let (state, _) = shown(entity, kind);
            state.parse::<f64>().is_err() && !STATE_WORDS.contains(&state.as_str())
        };
        let is_told = entities.len() <= MOST_TOLD;
        let is_foreign = is_told && entities.iter().any(|entity| is_free(&entity));
        let states = entities.iter().filter(|entity| is_told || !is_free(entity));
        let states = states.take(MOST_SHOWN).map(|entity| {
            let (state, unit) = shown(entity, kind);
            let area = entity.area.as_deref().and_then(|area| house.area(area));
            Seen {
                name: entity.name().to_owned(),
                state,
                unit,
                area: area.map(|area| area.name().to_owned()),
            }
        });
        Reading {
            states: states.collect(),
            problem: None,
            is_of_strangers: is_foreign,
            // More than can be told in a few sentences is for a brain to sum up.
            told: all.filter(|_| is_told),
        }
    }

    /// A state in one sentence.
    fn told_state(&self, entity: &Entity, kind: &str, person: &Circumstances) -> Option<Telling> {
        let name = loquat_agent::speakable(entity.name());
        let (state, unit) = shown(entity, kind);
        if let Ok(number) = state.parse::<f64>() {
            let unit = unit.unwrap_or_default();
            let dialog = if unit.is_empty() { "counts" } else { "measures" };
            let told = Telling::new(dialog)
                .words("thing", name)
                .with("value", Gap::Number(number));
            return Some(told.words("unit", unit));
        }
        let word = state_word(entity, &state);
        let listed = self
            .locales
            .values(FOLDER, lang(person), "states.value")
            .any(|(known, _)| known.trim() == word);
        let gap = if listed {
            Gap::Listed {
                list: "states",
                name: STATE_WORDS.iter().find(|known| **known == word)?,
                one: true,
            }
        } else {
            Gap::Words(loquat_agent::speakable(&state.replace('_', " ")))
        };
        Some(Telling::new("is").words("thing", name).with("state", gap))
    }
}

/// Takes the house instead of reading it, since who has begun to read it must not begin again: behind a change that waits
/// to be written both would wait for ever.
fn nothing_called(said: &str, house: &House) -> ToolError {
    let (some, names) = some_names(house);
    unknown(&format!("the home has nothing called '{said}'; {some}")).naming(names)
}

/// For a brain that named what is not there: in a sentence, and one by one.
fn some_names(house: &House) -> (String, Vec<String>) {
    let areas: Vec<&str> = house
        .areas
        .iter()
        .map(super::house::Place::name)
        .take(MOST_SHOWN)
        .collect();
    let movable = house.exposed().filter(|entity| {
        let all = [Action::On, Action::Open, Action::Lock, Action::Play];
        all.iter().any(|action| Order::Do(*action).step(entity).is_some())
    });
    let things: Vec<&str> = movable.map(Entity::name).take(MOST_SHOWN).collect();
    let told = format!("it has {}; its rooms are {}", things.join(", "), areas.join(", "));
    let names = things.into_iter().chain(areas).map(str::to_owned);
    (told, names.collect())
}

/// The states that have words in every language.
pub(super) const STATE_WORDS: [&str; 28] = [
    "on",
    "off",
    "open",
    "closed",
    "opening",
    "closing",
    "locked",
    "unlocked",
    "locking",
    "unlocking",
    "jammed",
    "playing",
    "paused",
    "idle",
    "standby",
    "heat",
    "cool",
    "heat_cool",
    "auto",
    "dry",
    "fan_only",
    "disarmed",
    "armed_home",
    "armed_away",
    "armed_night",
    "triggered",
    "unavailable",
    "unknown",
];

/// The word for a state; a sensor at a window tells "on" for open.
fn state_word<'a>(entity: &Entity, state: &'a str) -> &'a str {
    let opens = matches!(
        entity.text("device_class"),
        Some("door" | "garage_door" | "opening" | "window")
    );
    let locks = entity.text("device_class") == Some("lock");
    match state {
        "on" if entity.domain() == "binary_sensor" && opens => "open",
        "off" if entity.domain() == "binary_sensor" && opens => "closed",
        "on" if entity.domain() == "binary_sensor" && locks => "unlocked",
        "off" if entity.domain() == "binary_sensor" && locks => "locked",
        other => other,
    }
}

/// What is told of a thing: of a thermostat the temperature, where that is asked for.
fn shown(entity: &Entity, kind: &str) -> (String, Option<String>) {
    let measured = match (entity.domain(), kind) {
        ("climate", "temperature") => entity.number("current_temperature").map(|degrees| (degrees, "°")),
        ("climate", "humidity") => entity.number("current_humidity").map(|percent| (percent, "%")),
        _ => None,
    };
    if let Some((number, unit)) = measured {
        return (number.to_string(), Some(unit.to_owned()));
    }
    let unit = entity.text("unit_of_measurement").map(str::to_owned);
    (state_word(entity, &entity.state).to_owned(), unit)
}

/// Whether a thing tells what is asked for: a kind, a class, or anything.
fn measures(entity: &Entity, kind: &str) -> bool {
    let class = entity.text("device_class").unwrap_or_default();
    let of_climate = match kind {
        "temperature" => entity.number("current_temperature").is_some(),
        "humidity" => entity.number("current_humidity").is_some(),
        _ => false,
    };
    kind.is_empty() || class == kind || entity.domain() == kind.replace(' ', "_") || of_climate
}

fn given(tool: &str, arguments: &Map<String, Value>) -> Result<Given, ToolError> {
    let arguments = Value::Object(arguments.clone());
    let wrong = |error: serde_json::Error| ToolError::reply("ValueError", error.to_string());
    match tool {
        CONTROL => Ok(serde_json::from_value::<Control>(arguments)
            .map_err(wrong)?
            .into()),
        SET => serde_json::from_value::<Set>(arguments)
            .map_err(wrong)?
            .try_into(),
        other => Err(ToolError::Fault(format!("'{other}' is not resolved here"))),
    }
}

/// What a thing is set to, for the question.
fn value(order: Order) -> Option<Value> {
    match order {
        Order::Level(number) | Order::Degrees(number) => Some(json!(number)),
        Order::Do(_) | Order::Colour(_) => None,
    }
}

/// A name with its room, for the question.
pub(super) fn told_name(entity: &Entity, house: &House) -> String {
    let area = entity.area.as_deref().and_then(|area| house.area(area));
    match area {
        Some(area) => format!("{} ({})", entity.name(), area.name()),
        None => entity.name().to_owned(),
    }
}

pub(super) fn lang(person: &Circumstances) -> &str {
    person.lang.as_deref().unwrap_or("en")
}

pub(super) fn unknown(message: &str) -> ToolError {
    ToolError::reply("LookupError", message)
}

pub(super) fn several(names: &[String]) -> Telling {
    Telling::new("several")
        .with("things", named(names))
        .naming(names.iter().flat_map(|name| apart(name)))
}

/// The name of a thing and that of its room, where both are told: `Lamp (Kitchen)`.
pub(super) fn apart(name: &str) -> impl Iterator<Item = String> {
    let with_room = name.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    let (thing, room) = with_room.map_or((name, None), |(thing, room)| (thing, Some(room)));
    // Of a thing without a name its id is told, which has a point in it.
    let is_of_ids = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.');
    let thing = if thing.chars().all(is_of_ids) {
        thing.replace('.', " ")
    } else {
        thing.to_owned()
    };
    std::iter::once(thing).chain(room.map(str::to_owned))
}

/// The first few of several names.
fn named(names: &[String]) -> Gap {
    let spoken = names
        .iter()
        .take(MOST_NAMED)
        .map(|name| loquat_agent::speakable(name));
    Gap::Several(spoken.collect())
}

/// The words of a short sentence in which others' names may stand, to be judged as names are.
pub(super) fn word_by_word(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.trim_end_matches('.').split_whitespace()
}

pub(super) fn fault_dialog(fault: &HomeFault) -> Telling {
    let short = match fault {
        HomeFault::Unreachable { .. } | HomeFault::Lost => "unreachable",
        HomeFault::Refused { .. } => "wrong_token",
        HomeFault::Silent | HomeFault::Busy => "silent",
        HomeFault::Failed { message, .. } => {
            return Telling::new("failed")
                .words("why", loquat_agent::speakable(message))
                .naming(word_by_word(message));
        }
    };
    Telling::new(short)
}

impl Obeyed {
    fn problem(problem: String, told: Telling) -> Self {
        Self {
            problem: Some(problem),
            told: Some(told),
            ..Self::default()
        }
    }

    fn fault(fault: &HomeFault) -> Self {
        Self::problem(fault.to_string(), fault_dialog(fault))
    }

    /// All that was meant asks, and none of it was named.
    fn left_out(names: Vec<String>) -> Self {
        let told = Telling::new("left_out").with("things", named(&names));
        Self {
            left_out: names,
            ..Self::problem("what is there is moved only where it is named".to_owned(), told)
        }
    }

    fn of(order: Order, report: Report, left_out: Vec<String>) -> Self {
        let Report {
            mut done,
            under_way,
            unchanged,
            unseen,
            fault,
        } = report;
        done.extend(unseen);
        let mut parts = Vec::new();
        if !done.is_empty() {
            parts.push(done_sentence(order, &done));
        }
        if !under_way.is_empty() {
            parts.push(Telling::new("under_way").with("things", named(&under_way)));
        }
        match &fault {
            Some(fault) => parts.push(fault_dialog(fault)),
            None if !unchanged.is_empty() => {
                let told = Telling::new("unchanged").with("things", named(&unchanged));
                parts.push(told.naming(&unchanged));
            }
            None => {}
        }
        if !left_out.is_empty() {
            parts.push(Telling::new("left_out").with("things", named(&left_out)));
        }
        let problem = fault.map(|fault| fault.to_string()).or_else(|| {
            let names = unchanged.join(", ");
            (!unchanged.is_empty()).then(|| format!("told, but no change is reported: {names}"))
        });
        Self {
            done: unchanged.is_empty() && problem.is_none(),
            things: done.into_iter().chain(under_way).collect(),
            left_out,
            problem,
            told: parts.into_iter().reduce(Telling::then),
        }
    }
}

fn done_sentence(order: Order, done: &[String]) -> Telling {
    if done.len() > MOST_NAMED {
        let told = Telling::new("many").with("count", Gap::Number(done.len() as f64));
        return told;
    }
    Telling::new(order.word()).with("things", named(done))
}
