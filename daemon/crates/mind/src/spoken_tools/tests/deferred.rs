//! Sentences with a moment beside them, in six languages, and sentences whose moment is their own.

use loquat_orchestrator::search::ToolIntents;
use serde_json::{Map, Value, json};

use super::{spoken, spoken_at_home};

/// The language, what is said, the sentence that is kept, and when.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// A moment behind the order, before it, and inside of it; once, and on several days; by the sun.
const KEPT: &[Row] = &[
    (
        "en-US",
        "Pause the music in 20 minutes",
        "Pause the music",
        "in 20 minutes",
    ),
    (
        "en-US",
        "in half an hour turn off the radio",
        "turn off the radio",
        "in half an hour",
    ),
    (
        "en-US",
        "at six, set the volume to 30 percent",
        "set the volume to 30 percent",
        "at six",
    ),
    (
        "en-US",
        "Every morning at seven tell me the weather",
        "tell me the weather",
        "Every morning at seven",
    ),
    (
        "en-US",
        "set the volume to 20 percent every day at 10 pm",
        "set the volume to 20 percent",
        "every day at 10 pm",
    ),
    (
        "en-US",
        "tomorrow at noon resume the music please",
        "resume the music please",
        "tomorrow at noon",
    ),
    (
        "en-US",
        "on weekdays at 6:30 turn the volume up",
        "turn the volume up",
        "on weekdays at 6:30",
    ),
    ("en-US", "stop the radio at sunset", "stop the radio", "at sunset"),
    ("en-US", "flip a coin at 5 pm", "flip a coin", "at 5 pm"),
    (
        "en-US",
        "roll two dice in 10 minutes",
        "roll two dice",
        "in 10 minutes",
    ),
    (
        "en-US",
        "read my shopping list at 5 pm",
        "read my shopping list",
        "at 5 pm",
    ),
    ("en-US", "at 5 pm flip a coin", "flip a coin", "at 5 pm"),
    (
        "de-DE",
        "wirf eine Münze um 17 Uhr",
        "wirf eine Münze",
        "um 17 Uhr",
    ),
    (
        "fr-FR",
        "lance une pièce à 17 heures",
        "lance une pièce",
        "à 17 heures",
    ),
    (
        "es-ES",
        "lanza una moneda a las cinco de la tarde",
        "lanza una moneda",
        "a las cinco de la tarde",
    ),
    (
        "it-IT",
        "lancia una moneta alle 17",
        "lancia una moneta",
        "alle 17",
    ),
    (
        "pt-PT",
        "lança uma moeda às 17 horas",
        "lança uma moeda",
        "às 17 horas",
    ),
    (
        "en-US",
        "30 minutes before sunrise stop the podcast",
        "stop the podcast",
        "30 minutes before sunrise",
    ),
    ("en-US", "at half past four tell me how loud you are", "", ""),
    (
        "en-US",
        "add milk to my shopping list at five pm",
        "add milk to my shopping list",
        "at five pm",
    ),
    (
        "de-DE",
        "Pausiere die Musik in 20 Minuten",
        "Pausiere die Musik",
        "in 20 Minuten",
    ),
    (
        "de-DE",
        "Schalte in 20 Minuten die Musik aus",
        "Schalte die Musik aus",
        "in 20 Minuten",
    ),
    (
        "de-DE",
        "Um sieben Uhr mach die Musik aus",
        "mach die Musik aus",
        "Um sieben Uhr",
    ),
    (
        "de-DE",
        "Stell die Lautstärke morgen um acht Uhr auf 30 Prozent",
        "Stell die Lautstärke auf 30 Prozent",
        "morgen um acht Uhr",
    ),
    ("de-DE", "Sag mir jeden Morgen um sieben das Wetter", "", ""),
    (
        "de-DE",
        "Jeden Morgen um sieben sag mir das Wetter",
        "sag mir das Wetter",
        "Jeden Morgen um sieben",
    ),
    (
        "de-DE",
        "in einer halben Stunde beende die Musik",
        "beende die Musik",
        "in einer halben Stunde",
    ),
    (
        "de-DE",
        "mach die Musik bei Sonnenuntergang aus",
        "mach die Musik aus",
        "bei Sonnenuntergang",
    ),
    (
        "de-DE",
        "eine Stunde vor Sonnenaufgang beende die Musik",
        "beende die Musik",
        "eine Stunde vor Sonnenaufgang",
    ),
    (
        "de-DE",
        "jeden Tag um 22 Uhr stell die Lautstärke auf 10 Prozent",
        "stell die Lautstärke auf 10 Prozent",
        "jeden Tag um 22 Uhr",
    ),
    (
        "fr-FR",
        "arrête la musique dans 20 minutes",
        "arrête la musique",
        "dans 20 minutes",
    ),
    (
        "fr-FR",
        "dans une heure coupe la radio",
        "coupe la radio",
        "dans une heure",
    ),
    (
        "fr-FR",
        "à six heures monte le son",
        "monte le son",
        "à six heures",
    ),
    (
        "fr-FR",
        "tous les matins à sept heures donne-moi la météo",
        "donne-moi la météo",
        "tous les matins à sept heures",
    ),
    (
        "fr-FR",
        "demain à midi remets la musique",
        "remets la musique",
        "demain à midi",
    ),
    (
        "fr-FR",
        "au coucher du soleil arrête la radio",
        "arrête la radio",
        "au coucher du soleil",
    ),
    (
        "fr-FR",
        "30 minutes avant le lever du soleil coupe la musique",
        "coupe la musique",
        "30 minutes avant le lever du soleil",
    ),
    (
        "fr-FR",
        "tous les jours à 22 heures arrête la lecture",
        "arrête la lecture",
        "tous les jours à 22 heures",
    ),
    (
        "es-ES",
        "para la música en 20 minutos",
        "para la música",
        "en 20 minutos",
    ),
    (
        "es-ES",
        "dentro de una hora apaga la radio",
        "apaga la radio",
        "dentro de una hora",
    ),
    (
        "es-ES",
        "a las seis sube el volumen",
        "sube el volumen",
        "a las seis",
    ),
    (
        "es-ES",
        "todas las mañanas a las siete dime el pronóstico del tiempo",
        "dime el pronóstico del tiempo",
        "todas las mañanas a las siete",
    ),
    (
        "es-ES",
        "mañana a las ocho reanuda la música",
        "reanuda la música",
        "mañana a las ocho",
    ),
    (
        "es-ES",
        "al atardecer quita la música",
        "quita la música",
        "al atardecer",
    ),
    (
        "es-ES",
        "corta la música todos los días a las diez de la noche",
        "corta la música",
        "todos los días a las diez de la noche",
    ),
    (
        "it-IT",
        "ferma la musica tra 20 minuti",
        "ferma la musica",
        "tra 20 minuti",
    ),
    (
        "it-IT",
        "fra un'ora spegni la radio",
        "spegni la radio",
        "fra un'ora",
    ),
    ("it-IT", "alle sei alza il volume", "alza il volume", "alle sei"),
    (
        "it-IT",
        "ogni mattina alle sette dimmi il meteo",
        "dimmi il meteo",
        "ogni mattina alle sette",
    ),
    (
        "it-IT",
        "domani alle otto riprendi la musica",
        "riprendi la musica",
        "domani alle otto",
    ),
    (
        "it-IT",
        "al tramonto togli la musica",
        "togli la musica",
        "al tramonto",
    ),
    (
        "it-IT",
        "ogni giorno alle 22 spegni la musica",
        "spegni la musica",
        "ogni giorno alle 22",
    ),
    (
        "pt-PT",
        "para a música daqui a 20 minutos",
        "para a música",
        "daqui a 20 minutos",
    ),
    (
        "pt-PT",
        "dentro de uma hora desliga o rádio",
        "desliga o rádio",
        "dentro de uma hora",
    ),
    ("pt-PT", "às seis sobe o volume", "sobe o volume", "às seis"),
    (
        "pt-PT",
        "todas as manhãs às sete diz-me a previsão do tempo",
        "diz-me a previsão do tempo",
        "todas as manhãs às sete",
    ),
    (
        "pt-PT",
        "amanhã às oito retoma a música",
        "retoma a música",
        "amanhã às oito",
    ),
    (
        "pt-PT",
        "ao pôr do sol desliga a música",
        "desliga a música",
        "ao pôr do sol",
    ),
    (
        "pt-PT",
        "todos os dias às 22 horas para a música",
        "para a música",
        "todos os dias às 22 horas",
    ),
];

