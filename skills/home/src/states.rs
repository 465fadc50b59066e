//! How people ask for states: the words for a state, for sensors by what they sense, and for what is measured. Knows no home.

use serde_json::Value;

use super::house::Entity;
use super::names::FOLDER;
use super::seen::state_word;
use super::words::{Named, Words};
use loquat_kit::answers::forms;
use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;

/// Words for states: a state, or a class of sensors with `/on` or `/off`.
const STATES: &str = "state_words.value";

/// Words for sensors, by their classes.
const SENSORS: &str = "sensors.value";

/// Words for what is measured, by the classes of sensors.
const QUANTITIES: &str = "quantities.value";

/// The list of words that are no names, and what it calls verbs for a state.
const WORDS: &str = "words.value";
const SHINES: &str = "shines";

/// A battery with no more percent than this is low.
const LOW: f64 = 20.0;

pub(super) fn state(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_known = named(STATES, said, spoken.locales, spoken.lang).next().is_some();
    is_known.then(|| Value::from(said))
}

/// A verb for a state. Which state it means, the words for states tell.
pub(super) fn shining(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let verbs = forms(spoken.locales, FOLDER, spoken.lang, WORDS, SHINES);
    verbs
        .contains(&loquat_kit::folded(said))
        .then(|| Value::from(said))
}

/// A kind of things in the plural or the singular, such as lights.
pub(super) fn things(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, spoken.lang);
    let plain = words.plain(said);
    // A door that is asked about is a door; only one that is locked is its lock.
    let named = words.kind(&plain).filter(|_| words.door(&plain).is_none());
    let named = named.filter(|named| named.class.is_none())?;
    named.kind.domains().first().map(|domain| Value::from(*domain))
}

/// Sensors by what they sense, and covers by their class.
pub(super) fn sensors(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, spoken.lang);
    let named = words.kind(&words.plain(said)).into_iter();
    classes(SENSORS, said, spoken, named.flat_map(Named::classes))
}

/// What is measured.
pub(super) fn quantity(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    classes(QUANTITIES, said, spoken, std::iter::empty())
}

fn classes(
    list: &str,
    said: &str,
    spoken: &InLanguage<'_>,
    more: impl Iterator<Item = &'static str>,
) -> Option<Value> {
    let named = named(list, said, spoken.locales, spoken.lang);
    let named = named.map(str::to_owned).chain(more.map(str::to_owned));
    let classes: Vec<String> = named.collect();
    (!classes.is_empty()).then(|| Value::from(classes))
}

/// The names that a list has for these words, which may be several.
fn named<'a>(list: &str, said: &str, locales: &'a Locales, lang: &'a str) -> impl Iterator<Item = &'a str> {
    let said = Words::of(locales, lang).plain(said);
    let spelled = said.clone();
    let lines = locales.values(FOLDER, lang, list);
    let is_said = move |forms: &str| forms.split('|').any(|form| loquat_kit::folded(form) == said);
    let named = lines.map(|(name, forms)| (name.trim(), forms));
    named
        .filter(move |(name, forms)| *name == spelled || is_said(forms))
        .map(|(name, _)| name)
}

/// Whether words mean that something is locked or unlocked.
pub(super) fn is_of_locks(said: &str, locales: &Locales, lang: &str) -> bool {
    named(STATES, said, locales, lang).any(|name| matches!(name, "locked" | "unlocked"))
}

/// Whether something is in the state that words mean; nothing where they mean no state that it can have.
pub(super) fn is_in(entity: &Entity, said: &str, locales: &Locales, lang: &str) -> Option<bool> {
    let shown = state_word(entity, &entity.state);
    let class = entity.text("device_class").unwrap_or_default();
    let mut known = false;
    for name in named(STATES, said, locales, lang) {
        match name.split_once('/') {
            Some((meant, state)) if meant == class => {
                known = true;
                if sensed(entity) == Some(state) {
                    return Some(true);
                }
            }
            Some(_) => {}
            None => {
                known = true;
                if name == shown || name == entity.state {
                    return Some(true);
                }
            }
        }
    }
    known.then_some(false)
}

/// Whether a sensor senses what it is for. A battery that tells how full it is senses that it is low.
fn sensed(entity: &Entity) -> Option<&str> {
    match (entity.domain(), entity.state.parse::<f64>()) {
        ("binary_sensor", _) => Some(entity.state.as_str()),
        (_, Ok(percent)) => Some(if percent <= LOW { "on" } else { "off" }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::house::House;

    fn house() -> House {
        let mut house = House::default();
        house.apply(&json!({"a": {
            "binary_sensor.phone": {"s": "on", "a": {"device_class": "battery"}},
            "sensor.remote": {"s": "12", "a": {"device_class": "battery"}},
            "sensor.tablet": {"s": "80", "a": {"device_class": "battery"}},
            "binary_sensor.charger": {"s": "on", "a": {"device_class": "battery_charging"}},
            "cover.blind": {"s": "open", "a": {"device_class": "blind"}},
            "lock.door": {"s": "locked", "a": {}},
            "binary_sensor.window": {"s": "off", "a": {"device_class": "window"}},
        }}));
        house
    }

    #[test]
    fn words_for_states_mean_what_each_class_senses() {
        let (house, locales) = (house(), loquat_kit::Skill::locales([&crate::SKILL]));
        for (lang, id, said, is_so) in [
            ("en", "binary_sensor.phone", "low", Some(true)),
            ("en", "binary_sensor.phone", "charged", Some(false)),
            ("en", "sensor.remote", "empty", Some(true)),
            ("en", "sensor.tablet", "low", Some(false)),
            ("en", "sensor.tablet", "full", Some(true)),
            ("en", "binary_sensor.charger", "charging", Some(true)),
            ("en", "cover.blind", "charging", None),
            ("en", "cover.blind", "up", Some(true)),
            ("de", "binary_sensor.phone", "schwach", Some(true)),
            ("de", "cover.blind", "oben", Some(true)),
            ("de", "lock.door", "zugesperrt", Some(true)),
            ("de", "binary_sensor.window", "zu", Some(true)),
            ("fr", "binary_sensor.phone", "faibles", Some(true)),
            ("fr", "binary_sensor.window", "fermées", Some(true)),
            ("es", "binary_sensor.phone", "baja", Some(true)),
            ("es", "lock.door", "cerrada con llave", Some(true)),
            ("it", "sensor.remote", "quasi scarica", Some(true)),
            ("it", "cover.blind", "aperte", Some(true)),
            ("pt", "binary_sensor.phone", "fracas", Some(true)),
            ("pt", "lock.door", "destrancada", Some(false)),
        ] {
            assert_eq!(
                is_in(&house.entities[id], said, &locales, lang),
                is_so,
                "{lang}: {id} {said}"
            );
        }
    }
}
