//! The sentences of every language, and what people say in it.

use loquat_orchestrator::commands::{ALL, ASK, CHECK, LIST, RELEASE, SUMMON};
use loquat_orchestrator::effort::Effort;
use loquat_orchestrator::manifest::Recognised;
use loquat_sentences::words::words;
use loquat_sentences::{Spelling, Template};

use super::*;

/// What a further question asks for is what its yes is.
#[test]
fn the_number_of_a_question_is_heard_in_every_language() {
    for (tag, phrases) in Phrases::all() {
        let asked = phrases.consent_next(7, "x");
        let (_, asked) = asked.rsplit_once(": ").unwrap();
        assert!(asked.contains('7'), "{tag}: {asked}");
        assert_eq!(phrases.number(asked), Some(7), "{tag}: {asked}");
        assert_eq!(phrases.number("7"), Some(7), "{tag}");
        for other in ["77", "7 7", "x 7", "", "7 x"] {
            assert_eq!(phrases.number(other), None, "{tag}: {other}");
        }
    }
    for (tag, said) in [
        ("en", "Number two."),
        ("en", "Yes, please, number two"),
        ("de", "Nummer zwei, bitte"),
        ("fr", "Oui, numéro deux"),
        ("es", "Sí, número dos"),
        ("it", "Sì, numero due"),
        ("pt", "Sim, número dois"),
    ] {
        assert_eq!(Phrases::of(tag).number(said), Some(2), "{said}");
        assert_ne!(Phrases::of(tag).reply(said, &[]), Reply::No, "{said}");
    }
}

#[test]
fn every_language_file_is_whole() {
    for (tag, phrases) in Phrases::all() {
        assert!(phrases.unknown_persona("Ziggy").contains("Ziggy"), "{tag}");
        for sentence in [
            phrases.summoned("Ziggy"),
            phrases.released("Ziggy"),
            phrases.active("Ziggy"),
        ] {
            assert!(sentence.contains("Ziggy"), "{tag}");
        }
        for reason in [Reason::LlmError, Reason::Deadline] {
            let told = phrases.for_failure_after("unlock door", reason, None);
            let rest = told
                .split_once("unlock door")
                .map(|(_, rest)| rest)
                .unwrap_or_default();
            assert!(rest.len() > 20 && rest.ends_with('.'), "{tag}: {told}");
        }
        let silence = phrases.for_failure_after("unlock door", Reason::Stopped, None);
        assert_eq!(silence, "", "{tag}");
        for question in [
            phrases.consent("unlock door"),
            phrases.consent_again("unlock door"),
            phrases.consent_pin("unlock door"),
            phrases.consent_all(2, "unlock door"),
            phrases.consent_next(2, "unlock door"),
            phrases.consent_next_again(2, "unlock door"),
        ] {
            assert!(question.contains("unlock door"), "{tag}: {question}");
            assert!(!question.contains(['{', '}']), "{tag}: {question}");
        }
        let several = ["Ada".to_owned(), "Bo".to_owned(), "Cy".to_owned()];
        assert!(phrases.listed(&several).contains("Ada, Bo"), "{tag}");
    }
}

#[test]
fn regions_and_unknown_languages_find_a_language() {
    assert_eq!(Phrases::of("pt-BR").busy, Phrases::of("pt_PT").busy);
    assert_eq!(Phrases::of("tlh").busy, Phrases::of("en-US").busy);
}

#[test]
fn stop_is_a_whole_utterance() {
    assert!(Phrases::of("en").orders.is_stop(" Stop! "));
    assert!(!Phrases::of("en").orders.is_stop("where does the bus stop"));
    assert!(!Phrases::of("en").orders.is_stop("please") && !Phrases::of("en").orders.is_stop("okay thanks"));
}

