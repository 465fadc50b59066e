//! The tools beside a mock of timedate1, and what people say.

use serde_json::{Value, json};

use super::{GET, SET, SKILL};
use crate::dbus::stage::{Make, Stage, run, tells_what_is_missing, toolbox_on};
use loquat_trial::{heard, languages_are_whole};

const MAKE: Make = (&SKILL, super::toolbox);

const NAME: &str = "org.freedesktop.timedate1";

#[tokio::test]
async fn the_zone_is_told_and_set_by_a_city() {
    let mut stage = Stage::new().await;
    stage.mock("timedated", NAME, &json!({})).await;
    let before = stage.tool(MAKE, GET, json!({})).await;
    assert_eq!(before.result["zone"], "Etc/Utc");
    let set = stage.tool(MAKE, SET, json!({"place": "new york"})).await;
    assert_eq!(set.result["zone"], "America/New_York");
    let expected = "The time zone is now that of New York.";
    assert_eq!(set.spoken.as_deref(), Some(expected));
    assert!(
        stage.asked().contains("SetTimezone \"America/New_York\" False"),
        "{}",
        stage.asked()
    );
    let after = stage.spoken(MAKE, GET, json!({})).await;
    assert_eq!(after, "This device is set to the time zone of New York.");
    for bad in [
        json!({"place": "Atlantis"}),
        json!({"place": "UTC+25"}),
        json!({"place": "../etc/passwd"}),
        json!({}),
    ] {
        let refused = run(&toolbox_on(MAKE, &stage.bus()), SET, bad.clone()).await;
        let complaint = refused.expect_err("no place").to_string();
        assert!(complaint.contains("place"), "{bad}: {complaint}");
    }
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    let calls = [(GET, json!({})), (SET, json!({"place": "Lisbon"}))];
    tells_what_is_missing(MAKE, &calls, &[SET]).await;
}

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    let to = |place: &str| json!({"place": place});
    let said: &[(&str, &str, &str, Value)] = &[
        ("en-us", "Which time zone are you in?", GET, json!({})),
        ("en-us", "What time zone is set?", GET, json!({})),
        ("en-us", "Set the time zone to Berlin.", SET, to("Berlin")),
        ("en-us", "Change your time zone to Tokyo.", SET, to("Tokyo")),
        ("en-us", "Use the time zone of Lisbon.", SET, to("Lisbon")),
        ("de-de", "In welcher Zeitzone bist du?", GET, json!({})),
        ("de-de", "Welche Zeitzone ist eingestellt?", GET, json!({})),
        ("de-de", "Stell die Zeitzone auf Berlin.", SET, to("Berlin")),
        ("de-de", "Ändere die Zeitzone auf Tokio.", SET, to("Tokio")),
        ("de-de", "Nimm die Zeitzone von Lissabon.", SET, to("Lissabon")),
        ("fr-fr", "Dans quel fuseau horaire es-tu ?", GET, json!({})),
        ("fr-fr", "Quel fuseau horaire est réglé ?", GET, json!({})),
        ("fr-fr", "Règle le fuseau horaire sur Paris.", SET, to("Paris")),
        ("fr-fr", "Change le fuseau horaire pour Tokyo.", SET, to("Tokyo")),
        (
            "fr-fr",
            "Utilise le fuseau horaire de Lisbonne.",
            SET,
            to("Lisbonne"),
        ),
        ("es-es", "¿En qué zona horaria estás?", GET, json!({})),
        ("es-es", "¿Qué zona horaria está puesta?", GET, json!({})),
        ("es-es", "Pon la zona horaria de Madrid.", SET, to("Madrid")),
        ("es-es", "Cambia la zona horaria a Tokio.", SET, to("Tokio")),
        ("es-es", "Usa la zona horaria de Lisboa.", SET, to("Lisboa")),
        ("pt-pt", "Em que fuso horário estás?", GET, json!({})),
        ("pt-pt", "Que fuso horário está definido?", GET, json!({})),
        ("pt-pt", "Define o fuso horário de Lisboa.", SET, to("Lisboa")),
        ("pt-pt", "Muda o fuso horário para Madrid.", SET, to("Madrid")),
        ("pt-pt", "Usa o fuso horário de Paris.", SET, to("Paris")),
        ("it-it", "In che fuso orario sei?", GET, json!({})),
        ("it-it", "Quale fuso orario è impostato?", GET, json!({})),
        ("it-it", "Imposta il fuso orario su Roma.", SET, to("Roma")),
        ("it-it", "Cambia il fuso orario in Tokyo.", SET, to("Tokyo")),
        ("it-it", "Usa il fuso orario di Lisbona.", SET, to("Lisbona")),
    ];
    for (lang, text, tool, arguments) in said {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(call.tool, *tool, "{text}");
        assert_eq!(Value::from(call.arguments), *arguments, "{text}");
    }
    for (lang, text) in [
        ("en-us", "What is a time zone?"),
        ("en-us", "What time is it in Berlin?"),
        ("de-de", "Wie spät ist es in Berlin?"),
        ("fr-fr", "Quelle heure est-il à Paris ?"),
        ("es-es", "¿Qué hora es en Madrid?"),
        ("pt-pt", "Que horas são em Lisboa?"),
        ("it-it", "Che ore sono a Roma?"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != super::ID), "{text}");
    }
}
