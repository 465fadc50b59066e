//! Wishes that lack a time or a length, in six languages: what is understood of them, and the wish that an answer makes whole.

use super::*;

/// The language, what is said, the answer to what it lacks, the tool, and the arguments of the whole wish.
const LACKING: &[(&str, &str, &str, &str, &str)] = &[
    (
        "en-US",
        "wake me on Friday",
        "at half past six",
        "set_alarm",
        r#"{"date": "Friday", "time": "half past six"}"#,
    ),
    (
        "en-US",
        "set an alarm for tomorrow",
        "at nine",
        "set_alarm",
        r#"{"date": "tomorrow", "time": "nine"}"#,
    ),
    (
        "en-US",
        "set an alarm every weekday",
        "at nine",
        "set_alarm",
        r#"{"repeat": "every weekday", "time": "nine"}"#,
    ),
    (
        "en-US",
        "I need an alarm on Monday",
        "5 am",
        "set_alarm",
        r#"{"date": "Monday", "time": "5 am"}"#,
    ),
    (
        "en-US",
        "start a noodle timer",
        "9 minutes",
        "set_timer",
        r#"{"name": "noodle", "duration": "9 minutes"}"#,
    ),
    (
        "en-US",
        "set a timer for the cake",
        "an hour",
        "set_timer",
        r#"{"name": "cake", "duration": "an hour"}"#,
    ),
    (
        "de-DE",
        "weck mich am Freitag",
        "um halb sieben",
        "set_alarm",
        r#"{"date": "Freitag", "time": "halb sieben"}"#,
    ),
    (
        "de-DE",
        "stell einen Wecker für morgen",
        "um neun",
        "set_alarm",
        r#"{"date": "morgen", "time": "neun"}"#,
    ),
    (
        "de-DE",
        "stell einen Timer für den Kuchen",
        "eine Stunde",
        "set_timer",
        r#"{"name": "Kuchen", "duration": "eine Stunde"}"#,
    ),
    (
        "fr-FR",
        "réveille-moi vendredi",
        "à six heures",
        "set_alarm",
        r#"{"date": "vendredi", "time": "six heures"}"#,
    ),
    (
        "fr-FR",
        "mets un minuteur pour le gâteau",
        "une heure",
        "set_timer",
        r#"{"name": "gâteau", "duration": "une heure"}"#,
    ),
    (
        "es-ES",
        "despiértame el viernes",
        "a las seis",
        "set_alarm",
        r#"{"date": "viernes", "time": "seis"}"#,
    ),
    (
        "es-ES",
        "pon un temporizador para el pastel",
        "una hora",
        "set_timer",
        r#"{"name": "pastel", "duration": "una hora"}"#,
    ),
    (
        "it-IT",
        "svegliami venerdì",
        "alle sei",
        "set_alarm",
        r#"{"date": "venerdì", "time": "sei"}"#,
    ),
    (
        "it-IT",
        "imposta un timer per la torta",
        "un'ora",
        "set_timer",
        r#"{"name": "torta", "duration": "un'ora"}"#,
    ),
    (
        "pt-PT",
        "acorda-me sexta-feira",
        "às seis",
        "set_alarm",
        r#"{"date": "sexta-feira", "time": "seis"}"#,
    ),
    (
        "pt-PT",
        "põe um temporizador para o bolo",
        "uma hora",
        "set_timer",
        r#"{"name": "bolo", "duration": "uma hora"}"#,
    ),
];

/// What has no name and no day of its own.
const NOT_SO: &[(&str, &str)] = &[
    ("en-US", "set a timer for the next half hour"),
    ("en-US", "set a timer for the rest of the hour"),
    ("en-US", "start a new timer"),
    ("en-US", "set an alarm for the house"),
    ("en-US", "wake me when we are there"),
    ("en-US", "wake me gently"),
    ("de-DE", "weck mich wenn wir da sind"),
];

#[test]
fn what_a_wish_lacks_is_asked_for_and_makes_it_whole() {
    let spoken = spoken();
    let whole = |text: &str, lang: &str, answer: &str| {
        let found = spoken.recognise(text, lang)?;
        let wanted = spoken.call(&found.intent_name, text, lang)?;
        let is_asked = spoken.intents.answer_to(&wanted.intent, &wanted.call).is_some();
        is_asked
            .then(|| spoken.completed(&wanted, answer, lang))
            .flatten()
    };
    let mut wrong = Vec::new();
    for (lang, text, answer, tool, arguments) in LACKING {
        let made = whole(text, lang, answer).map(|wanted| (wanted.call.tool, wanted.call.arguments));
        let expected: Value = serde_json::from_str(arguments).expect("JSON");
        let is_right = made
            .as_ref()
            .is_some_and(|(found, arguments)| found == tool && Some(arguments) == expected.as_object());
        wrong.extend((!is_right).then(|| format!("{lang} {text}: {made:?}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_has_no_name_and_no_day_gets_none() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text) in NOT_SO {
        let found = spoken.recognise(text, lang);
        let wanted = found.and_then(|found| spoken.call(&found.intent_name, text, lang));
        let given = wanted.map(|wanted| wanted.call.arguments).unwrap_or_default();
        let is_taken =
            given.contains_key("name") || given.contains_key("date") || given.contains_key("repeat");
        wrong.extend(is_taken.then(|| format!("{lang} {text}: {given:?}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
