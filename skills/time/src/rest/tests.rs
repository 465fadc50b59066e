//! Rest with a clock of the test's own, and what people say for it in six languages.

use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, Toolbox};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::{ID, Rest, Resting, SKILL};
use crate::alerts::Alerts;
use loquat_kit::Skill;
use loquat_kit::records::{Records, Volatile};
use loquat_kit::wording::Wording;
use loquat_trial::{heard, languages_are_whole};

/// A device whose clock the test sets.
struct Device {
    records: Arc<dyn Records>,
    now: Arc<Mutex<Timestamp>>,
    rest: Arc<Rest>,
}

impl Device {
    fn at(moment: &str) -> Self {
        let records: Arc<dyn Records> = Arc::new(Volatile::default());
        let now = Arc::new(Mutex::new(moment.parse().expect("a timestamp")));
        Self::started(records, now)
    }

    fn started(records: Arc<dyn Records>, now: Arc<Mutex<Timestamp>>) -> Self {
        let clock = Arc::clone(&now);
        let rest = Rest::by(Arc::clone(&records), Arc::new(move || *clock.lock()));
        let hours = "22:00-07:00".parse().expect("hours");
        let rest = Arc::new(rest.with_hours(Some(hours), Some("UTC")));
        Self { records, now, rest }
    }

    fn restarted(&self) -> Self {
        Self::started(Arc::clone(&self.records), Arc::clone(&self.now))
    }

    fn set(&self, moment: &str) {
        *self.now.lock() = moment.parse().expect("a timestamp");
    }

    async fn is(&self) -> (bool, bool) {
        let Resting { asleep, quiet } = self.rest.now().await;
        (asleep, quiet)
    }

    /// What a tool says and gives.
    async fn call_in(&self, session: &str, tool: &str, arguments: Value) -> (String, Value) {
        let Value::Object(arguments) = arguments else {
            panic!("no object: {arguments}");
        };
        let person = Circumstances {
            session_id: session.to_owned(),
            lang: Some("en-US".to_owned()),
            time_zone: Some("UTC".to_owned()),
            ..Circumstances::default()
        };
        let alerts = Arc::new(Alerts::new(Arc::clone(&self.records)));
        let wording = Wording::new(Skill::locales([&SKILL]).into());
        let toolbox = super::toolbox(&self.rest, &alerts, &wording);
        let outcome = toolbox.call(tool, arguments, &person).await.expect("an outcome");
        (outcome.spoken.expect("a sentence"), Value::Object(outcome.result))
    }

    async fn call(&self, tool: &str, arguments: Value) -> (String, Value) {
        self.call_in("default", tool, arguments).await
    }
}

#[tokio::test]
async fn it_sleeps_until_it_is_woken_also_over_a_restart() {
    let device = Device::at("2026-11-24T12:00:00Z");
    let mut told = device.rest.sleep_changes();
    let (said, result) = device.call("go_to_sleep", json!({})).await;
    assert_eq!((said.as_str(), &result["asleep"]), ("Good night.", &json!(true)));
    assert!(*told.borrow_and_update());
    let device = device.restarted();
    assert_eq!(device.is().await, (true, true));
    let (said, _) = device.call("wake_up", json!({})).await;
    assert_eq!(said, "I am awake.");
    assert_eq!(device.restarted().is().await, (false, false));
}

#[tokio::test]
async fn three_safeguards_stand_before_sleep() {
    let device = Device::at("2026-11-24T12:00:00Z");
    let rest = &device.rest;
    let (_, result) = device.call_in("kitchen", "go_to_sleep", json!({})).await;
    assert!(
        result["why_not"].is_string() && result["asleep"] == false,
        "{result}"
    );
    rest.set_deaf_asleep(true);
    let (said, result) = device.call("go_to_sleep", json!({})).await;
    assert!(said.contains("until when"), "{said}");
    assert_eq!(result["asleep"], false);
    let (said, _) = device.call("go_to_sleep", json!({"duration": "2 hours"})).await;
    assert!(said.starts_with("Good night until"), "{said}");
    let (said, result) = device.call("go_to_sleep", json!({"until": "9 pm"})).await;
    assert_eq!(said, "I am asleep already.", "{result}");
}

#[tokio::test]
async fn a_while_ends_by_itself() {
    let device = Device::at("2026-11-24T12:00:00Z");
    let at = |text: &str| -> Option<Timestamp> { Some(text.parse().expect("a timestamp")) };
    device.rest.sleep(at("2026-11-24T14:00:00Z")).await;
    device.rest.be_quiet(at("2026-11-24T15:00:00Z")).await;
    let mut told = device.rest.sleep_changes();
    for (moment, expected) in [
        ("2026-11-24T13:59:59Z", (true, true)),
        ("2026-11-24T14:00:00Z", (false, true)),
        ("2026-11-24T15:00:00Z", (false, false)),
        // The hours of every day.
        ("2026-11-24T22:00:00Z", (false, true)),
        ("2026-11-25T07:00:00Z", (false, false)),
    ] {
        device.set(moment);
        assert_eq!(device.is().await, expected, "{moment}");
    }
    assert!(told.has_changed().expect("a device") && !*told.borrow_and_update());
}

