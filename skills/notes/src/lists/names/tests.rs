//! What lists are called, and what is no name of a list.

use super::{ListName, kept, mentions_list};
use crate::lists::words::Words;
use loquat_kit::Skill;

fn named(lang: &str, said: Option<&str>) -> Option<(String, String)> {
    let locales = Skill::locales([&crate::lists::SKILL]);
    let name = ListName::of(said, &Words::of(&locales, Some(lang)));
    name.map(|name| (name.id, name.name))
}

fn spoken(lang: &str, said: &str) -> Option<String> {
    let locales = Skill::locales([&crate::lists::SKILL]);
    let name = ListName::spoken(said, &Words::of(&locales, Some(lang)));
    name.map(|name| name.id)
}

#[test]
fn standard_lists_have_one_id_in_all_languages() {
    for (lang, said, id) in [
        ("en-US", "my Shopping List", "shopping"),
        ("en-US", "the list", "shopping"),
        ("en-US", "todo list", "to-do"),
        ("de-DE", "Einkaufszettel", "shopping"),
        ("de-DE", "meine To-do-Liste", "to-do"),
        ("de-DE", "shopping list", "shopping"),
        ("fr-FR", "ma liste de courses", "shopping"),
        ("fr-FR", "notes", "notes"),
        ("es-ES", "la lista de la compra", "shopping"),
        ("pt-PT", "a lista das compras", "shopping"),
        ("it-IT", "la lista della spesa", "shopping"),
        ("it-IT", "appunti", "notes"),
        ("nl-NL", "to-do", "to-do"),
    ] {
        assert_eq!(
            named(lang, Some(said)).map(|(id, _)| id).as_deref(),
            Some(id),
            "{said}"
        );
        if lang != "nl-NL" && said != "shopping list" {
            assert_eq!(spoken(lang, said).as_deref(), Some(id), "{said}");
        }
    }
    for said in [None, Some(""), Some("  ")] {
        assert_eq!(
            named("de-DE", said),
            Some(("shopping".to_owned(), "Einkaufsliste".to_owned()))
        );
    }
}

#[test]
fn a_person_s_own_list_is_one_with_and_without_the_word_for_list() {
    for (lang, said, id, name) in [
        ("en-US", "my Party list", "party", "Party list"),
        ("en-US", "party", "party", "party list"),
        ("de-DE", "die Partyliste", "party", "Partyliste"),
        ("de-DE", "Liste Party", "party", "Liste Party"),
        ("de-DE", "Party", "party", "Liste Party"),
        ("fr-FR", "ma liste de fête", "fete", "liste de fête"),
        ("es-ES", "la lista de la fiesta", "fiesta", "lista de la fiesta"),
        ("it-IT", "lista per la festa", "festa", "lista per la festa"),
        ("pt-PT", "lista da festa", "festa", "lista da festa"),
    ] {
        assert_eq!(
            named(lang, Some(said)),
            Some((id.to_owned(), name.to_owned())),
            "{said}"
        );
    }
    assert_eq!(named("en", Some("'.'")), None);
    assert_eq!(named("en", Some(&"long ".repeat(20))), None);
}

#[test]
fn sentences_name_lists_in_few_words_alone() {
    for (lang, said, id) in [
        ("en-US", "party list", Some("party")),
        ("en-US", "birthday party list", Some("birthday party")),
        ("en-US", "party", None),
        ("en-US", "light", None),
        ("en-US", "play list", None),
        ("en-US", "very long birthday party list", None),
        ("en-US", "shopping list and eggs", None),
        ("de-DE", "Urlaubsliste", Some("urlaubs")),
        ("de-DE", "Wiedergabeliste", None),
        ("de-DE", "Wohnzimmer", None),
        ("fr-FR", "liste de lecture", None),
        ("es-ES", "lista de la fiesta", Some("fiesta")),
        ("it-IT", "lista di riproduzione", None),
        ("pt-PT", "lista de reprodução", None),
    ] {
        assert_eq!(spoken(lang, said).as_deref(), id, "{said}");
    }
}

#[test]
fn a_text_that_names_a_list_is_noticed() {
    let locales = Skill::locales([&crate::lists::SKILL]);
    let mentions = |lang: &str, text: &str| mentions_list(text, &Words::of(&locales, Some(lang)));
    assert!(mentions("en", "milk to my shopping list and eggs"));
    assert!(mentions("de", "Milch auf die Einkaufsliste"));
    assert!(!mentions("en", "milk and listerine"));
    assert!(!mentions("de", "Milch und Eier"));
}

#[test]
fn a_kept_list_is_called_as_the_language_does() {
    let locales = Skill::locales([&crate::lists::SKILL]);
    let words = Words::of(&locales, Some("it-IT"));
    let shopping = kept("shopping".to_owned(), "Einkaufsliste".to_owned(), &words);
    assert_eq!(shopping.name, "lista della spesa");
    assert_eq!(shopping.phrases(&words).on, "nella lista della spesa");
    let party = kept("party".to_owned(), "lista della festa".to_owned(), &words);
    assert_eq!(party.phrases(&words).to, "alla lista della festa");
}
