//! Days as people say them in six languages.

use super::{days, told};
use crate::dialog::Gap;
use crate::intent::InLanguage;
use crate::locale::Locales;

const READ: &[(&str, &str, &[i8])] = &[
    ("en-US", "every day", &[1, 2, 3, 4, 5, 6, 7]),
    ("en-US", "every weekday", &[1, 2, 3, 4, 5]),
    ("en-US", "on weekends", &[6, 7]),
    ("en-US", "every Monday", &[1]),
    ("en-US", "every Monday and Friday", &[1, 5]),
    ("en-US", "on Tuesdays and Thursdays", &[2, 4]),
    ("de-DE", "täglich", &[1, 2, 3, 4, 5, 6, 7]),
    ("de-DE", "jeden Montag", &[1]),
    ("de-DE", "jeden Montag und Freitag", &[1, 5]),
    ("de-DE", "werktags", &[1, 2, 3, 4, 5]),
    ("de-DE", "am Wochenende", &[6, 7]),
    ("de-DE", "every sunday", &[7]),
    ("fr-FR", "tous les jours", &[1, 2, 3, 4, 5, 6, 7]),
    ("fr-FR", "tous les lundis et vendredis", &[1, 5]),
    ("fr-FR", "chaque mardi", &[2]),
    ("es-ES", "todos los días", &[1, 2, 3, 4, 5, 6, 7]),
    ("es-ES", "los lunes y viernes", &[1, 5]),
    ("es-ES", "cada sábado", &[6]),
    ("pt-PT", "todos os dias", &[1, 2, 3, 4, 5, 6, 7]),
    ("pt-PT", "às segundas e quartas", &[1, 3]),
    ("it-IT", "ogni giorno", &[1, 2, 3, 4, 5, 6, 7]),
    ("it-IT", "ogni lunedì e venerdì", &[1, 5]),
    ("it-IT", "nei giorni feriali", &[1, 2, 3, 4, 5]),
];

fn read(lang: &str, said: &str) -> Option<Vec<i8>> {
    let locales = Locales::embedded();
    days(
        said,
        &InLanguage {
            lang,
            locales: &locales,
            said,
            home: None,
        },
    )
}

#[test]
fn days_are_read_as_people_say_them() {
    for (lang, said, expected) in READ {
        assert_eq!(read(lang, said).as_deref(), Some(*expected), "{said} ({lang})");
    }
}

#[test]
fn what_names_no_repetition_is_none() {
    for (lang, said) in [
        ("en-US", "every"),
        ("en-US", "every other day"),
        ("en-US", "tomorrow"),
        ("en-US", "every monday and dinner"),
        ("de-DE", "Freitag"),
        ("it-IT", "lunedì"),
    ] {
        assert_eq!(read(lang, said), None, "{said} ({lang})");
    }
}

#[test]
fn several_days_are_told_one_by_one() {
    let names = |days| told(days, "en-US", &Locales::embedded());
    let several = |names: &[&str]| {
        Some(Gap::Several(
            names.iter().map(|name| (*name).to_owned()).collect(),
        ))
    };
    assert_eq!(names(&[1, 5]), several(&["every monday", "every friday"]));
    assert_eq!(names(&[6, 7]), several(&["every weekend"]));
}
