//! The answers of the community's sentences: templates that are filled with what was said and what was found. Speaks nothing.

mod python;
mod states;

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde_json::{Map, Value as Json};

use crate::pack::PackError;
use crate::reading::Reading;
use states::StateWords;

/// A template that does more work than this is given up.
const MOST_WORK: u64 = 50_000;

/// Templates within templates and macros.
const DEEPEST: usize = 40;

/// A longer template is left out.
const LONGEST: usize = 50_000;

/// The answers of a language.
#[derive(Debug)]
pub struct Responses {
    environment: Environment<'static>,
    states: StateWords,
}

/// A response that cannot be said.
#[derive(Debug, thiserror::Error)]
pub enum ResponseError {
    /// There is none of that name.
    #[error("failed to find the response `{0}`")]
    Unknown(String),
    /// Its template cannot be read.
    #[error("failed to read the response `{name}`")]
    Template {
        /// The response is called so.
        name: String,
        /// What is wrong with it.
        #[source]
        source: minijinja::Error,
    },
    /// Its template cannot be filled.
    #[error("failed to fill the response `{name}`")]
    Fill {
        /// The response is called so.
        name: String,
        /// What is wrong with it.
        #[source]
        source: minijinja::Error,
    },
    /// The language has no word for a state that it tells.
    #[error("failed to find a word for the state `{state}` in the response `{name}`")]
    Untold {
        /// The response is called so.
        name: String,
        /// The state.
        state: String,
    },
    /// It has too many letters.
    #[error("failed to read the response `{0}`: it has more than {LONGEST} letters")]
    TooLong(String),
}

/// What an answer is made of.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// What the slots hold: what was said for them, or numbers and lists of a tool, such as `timers` or `canceled`.
    pub slots: Map<String, Json>,
    /// The things that were found or done.
    pub matched: Vec<State>,
    /// The things that were looked at and do not fit.
    pub unmatched: Vec<State>,
}

/// A thing of the home, as answers tell of it.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// Home Assistant identifies it so.
    pub entity_id: String,
    /// Its name.
    pub name: String,
    /// It is of this kind.
    pub domain: String,
    /// Its state.
    pub state: String,
    /// Its state with a unit.
    pub state_with_unit: String,
    /// What else is known of it.
    pub attributes: Map<String, Json>,
}

impl Given {
    /// What a reading holds: what was said for each slot, or else its value.
    pub fn of(reading: &Reading) -> Self {
        let said = |slot: &crate::reading::Slot| match slot.said.as_str() {
            "" => slot.value.to_json(),
            said => Json::from(said),
        };
        let slots = reading.slots.iter().map(|slot| (slot.name.clone(), said(slot)));
        Self {
            slots: slots.collect(),
            ..Self::default()
        }
    }

    /// The day of an answer. `weekday` counts from Monday, which is 0.
    #[must_use]
    pub fn with_date(mut self, year: i16, month: i8, day: i8, weekday: i8) -> Self {
        let date = serde_json::json!({"year": year, "month": month, "day": day, "weekday": weekday});
        self.slots.insert("date".to_owned(), date);
        self
    }

    /// The time of day of an answer.
    #[must_use]
    pub fn with_time(mut self, hour: i8, minute: i8) -> Self {
        self.slots.insert(
            "time".to_owned(),
            serde_json::json!({"hour": hour, "minute": minute}),
        );
        self
    }
}

impl State {
    fn to_json(&self) -> Json {
        serde_json::json!({
            "entity_id": self.entity_id,
            "name": self.name,
            "domain": self.domain,
            "state": self.state,
            "state_with_unit": self.state_with_unit,
            "attributes": self.attributes,
        })
    }
}

impl Responses {
    /// Reads the answers of a file of the community's sentences. Those that cannot be read are left out and told.
    ///
    /// # Errors
    /// If the file is no JSON.
    pub fn from_pack(json: &str) -> Result<(Self, Vec<ResponseError>), PackError> {
        let pack: Json = serde_json::from_str(json)?;
        let responses = pack.get("responses");
        let all = |key: &str| {
            responses
                .and_then(|all| all.get(key))
                .and_then(Json::as_object)
                .into_iter()
                .flatten()
        };
        let of_intents = all("intents").flat_map(|(intent, answers)| {
            let answers = answers.as_object().into_iter().flatten();
            answers.map(move |(key, text)| (format!("{intent}.{key}"), text))
        });
        let of_errors = all("errors").map(|(key, text)| (format!("errors.{key}"), text));
        let texts = of_intents
            .chain(of_errors)
            .filter_map(|(name, text)| Some((name, text.as_str()?)));
        let (responses, errors) = Self::new(texts);
        let states = StateWords::from_pack(&pack);
        Ok((Self { states, ..responses }, errors))
    }

