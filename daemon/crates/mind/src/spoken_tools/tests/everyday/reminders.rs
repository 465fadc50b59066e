//! "Remind me" with what is to be done, and with what is asked for: the second sets no reminder.

use super::*;

/// Reminders.
const SET: &[Asked] = &[
    (
        "en-US",
        "set_reminder",
        r#"{"text": "check the dumplings", "date": "in ten minutes"}"#,
        &[
            "ping me in ten minutes so I check the dumplings",
            "nudge me in ten minutes so that I can check the dumplings",
        ],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"text": "die Klöße rausnehme", "date": "in zehn Minuten"}"#,
        &["erinner mich in zehn Minuten, damit ich die Klöße rausnehme"],
    ),
    (
        "fr-FR",
        "set_reminder",
        r#"{"text": "appeler ton père"}"#,
        &["rappelle-moi d'appeler ton père"],
    ),
    (
        "fr-FR",
        "set_reminder",
        r#"{"text": "que je dois partir"}"#,
        &["rappelle-moi que je dois partir"],
    ),
    (
        "fr-FR",
        "set_reminder",
        r#"{"text": "le rendez-vous", "date": "demain"}"#,
        &["rappelle-moi le rendez-vous demain à dix heures"],
    ),
    (
        "es-ES",
        "set_reminder",
        r#"{"text": "la cita", "date": "mañana"}"#,
        &["recuérdame la cita mañana a las diez"],
    ),
    (
        "es-ES",
        "set_reminder",
        r#"{"text": "llamar a tu padre"}"#,
        &["recuérdame llamar a tu padre"],
    ),
    (
        "es-ES",
        "set_reminder",
        r#"{"text": "que compre leche"}"#,
        &["recuérdame que compre leche"],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"text": "die Blumen zu gießen"}"#,
        &["erinnere mich daran, die Blumen zu gießen"],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"text": "was zu trinken"}"#,
        &["erinnere mich daran, was zu trinken"],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"text": "den Zahnarzt"}"#,
        &["erinnere mich an den Zahnarzt"],
    ),
];

/// What asks for something known.
const ASKED_FOR: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "remind me what your name is",
            "remind me who won yesterday",
            "remind me of the title of the film",
            "remind me how old you are",
        ],
    ),
    (
        "de-DE",
        &[
            "erinnere mich daran, wie du heißt",
            "erinnere mich daran, wie der Film heißt",
            "erinnere mich daran, wer gestern gewonnen hat",
            "erinnere mich daran, was ich gesagt habe",
            "erinnere mich daran, wo der Schlüssel liegt",
            "erinnere mich an deinen Namen",
        ],
    ),
    (
        "fr-FR",
        &[
            "rappelle-moi ton nom",
            "rappelle-moi le titre du film",
            "rappelle-moi qui a gagné hier",
            "rappelle-moi ce que j'ai dit",
            "rappelle-moi comment tu t'appelles",
            "rappelle-moi où est la clé",
            "rappelle-moi quel jour on est",
            "rappelle-moi mon mot de passe",
            "rappelle-moi l'adresse de Paul",
        ],
    ),
    (
        "es-ES",
        &[
            "recuérdame tu nombre",
            "recuérdame qué dije",
            "recuérdame quién ganó ayer",
            "recuérdame cómo te llamas",
            "recuérdame dónde está la llave",
            "recuérdame lo que dije",
            "recuérdame el título de la película",
            "recuérdame mi contraseña",
        ],
    ),
    (
        "it-IT",
        &[
            "ricordami il tuo nome",
            "ricordami chi ha vinto ieri",
            "ricordami cosa ho detto",
        ],
    ),
    (
        "pt-PT",
        &[
            "lembra-me o teu nome",
            "lembra-me quem ganhou ontem",
            "lembra-me o que eu disse",
        ],
    ),
];

#[test]
fn what_is_to_be_done_is_a_reminder() {
    let wrong = wrong(&spoken(), SET);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_asked_for_is_no_reminder() {
    let spoken = spoken();
    let mut caught = Vec::new();
    for (lang, sentences) in ASKED_FOR {
        for text in *sentences {
            let found = spoken.recognise(text, lang).or_else(|| spoken.guess(text, lang));
            caught.extend(found.map(|found| (text, found.intent_name, found.slots)));
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}
