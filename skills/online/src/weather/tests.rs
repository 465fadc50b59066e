//! Questions about the weather, against a server of our own that answers as Open-Meteo does.

use std::sync::Arc;

use jiff::{Timestamp, ToSpan};
use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use parking_lot::Mutex;
use serde_json::{Value, json};

use self::server::{Server, Shape};
use super::{Forecaster, Home, SKILL, WeatherSettings, toolbox};
use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::permission::{Permissions, Rules};
use loquat_kit::wording::Wording;

mod lists;
mod sentences;
mod server;

/// Tuesday, ten in the morning in Paris.
const NOW: &str = "2026-11-24T09:00:00Z";

struct Device {
    toolbox: FunctionToolbox,
    now: Arc<Mutex<Timestamp>>,
    person: Circumstances,
}

impl Device {
    fn asking(url: &str) -> Self {
        Self::at(WeatherSettings {
            url: url.to_owned(),
            geocoding_url: url.to_owned(),
            home: Some(Home {
                latitude: 52.5244,
                longitude: 13.4105,
                name: "Berlin".to_owned(),
                time_zone: Some("Europe/Berlin".to_owned()),
            }),
        })
    }

    fn at(settings: WeatherSettings) -> Self {
        let now = Arc::new(Mutex::new(NOW.parse().expect("a moment")));
        let clock = Arc::clone(&now);
        let permissions = Arc::new(Permissions::new(Rules::everything()));
        let service = Arc::new(Forecaster::new(settings, &permissions));
        let wording = Wording::new(Skill::locales([&SKILL]).into());
        let person = Circumstances {
            lang: Some("en-US".to_owned()),
            time_zone: Some("Europe/Berlin".to_owned()),
            time_format: Some("full".to_owned()),
            ..Circumstances::default()
        };
        Self {
            toolbox: toolbox(&service, &(Arc::new(move || *clock.lock()) as Now), &wording),
            now,
            person,
        }
    }

    fn later(&self, minutes: i64) {
        let mut now = self.now.lock();
        *now += minutes.minutes();
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
        let arguments = serde_json::from_value(arguments).expect("an object");
        self.toolbox.call(tool, arguments, &self.person).await
    }

    async fn spoken(&self, tool: &str, arguments: Value) -> String {
        let outcome = self.call(tool, arguments).await.expect("weather");
        assert_eq!(outcome.spoken.as_deref(), outcome.result["spoken"].as_str());
        assert_eq!(outcome.result["source"], "Weather data by Open-Meteo.com");
        outcome.spoken.expect("a sentence")
    }

    async fn complaint(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments)
            .await
            .expect_err("a complaint")
            .to_string()
    }
}

#[tokio::test]
async fn the_weather_is_told_for_every_kind_of_time() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for (arguments, expected) in [
        (json!({}), "Right now: light rain, 7 degrees."),
        (
            json!({"place": "here", "when": "now"}),
            "Right now: light rain, 7 degrees.",
        ),
        (
            json!({"place": "Paris"}),
            "Right now in Paris: light rain, 7 degrees.",
        ),
        (
            json!({"when": "today"}),
            "Today: rain, 3 to 11 degrees. The chance of rain is 60 percent.",
        ),
        (
            json!({"when": "tomorrow"}),
            "Tomorrow: partly cloudy, 4 to 12 degrees.",
        ),
        (
            json!({"when": "friday"}),
            "Friday: partly cloudy, 6 to 14 degrees.",
        ),
        (json!({"when": "at 5 pm"}), "17:00: overcast, 10 degrees."),
        (json!({"when": "in 3 hours"}), "13:00: overcast, 10 degrees."),
        (json!({"when": "tonight"}), "Tonight: overcast, 10 degrees."),
        (
            json!({"when": "tomorrow morning", "place": "Paris"}),
            "Tomorrow morning in Paris: overcast, 10 degrees.",
        ),
        (
            json!({"when": "tomorrow at 5"}),
            "Tomorrow, 5:00: overcast, 10 degrees.",
        ),
    ] {
        assert_eq!(
            device.spoken("get_weather", arguments.clone()).await,
            expected,
            "{arguments}"
        );
    }
    let week = device.spoken("get_weather", json!({"when": "this week"})).await;
    assert!(
        week.starts_with("Today: rain, 3 to 11 degrees. Tomorrow: partly cloudy"),
        "{week}"
    );
    assert_eq!(week.matches("degrees.").count(), 7, "{week}");
}

