//! What people say for timers, alarms and reminders in six languages, and what it becomes.

use loquat_orchestrator::search::ToolIntents;

use super::{answer, spoken};

/// What is said, the intent, and a part of what is answered.
const SAID: &[(&str, &str, &str, &str)] = &[
    (
        "en-US",
        "Set a timer for 10 minutes.",
        "set_timer",
        "Timer set for 10 minutes.",
    ),
    ("en-US", "set a ten minute timer", "set_timer", "10 minutes"),
    (
        "en-US",
        "Start a timer for an hour and a half",
        "set_timer",
        "1 hour and 30 minutes",
    ),
    (
        "en-US",
        "set a pasta timer for twelve minutes",
        "set_timer",
        "Pasta timer set for 12 minutes.",
    ),
    (
        "en-US",
        "set a timer for 2 hours and 30 minutes",
        "set_timer",
        "2 hours and 30 minutes",
    ),
    (
        "en-US",
        "set a timer for two and a half minutes",
        "set_timer",
        "2 minutes and 30 seconds",
    ),
    ("en-US", "set a timer", "set_timer", "For how long?"),
    (
        "en-US",
        "how much time is left on my timer",
        "list_timers",
        "No timer is running.",
    ),
    ("en-US", "what timers are set", "list_all", "No timer is running."),
    (
        "en-US",
        "cancel the timer",
        "cancel_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "cancel the pasta timer",
        "cancel_timer",
        "There is no such timer.",
    ),
    ("en-US", "what did I miss", "list_missed", "You missed nothing."),
    (
        "de-DE",
        "welche Wecker habe ich verpasst",
        "list_missed",
        "Du hast nichts verpasst.",
    ),
    (
        "en-US",
        "cancel the 10 minute timer",
        "cancel_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "remind me every other day at 8 am to water the plants",
        "set_reminder",
        "I can only repeat on days of the week",
    ),
    (
        "de-DE",
        "wecke mich jeden zweiten Tag um sieben Uhr",
        "set_alarm",
        "Ich kann nur an Wochentagen wiederholen",
    ),
    (
        "en-US",
        "remind me tomorrow to buy Christmas presents",
        "set_reminder",
        "buy Christmas presents.",
    ),
    (
        "en-US",
        "tomorrow remind me at 5 pm to call Ada",
        "set_reminder",
        "5:00 PM",
    ),
    (
        "en-US",
        "cancel all timers",
        "cancel_all",
        "There is no such timer.",
    ),
    ("en-US", "Set an alarm for 7 am", "set_alarm", "Alarm set for "),
    (
        "en-US",
        "wake me up at half past six tomorrow",
        "set_alarm",
        "6:30 AM",
    ),
    (
        "en-US",
        "wake me at 7 am every weekday",
        "set_alarm",
        "Alarm set for 7:00 AM every weekday.",
    ),
    (
        "en-US",
        "set an alarm for tomorrow at 8 pm",
        "set_alarm",
        "8:00 PM",
    ),
    ("en-US", "when is my next alarm", "list_next", "No alarm is set."),
    (
        "en-US",
        "turn off the alarm",
        "cancel_alarm",
        "There is no such alarm.",
    ),
    (
        "en-US",
        "remind me to call Ada in twenty minutes",
        "set_reminder",
        "call Ada.",
    ),
    (
        "en-US",
        "remind me at 5 pm to water the plants",
        "set_reminder",
        "5:00 PM",
    ),
    (
        "en-US",
        "remind me tomorrow to buy milk",
        "set_reminder",
        "9:00 AM",
    ),
    (
        "en-US",
        "remind me to take the pills every day at 8 am",
        "set_reminder",
        "every day",
    ),
    (
        "en-US",
        "what are my reminders",
        "list_all",
        "There are no reminders.",
    ),
    ("en-US", "snooze", "snooze", "Nothing is ringing."),
    (
        "de-DE",
        "Stelle einen Timer auf zehn Minuten",
        "set_timer",
        "10 Minuten",
    ),
    (
        "de-DE",
        "stell mir bitte einen Timer für eineinhalb Stunden",
        "set_timer",
        "1 Stunde und 30 Minuten",
    ),
    (
        "de-DE",
        "Wecke mich morgen um sieben Uhr",
        "set_alarm",
        "Der Wecker ist gestellt",
    ),
    (
        "de-DE",
        "Erinnere mich in einer halben Stunde an die Wäsche",
        "set_reminder",
        "Wäsche",
    ),
    ("de-DE", "welche Timer laufen", "list_all", "Es läuft kein Timer."),
    (
        "de-DE",
        "lösche alle Wecker",
        "cancel_all",
        "So einen Wecker gibt es nicht.",
    ),
    (
        "fr-FR",
        "Mets un minuteur de dix minutes",
        "set_timer",
        "10 minutes",
    ),
    (
        "fr-FR",
        "réveille-moi demain à 7 h",
        "set_alarm",
        "Réveil programmé",
    ),
    (
        "fr-FR",
        "rappelle-moi dans vingt minutes de sortir le pain",
        "set_reminder",
        "sortir le pain",
    ),
    (
        "fr-FR",
        "combien de temps reste-t-il",
        "list_timers",
        "Aucun minuteur",
    ),
    (
        "fr-FR",
        "annule le minuteur",
        "cancel_timer",
        "minuteur n'existe pas",
    ),
    (
        "es-ES",
        "Pon un temporizador de diez minutos",
        "set_timer",
        "10 minutos",
    ),
    (
        "es-ES",
        "despiértame mañana a las siete",
        "set_alarm",
        "Alarma puesta",
    ),
    (
        "es-ES",
        "recuérdame en media hora llamar a casa",
        "set_reminder",
        "llamar a casa",
    ),
    ("es-ES", "qué alarmas tengo", "list_all", "ninguna alarma"),
    (
        "es-ES",
        "cancela el temporizador",
        "cancel_timer",
        "Ese temporizador no existe.",
    ),
    (
        "pt-PT",
        "Põe um temporizador de dez minutos",
        "set_timer",
        "10 minutos",
    ),
    (
        "pt-PT",
        "acorda-me amanhã às sete",
        "set_alarm",
        "Alarme definido",
    ),
    (
        "pt-PT",
        "lembra-me daqui a vinte minutos de tirar o bolo",
        "set_reminder",
        "tirar o bolo",
    ),
    ("pt-PT", "que alarmes tenho", "list_all", "nenhum alarme"),
    (
        "pt-PT",
        "cancela todos os temporizadores",
        "cancel_all",
        "Esse temporizador não existe.",
    ),
    (
        "it-IT",
        "Imposta un timer di dieci minuti",
        "set_timer",
        "10 minuti",
    ),
    (
        "it-IT",
        "svegliami domani alle sette",
        "set_alarm",
        "Sveglia impostata",
    ),
    (
        "it-IT",
        "ricordami tra mezz'ora di chiamare casa",
        "set_reminder",
        "chiamare casa",
    ),
    (
        "it-IT",
        "quanto manca al timer",
        "list_timers",
        "Non ci sono timer attivi.",
    ),
    (
        "it-IT",
        "annulla la sveglia",
        "cancel_alarm",
        "Non c'è nessuna sveglia del genere.",
    ),
    (
        "en-US",
        "set a timer for one second",
        "set_timer",
        "Timer set for 1 second.",
    ),
    (
        "en-US",
        "set a timer for a second",
        "set_timer",
        "Timer set for 1 second.",
    ),
    (
        "en-US",
        "set a one minute timer",
        "set_timer",
        "Timer set for 1 minute.",
    ),
    (
        "en-US",
        "one minute timer",
        "set_timer",
        "Timer set for 1 minute.",
    ),
    ("en-US", "set a timer for half an hour", "set_timer", "30 minutes"),
    (
        "en-US",
        "set a timer for 90 seconds",
        "set_timer",
        "1 minute and 30 seconds",
    ),
    (
        "en-US",
        "wake me every Monday and Friday at 7 am",
        "set_alarm",
        "every Monday and every Friday",
    ),
    (
        "en-US",
        "remind me to stretch every weekday at 10 am",
        "set_reminder",
        "every weekday",
    ),
    (
        "en-US",
        "what is left on the pasta timer",
        "left_on_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "how long is left on my pasta timer",
        "left_on_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "add five minutes to the pasta timer",
        "add_to_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "add a minute to my timer",
        "add_to_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "take two minutes off the timer",
        "take_from_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "change the pasta timer to ten minutes",
        "change_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "make the timer ten minutes",
        "change_timer",
        "There is no such timer.",
    ),
    (
        "en-US",
        "move the alarm to seven",
        "change_alarm",
        "There is no such alarm.",
    ),
    (
        "en-US",
        "move my 7 am alarm to 8 am",
        "change_alarm",
        "There is no such alarm.",
    ),
    (
        "en-US",
        "make my alarm half an hour later",
        "delay_alarm",
        "There is no such alarm.",
    ),
    (
        "en-US",
        "wake me up ten minutes earlier",
        "advance_alarm",
        "There is no such alarm.",
    ),
    (
        "en-US",
        "move the reminder to tomorrow",
        "change_reminder",
        "There is no such reminder.",
    ),
    ("en-US", "make it ten minutes", "change_last", "Nothing is set."),
    ("en-US", "change it to 8 pm", "change_last", "Nothing is set."),
    (
        "de-DE",
        "stell einen Timer auf zwei und eine halbe Minute",
        "set_timer",
        "2 Minuten und 30 Sekunden",
    ),
    (
        "de-DE",
        "wecke mich jeden Montag um acht Uhr",
        "set_alarm",
        "jeden Montag",
    ),
    ("de-DE", "wecke mich werktags um sieben", "set_alarm", "Werktag"),
    (
        "de-DE",
        "verlängere den Nudel Timer um fünf Minuten",
        "add_to_timer",
        "So einen Timer gibt es nicht.",
    ),
    (
        "de-DE",
        "zieh zwei Minuten vom Timer ab",
        "take_from_timer",
        "So einen Timer gibt es nicht.",
    ),
    (
        "de-DE",
        "ändere den Timer auf zehn Minuten",
        "change_timer",
        "So einen Timer gibt es nicht.",
    ),
    (
        "de-DE",
        "verschiebe den Wecker auf acht Uhr",
        "change_alarm",
        "So einen Wecker gibt es nicht.",
    ),
    (
        "de-DE",
        "weck mich eine halbe Stunde später",
        "delay_alarm",
        "So einen Wecker gibt es nicht.",
    ),
    (
        "de-DE",
        "wie lange läuft der Nudel Timer noch",
        "left_on_timer",
        "So einen Timer gibt es nicht.",
    ),
    (
        "de-DE",
        "mach zehn Minuten draus",
        "change_last",
        "Es ist nichts gestellt.",
    ),
    (
        "fr-FR",
        "mets un minuteur d'une demi-heure",
        "set_timer",
        "30 minutes",
    ),
    (
        "fr-FR",
        "réveille-moi tous les lundis à 8 h",
        "set_alarm",
        "tous les lundis",
    ),
    (
        "fr-FR",
        "ajoute cinq minutes au minuteur pâtes",
        "add_to_timer",
        "minuteur n'existe pas",
    ),
    (
        "fr-FR",
        "enlève deux minutes au minuteur",
        "take_from_timer",
        "minuteur n'existe pas",
    ),
    (
        "fr-FR",
        "décale le réveil à 8 h",
        "change_alarm",
        "réveil n'existe pas",
    ),
    (
        "fr-FR",
        "combien de temps reste-t-il au minuteur pâtes",
        "left_on_timer",
        "minuteur n'existe pas",
    ),
    (
        "es-ES",
        "pon un temporizador de una hora y media",
        "set_timer",
        "1 hora y 30 minutos",
    ),
    (
        "es-ES",
        "despiértame todos los lunes a las ocho",
        "set_alarm",
        "todos los lunes",
    ),
    (
        "es-ES",
        "añade cinco minutos al temporizador pasta",
        "add_to_timer",
        "Ese temporizador no existe.",
    ),
    (
        "es-ES",
        "quita dos minutos al temporizador",
        "take_from_timer",
        "Ese temporizador no existe.",
    ),
    (
        "es-ES",
        "cambia la alarma a las ocho",
        "change_alarm",
        "Esa alarma no existe.",
    ),
    (
        "es-ES",
        "cuánto le queda al temporizador pasta",
        "left_on_timer",
        "Ese temporizador no existe.",
    ),
    (
        "pt-PT",
        "põe um temporizador de meia hora",
        "set_timer",
        "30 minutos",
    ),
    (
        "pt-PT",
        "acorda-me todos os dias às oito",
        "set_alarm",
        "todos os dias",
    ),
    (
        "pt-PT",
        "acrescenta cinco minutos ao temporizador massa",
        "add_to_timer",
        "Esse temporizador não existe.",
    ),
    (
        "pt-PT",
        "tira dois minutos ao temporizador",
        "take_from_timer",
        "Esse temporizador não existe.",
    ),
    (
        "pt-PT",
        "muda o alarme para as oito",
        "change_alarm",
        "Esse alarme não existe.",
    ),
    ("it-IT", "imposta un timer di mezz'ora", "set_timer", "30 minuti"),
    (
        "it-IT",
        "svegliami ogni lunedì alle otto",
        "set_alarm",
        "ogni lunedì",
    ),
    (
        "it-IT",
        "aggiungi cinque minuti al timer pasta",
        "add_to_timer",
        "timer",
    ),
    ("it-IT", "togli due minuti al timer", "take_from_timer", "timer"),
    (
        "it-IT",
        "sposta la sveglia alle otto",
        "change_alarm",
        "Non c'è nessuna sveglia del genere.",
    ),
    ("it-IT", "quanto manca al timer pasta", "left_on_timer", "timer"),
];

