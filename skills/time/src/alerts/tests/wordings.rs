//! A length and what for without a verb, what still runs and rings next, and a sign after a while, as people say them in six
//! languages, and talk in the same words.

use loquat_trial::heard;
use serde_json::Value;

use crate::alerts::SKILL;

/// The language, the tool, its arguments, and what people say for it.
type Said = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// A timer that has what is timed for its name.
const TIMED: &[Said] = &[
    (
        "en-us",
        "set_timer",
        r#"{"duration": "seven minutes", "name": "rice"}"#,
        &[
            "seven minutes for the rice",
            "seven minutes for my rice please",
            "seven minutes for our rice as well",
            "put seven minutes on for the rice thanks",
        ],
    ),
    (
        "en-us",
        "set_timer",
        r#"{"duration": "three quarters of an hour", "name": "banana bread"}"#,
        &["three quarters of an hour for the banana bread"],
    ),
    (
        "de-de",
        "set_timer",
        r#"{"duration": "sieben Minuten", "name": "Reis"}"#,
        &[
            "sieben Minuten für den Reis",
            "sieben Minuten für unseren Reis bitte",
            "stell mal sieben Minuten für den Reis",
        ],
    ),
    (
        "de-de",
        "set_timer",
        r#"{"duration": "eine Dreiviertelstunde", "name": "Brot"}"#,
        &["eine Dreiviertelstunde fürs Brot"],
    ),
    (
        "fr-fr",
        "set_timer",
        r#"{"duration": "sept minutes", "name": "riz"}"#,
        &[
            "sept minutes pour le riz",
            "sept minutes pour mon riz s'il te plaît",
        ],
    ),
    (
        "es-es",
        "set_timer",
        r#"{"duration": "siete minutos", "name": "arroz"}"#,
        &[
            "siete minutos para el arroz por favor",
            "siete minutos para mi arroz por favor",
        ],
    ),
    (
        "it-it",
        "set_timer",
        r#"{"duration": "sette minuti", "name": "riso"}"#,
        &[
            "sette minuti per il riso",
            "sette minuti per il mio riso per favore",
        ],
    ),
    (
        "pt-pt",
        "set_timer",
        r#"{"duration": "sete minutos", "name": "arroz"}"#,
        &[
            "sete minutos para o arroz por favor",
            "sete minutos para o meu arroz por favor",
        ],
    ),
];

/// A sign when a while has passed.
const SIGNS: &[Said] = &[
    (
        "en-us",
        "set_timer",
        r#"{"duration": "twelve minutes"}"#,
        &[
            "prod me in twelve minutes",
            "buzz me after twelve minutes",
            "give me a poke in twelve minutes from now",
            "give me a ping once twelve minutes are up",
            "in twelve minutes nudge me",
        ],
    ),
    (
        "de-de",
        "set_timer",
        r#"{"duration": "zwölf Minuten"}"#,
        &[
            "stups mich in zwölf Minuten an",
            "gib mir in zwölf Minuten einen Wink",
            "sag mir Bescheid in zwölf Minuten",
        ],
    ),
    (
        "fr-fr",
        "set_timer",
        r#"{"duration": "douze minutes"}"#,
        &[
            "bipe-moi dans douze minutes",
            "fais-moi un petit signe dans douze minutes",
        ],
    ),
    (
        "es-es",
        "set_timer",
        r#"{"duration": "doce minutos"}"#,
        &["alértame en doce minutos", "dame un aviso dentro de doce minutos"],
    ),
    (
        "it-it",
        "set_timer",
        r#"{"duration": "dodici minuti"}"#,
        &[
            "fammi uno squillo tra dodici minuti",
            "dammi un cenno fra dodici minuti",
        ],
    ),
    (
        "pt-pt",
        "set_timer",
        r#"{"duration": "doze minutos"}"#,
        &["alerta-me em doze minutos", "dá-me um toque daqui a doze minutos"],
    ),
];

