//! The gaps of what people say, in six languages.

use serde_json::{Value, json};

use loquat_kit::{Intents, Skill};

use crate::lists::SKILL;

type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], Value);

fn intents() -> Intents {
    Intents::new([&SKILL], Skill::locales([&SKILL]).into())
}

fn called((lang, intent, slots, expected): Case<'_>) {
    let intents = intents();
    for slot in slots {
        assert!(
            intents.takes(intent, lang, slot.0, slot.1),
            "{lang} {intent}: {slot:?}"
        );
    }
    let call = intents.call(intent, lang, slots.iter().copied()).expect("a call");
    assert_eq!(Value::Object(call.arguments), expected, "{lang} {intent}");
    assert_eq!(call.toolbox_id, "loquat-list-tools");
}

fn both(items: &str, list: &str) -> Value {
    json!({"items": items, "list": list})
}

#[test]
fn gaps_are_read_in_english() {
    let cases: [Case<'_>; 7] = [
        (
            "en-US",
            "lists.add",
            &[("items", "milk and eggs"), ("list", "shopping list")],
            both("milk and eggs", "shopping list"),
        ),
        (
            "en-US",
            "lists.add",
            &[("items", "bread"), ("list", "list")],
            both("bread", "shopping list"),
        ),
        (
            "en-US",
            "lists.add",
            &[("items", "5 balloons"), ("list", "our party list")],
            both("5 balloons", "party list"),
        ),
        (
            "en-GB",
            "lists.remove",
            &[("items", "the milk"), ("list", "grocery list")],
            both("the milk", "shopping list"),
        ),
        (
            "en-US",
            "lists.read",
            &[("list", "the to-do list")],
            json!({"list": "to-do list"}),
        ),
        (
            "en-US",
            "lists.clear",
            &[("list", "my notes")],
            json!({"list": "notes"}),
        ),
        (
            "en-US",
            "lists.note",
            &[("text", "Anna likes tea and cake")],
            both("Anna likes tea and cake", "notes"),
        ),
    ];
    cases.into_iter().for_each(called);
}

#[test]
fn gaps_are_read_in_german() {
    let cases: [Case<'_>; 6] = [
        (
            "de-DE",
            "lists.add",
            &[("items", "Milch und Eier"), ("list", "die Einkaufsliste")],
            both("Milch und Eier", "Einkaufsliste"),
        ),
        (
            "de-DE",
            "lists.add",
            &[("items", "zwei Liter Milch"), ("list", "Einkaufszettel")],
            both("zwei Liter Milch", "Einkaufsliste"),
        ),
        (
            "de-AT",
            "lists.remove",
            &[("items", "Brot"), ("list", "Partyliste")],
            both("Brot", "Partyliste"),
        ),
        (
            "de-DE",
            "lists.read",
            &[("list", "meiner To-do-Liste")],
            json!({"list": "To-do-Liste"}),
        ),
        (
            "de-DE",
            "lists.clear",
            &[("list", "Liste")],
            json!({"list": "shopping"}),
        ),
        (
            "de-DE",
            "lists.note",
            &[("text", "Anna mag Tee")],
            both("Anna mag Tee", "notes"),
        ),
    ];
    cases.into_iter().for_each(called);
}

#[test]
fn gaps_are_read_in_french() {
    let cases: [Case<'_>; 6] = [
        (
            "fr-FR",
            "lists.add",
            &[("items", "du lait et des œufs"), ("list", "ma liste de courses")],
            both("du lait et des œufs", "liste de courses"),
        ),
        (
            "fr-FR",
            "lists.add",
            &[("items", "des ballons"), ("list", "liste de fête")],
            both("des ballons", "liste de fête"),
        ),
        (
            "fr-FR",
            "lists.remove",
            &[("items", "le pain"), ("list", "la liste")],
            both("le pain", "liste de courses"),
        ),
        (
            "fr-CA",
            "lists.read",
            &[("list", "liste d'épicerie")],
            json!({"list": "liste de courses"}),
        ),
        (
            "fr-FR",
            "lists.clear",
            &[("list", "liste de tâches")],
            json!({"list": "liste de tâches"}),
        ),
        (
            "fr-FR",
            "lists.note",
            &[("text", "la clé est chez Anne")],
            both("la clé est chez Anne", "notes"),
        ),
    ];
    cases.into_iter().for_each(called);
}

#[test]
fn gaps_are_read_in_spanish() {
    let cases: [Case<'_>; 6] = [
        (
            "es-ES",
            "lists.add",
            &[("items", "leche y huevos"), ("list", "la lista de la compra")],
            both("leche y huevos", "lista de la compra"),
        ),
        (
            "es-MX",
            "lists.add",
            &[("items", "pan"), ("list", "lista del súper")],
            both("pan", "lista de la compra"),
        ),
        (
            "es-ES",
            "lists.remove",
            &[("items", "el pan"), ("list", "lista")],
            both("el pan", "lista de la compra"),
        ),
        (
            "es-ES",
            "lists.read",
            &[("list", "lista de la fiesta")],
            json!({"list": "lista de la fiesta"}),
        ),
        (
            "es-ES",
            "lists.clear",
            &[("list", "mis notas")],
            json!({"list": "notas"}),
        ),
        (
            "es-ES",
            "lists.note",
            &[("text", "la llave está en casa")],
            both("la llave está en casa", "notes"),
        ),
    ];
    cases.into_iter().for_each(called);
}

