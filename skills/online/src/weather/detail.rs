//! The tool that tells a single thing of the weather: wind, fog, how warm it becomes at most, when the sun rises.
//!
//! Sentences ask for it by the names of `detail.value`; a brain has the other tools.

use jiff::Zoned;
use jiff::civil::Time;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition;
use super::inquiry::{Asking, Question, Scene, Usual};
use super::rain::Falling;
use super::sun::{self, Turn};
use super::tools::{CREDIT, no_figures};
use super::view::{Summary, View, degrees, whole};
use loquat_kit::dialog::{Gap, Tell, Telling};
use loquat_kit::locale::Locales;

/// What `spoken` tells again.
pub(super) const DETAIL_MEMBERS: &[&str] = &["place", "as_of", "source"];

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct DetailQuestion {
    /// What is asked about.
    about: About,
    /// Town; default: here.
    #[serde(default)]
    place: Option<String>,
    /// As the person said it, as in "tomorrow"; default: today.
    #[serde(default)]
    when: Option<String>,
}

/// A single thing of the weather.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum About {
    Sky,
    Wind,
    Humidity,
    Fog,
    Storm,
    Rain,
    Snow,
    High,
    Low,
    Sunrise,
    Sunset,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Detail {
    spoken: String,
    place: String,
    /// Only where the service is silent: local time of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
    /// Absent where it was computed here.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Detail {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn tell_detail(
    question: DetailQuestion,
    person: &Circumstances,
    asking: &Asking,
) -> Result<Detail, ToolError> {
    let DetailQuestion { about, place, when } = question;
    let usual = match about {
        About::Sky => Usual::Now,
        _ => Usual::RestOfToday,
    };
    let question = Question { place, when, usual };
    match about {
        About::Sunrise => of_the_sun(Turn::Rise, question, person, asking).await,
        About::Sunset => of_the_sun(Turn::Set, question, person, asking).await,
        _ => of_the_weather(about, question, person, asking).await,
    }
}

async fn of_the_weather(
    about: About,
    question: Question,
    person: &Circumstances,
    asking: &Asking,
) -> Result<Detail, ToolError> {
    let view = asking.answer(question, person).await?;
    let locales = &*asking.locales;
    let told = told(about, &view, locales).ok_or_else(|| no_figures(&view))?;
    let told = view.with_age(locales, told);
    Ok(Detail {
        spoken: view.said(locales, &told),
        place: view.place.clone(),
        as_of: view.as_of(),
        source: Some(CREDIT),
        told,
    })
}

/// What there is to say; nothing where the service has no figures for it.
fn told(about: About, view: &View, locales: &Locales) -> Option<Telling> {
    let label = view.label(locales);
    let summary = view.summary()?;
    let labelled = |dialog| Telling::new(dialog).words("label", view.label(locales));
    let occurs = |is_it: fn(u8) -> bool, dialogs: [&'static str; 2]| {
        let codes = std::iter::once(summary.code).chain(view.hours.iter().map(|hour| hour.code));
        let [yes, no] = dialogs;
        labelled(if codes.into_iter().any(is_it) { yes } else { no })
    };
    Some(match about {
        About::Wind => view.wind("wind_of", summary.wind?).words("label", label),
        About::Humidity => labelled("humid").with("humidity", Gap::Number(humidity(view)?)),
        About::Fog => occurs(condition::is_fog, ["fog_yes", "fog_no"]),
        About::Storm => occurs(condition::is_storm, ["storm_yes", "storm_no"]),
        About::Rain => Falling::of(view, false).telling(view, locales),
        About::Snow => Falling::of(view, true).telling(view, locales),
        About::High => labelled("highest").with("temperature", degrees(view.degrees(summary.high))),
        About::Low => labelled("lowest").with("temperature", degrees(view.degrees(summary.low))),
        About::Sky | About::Sunrise | About::Sunset => sky(view, locales, label, &summary),
    })
}

fn sky(view: &View, locales: &Locales, label: String, summary: &Summary) -> Telling {
    view.with_perils(view.telling(locales, label, summary), summary)
}

/// The mean of the hours.
fn humidity(view: &View) -> Option<f64> {
    let known: Vec<f64> = view.hours.iter().filter_map(|hour| hour.humidity).collect();
    let count = (!known.is_empty()).then_some(known.len() as f64)?;
    Some(f64::from(whole(known.iter().sum::<f64>() / count)))
}

/// Computed, without asking a service but for where a place lies.
async fn of_the_sun(
    turn: Turn,
    question: Question,
    person: &Circumstances,
    asking: &Asking,
) -> Result<Detail, ToolError> {
    let is_said = question.when.is_some();
    let scene = asking.scene(&question, person).await?;
    let at = turn_of(turn, &scene, is_said);
    let date = at.as_ref().map_or_else(|| scene.span.from.date(), Zoned::date);
    let local = at.map(|at| at.time());
    let locales = &*asking.locales;
    let label = scene.words(locales).day(date, scene.named_place());
    let dialog = match (turn, local) {
        (_, None) => "no_sunrise",
        (Turn::Rise, Some(_)) => "sunrise",
        (Turn::Set, Some(_)) => "sunset",
    };
    let told = Telling::new(dialog)
        .words("label", label)
        .words(
            "time",
            scene.calendar.told_time(local.unwrap_or(Time::midnight())),
        )
        .naming([&scene.spot.name]);
    Ok(Detail {
        spoken: super::view::said(&scene.lang, locales, &told),
        place: scene.spot.name,
        as_of: None,
        source: None,
        told,
    })
}

/// When the sun turns by the clock of the place: on the day that was said, else next. Far in the north what belongs to a day
/// may come after its midnight.
fn turn_of(turn: Turn, scene: &Scene, is_said: bool) -> Option<Zoned> {
    let (day, now) = (scene.span.from.date(), scene.calendar.now());
    let days = [day.yesterday().ok(), Some(day), day.tomorrow().ok()];
    let turns = days.into_iter().flatten().filter_map(|day| {
        let at = sun::turns(turn, day, scene.spot.latitude, scene.spot.longitude)?;
        Some(at.to_zoned(now.time_zone().clone()))
    });
    let is_meant = |at: &Zoned| if is_said { at.date() == day } else { at > now };
    turns.into_iter().find(is_meant)
}
