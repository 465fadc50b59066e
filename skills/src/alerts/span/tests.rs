//! Spans of time as people say them in six languages.

use crate::intent::InLanguage;
use crate::locale::Locales;

const READ: &[(&str, &[(&str, f64)])] = &[
    (
        "en-US",
        &[
            ("one second", 1.0),
            ("a second", 1.0),
            ("30 seconds", 30.0),
            ("90 seconds", 90.0),
            ("ninety seconds", 90.0),
            ("90s", 90.0),
            ("one minute", 60.0),
            ("a minute", 60.0),
            ("1-minute", 60.0),
            ("ten minutes", 600.0),
            ("twenty five minutes", 1500.0),
            ("a hundred seconds", 100.0),
            ("half a minute", 30.0),
            ("a minute and a half", 90.0),
            ("one and a half minutes", 90.0),
            ("two and a half minutes", 150.0),
            ("2.5 minutes", 150.0),
            ("half an hour", 1800.0),
            ("half hour", 1800.0),
            ("a half hour", 1800.0),
            ("a quarter of an hour", 900.0),
            ("three quarters of an hour", 2700.0),
            ("an hour", 3600.0),
            ("one hour", 3600.0),
            ("an hour and a half", 5400.0),
            ("one and a half hours", 5400.0),
            ("1.5 hours", 5400.0),
            ("an hour and a quarter", 4500.0),
            ("an hour and ten minutes", 4200.0),
            ("an hour thirty", 5400.0),
            ("2 h 30 min", 9000.0),
            ("2h30", 9000.0),
            ("two hours, thirty minutes and ten seconds", 9010.0),
            ("an hour and half a minute", 3630.0),
            ("a couple of minutes", 120.0),
            ("a day", 86_400.0),
            ("two days and three hours", 183_600.0),
            ("a week", 604_800.0),
        ],
    ),
    (
        "de-DE",
        &[
            ("eine Sekunde", 1.0),
            ("90 Sekunden", 90.0),
            ("neunzig Sekunden", 90.0),
            ("eine Minute", 60.0),
            ("einer Minute", 60.0),
            ("zehn Minuten", 600.0),
            ("fünfundzwanzig Minuten", 1500.0),
            ("eine halbe Minute", 30.0),
            ("eineinhalb Minuten", 90.0),
            ("zweieinhalb Minuten", 150.0),
            ("zwei und eine halbe Minute", 150.0),
            ("2,5 Minuten", 150.0),
            ("eine halbe Stunde", 1800.0),
            ("einer halben Stunde", 1800.0),
            ("eine Viertelstunde", 900.0),
            ("einer Dreiviertelstunde", 2700.0),
            ("eine Stunde", 3600.0),
            ("eineinhalb Stunden", 5400.0),
            ("anderthalb Stunden", 5400.0),
            ("eine Stunde und zehn Minuten", 4200.0),
            ("eine Stunde dreißig", 5400.0),
            ("zwei Stunden und 30 Minuten", 9000.0),
            ("einen Tag", 86_400.0),
            ("zwei Wochen", 1_209_600.0),
        ],
    ),
    (
        "fr-FR",
        &[
            ("une seconde", 1.0),
            ("90 secondes", 90.0),
            ("quatre-vingt-dix secondes", 90.0),
            ("une minute", 60.0),
            ("dix minutes", 600.0),
            ("vingt-cinq minutes", 1500.0),
            ("une demi-minute", 30.0),
            ("une minute et demie", 90.0),
            ("deux minutes et demie", 150.0),
            ("une demi-heure", 1800.0),
            ("un quart d'heure", 900.0),
            ("trois quarts d'heure", 2700.0),
            ("une heure", 3600.0),
            ("une heure et demie", 5400.0),
            ("une heure et quart", 4500.0),
            ("une heure trente", 5400.0),
            ("1 h 30", 5400.0),
            ("deux heures et dix minutes", 7800.0),
            ("un jour", 86_400.0),
            ("une semaine", 604_800.0),
        ],
    ),
    (
        "es-ES",
        &[
            ("un segundo", 1.0),
            ("90 segundos", 90.0),
            ("noventa segundos", 90.0),
            ("un minuto", 60.0),
            ("diez minutos", 600.0),
            ("veinticinco minutos", 1500.0),
            ("treinta y cinco minutos", 2100.0),
            ("medio minuto", 30.0),
            ("un minuto y medio", 90.0),
            ("dos minutos y medio", 150.0),
            ("media hora", 1800.0),
            ("un cuarto de hora", 900.0),
            ("tres cuartos de hora", 2700.0),
            ("una hora", 3600.0),
            ("una hora y media", 5400.0),
            ("hora y media", 5400.0),
            ("dos horas y diez minutos", 7800.0),
            ("un día", 86_400.0),
        ],
    ),
    (
        "pt-PT",
        &[
            ("um segundo", 1.0),
            ("90 segundos", 90.0),
            ("noventa segundos", 90.0),
            ("um minuto", 60.0),
            ("dez minutos", 600.0),
            ("vinte e cinco minutos", 1500.0),
            ("meio minuto", 30.0),
            ("um minuto e meio", 90.0),
            ("dois minutos e meio", 150.0),
            ("meia hora", 1800.0),
            ("um quarto de hora", 900.0),
            ("três quartos de hora", 2700.0),
            ("uma hora", 3600.0),
            ("uma hora e meia", 5400.0),
            ("duas horas e dez minutos", 7800.0),
            ("um dia", 86_400.0),
        ],
    ),
    (
        "it-IT",
        &[
            ("un secondo", 1.0),
            ("90 secondi", 90.0),
            ("novanta secondi", 90.0),
            ("un minuto", 60.0),
            ("dieci minuti", 600.0),
            ("venticinque minuti", 1500.0),
            ("mezzo minuto", 30.0),
            ("un minuto e mezzo", 90.0),
            ("due minuti e mezzo", 150.0),
            ("mezz'ora", 1800.0),
            ("mezza ora", 1800.0),
            ("un quarto d'ora", 900.0),
            ("tre quarti d'ora", 2700.0),
            ("un'ora", 3600.0),
            ("un'ora e mezza", 5400.0),
            ("due ore e dieci minuti", 7800.0),
            ("un giorno", 86_400.0),
        ],
    ),
];

const OTHER: &[(&str, &str)] = &[
    ("en-US", ""),
    ("en-US", "ten"),
    ("en-US", "minutes"),
    ("en-US", "and a half"),
    ("en-US", "a while"),
    ("en-US", "zero minutes"),
    ("en-US", "ten minutes of yoga"),
    ("en-US", "the second"),
    ("en-US", "an hour ninety"),
    ("en-US", "two days thirty"),
    ("de-DE", "halb sieben"),
    ("de-DE", "zehn"),
    ("fr-FR", "une bonne heure"),
    ("es-ES", "la hora"),
    ("it-IT", "l'ora di cena"),
];

fn seconds(lang: &str, said: &str) -> Option<f64> {
    let locales = Locales::embedded();
    let said = said.replace(", ", " ");
    super::seconds(
        &said,
        &InLanguage {
            lang,
            locales: &locales,
            said: &said,
            home: None,
        },
    )
}

#[test]
fn spans_are_read_as_people_say_them() {
    let mut wrong = Vec::new();
    for (lang, said) in READ {
        for (said, expected) in *said {
            let found = seconds(lang, said);
            if found != Some(*expected) {
                wrong.push(format!("{said} ({lang}): {found:?} and not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_no_span_is_none() {
    for (lang, said) in OTHER {
        assert_eq!(seconds(lang, said), None, "{said} ({lang})");
    }
}
