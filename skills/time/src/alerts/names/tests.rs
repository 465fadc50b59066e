//! Words of an order are no name, and a name is told without what stands around it.

use super::{is_name, plain};
use loquat_kit::intent::InLanguage;
use loquat_kit::{Skill, Things};

fn within(lang: &str, look: impl Fn(&InLanguage<'_>)) {
    let (locales, things) = (Skill::locales([&crate::alerts::SKILL]).into(), Things::default());
    look(&InLanguage {
        lang,
        locales: &locales,
        rooms: None,
        things: &things,
        said: "",
    });
}

#[test]
fn what_was_cut_out_of_an_order_is_no_name() {
    for (lang, said) in [
        ("en-us", "the"),
        ("en-us", "set the"),
        ("en-US", "Set the"),
        ("en-us", "cancel the"),
        ("en-us", "don't set a"),
        ("en-us", "is there a"),
        ("de-de", "stell den"),
        ("de-de", "Lösche den"),
        ("fr-fr", "mets le"),
        ("fr-fr", "l'"),
        ("es-es", "pon el"),
        ("it-it", "imposta il"),
        ("pt-pt", "põe o"),
        ("en-us", "alarm and the"),
        ("en-us", "reminder and the"),
        ("de-de", "Wecker und den"),
        ("de-de", "die Erinnerung und den"),
        ("fr-fr", "et l'alarme"),
        ("fr-fr", "et le rappel"),
        ("es-es", "y la alarma"),
        ("it-it", "e la sveglia"),
        ("it-it", "e il promemoria"),
        ("pt-pt", "e o alarme"),
        ("en-us", "both"),
        ("de-de", "beide"),
        ("de-de", "die beiden"),
        ("es-es", "ambas"),
        ("it-it", "entrambi"),
        ("pt-pt", "ambos"),
    ] {
        within(lang, |spoken| assert!(!is_name(said, spoken), "{lang}: {said}"));
    }
    for (lang, said) in [
        ("en-us", "the pasta"),
        ("en-us", "set table"),
        ("de-de", "Nudeln"),
        ("fr-fr", "pâtes"),
        ("en-us", "fire alarm"),
        ("en-us", "bread and butter"),
        ("en-us", "alarm clock repair and test"),
        ("de-de", "Wecker kaufen"),
    ] {
        within(lang, |spoken| assert!(is_name(said, spoken), "{lang}: {said}"));
    }
}

#[test]
fn articles_and_kinds_stand_around_a_name() {
    for (lang, said, name) in [
        ("en-us", "the pasta timer", Some("pasta")),
        ("en-us", "my timer", None),
        ("en-us", "Timer", None),
        ("en-us", "turn the page", Some("turn the page")),
        ("en-us", "10 minute timer", Some("10 minute")),
        ("de-de", "den Nudel Timer", Some("Nudel")),
        ("fr-fr", "le minuteur pâtes", Some("pâtes")),
        ("es-es", "el temporizador pasta", Some("pasta")),
        ("it-it", "il timer della pasta", Some("pasta")),
        ("it-it", "delle uova", Some("uova")),
        ("es-es", "el temporizador del arroz", Some("arroz")),
        ("pt-pt", "o temporizador massa", Some("massa")),
        ("pt-pt", "o temporizador dos ovos", Some("ovos")),
        ("pt-pt", "das batatas", Some("batatas")),
        ("pt-pt", "bolo da avó", Some("bolo da avó")),
    ] {
        within(lang, |spoken| {
            assert_eq!(plain(said, spoken).as_deref(), name, "{lang}: {said}");
        });
    }
}
