//! How whole what people say is, in six languages.

use loquat_speech::Completeness::{Open, Unsure, Whole};

use super::spoken;

#[test]
fn a_sentence_that_lacks_nothing_is_whole_whatever_a_person_has_filled_in() {
    let spoken = spoken();
    for (lang, text) in [
        ("en-US", "Set a timer for ten minutes."),
        ("en-US", "Set a timer for 10 minutes."),
        ("en-US", "Add milk to the shopping list."),
        ("en-US", "Add oat milk and bread to my list, please."),
        ("de-DE", "Stell einen Timer auf zehn Minuten."),
        ("de-DE", "Setz Milch auf die Einkaufsliste."),
        ("fr-FR", "Mets un minuteur de dix minutes."),
        ("fr-FR", "Ajoute du lait à la liste de courses."),
        ("es-ES", "Pon un temporizador de diez minutos."),
        ("es-ES", "Añade leche a la lista de la compra."),
        ("it-IT", "Imposta un timer di dieci minuti."),
        ("it-IT", "Aggiungi latte alla lista della spesa."),
        ("pt-PT", "Põe um temporizador de dez minutos."),
        ("pt-PT", "Adiciona leite à lista de compras."),
    ] {
        assert_eq!(spoken.completeness(text, lang), Whole, "{lang}: {text}");
    }
}

#[test]
fn a_sentence_that_lacks_a_part_of_it_is_open() {
    let spoken = spoken();
    for (lang, text) in [
        ("en-US", "Set a timer."),
        ("de-DE", "Stell einen Timer."),
        ("fr-FR", "Mets un minuteur."),
    ] {
        assert_eq!(spoken.completeness(text, lang), Open, "{lang}: {text}");
    }
}

#[test]
fn own_words_at_the_end_may_go_on_and_what_is_not_for_a_tool_is_not_known() {
    let spoken = spoken();
    for text in [
        "Take a note: buy milk.",
        "Put on the list milk.",
        "Set an alarm for seven.",
        "Tell me a story about a fox.",
        "",
    ] {
        assert_eq!(spoken.completeness(text, "en-US"), Unsure, "{text}");
    }
}
