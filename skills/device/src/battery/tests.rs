//! The tool beside a mock of `UPower`, and what people say.

use serde_json::json;

use super::{CHECK, GET, SKILL};
use crate::dbus::stage::{Make, Stage, run, tells_what_is_missing, toolbox_on};
use loquat_trial::{heard, languages_are_whole};

const MAKE: Make = (&SKILL, super::toolbox);

const MOCK: [&str; 4] = [
    "org.freedesktop.UPower",
    "/org/freedesktop/UPower",
    "org.freedesktop.DBus.Mock",
    "SetupDisplayDevice",
];

/// Type, state, percentage, energies, times to empty and to full, presence, icon and warning.
type Display<'a> = (u32, u32, f64, f64, f64, f64, i64, i64, bool, &'a str, u32);

fn display((state, percent): (u32, f64), (empty, full): (i64, i64)) -> Display<'static> {
    (2, state, percent, 5.0, 10.0, 1.0, empty, full, true, "", 1)
}

#[tokio::test]
async fn the_battery_tells_how_full_it_is_and_until_when() {
    let mut stage = Stage::new().await;
    stage.mock("upower", MOCK[0], &json!({})).await;
    let none = stage.tool(MAKE, GET, json!({})).await;
    assert_eq!(none.result["present"], false);
    assert_eq!(none.spoken.as_deref(), Some("This device has no battery."));
    for (state, ends, expected) in [
        (
            (2, 54.6),
            (7_500, 0),
            "The battery is at 55 percent and lasts another 2 hours and 5 minutes.",
        ),
        (
            (2, 20.0),
            (0, 0),
            "The battery is at 20 percent; the device runs on it.",
        ),
        (
            (2, 20.0),
            (i64::MAX, 0),
            "The battery is at 20 percent; the device runs on it.",
        ),
        (
            (1, 99.0),
            (0, 3_660),
            "The battery is at 99 percent, and full in 1 hour and 1 minute.",
        ),
        (
            (1, 50.0),
            (0, -5),
            "The battery is at 50 percent and is being charged.",
        ),
        ((4, 100.0), (0, 0), "The battery is full."),
        (
            (5, 1e9),
            (0, 0),
            "The battery is at 100 percent and is not being charged.",
        ),
    ] {
        stage.call(MOCK, &display(state, ends)).await;
        assert_eq!(stage.spoken(MAKE, GET, json!({})).await, expected);
    }
    let outcome = stage.tool(MAKE, GET, json!({})).await;
    assert_eq!(outcome.result["percent"], 100);
    assert_eq!(outcome.result["state"], "idle");
    let more = run(&toolbox_on(MAKE, &stage.bus()), GET, json!({"which": 1})).await;
    assert!(more.is_ok(), "an argument too many is the gate's to refuse");
}

#[tokio::test]
async fn what_is_waited_for_is_so_or_not_and_without_a_battery_nobody_knows() {
    let mut stage = Stage::new().await;
    stage.mock("upower", MOCK[0], &json!({})).await;
    let none = stage.tool(MAKE, CHECK, json!({"below": 20})).await;
    assert_eq!(none.result.get("answer"), None);
    stage.call(MOCK, &display((2, 20.0), (0, 0))).await;
    for (expected, answer) in [
        (json!({"below": 20}), "no"),
        (json!({"below": 20.5}), "yes"),
        (json!({"at_most": 20}), "yes"),
        (json!({"at_least": 21}), "no"),
        (json!({"charging": true}), "no"),
        (json!({"charging": false, "at_most": 30}), "yes"),
    ] {
        let checked = stage.tool(MAKE, CHECK, expected.clone()).await;
        assert_eq!(checked.result["answer"], answer, "{expected}");
    }
    stage.call(MOCK, &display((1, 20.0), (0, 0))).await;
    let charging = stage.tool(MAKE, CHECK, json!({"charging": true})).await;
    assert_eq!(charging.result["answer"], "yes");
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    tells_what_is_missing(MAKE, &[(GET, json!({}))], &[]).await;
}

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    for (lang, said) in [
        (
            "en-us",
            [
                "How full is the battery?",
                "What is the battery level?",
                "Is the battery charging?",
                "How long will the battery last?",
                "How much battery is left?",
            ],
        ),
        (
            "de-de",
            [
                "Wie voll ist der Akku?",
                "Wie ist der Ladestand?",
                "Lädt der Akku?",
                "Wie lange hält der Akku noch?",
                "Wie viel Akku hast du noch?",
            ],
        ),
        (
            "fr-fr",
            [
                "Quel est le niveau de la batterie ?",
                "Combien de batterie reste-t-il ?",
                "Est-ce que la batterie se charge ?",
                "Combien de temps tient encore la batterie ?",
                "La batterie est-elle pleine ?",
            ],
        ),
        (
            "es-es",
            [
                "¿Cuánta batería queda?",
                "¿Cuál es el nivel de la batería?",
                "¿Se está cargando la batería?",
                "¿Cuánto dura la batería?",
                "¿Está llena la batería?",
            ],
        ),
        (
            "pt-pt",
            [
                "Quanta bateria resta?",
                "Qual é o nível da bateria?",
                "A bateria está a carregar?",
                "Quanto tempo dura a bateria?",
                "A bateria está cheia?",
            ],
        ),
        (
            "it-it",
            [
                "Quanta batteria resta?",
                "Qual è il livello della batteria?",
                "La batteria si sta caricando?",
                "Quanto dura la batteria?",
                "La batteria è carica?",
            ],
        ),
    ] {
        for text in said {
            assert_eq!(
                heard(&[&SKILL], text, lang).map(|call| call.tool).as_deref(),
                Some(GET),
                "{text}"
            );
        }
    }
    for (lang, text) in [
        ("en-us", "How long does a car battery last?"),
        ("en-us", "What is a battery?"),
        ("de-de", "Was ist ein Akku?"),
        ("fr-fr", "Combien coûte une batterie ?"),
        ("es-es", "¿Qué es una batería?"),
        ("pt-pt", "O que é uma bateria?"),
        ("it-it", "Cos'è una batteria?"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != super::ID), "{text}");
    }
}