/// What has a moment and is not kept for it: the moment is the sentence's own, or a part of a person's own words.
const NOT_KEPT: &[(&str, &str)] = &[
    ("en-US", "wake me up at seven"),
    ("en-US", "remind me to call Ada at six"),
    ("en-US", "what is the weather tomorrow at noon"),
    ("en-US", "remember that the meeting is at six"),
    ("en-US", "add dentist at nine to my shopping list"),
    ("en-US", "set a timer for 20 minutes"),
    ("en-US", "set an alarm every morning at seven"),
    ("en-US", "wake me next week every day at six"),
    ("en-US", "at eight create an alarm on the weekend"),
    ("en-US", "remind me next month to pay the rent at nine"),
    ("de-DE", "weck mich nächste Woche jeden Tag um sechs"),
    ("en-US", "go to sleep until seven"),
    ("en-US", "what time is it in 20 minutes"),
    ("en-US", "what is on my shopping list at 5 pm"),
    ("en-US", "is the music playing at 5 pm"),
    ("en-US", "the weather at 5 pm"),
    ("en-US", "tell me the weather at 5 pm"),
    ("en-US", "time in tokyo at 5 pm"),
    ("en-US", "the show begins at six"),
    ("en-US", "in 20 minutes the train leaves"),
    ("en-US", "do not pause the music in 20 minutes"),
    ("de-DE", "Wecke mich um sieben"),
    ("de-DE", "Erinnere mich um sechs an den Müll"),
    ("de-DE", "Wie wird das Wetter morgen um acht"),
    ("de-DE", "um sieben Uhr fährt der Zug"),
    ("fr-FR", "réveille-moi à sept heures"),
    ("es-ES", "despiértame a las siete"),
    ("it-IT", "svegliami alle sette"),
    ("pt-PT", "acorda-me às sete"),
];

