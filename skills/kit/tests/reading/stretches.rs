//! Times that are no one moment, and texts that end in the word in front of one.

use loquat_kit::Kind;

use crate::{Rows, check, reader, told};

const STRETCHES: Rows<'_> = &[
    ("en", "between 5 and 6", "stretch"),
    ("en", "between 5 and 6 pm", "stretch"),
    ("en", "tomorrow between 5 and 6", "2026-11-26 stretch"),
    ("en", "from 5 to half past six", "stretch"),
    ("en", "before 5", "stretch"),
    ("en", "after 5 pm tomorrow", "2026-11-26 stretch"),
    ("en", "until friday", "stretch"),
    ("en", "before the 3rd of march", "stretch"),
    ("en", "from the 1st to the 5th of march", "stretch"),
    ("en", "between monday and wednesday", "stretch"),
    ("en", "from friday on", "stretch"),
    ("en", "every day before 5", "stretch [1, 2, 3, 4, 5, 6, 7]"),
    ("en", "after 10 minutes", "+600s"),
    ("en", "2 days after tomorrow", "2026-11-28"),
    ("en", "ten after six", "06:10~"),
    ("en", "by friday", "2026-11-27"),
    ("en", "until dinner", "-"),
    ("en", "before 5 at 6", "-"),
    ("de", "zwischen 5 und 6 Uhr", "stretch"),
    ("de", "bis Freitag", "stretch"),
    ("de", "bis zum 3. März", "stretch"),
    ("de", "vor 17 Uhr", "stretch"),
    ("de", "morgen nach 17 Uhr", "2026-11-26 stretch"),
    ("de", "ab Montag", "stretch"),
    ("de", "vom 1. bis zum 5. März", "stretch"),
    ("de", "nach 10 Minuten", "+600s"),
    ("de", "zehn vor acht", "07:50~"),
    ("de", "vor zwei Tagen", "2026-11-23"),
    ("fr", "entre 5 et 6 heures", "stretch"),
    ("fr", "jusqu'à vendredi", "stretch"),
    ("fr", "avant 17 heures", "stretch"),
    ("fr", "après vendredi", "stretch"),
    ("fr", "du 1er au 5 mars", "stretch"),
    ("fr", "à partir de lundi", "stretch"),
    ("fr", "après 10 minutes", "+600s"),
    ("es", "entre las 5 y las 6", "stretch"),
    ("es", "hasta el viernes", "stretch"),
    ("es", "antes de las 5", "stretch"),
    ("es", "después del viernes", "stretch"),
    ("es", "del 1 al 5 de marzo", "stretch"),
    ("es", "desde las 5 hasta las 6", "stretch"),
    ("es", "después de 10 minutos", "+600s"),
    ("it", "tra le 5 e le 6", "stretch"),
    ("it", "fino a venerdì", "stretch"),
    ("it", "prima delle 5", "stretch"),
    ("it", "dopo venerdì", "stretch"),
    ("it", "dal 1 al 5 marzo", "stretch"),
    ("it", "dalle 5 alle 6", "stretch"),
    ("it", "dopo 10 minuti", "+600s"),
    ("it", "tra 10 minuti", "+600s"),
    ("pt", "entre as 5 e as 6", "stretch"),
    ("pt", "até sexta", "stretch"),
    ("pt", "antes das 5", "stretch"),
    ("pt", "depois de sexta", "stretch"),
    ("pt", "de 1 a 5 de março", "stretch"),
    ("pt", "das 5 às 6", "stretch"),
    ("pt", "depois de 10 minutos", "+600s"),
];

#[test]
fn a_time_that_is_no_one_moment_is_known_as_one() {
    check(STRETCHES, Kind::Moment);
}

#[test]
fn a_stretch_is_no_day_and_no_time_of_day() {
    for said in ["until friday", "tomorrow between 5 and 6", "before 5 pm"] {
        assert!(reader("en").whole(said, Kind::Day).is_err(), "{said}");
        assert!(reader("en").whole(said, Kind::Time).is_err(), "{said}");
        assert!(reader("en").whole(said, Kind::Repeat).is_err(), "{said}");
    }
}

#[test]
fn numbers_between_words_are_no_stretch_by_themselves() {
    let found = |said: &str| {
        let found = reader("en").find_in(said).into_iter();
        let found = found.map(|(reading, _)| told(&reading));
        found.collect::<Vec<_>>().join("|")
    };
    assert_eq!(found("choose between 5 and 6 apples"), "5|6");
    assert_eq!(found("be home between 5 and 6 pm"), "stretch");
    assert_eq!(found("stay until friday"), "stretch");
}

#[test]
fn a_text_that_calls_for_more_is_unfinished() {
    for (lang, said) in [
        ("en", "work until"),
        ("en", "bread and"),
        ("en", "be home between"),
        ("de", "arbeiten bis"),
        ("de", "Brot und"),
        ("fr", "travailler jusqu'à"),
        ("fr", "appeler maman avant"),
        ("es", "llamar antes de"),
        ("es", "trabajar hasta"),
        ("it", "lavorare fino alle"),
        ("it", "chiamare prima di"),
        ("pt", "trabalhar até"),
        ("pt", "ligar antes das"),
    ] {
        assert!(reader(lang).is_unfinished(said), "{said} ({lang})");
    }
    for (lang, said) in [
        ("en", "call mom"),
        ("en", "until"),
        ("en", "log in"),
        ("de", "das Licht an"),
        ("fr", "payer"),
        ("en", ""),
    ] {
        let is_alone = said == "until";
        assert_eq!(reader(lang).is_unfinished(said), is_alone, "{said} ({lang})");
    }
}
