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

/// The language, what is waited for, and what tells whether it is so, with its arguments.
type Statement = (&'static str, &'static str, &'static str, &'static str);

const MEDIA: &str = "loquat-media-tools/check_player";
const BATTERY: &str = "loquat-battery-tools/check_battery";
const LISTS: &str = "loquat-list-tools/check_list";

const STATEMENTS: &[Statement] = &[
    ("en-US", "the music stops", MEDIA, r#"{"playing": false}"#),
    ("en-US", "the podcast is over", MEDIA, r#"{"playing": false}"#),
    (
        "en-US",
        "nothing is playing any more",
        MEDIA,
        r#"{"playing": false}"#,
    ),
    ("en-US", "music starts playing", MEDIA, r#"{"playing": true}"#),
    ("en-US", "the radio comes on", MEDIA, r#"{"playing": true}"#),
    ("de-DE", "die Musik aufhört", MEDIA, r#"{"playing": false}"#),
    ("de-DE", "Musik läuft", MEDIA, r#"{"playing": true}"#),
    ("fr-FR", "la musique s'arrête", MEDIA, r#"{"playing": false}"#),
    ("fr-FR", "la musique commence", MEDIA, r#"{"playing": true}"#),
    ("es-ES", "la música pare", MEDIA, r#"{"playing": false}"#),
    ("es-ES", "empiece la música", MEDIA, r#"{"playing": true}"#),
    ("it-IT", "la musica finisce", MEDIA, r#"{"playing": false}"#),
    ("it-IT", "parte la musica", MEDIA, r#"{"playing": true}"#),
    ("pt-PT", "a música parar", MEDIA, r#"{"playing": false}"#),
    ("pt-PT", "a música começar", MEDIA, r#"{"playing": true}"#),
    (
        "en-US",
        "the battery is below 20 percent",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    (
        "en-US",
        "the battery drops under twenty percent",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    (
        "en-US",
        "the battery falls to 20%",
        BATTERY,
        r#"{"at_most": 20.0}"#,
    ),
    (
        "en-US",
        "the battery reaches 80 percent",
        BATTERY,
        r#"{"at_least": 80.0}"#,
    ),
    ("en-US", "the battery is full", BATTERY, r#"{"at_least": 100.0}"#),
    ("en-US", "the battery is low", BATTERY, r#"{"at_most": 20.0}"#),
    (
        "en-US",
        "the battery starts charging",
        BATTERY,
        r#"{"charging": true}"#,
    ),
    ("en-US", "you are unplugged", BATTERY, r#"{"charging": false}"#),
    (
        "de-DE",
        "der Akku unter 20 Prozent fällt",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    ("de-DE", "der Akku lädt", BATTERY, r#"{"charging": true}"#),
    (
        "fr-FR",
        "la batterie passe en dessous de 20 pour cent",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    ("fr-FR", "la batterie se charge", BATTERY, r#"{"charging": true}"#),
    (
        "es-ES",
        "la batería baje del 20 por ciento",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    (
        "es-ES",
        "la batería se esté cargando",
        BATTERY,
        r#"{"charging": true}"#,
    ),
    (
        "it-IT",
        "la batteria scende sotto il 20 per cento",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    (
        "it-IT",
        "la batteria è in carica",
        BATTERY,
        r#"{"charging": true}"#,
    ),
    (
        "pt-PT",
        "a bateria estiver abaixo dos 20 por cento",
        BATTERY,
        r#"{"below": 20.0}"#,
    ),
    (
        "pt-PT",
        "a bateria começar a carregar",
        BATTERY,
        r#"{"charging": true}"#,
    ),
    (
        "en-US",
        "something is put on the shopping list",
        LISTS,
        r#"{"list": "shopping list", "for": "additions"}"#,
    ),
    (
        "en-US",
        "somebody adds something to my shopping list",
        LISTS,
        r#"{"list": "shopping list", "for": "additions"}"#,
    ),
    (
        "en-US",
        "the shopping list is empty",
        LISTS,
        r#"{"list": "shopping list", "for": "empty"}"#,
    ),
    (
        "en-US",
        "my packing list is no longer empty",
        LISTS,
        r#"{"list": "packing list", "for": "filled"}"#,
    ),
    (
        "de-DE",
        "etwas auf die Einkaufsliste kommt",
        LISTS,
        r#"{"list": "Einkaufsliste", "for": "additions"}"#,
    ),
    (
        "de-DE",
        "die Einkaufsliste leer ist",
        LISTS,
        r#"{"list": "Einkaufsliste", "for": "empty"}"#,
    ),
    (
        "fr-FR",
        "quelque chose est ajouté à la liste de courses",
        LISTS,
        r#"{"list": "liste de courses", "for": "additions"}"#,
    ),
    (
        "fr-FR",
        "la liste de courses est vide",
        LISTS,
        r#"{"list": "liste de courses", "for": "empty"}"#,
    ),
    (
        "es-ES",
        "se añada algo a la lista de la compra",
        LISTS,
        r#"{"list": "lista de la compra", "for": "additions"}"#,
    ),
    (
        "es-ES",
        "la lista de la compra esté vacía",
        LISTS,
        r#"{"list": "lista de la compra", "for": "empty"}"#,
    ),
    (
        "it-IT",
        "qualcosa viene aggiunto alla lista della spesa",
        LISTS,
        r#"{"list": "lista della spesa", "for": "additions"}"#,
    ),
    (
        "it-IT",
        "la lista della spesa è vuota",
        LISTS,
        r#"{"list": "lista della spesa", "for": "empty"}"#,
    ),
    (
        "pt-PT",
        "alguém puser alguma coisa na lista de compras",
        LISTS,
        r#"{"list": "lista de compras", "for": "additions"}"#,
    ),
    (
        "pt-PT",
        "a lista de compras estiver vazia",
        LISTS,
        r#"{"list": "lista de compras", "for": "empty"}"#,
    ),
];

/// "Tell me when" in each language.
fn telling(lang: &str) -> &'static str {
    match lang {
        "de-DE" => "Sag Bescheid, wenn",
        "fr-FR" => "Préviens-moi quand",
        "es-ES" => "Avísame cuando",
        "it-IT" => "Avvisami quando",
        "pt-PT" => "Avisa-me quando",
        _ => "Tell me when",
    }
}

#[test]
fn what_music_the_battery_and_lists_become_is_waited_for_in_six_languages_and_is_no_order() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, statement, tool, arguments) in STATEMENTS {
        let arguments: Value = serde_json::from_str(arguments).expect("JSON");
        let asked = spoken.question_whether(statement, lang);
        let asked = asked.map(|call| {
            (
                format!("{}/{}", call.toolbox_id, call.tool),
                Value::Object(call.arguments),
            )
        });
        if asked != Some(((*tool).to_owned(), arguments)) {
            wrong.push(format!("{lang} {statement}: {asked:?}"));
        }
        let said = format!("{} {statement}", telling(lang));
        let called = call(&spoken, &said, lang, "do_when");
        if called != Some(json!({"event": statement})) {
            wrong.push(format!("{lang} {said}: {called:?}"));
        }
        let now = spoken.recognise(statement, lang);
        if now
            .as_ref()
            .is_some_and(|found| spoken.awaited.contains(&found.intent_name))
        {
            wrong.push(format!("{lang} {statement} is said: {now:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_would_happen_at_a_home_that_is_not_there_names_the_way_to_one() {
    let spoken = spoken();
    for (lang, text) in [
        ("en-US", "when the front door opens, say hello"),
        ("en-US", "tell me when the garage is open"),
        ("en-US", "sing a song when somebody rings the bell"),
        ("de-DE", "wenn die Haustür aufgeht, sag hallo"),
        ("fr-FR", "quand la porte s'ouvre, dis bonjour"),
        ("es-ES", "cuando se abra la puerta, saluda"),
        ("es-ES", "cuando la puerta se abra, saluda"),
        ("it-IT", "quando la porta si apre, saluta"),
        ("pt-PT", "quando a porta abrir, diz olá"),
    ] {
        let called = call(&spoken, text, lang, "tell_what_can_be_said");
        assert_eq!(called, Some(json!({"topic": "lights"})), "{lang} {text}");
    }
    for text in [
        "when is the front door open",
        "the front door opens",
        "when the curtain falls, clap",
    ] {
        assert_eq!(
            call(&spoken, text, "en-US", "tell_what_can_be_said"),
            None,
            "{text}"
        );
    }
}
