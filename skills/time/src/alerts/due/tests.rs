//! Reminders and alarms as people say them in six languages: the text without the moment, and the moment.

use loquat_kit::Skill;
use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::Circumstances;
use serde_json::{Map, Value};

use super::{AlertTools, Alerts, Said, after, by_the_clock};
use crate::alerts::now::Now;
use loquat_kit::records::Volatile;
use loquat_trial::heard;

/// 10:00 in Berlin.
const MORNING: &str = "2026-11-25T09:00:00Z";

/// Set at 10:00 in Berlin on Wednesday, 25 November 2026.
const SAID: &[(&str, &str, &str, &str)] = &[
    (
        "en-us",
        "remind me to call mom tomorrow at 5 pm",
        "call mom",
        "11-26 17:00",
    ),
    (
        "en-us",
        "remind me to call mom on monday",
        "call mom",
        "11-30 09:00",
    ),
    (
        "en-us",
        "remind me to take my pills every day at 8 pm",
        "take my pills",
        "11-25 20:00 7",
    ),
    (
        "en-us",
        "remind me friday at 5 pm to call Ada",
        "call Ada",
        "11-27 17:00",
    ),
    (
        "en-us",
        "remind me to take out the trash every Thursday and Sunday at 7 PM",
        "take out the trash",
        "11-26 19:00 2",
    ),
    (
        "en-us",
        "remind me to go to work weekday mornings at 8",
        "go to work",
        "11-26 08:00 5",
    ),
    (
        "en-us",
        "remind me wednesday evening at 8 to feed the cat",
        "feed the cat",
        "12-02 20:00",
    ),
    (
        "en-us",
        "remind me to call mom in 20 minutes",
        "call mom",
        "11-25 10:20",
    ),
    (
        "en-us",
        "remind me this wednesday at 5 pm to go home",
        "go home",
        "11-25 17:00",
    ),
    ("en-us", "wake me friday at 7", "", "11-27 07:00"),
    ("en-us", "wake me in 30 minutes", "", "11-25 10:30"),
    ("en-us", "set an alarm for friday at 7 am", "", "11-27 07:00"),
    ("en-us", "set an alarm for ten to seven", "", "11-25 18:50"),
    ("en-us", "set an alarm for 60 minutes", "", "11-25 11:00"),
    ("en-us", "set an alarm for 836pm", "", "11-25 20:36"),
    (
        "en-us",
        "set an alarm for 9 AM every tuesday",
        "",
        "12-01 09:00 1",
    ),
    (
        "de-de",
        "erinnere mich an den Anruf morgen um 17 Uhr",
        "den Anruf",
        "11-26 17:00",
    ),
    (
        "de-de",
        "erinnere mich am Montag in zwei Wochen um 9 Uhr an die Miete",
        "die Miete",
        "12-14 09:00",
    ),
    (
        "de-de",
        "erinnere mich jeden Dienstag und Donnerstag um 7 Uhr an Sport",
        "Sport",
        "11-26 07:00 2",
    ),
    ("de-de", "weck mich fünf vor halb acht", "", "11-25 19:25"),
    ("de-de", "stell einen Wecker in 20 Minuten", "", "11-25 10:20"),
    (
        "fr-fr",
        "rappelle-moi de prévenir maman vendredi à 17h",
        "prévenir maman",
        "11-27 17:00",
    ),
    (
        "fr-fr",
        "rappelle-moi à 17 heures 30 de payer le loyer",
        "payer le loyer",
        "11-25 17:30",
    ),
    (
        "fr-fr",
        "rappelle-moi jeudi à 8 heures du soir de prévenir maman",
        "prévenir maman",
        "11-26 20:00",
    ),
    ("fr-fr", "réveille-moi dans 33 minutes", "", "11-25 10:33"),
    (
        "es-es",
        "recuérdame a las 9 de la noche pagar la renta",
        "pagar la renta",
        "11-25 21:00",
    ),
    (
        "es-es",
        "recuérdame mañana por la mañana llamar a mamá",
        "llamar a mamá",
        "11-26 09:00",
    ),
    (
        "es-es",
        "recuérdame llamar a mamá el lunes",
        "llamar a mamá",
        "11-30 09:00",
    ),
    ("es-es", "despiértame a las ocho menos diez", "", "11-25 19:50"),
    (
        "it-it",
        "ricordami domani di chiamare mamma alle 7 del mattino",
        "chiamare mamma",
        "-",
    ),
    (
        "it-it",
        "ricordami di chiamare mamma domani alle 7 del mattino",
        "chiamare mamma",
        "11-26 07:00",
    ),
    (
        "it-it",
        "ricordami alle 9 di sera di chiudere",
        "chiudere",
        "11-25 21:00",
    ),
    (
        "it-it",
        "ricordami ogni giovedì e domenica alle 19 di chiamare",
        "chiamare",
        "11-26 19:00 2",
    ),
    (
        "pt-pt",
        "lembra-me de ligar à mãe amanhã às 17h",
        "ligar à mãe",
        "11-26 17:00",
    ),
    (
        "pt-pt",
        "lembra-me na sexta às sete e meia de pagar a renda",
        "pagar a renda",
        "11-27 07:30",
    ),
    ("pt-pt", "acorda-me daqui a meia hora", "", "11-25 10:30"),
    // A bare hour of another day: by day, but for an alarm.
    (
        "en-us",
        "remind me to call the bank tomorrow at three",
        "call the bank",
        "11-26 15:00",
    ),
    (
        "en-us",
        "remind me on friday at half past two to fetch the cake",
        "fetch the cake",
        "11-27 14:30",
    ),
    (
        "en-us",
        "remind me to water the plants every day at four",
        "water the plants",
        "11-25 16:00 7",
    ),
    (
        "en-us",
        "remind me to take my tablets tomorrow at six",
        "take my tablets",
        "11-26 18:00",
    ),
    (
        "en-us",
        "remind me to leave tomorrow at 5 am",
        "leave",
        "11-26 05:00",
    ),
    (
        "en-us",
        "remind me to leave tomorrow at nine",
        "leave",
        "11-26 09:00",
    ),
    (
        "en-us",
        "remind me to look at the moon tonight at ten",
        "look at the moon",
        "11-25 22:00",
    ),
    ("en-us", "wake me tomorrow at five", "", "11-26 05:00"),
    ("en-us", "set an alarm for six every weekday", "", "11-26 06:00 5"),
    (
        "de-de",
        "erinnere mich morgen um drei an den Zahnarzt",
        "den Zahnarzt",
        "11-26 15:00",
    ),
    (
        "de-de",
        "erinnere mich am Freitag um halb vier an den Kuchen",
        "den Kuchen",
        "11-27 15:30",
    ),
    ("de-de", "weck mich morgen um fünf", "", "11-26 05:00"),
    (
        "es-es",
        "recuérdame mañana a las tres llamar al banco",
        "llamar al banco",
        "11-26 15:00",
    ),
    (
        "it-it",
        "ricordami di chiamare la banca domani alle tre",
        "chiamare la banca",
        "11-26 15:00",
    ),
    (
        "pt-pt",
        "lembra-me de ligar ao banco amanhã às quatro",
        "ligar ao banco",
        "11-26 16:00",
    ),
    (
        "fr-fr",
        "rappelle-moi de prévenir la banque demain à trois heures",
        "prévenir la banque",
        "11-26 15:00",
    ),
    (
        "de-de",
        "erinnere mich um fünf an den Anruf",
        "den Anruf",
        "11-25 17:00",
    ),
    (
        "de-de",
        "erinnere mich morgen um 03:00 an den Anruf",
        "den Anruf",
        "11-26 03:00",
    ),
    (
        "de-de",
        "erinnere mich morgen um fünf Uhr früh an den Anruf",
        "den Anruf",
        "11-26 05:00",
    ),
    (
        "it-it",
        "ricordami alle cinque di chiamare la banca",
        "chiamare la banca",
        "11-25 17:00",
    ),
];