#[test]
fn courtesy_does_not_keep_a_stop_from_being_one() {
    for (lang, words) in [
        (
            "en",
            ["Please stop.", "OK, stop it now, thank you", "Could you stop?"],
        ),
        ("de", ["Stopp bitte!", "Hör jetzt bitte auf", "Okay, sei still"]),
        (
            "fr",
            ["Arrête, s’il te plaît", "Stop maintenant", "Ça suffit, merci"],
        ),
        ("es", ["Para, por favor", "¡Basta ya!", "Oye, cállate"]),
        ("pt", ["Para, por favor", "Chega, obrigado", "Já chega"]),
        ("it", ["Basta, grazie", "Fermati per favore", "Ciao, basta"]),
    ] {
        for word in words {
            assert!(Phrases::of(lang).orders.is_stop(word), "{lang}: {word}");
        }
    }
}

static COMMANDS: LazyLock<Manifest> = LazyLock::new(Phrases::commands);

fn recognise(said: &str, lang: &str) -> Vec<Recognised> {
    let orders = &Phrases::of(lang).orders;
    commands::recognise(&COMMANDS, &words(said), lang, orders, &mut Effort::LITTLE.clone())
}

fn command(said: &str, lang: &str) -> Option<(String, Vec<(String, String)>)> {
    recognise(said, lang)
        .into_iter()
        .next()
        .map(|found| (found.intent_name, found.slots))
}

#[test]
fn every_template_of_every_language_can_be_read() {
    let every = Phrases::all().flat_map(|(lang, phrases)| {
        ALL.map(|intent| (intent, lang, commands::samples(&phrases.orders, intent)))
    });
    for (intent, lang, samples) in every {
        assert!(!samples.is_empty(), "{lang} {intent}");
        for sample in samples {
            assert!(
                Template::read(sample, Spelling::Words).is_ok(),
                "{lang} {intent}: {sample}"
            );
            let needs = match intent {
                SUMMON => vec!["{persona}"],
                ASK => vec!["{persona}", "{query}"],
                _ => vec![],
            };
            for slot in needs {
                assert!(sample.contains(slot), "{lang} {intent}: {sample}");
            }
        }
    }
}

#[test]
fn courtesy_belongs_neither_to_a_command_nor_to_a_name() {
    for (lang, said) in [
        ("en-US", "Please, can I talk to Alice now?"),
        ("en-GB", "Hey, start a conversation with Alice, thank you"),
        ("de-DE", "Hallo, kann ich bitte mit Alice sprechen"),
        ("de-AT", "Sprich mit Alice, bitte"),
        ("fr-FR", "Bonjour, parle avec Alice s'il te plaît"),
        ("es-ES", "Por favor, quiero hablar con Alice"),
        ("pt-BR", "Fala com a Alice, por favor"),
        ("it-IT", "Voglio parlare con Alice, grazie"),
    ] {
        let found = recognise(said, lang);
        let summons = found.iter().any(|found| {
            found.intent_name == SUMMON && found.slots == [("persona".to_owned(), "Alice".to_owned())]
        });
        assert!(summons, "{lang} {said}: {found:?}");
    }
}

#[test]
fn the_emergency_stop_is_set_and_cleared_in_six_languages() {
    for (lang, set, clear) in [
        ("en-US", "Emergency stop!", "End the emergency stop, please."),
        ("de-DE", "Notstopp!", "Notstopp beenden"),
        ("fr-FR", "Arrêt d'urgence !", "Fin de l'arrêt d'urgence"),
        (
            "es-ES",
            "¡Parada de emergencia!",
            "Fin de la parada de emergencia",
        ),
        ("pt-PT", "Paragem de emergência!", "Fim da paragem de emergência"),
        ("it-IT", "Arresto di emergenza!", "Fine dell'arresto di emergenza"),
    ] {
        let phrases = Phrases::of(lang);
        let meant = |said: &str| {
            let found = commands::emergency_stop(&COMMANDS, &words(said), lang, &phrases.orders)?;
            commands::sets_emergency_stop(&found.intent_name)
        };
        assert_eq!((meant(set), meant(clear)), (Some(true), Some(false)), "{lang}");
        let told = phrases.emergency_stop(true).rsplit(':').next();
        assert_eq!(told.and_then(meant), Some(false), "{lang}: as the person is told");
        assert_eq!(meant("Alice"), None, "{lang}");
    }
}