#[test]
fn gaps_are_read_in_portuguese() {
    let cases: [Case<'_>; 6] = [
        (
            "pt-PT",
            "lists.add",
            &[("items", "leite e ovos"), ("list", "minha lista de compras")],
            both("leite e ovos", "lista de compras"),
        ),
        (
            "pt-BR",
            "lists.add",
            &[("items", "pão"), ("list", "lista do mercado")],
            both("pão", "lista de compras"),
        ),
        (
            "pt-PT",
            "lists.remove",
            &[("items", "o pão"), ("list", "lista")],
            both("o pão", "lista de compras"),
        ),
        (
            "pt-PT",
            "lists.read",
            &[("list", "lista da festa")],
            json!({"list": "lista da festa"}),
        ),
        (
            "pt-PT",
            "lists.clear",
            &[("list", "as tarefas")],
            json!({"list": "lista de tarefas"}),
        ),
        (
            "pt-PT",
            "lists.note",
            &[("text", "a chave está em casa")],
            both("a chave está em casa", "notes"),
        ),
    ];
    cases.into_iter().for_each(called);
}

#[test]
fn gaps_are_read_in_italian() {
    let cases: [Case<'_>; 6] = [
        (
            "it-IT",
            "lists.add",
            &[("items", "latte e uova"), ("list", "lista della spesa")],
            both("latte e uova", "lista della spesa"),
        ),
        (
            "it-IT",
            "lists.add",
            &[("items", "chiamare Anna"), ("list", "cose da fare")],
            both("chiamare Anna", "lista delle cose da fare"),
        ),
        (
            "it-IT",
            "lists.remove",
            &[("items", "il pane"), ("list", "lista")],
            both("il pane", "lista della spesa"),
        ),
        (
            "it-IT",
            "lists.read",
            &[("list", "lista della festa")],
            json!({"list": "lista della festa"}),
        ),
        (
            "it-IT",
            "lists.clear",
            &[("list", "le mie note")],
            json!({"list": "note"}),
        ),
        (
            "it-IT",
            "lists.note",
            &[("text", "la chiave è da Anna")],
            both("la chiave è da Anna", "notes"),
        ),
    ];
    cases.into_iter().for_each(called);
}

#[test]
fn the_commas_of_a_sentence_separate_items() {
    let (items, list) = ("milk, eggs and bread", "shopping list");
    called((
        "en-US",
        "lists.add",
        &[("items", items), ("list", list)],
        both(items, list),
    ));
    called((
        "de-DE",
        "lists.note",
        &[("text", "Anna kommt, wenn es regnet")],
        both("Anna kommt, wenn es regnet", "notes"),
    ));
}

#[test]
fn other_talk_fills_no_gap() {
    let intents = intents();
    for (lang, intent, slot) in [
        ("en-US", "lists.add", ("list", "7")),
        ("en-US", "lists.add", ("list", "the table")),
        ("en-US", "lists.add", ("list", "the play list")),
        (
            "en-US",
            "lists.add",
            ("items", "milk to my shopping list and eggs"),
        ),
        ("en-US", "lists.read", ("list", "the news")),
        ("en-US", "lists.clear", ("list", "the sky")),
        ("de-DE", "lists.clear", ("list", "letzten Eintrag von der Liste")),
        ("de-DE", "lists.add", ("list", "Wiedergabeliste")),
        ("de-DE", "lists.add", ("list", "den Herd")),
        ("de-DE", "lists.read", ("list", "die Zeitung")),
        ("fr-FR", "lists.add", ("list", "liste de lecture")),
        ("fr-FR", "lists.read", ("list", "le journal")),
        ("es-ES", "lists.add", ("list", "lista de reproducción")),
        ("pt-PT", "lists.read", ("list", "o jornal")),
        ("it-IT", "lists.add", ("list", "lista di riproduzione")),
    ] {
        assert!(
            !intents.takes(intent, lang, slot.0, slot.1),
            "{lang} {intent}: {slot:?}"
        );
    }
    let many = "egg ".repeat(21);
    assert!(!intents.takes("lists.add", "en", "items", many.trim()));
}

#[test]
fn every_file_is_known_and_can_be_read() {
    let mistakes = intents().mistakes();
    let mistakes: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert!(mistakes.is_empty(), "{mistakes:?}");
}

#[test]
fn every_intent_has_several_sentences_in_each_language() {
    let intents = intents();
    let ours = intents
        .sentences()
        .filter(|sentences| sentences.name.starts_with("lists."));
    let ours: Vec<_> = ours.collect();
    assert_eq!(ours.len(), 22 * 6);
    for sentences in ours {
        assert!(
            sentences.lines.len() >= 2,
            "{} in {}",
            sentences.name,
            sentences.lang
        );
    }
}