/// What still runs, and what rings next.
const LOOKED: &[Said] = &[
    (
        "en-us",
        "list_alerts",
        r#"{"kind": "timer"}"#,
        &[
            "what's still ticking",
            "which of them are still running",
            "is something still counting down",
            "any of them still running",
        ],
    ),
    (
        "de-de",
        "list_alerts",
        r#"{"kind": "timer"}"#,
        &[
            "was läuft denn noch",
            "welche davon laufen noch",
            "läuft noch einer",
        ],
    ),
    (
        "fr-fr",
        "list_alerts",
        r#"{"kind": "timer"}"#,
        &["qu'est-ce qui est encore en cours", "lequel tourne encore"],
    ),
    (
        "es-es",
        "list_alerts",
        r#"{"kind": "timer"}"#,
        &["qué está todavía en marcha", "hay algo corriendo"],
    ),
    (
        "it-it",
        "list_alerts",
        r#"{"kind": "timer"}"#,
        &["che cosa sta ancora andando", "quali sono ancora in corso"],
    ),
    (
        "pt-pt",
        "list_alerts",
        r#"{"kind": "timer"}"#,
        &["o que é que ainda está a contar", "qual continua a correr"],
    ),
    (
        "en-us",
        "list_alerts",
        r#"{"name": "next"}"#,
        &[
            "what time will it go off next",
            "which one rings next",
            "what's due next",
        ],
    ),
    (
        "de-de",
        "list_alerts",
        r#"{"name": "next"}"#,
        &[
            "wann läutet es das nächste Mal",
            "wann klingelt's denn wieder",
            "was klingelt als nächstes",
        ],
    ),
    (
        "fr-fr",
        "list_alerts",
        r#"{"name": "next"}"#,
        &["à quelle heure ça sonne la prochaine fois"],
    ),
    (
        "es-es",
        "list_alerts",
        r#"{"name": "next"}"#,
        &["a qué hora suena la próxima vez"],
    ),
    (
        "it-it",
        "list_alerts",
        r#"{"name": "next"}"#,
        &["a che ora suona la prossima volta"],
    ),
    (
        "pt-pt",
        "list_alerts",
        r#"{"name": "next"}"#,
        &["a que horas é que toca a seguir"],
    ),
    (
        "en-us",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "what time does the alarm ring",
            "how long till our alarm goes off",
        ],
    ),
    (
        "de-de",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &["wann läutet denn unser Wecker", "wann klingelt der Wecker"],
    ),
    (
        "fr-fr",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &["quand est-ce que mon réveil sonne", "le réveil sonne quand"],
    ),
    (
        "pt-pt",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &["quando é que toca o meu alarme"],
    ),
];

/// Less of what was set last, which is not named.
const SHORTENED: &[Said] = &[
    (
        "en-us",
        "change_alert",
        r#"{"by": "-three minutes"}"#,
        &[
            "shave three minutes off",
            "knock off three minutes",
            "three minutes less",
        ],
    ),
    (
        "de-de",
        "change_alert",
        r#"{"by": "-drei Minuten"}"#,
        &[
            "nimm mal drei Minuten weg",
            "kürz um drei Minuten",
            "drei Minuten weniger",
        ],
    ),
    (
        "fr-fr",
        "change_alert",
        r#"{"by": "-trois minutes"}"#,
        &["retire trois minutes", "trois minutes de moins"],
    ),
    (
        "es-es",
        "change_alert",
        r#"{"by": "-tres minutos"}"#,
        &["quita tres minutos", "ponle tres minutos menos"],
    ),
    (
        "it-it",
        "change_alert",
        r#"{"by": "-tre minuti"}"#,
        &["leva tre minuti", "tre minuti in meno"],
    ),
    (
        "pt-pt",
        "change_alert",
        r#"{"by": "-três minutos"}"#,
        &["tira três minutos", "três minutos a menos"],
    ),
];

/// Talk in the same words, or an order for something else.
const OTHER: &[(&str, &[&str])] = &[
    (
        "en-us",
        &[
            "seven minutes for lunch",
            "it took seven minutes for the rice to boil",
            "the seven minutes for the rice are over",
            "seven minutes for the",
            "poke the fire in ten minutes",
            "give me a break",
            "what is still running in the background",
            "which ones are still missing",
            "when does the bus go next",
            "what happens next",
            "take it off",
            "time for tea",
        ],
    ),
    (
        "de-de",
        &[
            "sieben Minuten für Reis",
            "ich habe sieben Minuten für den Reis gebraucht",
            "was läuft noch im Hintergrund",
            "wann klingelt der Postbote",
            "stups den Ball an",
        ],
    ),
    (
        "fr-fr",
        &["dix minutes pour manger", "qu'est-ce qui manque encore"],
    ),
    ("es-es", &["diez minutos para llegar", "qué falta todavía"]),
    ("it-it", &["due ore per arrivare", "cosa manca ancora"]),
    ("pt-pt", &["dez minutos para chegar", "o que falta ainda"]),
];

#[test]
fn everyday_wordings_are_understood_in_six_languages() {
    let mut wrong = Vec::new();
    for (lang, tool, arguments, sentences) in [TIMED, SIGNS, LOOKED, SHORTENED].concat() {
        let expected: Value = serde_json::from_str(arguments).expect("JSON");
        for text in sentences {
            let call = heard(&[&SKILL], text, lang).map(|call| (call.tool, Value::Object(call.arguments)));
            let is_right = call
                .as_ref()
                .is_some_and(|(called, with)| called == tool && *with == expected);
            wrong.extend((!is_right).then(|| format!("{text} ({lang}): {call:?}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn talk_in_the_same_words_is_left_to_others() {
    for (lang, sentences) in OTHER {
        for text in *sentences {
            assert_eq!(heard(&[&SKILL], text, lang), None, "{text} ({lang})");
        }
    }
}
