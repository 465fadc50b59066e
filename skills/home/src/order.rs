//! What a thing of the home is told: an action, a level, a colour and the like, which things can do it, and within which
//! limits. Calls nothing.

use serde_json::{Value, json};

use super::action::Action;
use super::house::Entity;
use super::progress::{Step, Wanted};
use super::service::{
    CLEAN_AREA, FAN_MODE, ON, SEARCH_AND_PLAY, degrees, level, level_by, service, supports,
};
use super::shade::Shade;

/// Media that a player has found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Media {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) title: String,
}

/// An order for a thing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Order {
    Do(Action),
    /// It is brightness, position, speed or loudness, in percent.
    Level(f64),
    /// It is so much more or less of that.
    LevelBy(f64),
    Colour(Shade),
    /// They are in the home's own degrees.
    Degrees(f64),
    /// They are so many degrees more or less than a heating is set to.
    DegreesBy(f64),
    /// A heating blows so.
    FanMode(String),
    /// To clean a room, by its id and its name.
    Clean(String, String),
    /// To look for media by words.
    Seek,
    /// To play what was found.
    Play(Media),
}

/// What a thing does not take of an order that is for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Limit {
    Range(f64, f64),
    /// It knows these words only.
    Modes(Vec<String>),
}

impl Order {
    /// What it means for all of these things, where it means the same for each.
    pub(crate) fn upon<'a>(self, domains: impl Iterator<Item = &'a str>) -> Self {
        let Self::Do(action) = self else {
            return self;
        };
        let mut meant = domains.map(|domain| action.upon(domain));
        match meant.next() {
            Some(first) if meant.all(|next| next == first) => Self::Do(first),
            _ => self,
        }
    }

    /// Its dialog, and what a person is asked for.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Do(action) => action.word(),
            Self::Clean(..) => "clean",
            Self::Seek | Self::Play(_) => "play",
            Self::Level(_)
            | Self::LevelBy(_)
            | Self::Colour(_)
            | Self::Degrees(_)
            | Self::DegreesBy(_)
            | Self::FanMode(_) => "set",
        }
    }

    /// The kinds of things that are meant where none is named.
    pub(crate) fn usual(&self) -> &'static [&'static str] {
        match self {
            Self::Do(action) => action.usual(),
            Self::Level(_) | Self::Colour(_) => &["light"],
            Self::LevelBy(_) | Self::Seek | Self::Play(_) => &["media_player"],
            Self::Degrees(_) | Self::DegreesBy(_) | Self::FanMode(_) => &["climate"],
            Self::Clean(..) => &["vacuum"],
        }
    }

    /// The kinds of things that "everything" is for it.
    pub(crate) fn everything(&self) -> &'static [&'static str] {
        match self {
            Self::Do(Action::On | Action::Off) => &["light", "switch", "fan", "media_player"],
            other => other.usual(),
        }
    }

    /// The states of the things that are meant rather than others where none is named: what plays is paused.
    pub(crate) fn likely(&self) -> &'static [&'static str] {
        match self {
            Self::Do(Action::Pause | Action::Next | Action::Previous) => {
                &["playing", "buffering", "cleaning", "mowing"]
            }
            Self::Do(Action::Play) => &["paused"],
            _ => &[],
        }
    }

    /// Whether of a kind that is said without a name and a place what is near is meant: "warmer" is for one room, not for all.
    pub(crate) fn is_near(&self) -> bool {
        matches!(
            self,
            Self::LevelBy(_) | Self::Degrees(_) | Self::DegreesBy(_) | Self::FanMode(_)
        )
    }

    /// By how much the level becomes more, or less where this is below nought.
    pub(crate) fn level_by(&self) -> Option<f64> {
        match self {
            Self::LevelBy(by) => Some(*by),
            _ => None,
        }
    }

    /// Whether a room is meant rather than a thing of its name that is of another kind: "dim the kitchen".
    pub(crate) fn is_for_rooms(&self) -> bool {
        matches!(self, Self::Level(_) | Self::Colour(_))
    }

    /// How this thing is told; nothing where it cannot do it.
    pub(crate) fn step(&self, entity: &Entity) -> Option<Step> {
        let domain = entity.domain();
        let (service, data, wanted) = match self {
            Self::Do(action) => service(action.upon(domain), entity)?,
            Self::Level(percent) => level(entity, *percent)?,
            Self::LevelBy(by) => level_by(entity, *by)?,
            Self::Colour(shade) => ("turn_on", shade.data(), shade.suits(entity).then_some(ON)?),
            Self::Degrees(wanted) => degrees(entity, *wanted)?,
            Self::DegreesBy(by) => degrees(entity, entity.number("temperature")? + by)?,
            Self::FanMode(mode) => fan_mode(entity, mode)?,
            Self::Clean(room, _) => {
                let is_able = domain == "vacuum" && supports(entity, CLEAN_AREA);
                let data = json!({"cleaning_area_id": [room]});
                (
                    "clean_area",
                    data,
                    is_able.then_some(Wanted::State(&["cleaning"], &[]))?,
                )
            }
            Self::Seek => (
                "search_media",
                json!({}),
                seeks(entity).then_some(Wanted::Unseen)?,
            ),
            Self::Play(media) => {
                let data = json!({"media_content_id": media.id, "media_content_type": media.kind});
                let playing = Wanted::State(&["playing"], &["buffering"]);
                ("play_media", data, seeks(entity).then_some(playing)?)
            }
        };
        Some(Step {
            domain: domain.to_owned(),
            service,
            data: data.as_object().cloned().unwrap_or_default(),
            wanted,
        })
    }

    /// What a thing does not take of it.
    pub(crate) fn limit(&self, entity: &Entity) -> Option<Limit> {
        let within = |value: f64, (least, most): (f64, f64)| {
            (!(least..=most).contains(&value)).then_some(Limit::Range(least, most))
        };
        match self {
            Self::Level(degrees) if entity.domain() == "climate" => within(*degrees, temperatures(entity)),
            Self::Degrees(degrees) => within(*degrees, temperatures(entity)),
            Self::DegreesBy(by) => {
                let now = entity.number("temperature").unwrap_or_default();
                within(now + by, temperatures(entity))
            }
            Self::Level(percent) => within(*percent, (0.0, 100.0)),
            Self::LevelBy(percent) => within(*percent, (-100.0, 100.0)),
            Self::Colour(Shade::Kelvin(kelvin)) => within(f64::from(*kelvin), (1_000.0, 10_000.0)),
            Self::FanMode(mode) => {
                let mut modes = entity.texts("fan_modes");
                let is_known = modes.any(|known| known.eq_ignore_ascii_case(mode));
                let modes: Vec<String> = entity.texts("fan_modes").map(str::to_owned).collect();
                (!is_known && !modes.is_empty()).then_some(Limit::Modes(modes))
            }
            _ => None,
        }
    }

    /// What a thing is set to, for the question.
    pub(crate) fn value(&self) -> Option<Value> {
        match self {
            Self::Level(number) | Self::Degrees(number) => Some(figure(*number)),
            Self::Colour(Shade::Kelvin(kelvin)) => Some(json!(kelvin)),
            Self::Clean(_, room) => Some(json!(room)),
            Self::FanMode(mode) => Some(json!(mode)),
            // By how much it changes is not what it becomes.
            Self::LevelBy(_) | Self::DegreesBy(_) => None,
            Self::Do(_) | Self::Colour(_) | Self::Seek | Self::Play(_) => None,
        }
    }

    /// By how much a thing becomes more, or less where this is below nought, for the question.
    pub(crate) fn change(&self) -> Option<f64> {
        match self {
            Self::LevelBy(by) | Self::DegreesBy(by) => Some(*by),
            _ => None,
        }
    }
}

/// A number as it is said: a whole one has no decimals.
pub(crate) fn figure(number: f64) -> Value {
    if number.fract() == 0.0 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

fn fan_mode(entity: &Entity, mode: &str) -> Option<(&'static str, Value, Wanted)> {
    if entity.domain() != "climate" || !supports(entity, FAN_MODE) {
        return None;
    }
    let mut modes = entity.texts("fan_modes");
    let mode = modes
        .find(|known| known.eq_ignore_ascii_case(mode))
        .unwrap_or(mode);
    let wanted = Wanted::Text("fan_mode", mode.to_owned());
    Some(("set_fan_mode", json!({"fan_mode": mode}), wanted))
}

/// Whether a player finds media by words; one that does not say so does not.
fn seeks(entity: &Entity) -> bool {
    let says = entity.attributes.contains_key("supported_features");
    entity.domain() == "media_player" && says && supports(entity, SEARCH_AND_PLAY)
}

/// The degrees that a heating takes.
fn temperatures(entity: &Entity) -> (f64, f64) {
    let limit = |name: &str, usual: f64| entity.number(name).unwrap_or(usual);
    (limit("min_temp", -50.0), limit("max_temp", 150.0))
}
