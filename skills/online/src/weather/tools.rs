//! The tool that tells the weather of a time; what is known of it comes from the modules beside.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::condition;
use super::inquiry::{Asking, Question, Usual};
use super::view::{Summary, View, whole};
use super::when::Kind;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::locale::Locales;

/// The licence of the data asks for it.
pub(super) const CREDIT: &str = "Weather data by Open-Meteo.com";

/// What `spoken` tells again.
pub(super) const WEATHER_MEMBERS: &[&str] = &[
    "place",
    "from",
    "condition",
    "low",
    "high",
    "unit",
    "rain_chance",
    "wind",
    "as_of",
    "days",
    "source",
];

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WeatherQuestion {
    /// Town; default: here.
    #[serde(default)]
    place: Option<String>,
    /// As the person said it, as in "tonight" or "friday"; default: now.
    #[serde(default)]
    when: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Weather {
    spoken: String,
    place: String,
    /// Local time.
    from: String,
    condition: String,
    low: i32,
    high: i32,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rain_chance: Option<i32>,
    /// Only where it is strong; in miles or kilometers per hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    wind: Option<i32>,
    /// Only where the service is silent: local time of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    days: Vec<OneDay>,
    source: &'static str,
    #[serde(skip)]
    told: Telling,
    /// The condition by its name in every language.
    #[serde(skip)]
    named: &'static str,
}

/// One of several days.
#[derive(Debug, Serialize, JsonSchema)]
struct OneDay {
    date: String,
    condition: String,
    low: i32,
    high: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    rain_chance: Option<i32>,
}

impl Tell for Weather {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }

    fn facts(&self) -> Map<String, Value> {
        Map::from_iter([("condition".to_owned(), Value::from(self.named))])
    }
}

pub(super) async fn get_weather(
    question: WeatherQuestion,
    person: &Circumstances,
    asking: &Asking,
) -> Result<Weather, ToolError> {
    let WeatherQuestion { place, when } = question;
    let usual = Usual::Now;
    let view = asking.answer(Question { place, when, usual }, person).await?;
    let locales = &*asking.locales;
    let summary = view.summary().ok_or_else(|| no_figures(&view))?;
    let told = if let Kind::Days(_) = view.span.kind {
        by_the_day(&view, locales)
    } else {
        let told = view.telling(locales, view.label(locales), &summary);
        view.with_perils(told, &summary)
    };
    let told = view.with_age(locales, told);
    Ok(weather(&view, locales, &summary, told))
}

fn weather(view: &View, locales: &Locales, summary: &Summary, told: Telling) -> Weather {
    let days = match view.span.kind {
        Kind::Days(_) => one_by_one(view, locales),
        _ => Vec::new(),
    };
    Weather {
        spoken: view.said(locales, &told),
        place: view.place.clone(),
        from: view.span.from.strftime("%Y-%m-%dT%H:%M").to_string(),
        condition: named(view, locales, summary.code),
        low: view.degrees(summary.low),
        high: view.degrees(summary.high),
        unit: view.unit(),
        rain_chance: summary.chance.map(whole),
        wind: view.noteworthy_wind(summary),
        as_of: view.as_of(),
        days,
        source: CREDIT,
        told,
        named: condition::name(summary.code),
    }
}

/// A line for each day; the place is said once.
fn by_the_day(view: &View, locales: &Locales) -> Telling {
    let words = view.words(locales);
    let places = std::iter::once(view.named_place()).chain(std::iter::repeat(None));
    let mut days = view.days().into_iter().zip(places).map(|(day, place)| {
        let label = words.day(day.date, place);
        view.telling(locales, label, &Summary::of_day(&day))
    });
    let first = days.next().unwrap_or_else(|| Telling::new("weather"));
    days.fold(first, Telling::then)
}

fn one_by_one(view: &View, locales: &Locales) -> Vec<OneDay> {
    let days = view.days().into_iter();
    days.map(|day| OneDay {
        date: day.date.to_string(),
        condition: named(view, locales, day.code),
        low: view.degrees(day.low),
        high: view.degrees(day.high),
        rain_chance: day.chance.map(whole),
    })
    .collect()
}

fn named(view: &View, locales: &Locales, code: u8) -> String {
    view.words(locales).listed("condition", condition::name(code))
}

pub(super) fn no_figures(view: &View) -> ToolError {
    let complaint = format!(
        "the weather service Open-Meteo has no figures for that at {}",
        view.place
    );
    ToolError::reply("LookupError", complaint).naming([&view.place])
}
