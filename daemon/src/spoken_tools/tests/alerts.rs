//! What people say for timers, alarms and reminders in six languages, and what it becomes.

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
        "pasta timer set for 12 minutes.",
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
    (
        "en-US",
        "what timers are set",
        "list_timers",
        "No timer is running.",
    ),
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
    (
        "en-US",
        "cancel all timers",
        "cancel_timers",
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
    (
        "en-US",
        "when is my next alarm",
        "list_alarms",
        "No alarm is set.",
    ),
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
        "list_reminders",
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
    (
        "de-DE",
        "welche Timer laufen",
        "list_timers",
        "Es läuft kein Timer.",
    ),
    (
        "de-DE",
        "lösche alle Wecker",
        "cancel_alarms",
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
        "pas de tel minuteur",
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
    ("es-ES", "qué alarmas tengo", "list_alarms", "ninguna alarma"),
    (
        "es-ES",
        "cancela el temporizador",
        "cancel_timer",
        "No hay tal temporizador.",
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
    ("pt-PT", "que alarmes tenho", "list_alarms", "nenhum alarme"),
    (
        "pt-PT",
        "cancela todos os temporizadores",
        "cancel_timers",
        "Não há tal temporizador.",
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
        "Non c'è una sveglia così.",
    ),
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
