//! `loquat setup`: what it asks, what it writes, and that it writes nothing where the questions are left.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::wait::PATIENCE;
use loquat_tests::web_server::{Answer, Asked, WebServer};
use serde_json::json;

/// Knows two towns of one name.
pub(crate) fn towns(_asked: &Asked) -> Answer {
    Answer::json(&json!({"results": [
        {"name": "Paris", "latitude": 48.85, "longitude": 2.35, "timezone": "Europe/Paris", "country": "France",
            "country_code": "FR", "admin1": "Île-de-France"},
        {"name": "Paris", "latitude": 33.66, "longitude": -95.56, "timezone": "America/Chicago", "country": "United States",
            "country_code": "US", "admin1": "Texas"},
    ]}))
}

/// A home without settings, and the file that they will be in.
fn home() -> (Home, std::path::PathBuf) {
    let home = Home::without_bus();
    let file = home.path().join("config/loquat/loquat.toml");
    (home, file)
}

/// Puts the questions to a person who says these lines and then leaves.
async fn said(home: &Home, lines: &[&str]) -> (bool, Daemon) {
    let mut setup = Launch::new(home, &["setup"]).attended();
    for line in lines {
        setup.types(line).await;
    }
    setup.left_alone();
    let status = setup.ended(PATIENCE).await;
    (status.success(), setup)
}

#[tokio::test]
async fn a_town_is_looked_up_after_a_yes_and_one_of_its_name_chosen() {
    let services = WebServer::start(towns).await;
    let (home, file) = home();
    home.setting("weather.geocoding_url", &format!("\"{}\"", services.url()));
    let lines = ["de-AT", "Paris", "y", "2", "imperial", "", "off", ""];
    let (done, setup) = said(&home, &lines).await;
    assert!(done, "{}", setup.output());
    let written: toml::Table = fs::read_to_string(&file).unwrap().parse().unwrap();
    let device = &written["device"];
    assert_eq!(device["language"].as_str(), Some("de-AT"));
    assert_eq!(device["place"].as_str(), Some("Paris"));
    assert_eq!(device["longitude"].as_float(), Some(-95.56));
    assert_eq!(device["time_zone"].as_str(), Some("America/Chicago"));
    assert_eq!(device["units"].as_str(), Some("imperial"));
    assert_eq!(written["speech"]["wake_word"].as_str(), Some("off"));
    assert!(
        setup.output().contains("2. Paris, Texas, United States"),
        "{}",
        setup.output()
    );
    let checked = Launch::new(&home, &["check"]).run().await;
    let place = "place        Paris, latitude 33.66, longitude -95.56";
    assert!(checked.stdout.contains(place), "{}", checked.shown());
}

#[tokio::test]
async fn without_a_yes_nobody_is_asked_where_a_town_is() {
    let services = WebServer::start(towns).await;
    let (home, _) = home();
    home.setting("weather.geocoding_url", &format!("\"{}\"", services.url()));
    let (done, setup) = said(&home, &["", "Paris", "n", "", "", "", ""]).await;
    assert!(
        done && setup.output().contains("Nothing was changed."),
        "{}",
        setup.output()
    );
    assert!(services.asked().is_empty());
}

#[tokio::test]
async fn a_home_is_asked_for_and_its_token_is_kept_for_its_owner_alone() {
    let (home, file) = home();
    let token = home.path().join("config/loquat/home-assistant.token");
    // Whatever rights a file of that name had.
    fs::write(&token, "old").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
    let lines = [
        "",
        "",
        "",
        "",
        "",
        "homeassistant:8123",
        "http://10.0.0.9:8123",
        "a-long-token",
    ];
    let (done, setup) = said(&home, &lines).await;
    let shown = setup.output();
    assert!(done && !shown.contains("a-long-token"), "{shown}");
    let written: toml::Table = fs::read_to_string(&file).unwrap().parse().unwrap();
    let of_home = &written["home_assistant"];
    assert_eq!(of_home["url"].as_str(), Some("http://10.0.0.9:8123"), "{shown}");
    assert_eq!(of_home["token_file"].as_str(), token.to_str(), "{shown}");
    assert_eq!(fs::read_to_string(&token).unwrap(), "a-long-token\n");
    assert_eq!(fs::metadata(&token).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn without_a_token_it_is_said_what_the_home_still_needs() {
    let (home, file) = home();
    let lines = ["", "", "", "", "", "http://10.0.0.9:8123", ""];
    let (done, setup) = said(&home, &lines).await;
    let shown = setup.output();
    assert!(
        done && shown.contains("home_assistant.token_file names its file"),
        "{shown}"
    );
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("10.0.0.9") && !written.contains("token_file"),
        "{written}"
    );
}

#[tokio::test]
async fn what_cannot_be_understood_is_asked_again() {
    let (home, file) = home();
    let lines = [
        "a language",
        "pt-BR",
        "91, 0",
        "38.72, -9.14",
        "miles",
        "metric",
        "Nobody Here",
        "",
        "",
        "ftp:/nowhere",
        "",
    ];
    let (done, setup) = said(&home, &lines).await;
    let shown = setup.output();
    assert!(done, "{shown}");
    for complaint in [
        "is no language",
        "from -90 to 90",
        "is none of metric",
        "is none of Loquat",
    ] {
        assert!(shown.contains(complaint), "{complaint}: {shown}");
    }
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("language = \"pt-BR\"") && written.contains("latitude = 38.72"),
        "{written}"
    );
}

#[tokio::test]
async fn who_leaves_in_the_middle_changes_nothing() {
    let (home, file) = home();
    let before = fs::read_to_string(&file).ok();
    let (done, setup) = said(&home, &["de-DE", "38.72, -9.14"]).await;
    assert!(
        !done && setup.output().contains("nothing was changed"),
        "{}",
        setup.output()
    );
    assert_eq!(fs::read_to_string(&file).ok(), before);
}

#[tokio::test]
async fn half_a_place_and_unknown_words_are_refused_with_the_key() {
    for (key, value, complaint) in [
        (
            "device.latitude",
            "38.72",
            "device.latitude and device.longitude belong together",
        ),
        ("device.language", "\"loud\u{e9}\"", "device.language is"),
        ("device.time_zone", "\"Europe/Atlantis\"", "device.time_zone is"),
        ("device.units", "\"furlongs\"", "device.units"),
    ] {
        let (home, _) = home();
        home.setting(key, value);
        let checked = Launch::new(&home, &["check"]).run().await;
        assert!(checked.stdout.contains(complaint), "{key}: {}", checked.shown());
    }
}
