//! The tool that tells whether it will rain or snow, how likely that is, and when most.

use jiff::civil::DateTime;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition;
use super::inquiry::{Asking, Question, Usual};
use super::tools::CREDIT;
use super::view::{View, whole};
use super::when::Kind;
use loquat_kit::dialog::{Gap, Tell, Telling};
use loquat_kit::locale::Locales;

/// From this chance on it is rather likely, in percent.
const LIKELY: f64 = 50.0;

/// From this chance on it is possible, in percent.
const POSSIBLE: f64 = 30.0;

/// What `spoken` tells again.
pub(super) const RAIN_MEMBERS: &[&str] = &["answer", "chance", "most_likely_at", "place", "as_of", "source"];

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RainQuestion {
    /// Town; default: here.
    #[serde(default)]
    place: Option<String>,
    /// As the person said it, as in "tomorrow"; default: today.
    #[serde(default)]
    when: Option<String>,
    /// rain, snow, or dry for whether it does not rain; default: rain.
    #[serde(default)]
    what: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Rain {
    spoken: String,
    /// yes, no or perhaps.
    answer: &'static str,
    /// In percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<i32>,
    /// Local time.
    #[serde(skip_serializing_if = "Option::is_none")]
    most_likely_at: Option<String>,
    place: String,
    /// Only where the service is silent: local time of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
    source: &'static str,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Rain {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn will_it_rain(
    question: RainQuestion,
    person: &Circumstances,
    asking: &Asking,
) -> Result<Rain, ToolError> {
    let RainQuestion { place, when, what } = question;
    let what = What::named(what.as_deref().unwrap_or_default())?;
    let usual = Usual::RestOfToday;
    let view = asking.answer(Question { place, when, usual }, person).await?;
    let falling = Falling::of(&view, what == What::Snow);
    let locales = &*asking.locales;
    let (answer, told) = match what {
        What::Dry => (falling.of_dry(), falling.telling_of_dry(&view, locales)),
        What::Rain | What::Snow => (falling.answer, falling.telling(&view, locales)),
    };
    let told = view.with_age(locales, told);
    Ok(Rain {
        spoken: view.said(locales, &told),
        answer,
        chance: falling.chance.map(whole),
        most_likely_at: falling.at.map(|at| at.strftime("%Y-%m-%dT%H:%M").to_string()),
        place: view.place.clone(),
        as_of: view.as_of(),
        source: CREDIT,
        told,
    })
}

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Rain,
    Snow,
    /// Whether it does not rain.
    Dry,
}

impl What {
    fn named(name: &str) -> Result<Self, ToolError> {
        match name.trim().to_lowercase().as_str() {
            "" | "rain" => Ok(Self::Rain),
            "snow" => Ok(Self::Snow),
            "dry" => Ok(Self::Dry),
            _ => Err(ToolError::reply(
                "ValueError",
                "what: is none of 'rain', 'snow' and 'dry'; write one of them",
            )),
        }
    }
}

/// Whether something falls, how likely that is, and when most.
#[derive(Debug)]
pub(super) struct Falling {
    pub(super) answer: &'static str,
    is_snow: bool,
    chance: Option<f64>,
    at: Option<DateTime>,
}

impl Falling {
    pub(super) fn of(view: &View, is_snow: bool) -> Self {
        // An hour with snow says nothing of rain, and without any figure only the code tells what falls.
        let falls = |code: u8| {
            if is_snow {
                condition::is_snow(code)
            } else {
                condition::is_wet(code)
            }
        };
        let counts = |code: u8| falls(code) || (!is_snow && !condition::is_snow(code));
        let hours = || view.hours.iter().filter(|hour| counts(hour.code));
        let likeliest = hours().filter_map(|hour| Some((hour.chance?, hour.time)));
        let likeliest = likeliest.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let is_now = view.span.kind == Kind::Now;
        let known = likeliest.filter(|_| !is_now);
        let chance = known.map(|(chance, _)| chance);
        let answer = match chance {
            Some(LIKELY..) => "yes",
            Some(POSSIBLE..) => "perhaps",
            Some(_) => "no",
            None if hours().any(|hour| falls(hour.code)) => "yes",
            None => "no",
        };
        let at = known.filter(|_| answer != "no" && view.span.kind != Kind::Hour);
        Self {
            answer,
            is_snow,
            chance,
            at: at.map(|(_, time)| time),
        }
    }

    pub(super) fn telling(&self, view: &View, locales: &Locales) -> Telling {
        let dialog = match (self.is_snow, self.answer) {
            (false, "yes") => "rain_yes",
            (false, "perhaps") => "rain_perhaps",
            (false, _) => "rain_no",
            (true, "yes") => "snow_yes",
            (true, "perhaps") => "snow_perhaps",
            (true, _) => "snow_no",
        };
        self.telling_as(dialog, view, locales)
    }

    /// The answer to whether it stays dry.
    fn of_dry(&self) -> &'static str {
        match self.answer {
            "yes" => "no",
            "no" => "yes",
            perhaps => perhaps,
        }
    }

    fn telling_of_dry(&self, view: &View, locales: &Locales) -> Telling {
        let dialog = match self.of_dry() {
            "yes" => "dry_yes",
            "no" => "dry_no",
            _ => "rain_perhaps",
        };
        self.telling_as(dialog, view, locales)
    }

    fn telling_as(&self, dialog: &'static str, view: &View, locales: &Locales) -> Telling {
        let telling = Telling::new(dialog).words("label", view.label(locales));
        let telling = match self.chance {
            Some(chance) => telling.with("chance", Gap::Number(f64::from(whole(chance)))),
            None => telling,
        };
        match (self.at, view.span.kind) {
            (Some(at), Kind::Days(_)) => telling.words("moment", view.words(locales).moment(at)),
            (Some(at), _) => telling.words("time", view.calendar.told_time(at.time())),
            (None, _) => telling,
        }
    }
}