#[test]
fn the_five_commands_are_understood_in_six_languages() {
    let cases = [
        (
            "en-US",
            [
                "Talk to Alice",
                "Goodbye Alice",
                "Ask Alice about soup",
                "List personas",
                "Who am I talking to?",
            ],
        ),
        (
            "de-DE",
            [
                "Sprich mit Alice",
                "Tschüss Alice",
                "Frag Alice nach Suppe",
                "Welche Personas gibt es?",
                "Mit wem spreche ich?",
            ],
        ),
        (
            "fr-FR",
            [
                "Parle à Alice",
                "Au revoir Alice",
                "Interroge Alice sur la soupe",
                "Quelles personas as-tu ?",
                "À qui est-ce que je parle ?",
            ],
        ),
        (
            "es-ES",
            [
                "Habla con Alice",
                "Adiós Alice",
                "Pregunta a Alice sobre la sopa",
                "¿Qué personas hay?",
                "¿Con quién estoy hablando?",
            ],
        ),
        (
            "pt-PT",
            [
                "Fala com Alice",
                "Adeus Alice",
                "Pergunta à Alice sobre a sopa",
                "Que personas há?",
                "Com quem estou a falar?",
            ],
        ),
        (
            "it-IT",
            [
                "Parla con Alice",
                "Arrivederci Alice",
                "Chiedi a Alice di zuppa",
                "Quali personas ci sono?",
                "Con chi sto parlando?",
            ],
        ),
    ];
    for (lang, said) in cases {
        for (sentence, intent) in said.iter().zip([SUMMON, RELEASE, ASK, LIST, CHECK]) {
            let (name, slots) = command(sentence, lang).unwrap_or_else(|| panic!("{lang}: {sentence}"));
            assert_eq!(name, intent, "{lang}: {sentence}");
            let persona = slots.iter().find(|(slot, _)| slot == "persona");
            if matches!(intent, SUMMON | ASK) {
                assert_eq!(persona.unwrap().1, "Alice", "{lang}: {sentence}");
            }
        }
        assert_eq!(command("Alice in Wonderland 1865", lang), None, "{lang}");
    }
}

#[test]
fn undoing_and_the_background_are_asked_for_in_six_languages() {
    use loquat_orchestrator::commands::{BACKGROUND, CANCEL_BACKGROUND, UNDO};
    for (lang, undo, background, cancel) in [
        (
            "en",
            ["No, undo that.", "Undo"],
            "What are you working on?",
            "Cancel that",
        ),
        (
            "de",
            ["Nein, mach das rückgängig", "Mach das wieder rückgängig, bitte"],
            "Woran arbeitest du noch?",
            "Brich das ab",
        ),
        (
            "fr",
            ["Non, annule ça", "Annule la dernière action"],
            "Sur quoi travailles-tu ?",
            "Annule la tâche",
        ),
        (
            "es",
            ["No, deshaz eso", "Deshazlo"],
            "¿Qué estás haciendo?",
            "Cancela eso",
        ),
        (
            "pt",
            ["Não, desfaz isso", "Desfaz"],
            "Em que estás a trabalhar?",
            "Cancela a tarefa",
        ),
        (
            "it",
            ["No, annulla questo", "Annulla l'ultima azione"],
            "A cosa stai lavorando?",
            "Interrompi questo",
        ),
    ] {
        let said = undo.map(|words| (words, UNDO)).into_iter();
        for (words, expected) in said.chain([(background, BACKGROUND), (cancel, CANCEL_BACKGROUND)]) {
            let orders = &Phrases::of(lang).orders;
            let mut effort = Effort::LITTLE;
            let found = commands::recognise(
                &COMMANDS,
                &loquat_sentences::words::words(words),
                lang,
                orders,
                &mut effort,
            );
            let first = found.first().map(|found| found.intent_name.as_str());
            assert_eq!(first, Some(expected), "{lang}: {words}");
            assert!(!orders.stops(words), "{lang}: {words}");
        }
    }
}