#[tokio::test]
async fn a_single_thing_of_the_weather_is_told() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for (arguments, expected) in [
        (
            json!({"about": "high", "when": "tomorrow"}),
            "Tomorrow: up to 12 degrees.",
        ),
        (
            json!({"about": "low", "when": "tomorrow"}),
            "Tomorrow: down to 4 degrees.",
        ),
        (
            json!({"about": "fog", "when": "tomorrow"}),
            "No. Tomorrow: no fog.",
        ),
        (
            json!({"about": "storm", "when": "friday"}),
            "No. Friday: no thunderstorms.",
        ),
    ] {
        assert_eq!(
            device.spoken("weather_detail", arguments.clone()).await,
            expected,
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn the_sun_is_computed_here() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for (arguments, expected) in [
        (
            json!({"about": "sunrise", "when": "today"}),
            "Today: sunrise at 7:43.",
        ),
        // It has risen today.
        (json!({"about": "sunrise"}), "Tomorrow: sunrise at 7:44."),
        (
            json!({"about": "sunset", "when": "tomorrow", "place": "Paris"}),
            "Tomorrow in Paris: sunset at 17:01.",
        ),
    ] {
        let outcome = device.call("weather_detail", arguments).await.expect("a time");
        assert_eq!(outcome.spoken.as_deref(), Some(expected));
        assert_eq!(outcome.result.get("source"), None);
    }
}

#[tokio::test]
async fn units_and_languages_are_the_person_s() {
    let server = Server::start(Shape::Well).await;
    let mut device = Device::asking(&server.url);
    device.person.units = Some("imperial".to_owned());
    let outcome = device.call("get_weather", json!({})).await.expect("weather");
    assert_eq!(
        (&outcome.result["unit"], &outcome.result["low"]),
        (&json!("fahrenheit"), &json!(44))
    );
    device.person.units = None;
    for (lang, expected) in [
        ("de-DE", "Morgen in Paris: teilweise bewölkt, 4 bis 12 Grad."),
        (
            "fr-FR",
            "Demain à Paris : partiellement nuageux, de 4 à 12 degrés.",
        ),
        (
            "es-ES",
            "Mañana en Paris: parcialmente nublado, de 4 a 12 grados.",
        ),
        ("it-IT", "Domani a Paris: parzialmente nuvoloso, da 4 a 12 gradi."),
        ("pt-PT", "Amanhã em Paris: parcialmente nublado, de 4 a 12 graus."),
    ] {
        device.person.lang = Some(lang.to_owned());
        let spoken = device
            .spoken("get_weather", json!({"place": "Paris", "when": "tomorrow"}))
            .await;
        assert_eq!(spoken, expected);
    }
}

#[tokio::test]
async fn rain_and_clothes_are_answered_with_yes_or_no() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for (tool, arguments, expected) in [
        (
            "will_it_rain",
            json!({}),
            "Yes. Today: 60 percent chance of rain, most likely at 15:00.",
        ),
        ("will_it_rain", json!({"when": "now"}), "Yes. Right now: rain."),
        (
            "will_it_rain",
            json!({"when": "tomorrow"}),
            "No. Tomorrow: 10 percent chance of rain.",
        ),
        ("will_it_rain", json!({"what": "snow"}), "No. Today: no snow."),
        (
            "will_it_rain",
            json!({"what": "dry"}),
            "No. Today: 60 percent chance of rain, most likely at 15:00.",
        ),
        (
            "will_it_rain",
            json!({"what": "dry", "when": "tomorrow"}),
            "Yes. Tomorrow: only 10 percent chance of rain.",
        ),
        (
            "dress_for_weather",
            json!({"thing": "an umbrella"}),
            "Yes. Today: 60 percent chance of rain, most likely at 15:00.",
        ),
        (
            "dress_for_weather",
            json!({"thing": "coat", "when": "tomorrow"}),
            "Yes. Tomorrow: down to 8 degrees.",
        ),
        (
            "dress_for_weather",
            json!({"thing": "gloves", "when": "tomorrow"}),
            "No. Tomorrow: not below 8 degrees.",
        ),
        (
            "dress_for_weather",
            json!({"thing": "sunscreen"}),
            "No. Today: the UV index only reaches 1.",
        ),
    ] {
        assert_eq!(
            device.spoken(tool, arguments.clone()).await,
            expected,
            "{tool} {arguments}"
        );
    }
}

#[tokio::test]
async fn wrong_arguments_are_named() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for (tool, arguments, expected) in [
        (
            "get_weather",
            json!({"when": "someday"}),
            "ValueError: when: cannot read 'someday'",
        ),
        (
            "get_weather",
            json!({"when": "yesterday"}),
            "ValueError: when: 'yesterday' is past",
        ),
        (
            "get_weather",
            json!({"when": "in 90 days"}),
            "ValueError: when: there is no forecast for 2027-02-22",
        ),
        (
            "get_weather",
            json!({"place": "Nowhere"}),
            "LookupError: place: the weather service Open-Meteo knows no 'Nowhere'",
        ),
        (
            "will_it_rain",
            json!({"what": "frogs"}),
            "ValueError: what: is none of",
        ),
        (
            "dress_for_weather",
            json!({"thing": "a crown"}),
            "ValueError: thing: is not known",
        ),
    ] {
        let complaint = device.complaint(tool, arguments.clone()).await;
        assert!(complaint.starts_with(expected), "{arguments}: {complaint}");
    }
    let homeless = Device::at(WeatherSettings {
        url: server.url.clone(),
        geocoding_url: server.url.clone(),
        home: None,
    });
    let complaint = homeless.complaint("get_weather", json!({})).await;
    assert_eq!(
        complaint,
        "PlaceError: place: say for which place; the person can set one with: loquat setup"
    );
}

