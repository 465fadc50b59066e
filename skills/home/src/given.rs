//! What a caller may write for an order, and the order that it is. Knows no home.

use super::action::Action;
use super::names::{CONTROL, PLAY, SET};
use super::order::Order;
use super::shade::Shade;
use loquat_agent::toolbox::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Louder or brighter by so much, where no number was said.
const STEP: f64 = 10.0;

/// Warmer or colder by so many degrees, where no number was said.
const DEGREE: f64 = 1.0;

/// A longer search is none.
const LONGEST_QUERY: usize = 200;

/// One text or several.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(untagged)]
pub(super) enum Texts {
    #[default]
    None,
    One(String),
    Several(Vec<String>),
}

impl Texts {
    pub(super) fn into_list(self) -> Vec<String> {
        let texts = match self {
            Self::None => Vec::new(),
            Self::One(text) => vec![text],
            Self::Several(texts) => texts,
        };
        let written = texts.into_iter().filter(|text| !text.trim().is_empty());
        written.collect()
    }
}

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
    /// Classes of covers, which sentences name.
    #[serde(default)]
    #[schemars(skip)]
    class: Texts,
    /// What is spared of many, which sentences name.
    #[serde(default)]
    #[schemars(skip)]
    except: String,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
    /// What was resolved; not for callers.
    #[serde(default)]
    #[schemars(skip)]
    entities: Option<Vec<String>>,
    #[serde(default)]
    #[schemars(skip)]
    left_out: Vec<String>,
    #[serde(default)]
    #[schemars(skip)]
    is_sweep: bool,
}

/// How much more or less.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Change {
    By(f64),
    To(String),
}

