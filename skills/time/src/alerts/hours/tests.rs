//! An hour that was not said is asked for, and any sensible answer is taken.

use loquat_agent::Speaker;
use loquat_agent::turn::IntendedCall;
use loquat_kit::intent::InLanguage;
use loquat_kit::{Skill, Things};
use serde_json::{Map, json};

use super::super::day::Day;
use super::answers;

#[tokio::test]
async fn the_hour_of_minutes_is_asked_for_and_the_answer_is_taken() {
    for (lang, time, question) in [
        ("en-US", "ten past", "Ten past which hour?"),
        ("en-US", "at a quarter to", "Quarter to which hour?"),
        ("en-US", "half past", "Half past which hour?"),
        ("de-DE", "um zehn nach", "Zehn nach wie viel Uhr?"),
        ("de-DE", "Viertel vor", "Viertel vor wie viel Uhr?"),
        ("fr-FR", "à moins le quart", "Quelle heure moins le quart ?"),
        ("es-ES", "a y media", "¿Las cuántas y media?"),
        ("it-IT", "meno un quarto", "Le quante meno un quarto?"),
        ("pt-PT", "às e meia", "E meia de que hora?"),
    ] {
        let day = Day::new();
        let said = day.call_in(lang, "set_alarm", json!({"time": time})).await;
        assert_eq!(said, question, "{lang}");
        let reminder = json!({"text": "call Ada", "date": time});
        assert_eq!(
            day.call_in(lang, "set_reminder", reminder).await,
            question,
            "{lang}"
        );
        assert!(day.alerts.all().await.is_empty(), "{lang}: nothing is set");
    }
    // It is ten in the morning.
    for (lang, time, choice, due) in [
        ("en-US", "ten past", "seven", "19:10"),
        ("en-US", "ten past", "seven in the morning", "07:10"),
        ("en-US", "ten past", "7 pm", "19:10"),
        ("en-US", "ten past", "11", "11:10"),
        ("en-US", "ten past", "ten past eleven", "11:10"),
        ("en-US", "ten past", "the next one", "10:10"),
        ("en-US", "ten past", "the second one", "11:10"),
        ("en-US", "quarter to", "the next", "10:45"),
        ("en-US", "quarter to", "noon", "11:45"),
        ("de-DE", "zehn nach", "sieben", "19:10"),
        ("de-DE", "halb", "19 Uhr", "18:30"),
        ("de-DE", "Viertel vor", "die nächste", "10:45"),
        ("fr-FR", "et quart", "sept heures", "19:15"),
        ("es-ES", "y media", "las siete", "19:30"),
        ("it-IT", "meno un quarto", "alle sette", "18:45"),
        ("pt-PT", "e meia", "às sete", "19:30"),
    ] {
        let day = Day::new();
        let alarm = json!({"time": time, "choice": choice});
        day.call_in(lang, "set_alarm", alarm).await;
        let all = day.alerts.all().await;
        let set: Vec<String> = all
            .iter()
            .map(|alert| {
                let due = alert.due.in_tz("Europe/Berlin").expect("a zone");
                due.strftime("%H:%M").to_string()
            })
            .collect();
        assert_eq!(set, [due], "{lang}: {time}, {choice}");
    }
}

#[tokio::test]
async fn a_day_that_was_said_stays_and_midnight_asks_no_second_question_again() {
    let day = Day::new();
    let alarm = json!({"time": "ten past", "date": "Friday", "choice": "seven"});
    let said = day.call("set_alarm", alarm).await;
    assert!(said.contains("7:10 AM") && said.contains("Friday"), "{said}");
    let night = Day::new();
    night.pass(14.5 * 3_600.0);
    let alarm = json!({"time": "ten past", "date": "tomorrow", "choice": "seven"});
    let said = night.outcome("en-US", Speaker::Program, "set_alarm", alarm).await;
    let said = said.expect("an outcome").spoken.expect("a sentence");
    assert!(!said.ends_with("which hour?"), "{said}");
}

#[test]
fn only_an_hour_answers_which_hour_is_meant() {
    let locales = Skill::locales([&crate::alerts::SKILL]).into();
    let things = Things::default();
    let spoken = |said| InLanguage {
        lang: "en",
        locales: &locales,
        rooms: None,
        things: &things,
        said,
    };
    let call = |time: &str| IntendedCall {
        arguments: Map::from_iter([("time".to_owned(), json!(time))]),
        ..IntendedCall::default()
    };
    for (said, is_answer) in [
        ("seven", true),
        ("at 7", true),
        ("the next one", true),
        ("quarter past eight", true),
        ("tomorrow", false),
        ("what is the weather", false),
        ("the kitchen", false),
    ] {
        assert_eq!(
            answers(&call("ten past"), said, &spoken(said)),
            Some(is_answer),
            "{said}"
        );
    }
    assert_eq!(answers(&call("7 am"), "seven", &spoken("seven")), None);
}