#[tokio::test]
async fn a_region_tells_places_of_one_name_apart() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for place in ["Paris, Texas", "Paris Texas"] {
        device.spoken("get_weather", json!({"place": place})).await;
        assert!(server.last().contains("latitude=33.66"), "{}", server.last());
    }
}

#[tokio::test]
async fn an_answer_serves_ten_minutes() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    for (minutes, asked) in [(0, 1), (9, 1), (2, 2)] {
        device.later(minutes);
        device.spoken("get_weather", json!({"when": "tomorrow"})).await;
        device.spoken("will_it_rain", json!({})).await;
        assert_eq!(server.count(), asked);
    }
    let asked = server.last();
    assert!(asked.contains("latitude=52.52&longitude=13.41&"), "{asked}");
    assert!(server.heard("user-agent: Loquat/"), "{asked}");
}

#[tokio::test]
async fn faults_are_told_in_plain_words() {
    for (shape, expected) in [
        (Shape::Status(400), "refuses the question (status 400)"),
        (Shape::Status(500), "has a fault of its own (status 500)"),
        (Shape::Page, "gave an answer that makes no sense"),
        (Shape::Empty, "gave an answer that makes no sense"),
        (Shape::Cut, "broke off in the middle of its answer"),
        (Shape::Announced, "gave an answer that is longer than 2 MiB"),
        (Shape::Endless, "gave an answer that is longer than 2 MiB"),
        (Shape::Elsewhere, "has a fault of its own (status 302)"),
    ] {
        let server = Server::start(shape).await;
        let complaint = Device::asking(&server.url)
            .complaint("get_weather", json!({}))
            .await;
        assert_eq!(
            complaint,
            format!("ConnectionError: the weather service Open-Meteo {expected}")
        );
        let complaint = Device::asking(&server.url)
            .complaint("get_weather", json!({"place": "Rome"}))
            .await;
        assert!(
            complaint.starts_with("ConnectionError: the weather service Open-Meteo "),
            "{complaint}"
        );
    }
}

#[tokio::test]
async fn a_server_that_asks_for_a_pause_gets_it() {
    let server = Server::start(Shape::Busy).await;
    let device = Device::asking(&server.url);
    let busy = |seconds| {
        format!(
            "ConnectionError: the weather service Open-Meteo has had too many questions; ask again in {seconds} seconds"
        )
    };
    assert_eq!(device.complaint("get_weather", json!({})).await, busy(180));
    device.later(2);
    assert_eq!(device.complaint("get_weather", json!({})).await, busy(60));
    assert_eq!(server.count(), 1);
    device.later(1);
    server.become_(Shape::Well);
    device.spoken("get_weather", json!({})).await;
    assert_eq!(server.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_given_up() {
    let server = Server::start(Shape::Silent).await;
    let complaint = Device::asking(&server.url)
        .complaint("get_weather", json!({}))
        .await;
    assert_eq!(
        complaint,
        "ConnectionError: the weather service Open-Meteo did not answer in time"
    );
}

#[tokio::test]
async fn an_old_answer_serves_where_there_is_no_new_one() {
    let server = Server::start(Shape::Well).await;
    let device = Device::asking(&server.url);
    device.spoken("get_weather", json!({"place": "Paris"})).await;
    server.become_(Shape::Status(503));
    device.later(3 * 60);
    let old = "That was the forecast of 10:00; I cannot reach the weather service now.";
    let spoken = device.spoken("get_weather", json!({"place": "Paris"})).await;
    assert_eq!(spoken, format!("Right now in Paris: overcast, 10 degrees. {old}"));
    let spoken = device
        .spoken("get_weather", json!({"place": "Paris", "when": "tomorrow"}))
        .await;
    assert_eq!(
        spoken,
        format!("Tomorrow in Paris: partly cloudy, 4 to 12 degrees. {old}")
    );
    let spoken = device.spoken("will_it_rain", json!({"place": "Paris"})).await;
    assert!(spoken.ends_with(old), "{spoken}");
    device.later(22 * 60);
    let complaint = device.complaint("get_weather", json!({"place": "Paris"})).await;
    assert!(
        complaint.contains("has a fault of its own (status 503)"),
        "{complaint}"
    );
}

#[tokio::test]
async fn a_closed_port_is_no_service() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let complaint = Device::asking(&url).complaint("get_weather", json!({})).await;
    assert_eq!(
        complaint,
        "ConnectionError: the weather service Open-Meteo cannot be reached"
    );
}

#[tokio::test]
async fn nothing_of_a_foreign_name_but_its_letters_is_told() {
    let server = Server::start(Shape::StrangeName).await;
    let spoken = Device::asking(&server.url)
        .spoken("get_weather", json!({"place": "Rome"}))
        .await;
    assert_eq!(
        spoken,
        format!(
            "Right now in Ro mescript{}: light rain, 7 degrees.",
            "x".repeat(49)
        )
    );
}
