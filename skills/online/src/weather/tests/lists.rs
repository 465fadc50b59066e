//! The lists and dialogs of the six languages: none lacks what another has.

use std::collections::BTreeSet;

use loquat_sentences::{Spelling, Template};

use crate::weather::{FOLDER, condition};

const LANGS: [&str; 6] = ["en-us", "de-de", "fr-fr", "es-es", "pt-pt", "it-it"];

#[test]
fn every_language_has_words_for_every_weather() {
    let locales = loquat_kit::Skill::locales([&crate::weather::SKILL]);
    for lang in LANGS {
        let values = locales.values(FOLDER, lang, "condition.value");
        let named: BTreeSet<&str> = values.map(|(name, _)| name).collect();
        assert_eq!(named, condition::names(), "{lang}");
    }
}

#[test]
fn every_language_names_the_same_in_its_lists() {
    let locales = loquat_kit::Skill::locales([&crate::weather::SKILL]);
    for list in [
        "day", "part", "place", "degree", "speed", "when", "thing", "no_place",
    ] {
        let file = format!("{list}.value");
        let names = |lang| -> Vec<&str> {
            locales
                .values(FOLDER, lang, &file)
                .map(|(name, _)| name)
                .collect()
        };
        for lang in LANGS {
            assert!(!names(lang).is_empty(), "{list} in {lang}");
            assert_eq!(names(lang), names("en-us"), "{list} in {lang}");
        }
    }
}

#[test]
fn every_intent_can_be_said_in_at_least_five_ways() {
    let locales = loquat_kit::Skill::locales([&crate::weather::SKILL]);
    for lang in LANGS {
        for intent in super::super::INTENTS {
            let file = format!("{}.intent", intent.name);
            let lines = locales.file(FOLDER, lang, &file).unwrap_or_default();
            let forms = lines
                .iter()
                .filter_map(|line| Template::read(&line.text, Spelling::Words).ok());
            let ways: usize = forms.map(|template| template.sentences(5).len()).sum();
            assert!(ways >= 5, "{file} in {lang} has {ways}");
        }
    }
}
