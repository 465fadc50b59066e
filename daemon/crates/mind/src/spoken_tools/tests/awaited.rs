//! Sentences with what they wait for, and words for what is done, in six languages.

use std::sync::Arc;

use loquat_orchestrator::search::ToolIntents;
use loquat_skills::alerts::Messages;
use serde_json::{Value, json};

use super::{SpokenTools, spoken};

/// The language, what is said, what is waited for, what is done then, and whether every time.
type Row = (&'static str, &'static str, &'static str, &'static str, bool);

const WAITING: &[Row] = &[
    (
        "en-US",
        "When the laundry is done, pause the music",
        "the laundry is done",
        "pause the music",
        false,
    ),
    (
        "en-US",
        "tell me when the laundry is done",
        "the laundry is done",
        "",
        false,
    ),
    (
        "en-US",
        "Whenever the laundry is done set the volume to 30 percent",
        "the laundry is done",
        "set the volume to 30 percent",
        true,
    ),
    (
        "en-US",
        "turn the volume up as soon as the laundry is done",
        "the laundry is done",
        "turn the volume up",
        false,
    ),
    (
        "en-US",
        "let me know once the laundry is done",
        "the laundry is done",
        "",
        false,
    ),
    (
        "en-US",
        "every time the laundry is done, stop the radio",
        "the laundry is done",
        "stop the radio",
        true,
    ),
    (
        "en-US",
        "when the laundry is done, say so",
        "the laundry is done",
        "",
        false,
    ),
    (
        "de-DE",
        "Wenn die Wäsche fertig ist, pausiere die Musik",
        "die Wäsche fertig ist",
        "pausiere die Musik",
        false,
    ),
    (
        "de-DE",
        "Sag Bescheid, sobald die Wäsche fertig ist",
        "die Wäsche fertig ist",
        "",
        false,
    ),
    (
        "de-DE",
        "Immer wenn die Wäsche fertig ist, mach die Musik aus",
        "die Wäsche fertig ist",
        "mach die Musik aus",
        true,
    ),
    (
        "de-DE",
        "mach das Radio aus, wenn die Wäsche fertig ist",
        "die Wäsche fertig ist",
        "mach das Radio aus",
        false,
    ),
    (
        "fr-FR",
        "quand la lessive est finie, arrête la musique",
        "la lessive est finie",
        "arrête la musique",
        false,
    ),
    (
        "fr-FR",
        "préviens-moi dès que la lessive est finie",
        "la lessive est finie",
        "",
        false,
    ),
    (
        "fr-FR",
        "chaque fois que la lessive est finie, coupe la radio",
        "la lessive est finie",
        "coupe la radio",
        true,
    ),
    (
        "es-ES",
        "cuando la colada esté lista, para la música",
        "la colada esté lista",
        "para la música",
        false,
    ),
    (
        "es-ES",
        "avísame en cuanto la colada esté lista",
        "la colada esté lista",
        "",
        false,
    ),
    (
        "es-ES",
        "cada vez que la colada esté lista, apaga la radio",
        "la colada esté lista",
        "apaga la radio",
        true,
    ),
    (
        "it-IT",
        "quando il bucato è pronto, ferma la musica",
        "il bucato è pronto",
        "ferma la musica",
        false,
    ),
    (
        "it-IT",
        "avvisami appena il bucato è pronto",
        "il bucato è pronto",
        "",
        false,
    ),
    (
        "it-IT",
        "ogni volta che il bucato è pronto, spegni la radio",
        "il bucato è pronto",
        "spegni la radio",
        true,
    ),
    (
        "pt-PT",
        "quando a roupa estiver pronta, para a música",
        "a roupa estiver pronta",
        "para a música",
        false,
    ),
    (
        "pt-PT",
        "avisa-me assim que a roupa estiver pronta",
        "a roupa estiver pronta",
        "",
        false,
    ),
    (
        "pt-PT",
        "sempre que a roupa estiver pronta, desliga o rádio",
        "a roupa estiver pronta",
        "desliga o rádio",
        true,
    ),
];

