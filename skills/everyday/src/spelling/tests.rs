//! Words are spelled in six languages, and other wishes are not taken for words.

use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use loquat_trial::{heard, languages_are_whole};
use serde_json::{Map, json};

use super::*;

async fn told(word: &str, lang: &str) -> Option<String> {
    let toolbox = toolbox(&Wording::new(Arc::new(Skill::locales([&SKILL]))));
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    let arguments = Map::from_iter([("word".to_owned(), json!(word))]);
    toolbox.call(SPELL, arguments, &person).await.ok()?.spoken
}

#[test]
fn every_language_is_whole() {
    languages_are_whole(&SKILL);
}

#[tokio::test]
async fn letters_are_told_one_by_one() {
    for (word, lang, expected) in [
        ("loquat", "en-US", "Loquat is spelled L, O, Q, U, A, T."),
        ("co-op", "en-US", "Co-op is spelled C, O, O, P."),
        ("New York", "en-US", "New York is spelled N, E, W; Y, O, R, K."),
        ("Straße", "de-DE", "Straße schreibt man S, T, R, A, ß, E."),
        ("élève", "fr-FR", "Élève s'écrit É, L, È, V, E."),
    ] {
        assert_eq!(told(word, lang).await.as_deref(), Some(expected), "{word}");
    }
    let long = "x".repeat(MOST_LETTERS + 1);
    for word in ["", "…", long.as_str()] {
        assert_eq!(told(word, "en-US").await, None, "{word}");
    }
}

#[test]
fn a_word_or_a_name_is_asked_for_in_six_languages() {
    for (text, lang, word) in [
        ("How do you spell necessary?", "en-us", "necessary"),
        ("spell the word rhythm", "en-us", "rhythm"),
        ("How is accommodate spelled?", "en-us", "accommodate"),
        ("How do you spell New York?", "en-us", "New York"),
        ("Buchstabiere Rhythmus", "de-de", "Rhythmus"),
        ("Wie schreibt man Portemonnaie?", "de-de", "Portemonnaie"),
        ("Épelle rythme", "fr-fr", "rythme"),
        ("Comment s'écrit accueil ?", "fr-fr", "accueil"),
        ("Deletrea murciélago", "es-es", "murciélago"),
        ("¿Cómo se escribe hubo?", "es-es", "hubo"),
        ("Fai lo spelling di acquario", "it-it", "acquario"),
        ("Come si scrive quaderno?", "it-it", "quaderno"),
        ("Soletra exceção", "pt-pt", "exceção"),
        ("Como se escreve obséquio?", "pt-pt", "obséquio"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        let found = call.and_then(|call| call.arguments.get("word").cloned());
        assert_eq!(found, Some(json!(word)), "{text}");
    }
    for text in [
        "spell out the terms of the contract",
        "how do you spell a letter to my aunt",
        "cast a spell on the frog",
    ] {
        assert_eq!(heard(&[&SKILL], text, "en-us"), None, "{text}");
    }
}