impl Change {
    /// By how much, where "up" and "down" are one step.
    fn by(&self, step: f64) -> Option<f64> {
        match self {
            Self::By(by) => Some(*by),
            Self::To(word) if word.trim() == "up" => Some(step),
            Self::To(word) if word.trim() == "down" => Some(-step),
            Self::To(word) => word.trim().parse().ok(),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Set {
    /// Its name, or the room.
    #[serde(default)]
    thing: String,
    #[serde(default)]
    area: String,
    /// A kind and classes, which sentences name.
    #[serde(default)]
    #[schemars(skip)]
    kind: String,
    #[serde(default)]
    #[schemars(skip)]
    class: Texts,
    /// Brightness, position, speed or volume, 0 to 100.
    #[serde(default)]
    level: Option<f64>,
    /// So much more or less of it, or "up" or "down".
    #[serde(default)]
    #[schemars(skip)]
    level_change: Option<Change>,
    /// red, blue, warm white …
    #[serde(default)]
    color: Option<String>,
    /// So many degrees more or less, or "up" or "down".
    #[serde(default)]
    #[schemars(skip)]
    temperature_change: Option<Change>,
    /// Whether what it names was spoken of before, and is meant only where it can be so.
    #[serde(default)]
    #[schemars(skip)]
    of_last: bool,
    /// The colour of white light.
    #[serde(default)]
    #[schemars(skip)]
    kelvin: Option<f64>,
    /// Degrees of the heating.
    #[serde(default)]
    temperature: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    fan_mode: Option<String>,
    #[serde(default)]
    #[schemars(skip)]
    except: String,
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
    #[serde(default)]
    #[schemars(skip)]
    entities: Option<Vec<String>>,
    #[serde(default)]
    #[schemars(skip)]
    left_out: Vec<String>,
    #[serde(default)]
    #[schemars(skip)]
    is_sweep: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Play {
    /// What to look for: a title, an artist, a kind of music.
    pub(super) query: String,
    /// artist, album, track, playlist, podcast, movie, tv show …
    #[serde(default)]
    #[schemars(skip)]
    pub(super) media_class: String,
    /// The player's name.
    #[serde(default)]
    thing: String,
    /// Room or floor.
    #[serde(default)]
    area: String,
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
    #[serde(default)]
    #[schemars(skip)]
    entities: Option<Vec<String>>,
}

/// An order as it was given: to what, and what for.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) order: Order,
    pub(super) thing: String,
    pub(super) area: String,
    pub(super) kind: String,
    pub(super) classes: Vec<String>,
    /// Whether what is named was spoken of before, and is meant only where it can be so.
    pub(super) of_last: bool,
    pub(super) spared: String,
    pub(super) choice: String,
    pub(super) entities: Option<Vec<String>>,
    pub(super) left_out: Vec<String>,
    pub(super) is_sweep: bool,
}

impl From<Control> for Given {
    fn from(asked: Control) -> Self {
        Self {
            order: Order::Do(asked.action),
            thing: asked.thing,
            area: asked.area,
            kind: asked.kind,
            classes: asked.class.into_list(),
            of_last: false,
            spared: asked.except,
            choice: asked.choice,
            entities: asked.entities,
            left_out: asked.left_out,
            is_sweep: asked.is_sweep,
        }
    }
}

impl TryFrom<Set> for Given {
    type Error = ToolError;

    fn try_from(asked: Set) -> Result<Self, ToolError> {
        let mut orders = asked.orders()?.into_iter();
        let (Some(order), None) = (orders.next(), orders.next()) else {
            return Err(complaint("write just one of level, color and temperature"));
        };
        Ok(Self {
            order,
            thing: asked.thing,
            area: asked.area,
            kind: asked.kind,
            classes: asked.class.into_list(),
            of_last: asked.of_last,
            spared: asked.except,
            choice: asked.choice,
            entities: asked.entities,
            left_out: asked.left_out,
            is_sweep: asked.is_sweep,
        })
    }
}

impl Set {
    /// All that is written; just one of it can be meant.
    fn orders(&self) -> Result<Vec<Order>, ToolError> {
        let by = |argument: &str, change: Option<&Change>, step: f64| {
            let by = change.map(|change| change.by(step));
            let rule = format!("{argument}: write a number, \"up\" or \"down\"");
            by.map(|by| by.ok_or_else(|| complaint(&rule))).transpose()
        };
        let warmer = by("temperature_change", self.temperature_change.as_ref(), DEGREE)?;
        let more = by("level_change", self.level_change.as_ref(), STEP)?;
        let shade = self.color.as_deref().filter(|name| !name.trim().is_empty());
        let shade = shade.map(|name| {
            let known = || Shade::names().collect::<Vec<&str>>().join(", ");
            Shade::named(name).ok_or_else(|| complaint(&format!("color: write one of {}", known())))
        });
        let mode = self
            .fan_mode
            .as_deref()
            .map(str::trim)
            .filter(|mode| !mode.is_empty());
        let kelvin = self.kelvin.map(|kelvin| Shade::Kelvin(kelvin.round() as u32));
        let written = [
            self.level.map(Order::Level),
            more.map(Order::LevelBy),
            warmer.map(Order::DegreesBy),
            shade.transpose()?.or(kelvin).map(Order::Colour),
            self.temperature.map(Order::Degrees),
            mode.map(|mode| Order::FanMode(mode.to_owned())),
        ];
        Ok(written.into_iter().flatten().collect())
    }
}

impl TryFrom<&Play> for Given {
    type Error = ToolError;

    fn try_from(asked: &Play) -> Result<Self, ToolError> {
        let query = asked.query.trim();
        if query.is_empty() || query.chars().count() > LONGEST_QUERY {
            let rule = format!("query: write what is to be played, in at most {LONGEST_QUERY} characters");
            return Err(complaint(&rule));
        }
        Ok(Self {
            order: Order::Seek,
            thing: asked.thing.clone(),
            area: asked.area.clone(),
            kind: String::new(),
            classes: Vec::new(),
            of_last: false,
            spared: String::new(),
            choice: asked.choice.clone(),
            entities: asked.entities.clone(),
            left_out: Vec::new(),
            is_sweep: false,
        })
    }
}

/// The order of a call of one of these tools.
pub(super) fn given(tool: &str, arguments: &Map<String, Value>) -> Result<Given, ToolError> {
    let arguments = Value::Object(arguments.clone());
    let wrong = |error: serde_json::Error| complaint(&error.to_string());
    match tool {
        CONTROL => Ok(serde_json::from_value::<Control>(arguments)
            .map_err(wrong)?
            .into()),
        SET => serde_json::from_value::<Set>(arguments)
            .map_err(wrong)?
            .try_into(),
        PLAY => Given::try_from(&serde_json::from_value::<Play>(arguments).map_err(wrong)?),
        other => Err(ToolError::Fault(format!("'{other}' is not resolved here"))),
    }
}

fn complaint(text: &str) -> ToolError {
    ToolError::reply("ValueError", text)
}
