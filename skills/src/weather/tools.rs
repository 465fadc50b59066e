//! What the tools take and give; what is known of the weather comes from the modules beside.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::inquiry::{Asking, Question, Usual};
use super::view::{Summary, View, degrees, whole};
use super::when::Kind;
use super::{condition, gap};
use crate::dialog::{Gap, Tell, Telling};
use crate::locale::Locales;

/// The licence of the data asks for it.
const CREDIT: &str = "Weather data by Open-Meteo.com";

/// From this chance on it is rather likely, in percent.
const LIKELY: f64 = 50.0;

/// From this chance on it is possible, in percent.
const POSSIBLE: f64 = 30.0;

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
pub(super) const RAIN_MEMBERS: &[&str] = &["answer", "chance", "most_likely_at", "place", "as_of", "source"];
pub(super) const DRESS_MEMBERS: &[&str] = &["needed", "place", "as_of", "source"];

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

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RainQuestion {
    /// Town; default: here.
    #[serde(default)]
    place: Option<String>,
    /// As the person said it, as in "tomorrow"; default: today.
    #[serde(default)]
    when: Option<String>,
    /// rain or snow; default: rain.
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
    let is_snow = match what.as_deref().map(str::trim).map(str::to_lowercase).as_deref() {
        None | Some("" | "rain") => false,
        Some("snow") => true,
        Some(_) => {
            return Err(ToolError::reply(
                "ValueError",
                "what: is neither 'rain' nor 'snow'; write one of them",
            ));
        }
    };
    let usual = Usual::RestOfToday;
    let view = asking.answer(Question { place, when, usual }, person).await?;
    let falling = Falling::of(&view, is_snow);
    let locales = &*asking.locales;
    let told = view.with_age(locales, falling.telling(&view, locales));
    Ok(Rain {
        spoken: view.said(locales, &told),
        answer: falling.answer,
        chance: falling.chance.map(whole),
        most_likely_at: falling.at.map(|at| at.strftime("%Y-%m-%dT%H:%M").to_string()),
        place: view.place.clone(),
        as_of: view.as_of(),
        source: CREDIT,
        told,
    })
}

/// Whether something falls, how likely that is, and when most.
#[derive(Debug)]
struct Falling {
    answer: &'static str,
    is_snow: bool,
    chance: Option<f64>,
    at: Option<jiff::civil::DateTime>,
}

impl Falling {
    fn of(view: &View, is_snow: bool) -> Self {
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

    fn telling(&self, view: &View, locales: &Locales) -> Telling {
        let dialog = match (self.is_snow, self.answer) {
            (false, "yes") => "rain_yes",
            (false, "perhaps") => "rain_perhaps",
            (false, _) => "rain_no",
            (true, "yes") => "snow_yes",
            (true, "perhaps") => "snow_perhaps",
            (true, _) => "snow_no",
        };
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

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct DressQuestion {
    /// coat, jacket, umbrella, gloves or sunscreen.
    thing: String,
    /// Town; default: here.
    #[serde(default)]
    place: Option<String>,
    /// As the person said it, as in "tomorrow"; default: today.
    #[serde(default)]
    when: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Dress {
    spoken: String,
    needed: bool,
    place: String,
    /// Only where the service is silent: local time of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
    source: &'static str,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Dress {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

/// Against what something helps.
#[derive(Debug, Clone, Copy)]
enum Against {
    Rain,
    /// When it is colder than this, in °C.
    Cold(f64),
    Sun,
}

/// From this index of ultraviolet light on the World Health Organization asks for protection.
const STRONG_SUN: f64 = 3.0;

pub(super) async fn dress_for_weather(
    question: DressQuestion,
    person: &Circumstances,
    asking: &Asking,
) -> Result<Dress, ToolError> {
    let DressQuestion { thing, place, when } = question;
    let locales = &*asking.locales;
    let lang = person.lang.as_deref().unwrap_or("en");
    let against = match gap::thing(locales, lang, &thing) {
        Some("umbrella") => Against::Rain,
        Some("coat") => Against::Cold(10.0),
        Some("jacket") => Against::Cold(18.0),
        Some("gloves") => Against::Cold(4.0),
        Some("sunscreen") => Against::Sun,
        _ => {
            let complaint = "thing: is not known; write coat, jacket, umbrella, gloves or sunscreen";
            return Err(ToolError::reply("ValueError", complaint));
        }
    };
    let usual = Usual::RestOfToday;
    let view = asking.answer(Question { place, when, usual }, person).await?;
    let (needed, told) = advice(against, &view, locales)?;
    let told = view.with_age(locales, told);
    Ok(Dress {
        spoken: view.said(locales, &told),
        needed,
        place: view.place.clone(),
        as_of: view.as_of(),
        source: CREDIT,
        told,
    })
}

fn advice(against: Against, view: &View, locales: &Locales) -> Result<(bool, Telling), ToolError> {
    let label = view.label(locales);
    match against {
        Against::Rain => {
            let falling = Falling::of(view, false);
            Ok((falling.answer != "no", falling.telling(view, locales)))
        }
        Against::Cold(bound) => {
            let felt = view
                .hours
                .iter()
                .map(|hour| hour.felt.unwrap_or(hour.temperature));
            let low = felt.reduce(f64::min).ok_or_else(|| no_figures(view))?;
            let needed = low < bound;
            let told = Telling::new(if needed { "cold_yes" } else { "cold_no" });
            let told = told.words("label", label);
            Ok((needed, told.with("temperature", degrees(view.degrees(low)))))
        }
        Against::Sun => {
            let days = view.report.forecast.days_from(view.span.from.date(), 1);
            let index = days
                .first()
                .and_then(|day| day.ultraviolet)
                .ok_or_else(|| no_figures(view))?;
            let told = Telling::new(if index >= STRONG_SUN { "sun_yes" } else { "sun_no" });
            let told = told.words("label", label);
            Ok((
                index >= STRONG_SUN,
                told.with("index", Gap::Number(f64::from(whole(index)))),
            ))
        }
    }
}

fn named(view: &View, locales: &Locales, code: u8) -> String {
    view.words(locales).listed("condition", condition::name(code))
}

fn no_figures(view: &View) -> ToolError {
    let complaint = format!(
        "the weather service Open-Meteo has no figures for that at {}",
        view.place
    );
    ToolError::reply("LookupError", complaint)
}