/// What people say, the tool, and what fills the gap.
const SAID: &[(&str, &str, &str, &str)] = &[
    ("en-us", "go to sleep", "go_to_sleep", ""),
    ("en-us", "go to sleep until seven", "go_to_sleep", "seven"),
    ("en-us", "sleep for two hours", "go_to_sleep", "two hours"),
    ("en-us", "wake up", "wake_up", ""),
    ("en-us", "do not disturb until seven", "do_not_disturb", "seven"),
    (
        "en-us",
        "don't disturb me for an hour",
        "do_not_disturb",
        "an hour",
    ),
    ("en-us", "do not disturb", "do_not_disturb", ""),
    ("en-us", "you may disturb me again", "wake_up", ""),
    ("de-de", "geh schlafen", "go_to_sleep", ""),
    ("de-de", "schlafe bis um sieben Uhr", "go_to_sleep", "sieben Uhr"),
    ("de-de", "wach auf", "wake_up", ""),
    (
        "de-de",
        "störe mich nicht bis sieben Uhr",
        "do_not_disturb",
        "sieben Uhr",
    ),
    ("de-de", "bitte nicht stören", "do_not_disturb", ""),
    ("de-de", "du darfst mich wieder stören", "wake_up", ""),
    ("es-es", "duérmete", "go_to_sleep", ""),
    ("es-es", "duérmete hasta las siete", "go_to_sleep", "siete"),
    ("es-es", "despierta", "wake_up", ""),
    (
        "es-es",
        "no me molestes hasta las siete",
        "do_not_disturb",
        "siete",
    ),
    ("es-es", "ya puedes molestarme", "wake_up", ""),
    ("fr-fr", "va dormir", "go_to_sleep", ""),
    ("fr-fr", "dors jusqu'à sept heures", "go_to_sleep", "sept heures"),
    ("fr-fr", "réveille-toi", "wake_up", ""),
    (
        "fr-fr",
        "ne me dérange pas jusqu'à sept heures",
        "do_not_disturb",
        "sept heures",
    ),
    ("fr-fr", "tu peux de nouveau me déranger", "wake_up", ""),
    ("it-it", "vai a dormire", "go_to_sleep", ""),
    ("it-it", "dormi fino alle sette", "go_to_sleep", "sette"),
    ("it-it", "svegliati", "wake_up", ""),
    (
        "it-it",
        "non disturbarmi fino alle sette",
        "do_not_disturb",
        "sette",
    ),
    ("it-it", "puoi disturbarmi di nuovo", "wake_up", ""),
    ("pt-pt", "vai dormir", "go_to_sleep", ""),
    ("pt-pt", "dorme até às sete", "go_to_sleep", "sete"),
    ("pt-pt", "acorda", "wake_up", ""),
    ("pt-pt", "não me incomodes até às sete", "do_not_disturb", "sete"),
    ("pt-pt", "podes incomodar-me outra vez", "wake_up", ""),
];

#[test]
fn six_languages_send_it_to_sleep_wake_it_and_have_it_be_quiet() {
    for (lang, said, tool, gap) in SAID {
        let call = heard(&[&SKILL], said, lang).unwrap_or_else(|| panic!("{said} ({lang})"));
        assert_eq!(
            (call.toolbox_id.as_str(), call.tool.as_str()),
            (ID, *tool),
            "{said}"
        );
        let filled: Vec<&str> = call.arguments.values().filter_map(Value::as_str).collect();
        let expected: Vec<&str> = [*gap].into_iter().filter(|gap| !gap.is_empty()).collect();
        assert_eq!(filled, expected, "{said}");
    }
}

#[test]
fn what_is_an_alarm_or_something_else_is_left_to_others() {
    for (lang, said) in [
        ("en-us", "wake me up at seven"),
        ("en-us", "how do cats sleep"),
        ("en-us", "did I wake up early today"),
        ("de-de", "weck mich um sieben"),
        ("es-es", "despiértame a las siete"),
        ("fr-fr", "réveille-moi à sept heures"),
        ("it-it", "svegliami alle sette"),
        ("pt-pt", "acorda-me às sete"),
    ] {
        let call = heard(&[&SKILL], said, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != ID), "{said}");
    }
}

#[test]
fn every_sentence_is_there_in_six_languages() {
    languages_are_whole(&SKILL);
}
