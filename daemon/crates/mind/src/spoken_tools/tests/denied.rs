//! Orders with a negation in them, which are answered with what was not done, and sentences that only sound like some.

use loquat_orchestrator::search::ToolIntents;

use super::spoken;

const DENIED: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "don't set a timer",
            "don’t set a timer for 5 minutes",
            "please do not set an alarm for 7",
            "never remind me to call mom at 5",
            "set no timer",
            "don't add milk to my shopping list",
            "don't turn up the volume",
        ],
    ),
    (
        "de-DE",
        &[
            "Stell keinen Timer",
            "Stell keinen Timer auf 5 Minuten",
            "Stell den Wecker nicht auf 7 Uhr",
            "Erinnere mich nicht morgen um 5 daran Mama anzurufen",
            "Setz keine Milch auf die Einkaufsliste",
        ],
    ),
    (
        "fr-FR",
        &[
            "ne mets pas de minuteur de 5 minutes",
            "ne mets pas de réveil à 7 heures",
            "ne me rappelle pas d'appeler maman à 17 heures",
            "n'ajoute pas de lait à la liste de courses",
        ],
    ),
    (
        "es-ES",
        &[
            "no pongas un temporizador",
            "no pongas ningún temporizador de 5 minutos",
            "no me recuerdes llamar a mamá a las 5",
            "no añadas leche a la lista de la compra",
        ],
    ),
    (
        "it-IT",
        &[
            "non impostare un timer",
            "non impostare nessun timer di 5 minuti",
            "non aggiungere latte alla lista della spesa",
        ],
    ),
    (
        "pt-PT",
        &[
            "não definas um temporizador",
            "não ponhas nenhum temporizador de 5 minutos",
            "não adiciones leite à lista de compras",
        ],
    ),
];

const NOT_DENIED: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "set a timer for 5 minutes",
            "remind me not to smoke at 5",
            "isn't it raining",
            "why don't you like timers",
            "don't worry be happy",
            "I don't know what time it is",
            "never gonna give you up",
            "there is no timer",
            "don't forget to set a timer for 5 minutes",
            "no, set a timer for 5 minutes",
        ],
    ),
    (
        "de-DE",
        &[
            "ist heute nicht Montag",
            "ich weiß nicht wie spät es ist",
            "das ist kein Timer",
        ],
    ),
    ("fr-FR", &["n'est-ce pas", "je ne sais pas quelle heure il est"]),
    (
        "es-ES",
        &["no, pon un temporizador de 5 minutos", "no sé qué hora es"],
    ),
    (
        "it-IT",
        &["no, imposta un timer di 5 minuti", "non so che ore sono"],
    ),
    (
        "pt-PT",
        &["não, põe um temporizador de 5 minutos", "não sei que horas são"],
    ),
];

#[test]
fn who_says_what_is_not_to_be_done_is_told_that_it_was_not() {
    let spoken = spoken();
    for (lang, sentences) in DENIED {
        for text in *sentences {
            let found = spoken.recognise(text, lang).map(|found| found.intent_name);
            assert_eq!(found, None, "{text}");
            assert!(spoken.refrains(text, lang).is_some(), "{text}");
        }
    }
}

#[test]
fn what_denies_no_order_is_none_of_them() {
    let spoken = spoken();
    for (lang, sentences) in NOT_DENIED {
        for text in *sentences {
            assert_eq!(spoken.refrains(text, lang), None, "{text}");
        }
    }
}
