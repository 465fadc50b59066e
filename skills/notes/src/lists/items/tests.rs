//! Sentences that name several items, and words that mean the same.

use super::{position, sought, split, trimmed};
use crate::lists::words::Words;
use loquat_kit::Skill;

fn with_words<T>(lang: &str, use_them: impl FnOnce(&Words<'_>) -> T) -> T {
    use_them(&Words::of(&Skill::locales([&crate::lists::SKILL]), Some(lang)))
}

#[test]
fn commas_and_the_words_for_and_separate_items() {
    for (lang, text, items) in [
        ("en-US", "milk, eggs and bread", vec!["milk", "eggs", "bread"]),
        ("en-US", "milk, eggs, and bread.", vec!["milk", "eggs", "bread"]),
        (
            "en-US",
            "two litres of milk and a brandy",
            vec!["two litres of milk", "a brandy"],
        ),
        ("de-DE", "Milch, Eier und Brot", vec!["Milch", "Eier", "Brot"]),
        (
            "de-DE",
            "1,5 Liter Milch, Hundefutter",
            vec!["1,5 Liter Milch", "Hundefutter"],
        ),
        ("fr-FR", "du lait et des œufs", vec!["du lait", "des œufs"]),
        ("es-ES", "leche, huevos e higos", vec!["leche", "huevos", "higos"]),
        ("pt-PT", "leite e pão", vec!["leite", "pão"]),
        ("it-IT", "latte ed uova", vec!["latte", "uova"]),
        ("tlh", "one; two\nthree", vec!["one", "two", "three"]),
        ("en-US", " , and ", vec![]),
    ] {
        assert_eq!(with_words(lang, |words| split(text, words)), items, "{text}");
    }
}

#[test]
fn a_number_stays_with_its_item() {
    for (lang, text, items) in [
        (
            "es-ES",
            "leche y treinta y cinco huevos",
            vec!["leche", "treinta y cinco huevos"],
        ),
        (
            "en-US",
            "one and a half litres of milk",
            vec!["one and a half litres of milk"],
        ),
        (
            "pt-PT",
            "vinte e dois ovos e leite",
            vec!["vinte e dois ovos", "leite"],
        ),
    ] {
        assert_eq!(with_words(lang, |words| split(text, words)), items, "{text}");
    }
}

#[test]
fn case_accents_articles_and_plurals_do_not_count() {
    for (lang, one, other) in [
        ("en-US", "Milk", "the milk"),
        ("en-US", "eggs", "egg"),
        ("en-US", "tomato", "tomatoes"),
        ("en-US", "berries", "Berry"),
        ("de-DE", "Äpfel", "apfel"),
        ("de-DE", "Eier", "Ei"),
        ("de-DE", "Tomate", "die Tomaten"),
        ("fr-FR", "de l'huile", "huile"),
        ("fr-FR", "poireau", "des poireaux"),
        ("es-ES", "limón", "limones"),
        ("es-ES", "nuez", "nueces"),
        ("pt-PT", "pão", "pães"),
        ("it-IT", "pomodoro", "i pomodori"),
        ("it-IT", "uova", "uovo"),
    ] {
        let found = with_words(lang, |words| position(&[one.to_owned()], other, words));
        assert_eq!(found, Some(0), "{one} and {other}");
    }
    for (lang, one, other) in [
        ("en-US", "milk", "coconut milk"),
        ("en-US", "bread", "butter"),
        ("de-DE", "Brot", "Brei"),
        ("it-IT", "pesca", "pesto"),
    ] {
        let found = with_words(lang, |words| position(&[one.to_owned()], other, words));
        assert_eq!(found, None, "{one} and {other}");
    }
}

#[test]
fn the_same_word_comes_before_its_plural() {
    let items = ["eggs".to_owned(), "egg".to_owned()];
    assert_eq!(with_words("en", |words| position(&items, "Egg", words)), Some(1));
}

#[test]
fn marks_around_an_item_are_left_out() {
    assert_eq!(trimmed(" \u{201e}call  Anna!\u{201c} "), "call Anna");
    assert_eq!(trimmed("..."), "");
}

#[test]
fn what_is_looked_for_may_have_other_words_beside_it() {
    for (lang, items, item, found) in [
        ("en-US", ["brass lamp", "milk"], "the lamp", Some("brass lamp")),
        ("en-US", ["coconut milk", "milk"], "milk", Some("milk")),
        ("en-US", ["paper plates", "milk"], "plate", Some("paper plates")),
        ("en-US", ["paper plates", "milk"], "blue plates", None),
        (
            "de-DE",
            ["rote Servietten", "Milch"],
            "die Servietten",
            Some("rote Servietten"),
        ),
    ] {
        let known = with_words(lang, |words| sought(&items, item, words).map(str::to_owned));
        assert_eq!(known.as_deref(), found, "{item}");
    }
}
