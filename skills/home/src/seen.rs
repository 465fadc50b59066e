//! Things as they are told: a name, a state, a kind and a room, and the words for it. Changes nothing.

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::Serialize;

use super::house::{Entity, House};
use super::names::{FOLDER, SET_TEMPERATURE};
use super::telling::lang;
use super::tools::Tools;
use loquat_kit::dialog::{Gap, Telling};

/// A thing as it is told.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<String>,
    /// Brightness, position, speed or volume in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<f64>,
    domain: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) area: Option<String>,
}

impl Seen {
    /// A thing, of which something of this kind is asked for.
    pub(super) fn of(entity: &Entity, kind: &str, house: &House) -> Self {
        let (state, unit) = shown(entity, kind);
        let area = entity.area.as_deref().and_then(|area| house.area(area));
        Self {
            name: entity.name().to_owned(),
            state,
            unit,
            level: entity.level().filter(|_| entity.state != "off"),
            domain: entity.domain().to_owned(),
            area: area.map(|area| area.name().to_owned()),
        }
    }

    pub(super) fn is_person(&self) -> bool {
        self.domain == "person"
    }

    /// A thing that was moved. A state that is no usual word is left out, since it may be the words of others.
    pub(super) fn moved(entity: &Entity, house: &House) -> Self {
        let mut seen = Self::of(entity, "", house);
        if is_free(entity, "") {
            seen.state = String::new();
        }
        seen
    }
}

/// The states that have words in every language.
pub(super) const STATE_WORDS: [&str; 35] = [
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
    "home",
    "not_home",
    "docked",
    "cleaning",
    "returning",
    "mowing",
    "error",
];

/// The word for a state; a sensor at a window tells "on" for open.
pub(super) fn state_word<'a>(entity: &Entity, state: &'a str) -> &'a str {
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
pub(super) fn shown(entity: &Entity, kind: &str) -> (String, Option<String>) {
    let measured = match (entity.domain(), kind) {
        ("climate", "temperature" | "climate") => {
            entity.number("current_temperature").map(|degrees| (degrees, "°"))
        }
        ("climate", SET_TEMPERATURE) => entity.number("temperature").map(|degrees| (degrees, "°")),
        ("climate", "humidity") => entity.number("current_humidity").map(|percent| (percent, "%")),
        _ => None,
    };
    if let Some((number, unit)) = measured {
        return (number.to_string(), Some(unit.to_owned()));
    }
    let unit = entity.text("unit_of_measurement").map(str::to_owned);
    (state_word(entity, &entity.state).to_owned(), unit)
}

/// Whether a state is neither a number nor a usual word, and so may be the words of a stranger. Where a person is, is the
/// name of a zone, which is judged as names are.
pub(super) fn is_free(entity: &Entity, kind: &str) -> bool {
    let (state, _) = shown(entity, kind);
    let is_usual = STATE_WORDS.contains(&state.as_str()) || entity.domain() == "person";
    state.parse::<f64>().is_err() && !is_usual
}

impl Tools {
    /// A state in one sentence, with how bright or how open a thing is that is on or open.
    pub(super) fn told_state(&self, entity: &Entity, kind: &str, person: &Circumstances) -> Option<Telling> {
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
        let level = entity.level().filter(|_| is_told_in_percent(entity));
        let dialog = if level.is_some() { "is_at" } else { "is" };
        let told = Telling::new(dialog)
            .words("thing", name)
            .with("percent", Gap::Number(level.unwrap_or_default()));
        Some(told.with("state", self.state_gap(entity, person)?))
    }

    /// The word for a thing's state in the language of the person; the state itself where there is none.
    pub(super) fn state_gap(&self, entity: &Entity, person: &Circumstances) -> Option<Gap> {
        let word = state_word(entity, &entity.state);
        let mut values = self.locales.values(FOLDER, lang(person), "states.value");
        if !values.any(|(known, _)| known.trim() == word) {
            return Some(Gap::Words(loquat_agent::speakable(&word.replace('_', " "))));
        }
        Some(Gap::Listed {
            list: "states",
            name: STATE_WORDS.iter().find(|known| **known == word)?,
            one: true,
        })
    }
}

fn is_told_in_percent(entity: &Entity) -> bool {
    match entity.domain() {
        "light" | "fan" => entity.state == "on",
        // Fully open is open.
        "cover" | "valve" => entity.state == "open" && entity.level().is_some_and(|level| level < 100.0),
        _ => false,
    }
}