/// What sounds like it and waits for nothing that is known.
const NOT_WAITING: &[(&str, &str)] = &[
    ("en-US", "when is the laundry done"),
    ("en-US", "when the parcel is there, pause the music"),
    ("en-US", "tell me when Napoleon died"),
    ("en-US", "when the laundry is done, sing a song about it"),
    ("en-US", "once upon a time the laundry is done"),
    ("de-DE", "wenn das Paket da ist, pausiere die Musik"),
    ("fr-FR", "quand part le train"),
    ("es-ES", "cuando sale el tren"),
    ("it-IT", "quando parte il treno"),
    ("pt-PT", "quando parte o comboio"),
];

fn call(spoken: &SpokenTools, text: &str, lang: &str, tool: &str) -> Option<Value> {
    let found = spoken.recognise(text, lang)?;
    let call = spoken.call(&found.intent_name, text, lang)?.call;
    (call.tool == tool).then_some(Value::Object(call.arguments))
}

/// With a message of the bus that people of six languages may wait for.
fn with_messages() -> SpokenTools {
    let spoken = spoken();
    let names = [
        "the laundry is done",
        "die Wäsche fertig ist",
        "la lessive est finie",
        "la colada esté lista",
        "il bucato è pronto",
        "a roupa estiver pronta",
    ];
    let lines = names.map(|name| format!("{name} = laundry.state state=done"));
    let messages = Messages::try_from(lines.to_vec()).expect("messages");
    spoken.things().put(Arc::new(messages));
    spoken
}

#[test]
fn what_is_waited_for_is_understood_with_what_is_done_then() {
    let spoken = with_messages();
    let mut wrong = Vec::new();
    for (lang, text, event, command, always) in WAITING {
        let mut expected = json!({"event": event});
        if !command.is_empty() {
            expected["command"] = json!(command);
        }
        if *always {
            expected["always"] = json!(true);
        }
        let called = call(&spoken, text, lang, "do_when");
        if called.as_ref() != Some(&expected) {
            wrong.push(format!("{lang} {text}: {called:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_waits_for_nothing_that_is_known_is_left_to_others() {
    let spoken = with_messages();
    let wrong: Vec<_> = NOT_WAITING
        .iter()
        .filter_map(|(lang, text)| Some((text, call(&spoken, text, lang, "do_when")?)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_word_for_what_is_done_is_set_in_six_languages() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text, phrase, step) in [
        (
            "en-US",
            "When I say good night, pause the music and set the volume to 10 percent",
            "good night",
            "pause the music and set the volume to 10 percent",
        ),
        (
            "en-US",
            "whenever I say dinner time stop the music",
            "dinner time",
            "stop the music",
        ),
        (
            "de-DE",
            "Wenn ich sage gute Nacht, mach die Musik aus",
            "gute Nacht",
            "mach die Musik aus",
        ),
        (
            "fr-FR",
            "quand je dis bonne nuit, arrête la musique",
            "bonne nuit",
            "arrête la musique",
        ),
        (
            "es-ES",
            "cuando diga buenas noches, para la música",
            "buenas noches",
            "para la música",
        ),
        (
            "it-IT",
            "quando dico buonanotte, ferma la musica",
            "buonanotte",
            "ferma la musica",
        ),
        (
            "pt-PT",
            "quando eu disser boa noite, para a música",
            "boa noite",
            "para a música",
        ),
    ] {
        let expected = json!({"phrase": phrase, "steps": [step]});
        let called = call(&spoken, text, lang, "set_routine");
        if called.as_ref() != Some(&expected) {
            wrong.push(format!("{lang} {text}: {called:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for text in [
        "when I say stop, pause the music",
        "when I say relax, when I say relax, pause the music",
        "when I say hello",
    ] {
        assert_eq!(call(&spoken, text, "en-US", "set_routine"), None, "{text}");
    }
}