/// The sentence that is kept, and when it is done.
fn kept(spoken: &super::SpokenTools, text: &str, lang: &str) -> Option<Map<String, Value>> {
    let found = spoken.recognise(text, lang)?;
    let call = spoken.call(&found.intent_name, text, lang)?.call;
    (call.tool == "do_later").then_some(call.arguments)
}

#[test]
fn what_stands_beside_a_moment_is_kept_for_it() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text, command, time) in KEPT.iter().filter(|row| !row.2.is_empty()) {
        let expected = json!({"command": command, "time": time});
        let kept = kept(&spoken, text, lang).map(Value::Object);
        if kept.as_ref() != Some(&expected) {
            wrong.push(format!("{lang} {text}: {kept:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_moment_of_the_sentence_itself_stays_there() {
    let spoken = spoken_at_home();
    let wrong: Vec<_> = NOT_KEPT
        .iter()
        .filter_map(|(lang, text)| Some((text, kept(&spoken, text, lang)?)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn later_alone_is_asked_about_and_the_answer_is_when() {
    let spoken = spoken();
    for (lang, text, answer, argument) in [
        ("en-US", "pause the music later", "in 20 minutes", "duration"),
        ("de-DE", "pausiere die Musik später", "um acht Uhr", "time"),
        (
            "fr-FR",
            "arrête la musique plus tard",
            "dans 20 minutes",
            "duration",
        ),
        ("es-ES", "para la música más tarde", "en 20 minutos", "duration"),
        ("it-IT", "ferma la musica più tardi", "tra 20 minuti", "duration"),
        (
            "pt-PT",
            "para a música mais tarde",
            "daqui a 20 minutos",
            "duration",
        ),
    ] {
        let found = spoken.recognise(text, lang).expect(text);
        let wanted = spoken.call(&found.intent_name, text, lang).expect(text);
        assert_eq!(wanted.call.tool, "do_later", "{text}");
        assert!(spoken.is_incomplete(&wanted), "{text}");
        let whole = spoken.completed(&wanted, answer, lang).expect(answer);
        assert!(whole.call.arguments.contains_key(argument), "{:?}", whole.call);
        assert!(!spoken.is_incomplete(&whole), "{text}");
    }
}
