//! The whole corpus of answers, and what else a list of words must not do.

use std::collections::BTreeMap;
use std::path::Path;

use super::Reply;
use crate::phrases::Phrases;

type Corpus = BTreeMap<String, Vec<String>>;

fn corpus(lang: &str) -> Corpus {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/consent");
    let text = std::fs::read_to_string(folder.join(format!("{lang}.toml"))).unwrap();
    toml::from_str(&text).unwrap()
}

/// What a sentence of this kind may be read as.
fn may_be(kind: &str) -> &'static [Reply] {
    match kind {
        "yes" => &[Reply::Yes],
        "no" | "courtesy_then_no" => &[Reply::No, Reply::Stop],
        "stop" => &[Reply::Stop, Reply::No],
        "unclear" => &[Reply::Unclear],
        "yes_then_more" => &[Reply::Unclear, Reply::No],
        "question" => &[Reply::Other],
        "device" => &[Reply::Other, Reply::Unclear],
        other => panic!("no kind {other}"),
    }
}

#[test]
fn every_sentence_of_the_corpus_is_read_as_it_is_meant() {
    let names = ["Loquat".to_owned()];
    let mut wrong = Vec::new();
    let mut sentences = 0;
    for (lang, phrases) in Phrases::all() {
        let corpus = corpus(lang);
        let before = sentences;
        for (kind, said) in &corpus {
            for sentence in said {
                sentences += 1;
                let reply = phrases.reply(sentence, &names);
                if !may_be(kind).contains(&reply) {
                    wrong.push(format!("{lang} {kind}: {sentence:?} is read as {reply:?}"));
                }
            }
        }
        assert!(sentences - before >= 60, "{lang} has too few sentences");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_yes_with_any_other_word_is_none() {
    for (lang, phrases) in Phrases::all() {
        let corpus = corpus(lang);
        for yes in &corpus["yes"] {
            for word in ["zebra", "4", "stop", "Google"] {
                for sentence in [format!("{yes} {word}"), format!("{word} {yes}")] {
                    assert_ne!(phrases.reply(&sentence, &[]), Reply::Yes, "{lang}: {sentence}");
                }
            }
            for no in &corpus["no"] {
                for sentence in [format!("{yes} {no}"), format!("{no} {yes}")] {
                    assert_ne!(phrases.reply(&sentence, &[]), Reply::Yes, "{lang}: {sentence}");
                }
            }
        }
    }
}

#[test]
fn punctuation_case_and_spelling_of_accents_decide_nothing() {
    for (lang, sentence) in [
        ("en", "…YES, PLEASE!!"),
        ("fr", "s’il te plait, vas - y"),
        ("fr", "D`accord"),
        ("es", "si\u{301}, ha\u{301}zlo"),
        ("pt", "¡sim! obrigado"),
        ("it", "si' , d´accordo"),
        ("de", "NATÜRLICH"),
    ] {
        assert_eq!(
            Phrases::of(lang).reply(sentence, &[]),
            Reply::Yes,
            "{lang}: {sentence}"
        );
    }
}

#[test]
fn the_device_is_addressed_by_its_own_names_only() {
    let english = Phrases::of("en");
    let names = ["hey mycroft".to_owned(), "Ziggy".to_owned()];
    assert_eq!(english.reply("Hey Mycroft, yes please", &names), Reply::Yes);
    assert_eq!(english.reply("Yes, Ziggy.", &names), Reply::Yes);
    assert_ne!(english.reply("Yes, Ada.", &names), Reply::Yes);
    assert_ne!(english.reply("Ziggy", &names), Reply::Yes);
}

#[test]
fn a_long_utterance_is_read_in_no_time() {
    let long = "please now ".repeat(4_000);
    for (_, phrases) in Phrases::all() {
        assert_ne!(phrases.reply(&long, &[]), Reply::Yes);
    }
}

#[test]
fn a_pin_is_read_from_digits_and_words_and_from_nothing_else() {
    use secrecy::ExposeSecret;

    for (lang, said) in [
        ("en", "1234"),
        ("en", "1, 2, 3, 4."),
        ("en", "1-2-3-4"),
        ("en", "One two three four, please."),
        ("en", "Yes, the PIN is 12 34"),
        ("de", "Eins zwei drei vier"),
        ("de", "Eins, zwo, drei, vier, bitte"),
        ("fr", "Oui, un deux trois quatre s'il te plaît"),
        ("es", "uno dos tres cuatro"),
        ("pt", "um dois três quatro"),
        ("it", "uno, due, tre, quattro"),
    ] {
        let pin = Phrases::of(lang).pin(said);
        let pin = pin.unwrap_or_else(|| panic!("{lang}: {said} is no PIN"));
        assert_eq!(pin.expose_secret(), "1234", "{lang}: {said}");
    }
    let english = Phrases::of("en");
    assert_eq!(english.pin("zero oh seven 7").unwrap().expose_secret(), "0077");
    for other in [
        "one two three",
        "1234 at noon",
        "yes",
        "",
        "1234567890123",
        "call 1234",
    ] {
        assert!(english.pin(other).is_none(), "{other}");
    }
    assert_eq!(
        Phrases::of("de")
            .pin("null null sieben sieben")
            .unwrap()
            .expose_secret(),
        "0077"
    );
}