/// What sounds alike and is not for these tools.
const OTHER: &[(&str, &str)] = &[
    ("en-US", "what is a timer"),
    ("en-US", "set the table for 10 minutes"),
    ("en-US", "who invented the alarm clock"),
    ("en-US", "set a timer for pasta"),
    ("en-US", "set an alarm for the house"),
    ("en-US", "do you remember me"),
    ("en-US", "ten minutes"),
    ("en-US", "wake me up before you go"),
    ("de-DE", "was ist ein Timer"),
    ("de-DE", "stell den Herd auf zehn Minuten"),
    ("de-DE", "erinnerst du dich an mich"),
    ("fr-FR", "qu'est-ce qu'un minuteur"),
    ("es-ES", "qué es un temporizador"),
    ("it-IT", "che cos'è un timer"),
    ("pt-PT", "o que é um temporizador"),
    ("en-US", "make it quick"),
    ("en-US", "make it seven"),
    ("en-US", "add five eggs to the pasta"),
    ("en-US", "move the chair to the kitchen"),
    ("en-US", "what is left on the table"),
    ("fr-FR", "ajoute cinq oeufs"),
    ("es-ES", "cambia la canción"),
    ("pt-PT", "muda de música"),
    ("it-IT", "sposta la sedia"),
];

#[tokio::test]
async fn alerts_are_asked_for_in_six_languages() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text, intent, told) in SAID {
        match answer(&spoken, text, lang).await {
            Some((found, _, Some(sentence)))
                if found == format!("alerts.{intent}") && sentence.contains(told) => {}
            other => wrong.push(format!("{text} ({lang}): {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_sounds_alike_is_left_alone() {
    let spoken = spoken();
    for (lang, text) in OTHER {
        let found = answer(&spoken, text, lang).await;
        assert!(found.is_none(), "{text} ({lang}): {found:?}");
    }
}

/// What is said, what is answered to the question, and the arguments that come of both.
const ANSWERED: &[(&str, &str, &str, &str)] = &[
    (
        "en-US",
        "set a timer",
        "ten minutes",
        r#"{"duration":"ten minutes"}"#,
    ),
    (
        "en-US",
        "set a timer",
        "for half an hour please",
        r#"{"duration":"half an hour"}"#,
    ),
    ("en-US", "set an alarm", "at 7 am", r#"{"time":"7 am"}"#),
    (
        "en-US",
        "set an alarm",
        "tomorrow at eight",
        r#"{"date":"tomorrow","time":"eight"}"#,
    ),
    (
        "en-US",
        "remind me to call Ada",
        "in ten minutes",
        r#"{"duration":"ten minutes","text":"call Ada"}"#,
    ),
    (
        "en-US",
        "remind me to call Ada",
        "tomorrow",
        r#"{"date":"tomorrow","text":"call Ada"}"#,
    ),
    (
        "en-US",
        "set a reminder for 5 pm",
        "to call Ada",
        r#"{"text":"call Ada","time":"5 pm"}"#,
    ),
    (
        "de-DE",
        "stell einen Timer",
        "zehn Minuten",
        r#"{"duration":"zehn Minuten"}"#,
    ),
    (
        "de-DE",
        "stell einen Wecker",
        "um sieben Uhr",
        r#"{"time":"sieben Uhr"}"#,
    ),
    (
        "fr-FR",
        "mets un minuteur",
        "dix minutes",
        r#"{"duration":"dix minutes"}"#,
    ),
    ("fr-FR", "mets un réveil", "à 7 h", r#"{"time":"7 h"}"#),
    (
        "es-ES",
        "pon un temporizador",
        "diez minutos",
        r#"{"duration":"diez minutos"}"#,
    ),
    ("es-ES", "pon una alarma", "a las siete", r#"{"time":"siete"}"#),
    (
        "pt-PT",
        "põe um temporizador",
        "dez minutos",
        r#"{"duration":"dez minutos"}"#,
    ),
    ("pt-PT", "põe um alarme", "às sete", r#"{"time":"sete"}"#),
    (
        "it-IT",
        "imposta un timer",
        "dieci minuti",
        r#"{"duration":"dieci minuti"}"#,
    ),
    (
        "it-IT",
        "imposta una sveglia",
        "alle sette",
        r#"{"time":"sette"}"#,
    ),
];

#[test]
fn what_was_left_out_is_taken_from_the_answer() {
    let spoken = spoken();
    for (lang, said, answered, arguments) in ANSWERED {
        let found = spoken
            .recognise(said, lang)
            .unwrap_or_else(|| panic!("{said} ({lang})"));
        let wanted = spoken.call(&found.intent_name, said, lang).expect("a call");
        assert!(spoken.is_incomplete(&wanted), "{said} ({lang})");
        let whole = spoken
            .completed(&wanted, answered, lang)
            .unwrap_or_else(|| panic!("{answered} ({lang})"));
        let found = serde_json::Value::Object(whole.call.arguments.clone());
        let expected: serde_json::Value = serde_json::from_str(arguments).expect("JSON");
        assert_eq!(found, expected, "{said}, {answered} ({lang})");
        assert!(!spoken.is_incomplete(&whole), "{said}, {answered} ({lang})");
    }
}

#[test]
fn what_is_no_answer_is_left_alone() {
    let spoken = spoken();
    let wanted = spoken
        .call("alerts.set_timer", "set a timer", "en-US")
        .expect("a call");
    for said in ["what time is it", "seven", "banana", "cancel all timers"] {
        assert_eq!(spoken.completed(&wanted, said, "en-US"), None, "{said}");
    }
    let whole = spoken
        .call("alerts.set_timer", "set a timer for one minute", "en-US")
        .expect("a call");
    assert!(!spoken.is_incomplete(&whole));
    assert_eq!(spoken.completed(&whole, "ten minutes", "en-US"), None);
}
