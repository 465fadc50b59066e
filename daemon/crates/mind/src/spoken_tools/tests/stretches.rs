//! Repetitions that end, times that are no one moment, and alarms by a length, in six languages.

use super::{answer, spoken};

/// What is said, the intent, and a part of what is answered.
const SAID: &[(&str, &str, &str, &str)] = &[
    (
        "en-US",
        "remind me to call mom before friday",
        "set_reminder",
        "nothing was set",
    ),
    (
        "en-US",
        "remind me between 5 and 6 to call mom",
        "set_reminder",
        "nothing was set",
    ),
    (
        "en-US",
        "remind me to work until 5",
        "set_reminder",
        "nothing was set",
    ),
    (
        "en-US",
        "remind me to drive from 5 to 6",
        "set_reminder",
        "nothing was set",
    ),
    (
        "en-US",
        "remind me every day between 5 and 6 to walk",
        "set_reminder",
        "nothing was set",
    ),
    (
        "en-US",
        "remind me in the last week of december to call mom",
        "set_reminder",
        "nothing was set",
    ),
    (
        "de-DE",
        "erinnere mich zwischen 5 und 6 daran Mama anzurufen",
        "set_reminder",
        "nichts gestellt",
    ),
    (
        "de-DE",
        "erinnere mich bis Freitag daran die Rechnung zu zahlen",
        "set_reminder",
        "nichts gestellt",
    ),
    (
        "de-DE",
        "erinnere mich nächste Woche daran Mama anzurufen",
        "set_reminder",
        "nichts gestellt",
    ),
    (
        "fr-FR",
        "rappelle-moi d'appeler maman avant vendredi",
        "set_reminder",
        "rien n'a été programmé",
    ),
    (
        "fr-FR",
        "rappelle-moi de travailler jusqu'à 17 heures",
        "set_reminder",
        "rien n'a été programmé",
    ),
    (
        "fr-FR",
        "rappelle-moi la semaine prochaine d'appeler maman",
        "set_reminder",
        "rien n'a été programmé",
    ),
    (
        "es-ES",
        "recuérdame llamar a mamá antes del viernes",
        "set_reminder",
        "no he puesto nada",
    ),
    (
        "es-ES",
        "recuérdame trabajar hasta las 5",
        "set_reminder",
        "no he puesto nada",
    ),
    (
        "es-ES",
        "recuérdame la próxima semana llamar a mamá",
        "set_reminder",
        "no he puesto nada",
    ),
    (
        "it-IT",
        "ricordami di chiamare mamma prima di venerdì",
        "set_reminder",
        "non ho impostato nulla",
    ),
    (
        "it-IT",
        "ricordami di lavorare fino alle 17",
        "set_reminder",
        "non ho impostato nulla",
    ),
    (
        "it-IT",
        "ricordami la prossima settimana di chiamare mamma",
        "set_reminder",
        "non ho impostato nulla",
    ),
    (
        "pt-PT",
        "lembra-me de ligar à mãe antes de sexta",
        "set_reminder",
        "não defini nada",
    ),
    (
        "pt-PT",
        "lembra-me de trabalhar até às 17",
        "set_reminder",
        "não defini nada",
    ),
    (
        "pt-PT",
        "lembra-me na próxima semana de ligar à mãe",
        "set_reminder",
        "não defini nada",
    ),
    (
        "en-US",
        "set an alarm between 5 and 6",
        "set_alarm",
        "nothing was set",
    ),
    (
        "de-DE",
        "stell einen Wecker zwischen 5 und 6 Uhr",
        "set_alarm",
        "nichts gestellt",
    ),
    (
        "fr-FR",
        "mets un réveil entre 5 et 6 heures",
        "set_alarm",
        "rien n'a été programmé",
    ),
    (
        "es-ES",
        "pon una alarma entre las 5 y las 6",
        "set_alarm",
        "no he puesto nada",
    ),
    (
        "it-IT",
        "imposta una sveglia tra le 5 e le 6",
        "set_alarm",
        "non ho impostato nulla",
    ),
    (
        "pt-PT",
        "define um alarme entre as 5 e as 6",
        "set_alarm",
        "não defini nada",
    ),
    (
        "en-US",
        "remind me every day at 8 until December 31 2099 to take my pills",
        "set_reminder",
        "until Thursday, December 31, 2099: take my pills.",
    ),
    (
        "de-DE",
        "erinnere mich jeden Tag um 8 bis zum 31. Dezember 2099 daran die Pillen zu nehmen",
        "set_reminder",
        "bis Donnerstag, 31. Dezember 2099: die Pillen zu nehmen.",
    ),
    (
        "fr-FR",
        "rappelle-moi tous les jours à 8 heures jusqu'au 31 décembre 2099 de prendre mes pilules",
        "set_reminder",
        "jusqu'au jeudi 31 décembre 2099 : prendre mes pilules.",
    ),
    (
        "es-ES",
        "recuérdame todos los días a las 8 hasta el 31 de diciembre de 2099 tomar las pastillas",
        "set_reminder",
        "31 de diciembre de 2099: tomar las pastillas.",
    ),
    (
        "it-IT",
        "ricordami ogni giorno alle 8 fino al 31 dicembre 2099 di prendere le pillole",
        "set_reminder",
        "fino a giovedì 31 dicembre 2099: prendere le pillole.",
    ),
    (
        "pt-PT",
        "lembra-me todos os dias às 8 até 31 de dezembro de 2099 de tomar os comprimidos",
        "set_reminder",
        "31 de dezembro de 2099: tomar os comprimidos.",
    ),
    (
        "en-US",
        "is there a timer for 5 minutes",
        "left_on_timer",
        "There is no such timer.",
    ),
    ("en-US", "set a 10 minute alarm", "set_alarm", "Alarm set for "),
    ("es-ES", "despiértame en 30 minutos", "set_alarm", "Alarma puesta"),
    (
        "it-IT",
        "svegliami tra 30 minuti",
        "set_alarm",
        "Sveglia impostata",
    ),
    (
        "pt-PT",
        "acorda-me daqui a 30 minutos",
        "set_alarm",
        "Alarme definido",
    ),
    (
        "it-IT",
        "Imposta il timer su cinque minuti",
        "set_timer",
        "5 minuti",
    ),
];

#[tokio::test]
async fn what_is_no_one_moment_sets_nothing_and_what_ends_is_told_to() {
    let spoken = spoken();
    for (lang, text, intent, said) in SAID {
        let Some((found, arguments, told)) = answer(&spoken, text, lang).await else {
            panic!("{lang}: '{text}' was not understood");
        };
        assert_eq!(found, format!("alerts.{intent}"), "{lang}: {text}");
        let told = told.unwrap_or_default();
        assert!(told.contains(said), "{lang}: '{text}': {told} ({arguments})");
    }
}
