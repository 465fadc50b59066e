//! How things of the home are: what is meant is found, and each state is told, or the question that was asked is answered.
//! Moves nothing.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::gaps::READABLE;
use super::given::Texts;
use super::house::{Entity, House};
use super::names::SET_TEMPERATURE;
use super::question::Question;
use super::report::Reading;
use super::seen::{Seen, is_free};
use super::states::{is_in, is_of_locks};
use super::target::{Found, Search, Why, Wish};
use super::telling::{fault_dialog, lang, unknown};
use super::tools::{Shared, Tools};
use super::words::Kind;

/// States that are told at once.
const MOST_TOLD: usize = 6;

/// States that a brain is shown.
const MOST_SHOWN: usize = 24;

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
    /// Classes, a state and the form of the question, which sentences name.
    #[serde(default)]
    #[schemars(skip)]
    class: Texts,
    #[serde(default)]
    #[schemars(skip)]
    state: String,
    #[serde(default)]
    #[schemars(skip)]
    question: Option<Question>,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

pub(super) fn read(
    tools: Shared,
    asked: Read,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Reading, ToolError>> {
    async move { tools.look(asked, person).await }.boxed()
}

impl Tools {
    /// What is asked about as the home is now.
    pub(super) fn sought_now(&self, asked: Read, person: &Circumstances) -> Result<Found, Why> {
        let house = self.home.house.read_recursive();
        self.sought(asked, &house, person)
    }

    async fn look(&self, asked: Read, person: &Circumstances) -> Result<Reading, ToolError> {
        if let Err(fault) = self.home.ready().await {
            return Ok(Reading {
                problem: Some(fault.to_string()),
                told: Some(fault_dialog(&fault)),
                ..Reading::default()
            });
        }
        let house = self.home.house.read_recursive();
        let (kind, question) = (loquat_kit::folded(&asked.kind), asked.question);
        let state = asked.state.clone();
        match self.sought(asked, &house, person) {
            Ok(found) => {
                let entities = found.ids.iter().filter_map(|id| house.entities.get(id));
                let entities: Vec<&Entity> = entities.collect();
                Ok(match question {
                    Some(question) => self.answer(question, &state, entities, &house, person),
                    None => self.states(&entities, &kind, &house, person),
                })
            }
            Err(Why::Unknown(said)) => Err(self.nothing_called(&said)),
            Err(Why::NoPlace(said)) => Err(self.no_place(&said)),
            Err(Why::Nothing | Why::Unable(_)) if question.is_none() => {
                Err(unknown("the home has no such thing there"))
            }
            Err(why) => {
                let choices = match &why {
                    Why::Several(names) => names.clone(),
                    _ => Vec::new(),
                };
                let (problem, told) = self.puzzle(why);
                Ok(Reading {
                    choices,
                    problem: Some(problem),
                    told: Some(told),
                    ..Reading::default()
                })
            }
        }
    }

    /// What is asked about. Where nothing is named it is the room of the device, and the whole home where that has no such
    /// thing; a question about a kind is about the whole home.
    fn sought(&self, asked: Read, house: &House, person: &Circumstances) -> Result<Found, Why> {
        let (locales, lang) = (&self.locales, lang(person));
        let classes = asked.class.into_list();
        // Whether doors are locked, their locks tell.
        let are_locks =
            classes.iter().any(|class| class == "door") && is_of_locks(&asked.state, locales, lang);
        let classes = if are_locks { Vec::new() } else { classes };
        let kind = if are_locks {
            "lock".to_owned()
        } else {
            loquat_kit::folded(&asked.kind)
        };
        let (has_thing, is_question) = (!asked.thing.trim().is_empty(), asked.question.is_some());
        let known = Kind::named(&kind);
        // Of what has a class only that is meant which can be in the state that is asked for.
        let can_be_so = |entity: &Entity| {
            let is_any = classes.is_empty() || asked.state.trim().is_empty();
            is_any || is_in(entity, &asked.state, locales, lang).is_some()
        };
        let fits = |entity: &Entity| {
            let is_of_kind = match known.filter(|_| is_question && !has_thing) {
                Some(known) => known == Kind::Everything || known.domains().contains(&entity.domain()),
                None => measures(entity, &kind),
            };
            READABLE.contains(&entity.domain()) && is_of_kind && can_be_so(entity)
        };
        let is_unnamed = kind.is_empty() && classes.is_empty();
        let own = self.home.settings.area.as_deref();
        let find = |area: &str| {
            let search = Search::new(house, &self.home.guard, own, self.words(person), &fits).reading();
            search.find(&Wish {
                thing: &asked.thing,
                area,
                kind: if has_thing || is_unnamed { "" } else { "everything" },
                classes: &classes,
                choice: &asked.choice,
                usual: &READABLE,
                everything: &READABLE,
                ..Wish::default()
            })
        };
        let has_place = !asked.area.trim().is_empty();
        if has_thing || has_place || is_question {
            return find(&asked.area);
        }
        match find(own.unwrap_or_default()) {
            Err(Why::Nothing | Why::NoPlace(_)) if !is_unnamed => find(""),
            found => found,
        }
    }

    fn states(&self, entities: &[&Entity], kind: &str, house: &House, person: &Circumstances) -> Reading {
        let told = |entity: &&&Entity| self.told_state(entity, kind, person);
        let mut tellings = entities.iter().take(MOST_TOLD).map(|entity| told(&entity));
        let first = tellings.next().flatten();
        let all = first.and_then(|first| tellings.try_fold(first, |all, next| Some(all.then(next?))));
        // What is neither a number nor a state may be the words of a stranger.
        let is_told = entities.len() <= MOST_TOLD;
        let is_foreign = is_told && entities.iter().any(|entity| is_free(entity, kind));
        let states = entities.iter().filter(|entity| is_told || !is_free(entity, kind));
        let states = states.take(MOST_SHOWN);
        Reading {
            states: states.map(|entity| Seen::of(entity, kind, house)).collect(),
            is_of_strangers: is_foreign,
            // More than can be told in a few sentences is for a brain to sum up.
            told: all.filter(|_| is_told),
            ..Reading::default()
        }
    }
}

/// Whether a thing tells what is asked for: a kind, a class, or anything.
fn measures(entity: &Entity, kind: &str) -> bool {
    let class = entity.text("device_class").unwrap_or_default();
    let of_climate = match kind {
        "temperature" => entity.number("current_temperature").is_some(),
        "humidity" => entity.number("current_humidity").is_some(),
        SET_TEMPERATURE => entity.number("temperature").is_some(),
        _ => false,
    };
    let is_of_kind = Kind::named(kind)
        .is_some_and(|named| named == Kind::Everything || named.domains().contains(&entity.domain()));
    kind.is_empty() || class == kind || entity.domain() == kind.replace(' ', "_") || is_of_kind || of_climate
}