    /// Reads answers by their names.
    pub fn new<'t>(texts: impl IntoIterator<Item = (String, &'t str)>) -> (Self, Vec<ResponseError>) {
        let mut environment = python::environment();
        environment.set_fuel(Some(MOST_WORK));
        environment.set_recursion_limit(DEEPEST);
        let mut errors = Vec::new();
        for (name, text) in texts {
            if text.len() > LONGEST {
                errors.push(ResponseError::TooLong(name));
            } else if let Err(source) =
                environment.add_template_owned(name.clone(), python::as_read_here(text))
            {
                errors.push(ResponseError::Template { name, source });
            }
        }
        let states = StateWords::default();
        (Self { environment, states }, errors)
    }

    /// The names of all answers: `INTENT.KEY` and `errors.KEY`.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .environment
            .templates()
            .map(|(name, _)| name.to_owned())
            .collect();
        names.sort();
        names
    }

    /// The answer to an intent, with single spaces between its words.
    ///
    /// # Errors
    /// If there is no such answer, or it cannot be filled.
    pub fn answer(&self, intent: &str, key: &str, given: &Given) -> Result<String, ResponseError> {
        self.fill(&format!("{intent}.{key}"), given)
    }

    /// What is said of a failure.
    ///
    /// # Errors
    /// If there is nothing to say, or it cannot be filled.
    pub fn failure(&self, key: &str, given: &Given) -> Result<String, ResponseError> {
        let name = format!("errors.{key}");
        let slots = minijinja::Value::from(Serde(&given.slots));
        self.filled(&name, &context! { ..slots, ..Self::values(given) })
    }

    /// The answer, with states in the language's own words.
    fn fill(&self, name: &str, given: &Given) -> Result<String, ResponseError> {
        let template = self.environment.get_template(name);
        let source = template.as_ref().map_or("", minijinja::Template::source);
        let told = |states: &[State]| {
            states
                .iter()
                .map(|state| self.states.told(state, source))
                .collect()
        };
        let in_words = Given {
            slots: given.slots.clone(),
            matched: told(&given.matched),
            unmatched: told(&given.unmatched),
        };
        let text = self.filled(name, &Self::values(&in_words))?;
        let told = in_words.matched.iter().chain(&in_words.unmatched);
        match self
            .states
            .untold(given.matched.iter().chain(&given.unmatched).zip(told), &text)
        {
            Some(state) => Err(ResponseError::Untold {
                name: name.to_owned(),
                state: state.to_owned(),
            }),
            None => Ok(text),
        }
    }

    fn values(given: &Given) -> minijinja::Value {
        let states = |states: &[State]| states.iter().map(State::to_json).collect::<Vec<_>>();
        let (matched, unmatched) = (states(&given.matched), states(&given.unmatched));
        let first = matched.first().or(unmatched.first()).cloned();
        let attributes = [&matched, &unmatched].into_iter().flatten().filter_map(|state| {
            Some((
                state.get("entity_id")?.as_str()?.to_owned(),
                state.get("attributes")?.clone(),
            ))
        });
        let attributes: BTreeMap<String, Json> = attributes.collect();
        context! {
            slots => Serde(&given.slots),
            state => first.map(Serde),
            query => context! { matched => Serde(&matched), unmatched => Serde(&unmatched) },
            state_attr => python::state_attr(attributes),
        }
    }

    fn filled(&self, name: &str, values: &minijinja::Value) -> Result<String, ResponseError> {
        let template = self
            .environment
            .get_template(name)
            .map_err(|_| ResponseError::Unknown(name.to_owned()))?;
        let text = template.render(values).map_err(|source| ResponseError::Fill {
            name: name.to_owned(),
            source,
        })?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests;
