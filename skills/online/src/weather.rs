//! `loquat-weather-tools`: the weather now and for two weeks ahead, here and elsewhere, by Open-Meteo.
//!
//! Asks a server only when a tool is called, and shows nothing that the server says but figures and names of places.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use include_dir::include_dir;

use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::permission::Service;
use loquat_kit::wording::Wording;
use serde_json::json;

mod condition;
mod detail;
mod dress;
mod forecast;
mod gap;
mod inquiry;
mod rain;
mod service;
mod settings;
mod sun;
#[cfg(test)]
mod tests;
mod tools;
mod view;
mod when;
mod words;

pub use service::{Forecaster, Town, TownsError};
pub use settings::{Home, WeatherSettings};

/// The toolbox's id.
pub const ID: &str = "loquat-weather-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "weather";

/// Two questions to the service, for the place and for its weather, and some time to compute.
const PATIENCE: Duration = Duration::from_secs(25);

const WEATHER: &str = "get_weather";
const RAIN: &str = "will_it_rain";
const DRESS: &str = "dress_for_weather";
const DETAIL: &str = "weather_detail";

const PLACE: Slot = Slot {
    name: "place",
    argument: "place",
    read: gap::read_place,
};
const WHEN: Slot = Slot {
    name: "when",
    argument: "when",
    read: gap::read_when,
};
const THING: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gap::read_thing,
};

const ABOUT: Slot = Slot {
    name: "what",
    argument: "about",
    read: gap::read_detail,
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("weather", WEATHER).slots(&[PLACE, WHEN]),
    Intent::new("temperature", WEATHER).slots(&[PLACE, WHEN]),
    Intent::new("rain", RAIN).slots(&[PLACE, WHEN]),
    Intent::new("dry", RAIN)
        .slots(&[PLACE, WHEN])
        .unsaid(&[("what", Unsaid::Words("dry"))]),
    Intent::new("raining", RAIN)
        .slots(&[PLACE])
        .unsaid(&[("when", Unsaid::Words("now"))])
        .widened_by("rain"),
    Intent::new("snow", RAIN)
        .slots(&[PLACE, WHEN])
        .unsaid(&[("what", Unsaid::Words("snow"))]),
    Intent::new("rain_next", RAIN)
        .slots(&[PLACE])
        .unsaid(&[("when", Unsaid::Words("this week"))]),
    Intent::new("dress", DRESS).slots(&[THING, PLACE, WHEN]),
    Intent::new("detail", DETAIL).slots(&[ABOUT, PLACE, WHEN]),
    Intent::new("humidity", DETAIL)
        .slots(&[PLACE, WHEN])
        .unsaid(&[("about", Unsaid::Words("humidity"))]),
    Intent::new("sunrise", DETAIL)
        .slots(&[PLACE, WHEN])
        .unsaid(&[("about", Unsaid::Words("sunrise"))]),
    Intent::new("sunset", DETAIL)
        .slots(&[PLACE, WHEN])
        .unsaid(&[("about", Unsaid::Words("sunset"))]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/weather/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox. The service is the device's, the place the question's.
pub fn toolbox(service: &Arc<Forecaster>, now: &Now, wording: &Wording) -> FunctionToolbox {
    let [first, second, third, fourth] = std::array::from_fn(|_| inquiry::Asking {
        service: Arc::clone(service),
        locales: Arc::clone(&wording.locales),
        now: Arc::clone(now),
    });
    let functions = vec![
        Function::waiting(
            WEATHER,
            "Current weather, or the forecast for a time.",
            move |question, person| {
                let asking = first.clone();
                async move { tools::get_weather(question, person, &asking).await }.boxed()
            },
        )
        .with(|tool| told(tool, tools::WEATHER_MEMBERS)),
        Function::waiting(
            RAIN,
            "Tell whether and when it will rain or snow.",
            move |question, person| {
                let asking = second.clone();
                async move { rain::will_it_rain(question, person, &asking).await }.boxed()
            },
        )
        .hinted(
            "Can we have a picnic in Rome on Sunday?",
            "This depends on the weather.",
            json!({"place": "Rome", "when": "Sunday"}),
        )
        .with(|tool| told(tool, rain::RAIN_MEMBERS)),
        Function::waiting(
            DRESS,
            "Tell whether the weather calls for a coat, an umbrella or the like.",
            move |question, person| {
                let asking = third.clone();
                async move { dress::dress_for_weather(question, person, &asking).await }.boxed()
            },
        )
        .with(|tool| told(tool, dress::DRESS_MEMBERS)),
        Function::waiting(
            DETAIL,
            "Tell a single thing of the weather, such as the wind or when the sun sets.",
            move |question, person| {
                let asking = fourth.clone();
                async move { detail::tell_detail(question, person, &asking).await }.boxed()
            },
        )
        .with(|tool| {
            told(tool, detail::DETAIL_MEMBERS);
            tool.unseen = true;
            // When the sun rises is computed where the place is known.
            tool.may_stay = true;
        }),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

fn told(tool: &mut loquat_agent::toolbox::Tool, retold: &[&str]) {
    tool.value = Some("spoken".to_owned());
    tool.retold = retold.iter().map(|member| (*member).to_owned()).collect();
    tool.timeout = PATIENCE;
    tool.sends = true;
    tool.reaches = Some(Service::Weather.to_string());
}
