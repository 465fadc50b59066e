//! What may be put on a list, and what can be no thing.

use super::{as_deeds, begins_another_or_deed, may_be};
use crate::lists::words::Words;
use loquat_kit::Skill;

fn with_words<T>(lang: &str, use_them: impl FnOnce(&Words<'_>) -> T) -> T {
    use_them(&Words::of(&Skill::locales([&crate::lists::SKILL]), Some(lang)))
}

#[test]
fn places_on_a_list_and_all_but_a_few_are_no_things() {
    for (lang, said) in [
        ("en-US", "the first one"),
        ("en-US", "the last"),
        ("en-US", "the second item"),
        ("en-US", "the last two things"),
        ("en-US", "the top entry"),
        ("en-US", "everything but the tea"),
        ("en-US", "all except milk and eggs"),
        ("de-DE", "das erste"),
        ("de-DE", "den letzten Eintrag"),
        ("de-DE", "alles außer dem Tee"),
        ("de-DE", "alles bis auf Milch"),
        ("fr-FR", "le premier"),
        ("fr-FR", "la dernière chose"),
        ("fr-FR", "tout sauf le thé"),
        ("es-ES", "el primero"),
        ("es-ES", "la última cosa"),
        ("es-ES", "todo menos el té"),
        ("it-IT", "il primo"),
        ("it-IT", "l'ultima voce"),
        ("it-IT", "tutto tranne il tè"),
        ("pt-PT", "o primeiro"),
        ("pt-PT", "o último item"),
        ("pt-PT", "tudo menos o chá"),
    ] {
        assert!(!with_words(lang, |words| may_be(said, words)), "{lang} {said}");
    }
    for (lang, said) in [
        ("en-US", "first aid kit"),
        ("en-US", "the last Harry Potter"),
        ("en-US", "everything bagels"),
        ("en-US", "two things for Ada"),
        ("de-DE", "erste Hilfe Kasten"),
        ("de-DE", "Allesreiniger"),
        ("fr-FR", "tout-venant"),
        ("es-ES", "segundo plato"),
        ("it-IT", "prima colazione"),
        ("pt-PT", "primeiros socorros"),
    ] {
        assert!(with_words(lang, |words| may_be(said, words)), "{lang} {said}");
    }
}

#[test]
fn a_second_order_is_no_thing() {
    for (lang, said) in [
        ("en-US", "the tea off and put cocoa"),
        ("de-DE", "den Tee und setz Kakao"),
        ("fr-FR", "le thé et mets du cacao"),
        ("es-ES", "el té y pon cacao"),
        ("it-IT", "il tè e metti il cacao"),
        ("pt-PT", "o chá e põe cacau"),
    ] {
        assert!(!with_words(lang, |words| may_be(said, words)), "{lang} {said}");
    }
    for (lang, said) in [
        ("en-US", "call Anna and put the bins out"),
        ("en-US", "tea and cocoa"),
        ("de-DE", "Anna anrufen und den Tisch decken"),
        ("fr-FR", "appeler Anna et mettre la table"),
        ("es-ES", "llamar a Ana y poner la mesa"),
        ("it-IT", "chiamare Anna e mettere in ordine"),
        ("pt-PT", "ligar à Ana e pôr a mesa"),
    ] {
        assert!(with_words(lang, |words| may_be(said, words)), "{lang} {said}");
    }
    with_words("en-US", |words| {
        assert!(begins_another_or_deed("tea and put cocoa", words));
        assert!(!begins_another_or_deed("tea and cocoa", words));
    });
}

#[test]
fn what_is_to_be_done_begins_with_its_verb() {
    for (lang, said, deed) in [
        ("en-US", "that I have to ring the bank", "ring the bank"),
        ("en-US", "that we need to book the train", "book the train"),
        (
            "en-US",
            "that I\u{2019}ve got to water the plants",
            "water the plants",
        ),
        (
            "en-US",
            "that I must ring Ada and that I have to buy stamps",
            "ring Ada, buy stamps",
        ),
        ("de-DE", "dass ich die Bank anrufen muss", "die Bank anrufen"),
        ("de-DE", "dass wir den Zug buchen sollten", "den Zug buchen"),
        ("fr-FR", "que je dois appeler la banque", "appeler la banque"),
        ("fr-FR", "qu'il faut payer le loyer", "payer le loyer"),
        ("es-ES", "que tengo que llamar al banco", "llamar al banco"),
        ("es-ES", "que hay que pagar el alquiler", "pagar el alquiler"),
        ("it-IT", "che devo chiamare la banca", "chiamare la banca"),
        ("pt-PT", "que tenho de ligar ao banco", "ligar ao banco"),
        // What does not read well so stays as it was said.
        ("de-DE", "dass ich zum Arzt muss", "dass ich zum Arzt muss"),
        ("de-DE", "dass der Zug fährt", "dass der Zug fährt"),
        ("en-US", "that I have to", "that I have to"),
        ("en-US", "that film I have to see", "that film I have to see"),
        ("en-US", "milk and eggs", "milk and eggs"),
    ] {
        assert_eq!(
            with_words(lang, |words| as_deeds(said, words)),
            deed,
            "{lang} {said}"
        );
    }
}
