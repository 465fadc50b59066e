//! The tool that tells whether a coat, an umbrella or the like is needed.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gap;
use super::inquiry::{Asking, Question, Usual};
use super::rain::Falling;
use super::tools::{CREDIT, no_figures};
use super::view::{View, degrees, whole};
use loquat_kit::dialog::{Gap, Tell, Telling};
use loquat_kit::locale::Locales;

/// What `spoken` tells again.
pub(super) const DRESS_MEMBERS: &[&str] = &["needed", "place", "as_of", "source"];

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
