//! Templates, packs and texts of sentences. What a template or a pack was compiled to reads a few texts, too.

use std::sync::{Arc, LazyLock};

use loquat_sentences::words::{words, words_and_figures};
use loquat_sentences::{Fitting, Home, Language, Name, Source, Spelling, Template, Understood, Utterance};
use loquat_skills::Locales;

use crate::folder;

/// Steps of all sentences together, as where an utterance is compared.
const STEPS: u32 = 100_000;

/// Said to whatever was compiled.
const SAID: [&str; 3] = [
    "please turn on the kitchen lamp, now",
    "a b a b a b a b a b a b a b a b a b a b a b a b a b a b c",
    "it-is 20.5 °C in l'entrée",
];

/// Every construct of the community's language.
const PACK: &str = r#"{
    "language": "en", "skip_words": ["please", "could you"],
    "lists": {
        "color": {"values": [{"in": "[dark ]red", "out": "r"}, {"in": "blue", "out": "b"}, {"in": "(sea;green)", "out": 3}]},
        "degrees": {"range": {"from": 0, "to": 100, "fractions": "halves"}},
        "kelvin": {"range": {"from": 1000, "to": 10000, "step": 100}},
        "less": {"range": {"from": 0, "to": 100, "multiplier": -1}},
        "item": {"wildcard": true}
    },
    "expansion_rules": {"the": "(the|my)", "lamp": "<the> {name} [lamp[s]]"},
    "intents": {
        "On": {"data": [{"sentences": ["(turn;on;<lamp>)", "<lamp> [in [<the> ]{area}] (on|an)"], "response": "on"}]},
        "Set": {"data": [
            {"sentences": ["(set|make) [<lamp>] [to] ({color}|{degrees}[%| percent])", "{kelvin} kelvin"],
             "requires_context": {"area": {"slot": true}}},
            {"sentences": ["[down] {less:step}"], "slots": {"domain": "light"}}
        ]},
        "Add": {"data": [{"sentences": ["add {item} to {item:list}", "{item}", "say {item} [now]"]}]}
    },
    "responses": {"intents": {}}
}"#;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| {
    let (language, complaints) = Language::from_pack(PACK).expect("the pack is one");
    assert!(complaints.is_empty(), "{complaints:?}");
    language
});

/// Sentences as skills register them.
static REGISTERED: LazyLock<Language> = LazyLock::new(|| {
    let sentences = [
        "(add|put) {items} (to|on) [the] {list}",
        "{what} {when} [please]",
        "call {who}'s mother",
    ];
    let sentences = sentences.map(str::to_owned).to_vec();
    Language::whole(&Source::of_words([("any", sentences)])).expect("the sentences are some")
});

static HOME: LazyLock<Home> = LazyLock::new(|| {
    let names = ["lamp", "front-door", "Mr. Fan", "kitchen"].map(Name::new);
    Home::new()
        .with_names("name", names.clone())
        .with_names("area", names)
        .with_context("area", "kitchen")
});

/// One template, in both spellings.
pub(crate) fn feed_template(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = text.as_ref();
    for spelling in [Spelling::Community, Spelling::Words] {
        if let Ok(template) = Template::read(text, spelling) {
            let sentences = template.sentences(100);
            assert!(sentences.len() <= 100, "no more sentences than were asked for");
        }
    }
    let words = Source::of_words([("any", vec![text.to_owned()])]);
    let community = Source {
        spelling: Spelling::Community,
        ..words.clone()
    };
    for source in [words, community] {
        let (language, complaints) = Language::build(&source);
        assert_eq!(
            language.sentence_count() + complaints.len(),
            1,
            "it is one, or it is said why not"
        );
        for said in SAID {
            look(&language, said);
        }
    }
}

/// A text that is said to sentences of every kind.
pub(crate) fn feed_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    look(&LANGUAGE, &text);
    look(&REGISTERED, &text);
}

/// A pack, and a person's file of sentences.
pub(crate) fn feed_pack(bytes: &[u8]) {
    if let Ok((language, _)) = Language::from_pack(&String::from_utf8_lossy(bytes)) {
        for said in SAID {
            look(&language, said);
        }
    }
    let locales = folder::with_file("sentences/en.toml", bytes, |root, _| {
        Locales::default().with_folder(root).0
    });
    let intents = loquat_skills::intents(Arc::new(locales));
    let own: Vec<(String, Vec<String>)> = intents
        .sentences()
        .map(|own| {
            (
                own.name.clone(),
                own.lines.iter().map(|line| line.text.clone()).collect(),
            )
        })
        .collect();
    let source = Source::of_words(own.iter().map(|(name, lines)| (name.as_str(), lines.clone())));
    look(&Language::build(&source).0, SAID[0]);
}

/// Reads a text in every way there is.
fn look(language: &Language, said: &str) {
    check(&language.read(said, &HOME));
    check(&language.read_closed(said, &HOME));
    for words in [words(said), words_and_figures(said)] {
        let utterance = Utterance::new(&words);
        for fit in language.fits(&utterance, Fitting::ALL, &mut STEPS.clone()) {
            assert!((0.0..=1.0).contains(&fit.score), "a share of the words");
            assert!(
                fit.slots.iter().all(|(_, text)| !text.is_empty()),
                "no slot is empty"
            );
        }
        for place in language.places(&utterance, &HOME) {
            assert!(
                place.words.start < place.words.end && place.words.end <= words.len(),
                "words of the utterance"
            );
        }
    }
}

fn check(understood: &Understood) {
    for slot in understood.readings.iter().flat_map(|reading| &reading.slots) {
        let Some(span) = slot.span.clone() else { continue };
        assert!(
            understood.text.get(span).is_some(),
            "a span is a piece of the text"
        );
    }
}