fn tools(wall: &str) -> AlertTools {
    let wall: Timestamp = wall.parse().expect("a moment");
    let now = Now {
        wall,
        uptime: 100.0,
        boot: "one".to_owned(),
    };
    let alerts = Alerts::by(Arc::new(Volatile::default()), Arc::new(move || now.clone()));
    AlertTools::reading(
        &Arc::new(alerts),
        &Arc::new(Skill::locales([&crate::alerts::SKILL])),
    )
}

/// The moment at which a call made now makes something due, and on how many days of the week it is repeated.
fn due(arguments: &Map<String, Value>, lang: &str, now: &str) -> Option<String> {
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        time_zone: Some("Europe/Berlin".to_owned()),
        ..Circumstances::default()
    };
    let said = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    let moment = Said {
        time: said("time"),
        date: said("date"),
        repeat: said("repeat"),
        until: None,
        hour: None,
        is_by_day: arguments.contains_key("text"),
    };
    let due = match said("duration") {
        Some(duration) => after(&tools(now), &duration, &person).ok()?,
        None => by_the_clock(&tools(now), moment, &person).ok()?.ok()?,
    };
    let days = due
        .repetition
        .map(|repetition| format!(" {}", repetition.days.len()));
    let at = due.at.to_zoned(crate::alerts::spoken::zone(&person));
    Some(format!(
        "{}{}",
        at.strftime("%m-%d %H:%M"),
        days.unwrap_or_default()
    ))
}

#[test]
fn a_reminder_at_a_bare_hour_is_for_the_afternoon_unless_it_is_said_at_night() {
    let call = heard(
        &[&crate::alerts::SKILL],
        "remind me at three to feed the hens",
        "en-us",
    );
    let call = call.expect("a reminder").arguments;
    for (now, expected) in [
        (MORNING, "11-25 15:00"),
        ("2026-11-25T15:30:00Z", "11-26 15:00"),
        ("2026-11-25T21:00:00Z", "11-26 03:00"),
        ("2026-11-25T00:30:00Z", "11-25 03:00"),
    ] {
        assert_eq!(due(&call, "en-us", now).as_deref(), Some(expected), "{now}");
    }
}

#[test]
fn what_is_said_is_due_when_it_was_said() {
    let mut wrong = Vec::new();
    for (lang, said, text, expected) in SAID {
        let heard = heard(&[&crate::alerts::SKILL], said, lang).map(|call| call.arguments);
        let is_heard = heard.is_some();
        let call = heard.unwrap_or_default();
        let found_text = call.get("text").and_then(Value::as_str).unwrap_or_default();
        let found = due(&call, lang, MORNING)
            .filter(|_| is_heard)
            .unwrap_or_else(|| "-".to_owned());
        let is_right = found == *expected && (found_text == *text || *expected == "-");
        if !is_right {
            wrong.push(format!(
                "{said}: {found} '{found_text}', not {expected} '{text}' {call:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
